"""What a file leaves out of an answer: words for the conversation."""

import pytest

from metier.exports._spoken_hints import drop_spoken_hints


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("推荐参数见表；需要写入数字孪生时说「下发参数」。", "推荐参数见表。"),
        ("现在有 67 处参数在用；说「撤销参数」可以撤销最近一次下发。", "现在有 67 处参数在用。"),
        ("由所有用户共用。说「撤销参数」可以撤销。不含这些参数时，A。", "由所有用户共用。不含这些参数时，A。"),
        ("谱线清楚。需要带图的文件，可以说「写诊断报告」。", "谱线清楚。"),
        ("可以接着说：「按月看趋势」、「透视表」。", ""),
        ("They are in the table; say 'apply the parameters' to put them in force.", "They are in the table."),
        ("Done. Say “undo it” to take it back. The rest stays.", "Done. The rest stays."),
    ],
)
def test_what_to_say_next_is_no_part_of_a_file(said: str, left: str) -> None:
    assert drop_spoken_hints(said) == left


@pytest.mark.parametrize(
    "text",
    [
        "张涛说「下周五之前改完」。",
        "He said “I will do it”, and: “no”.",
        "结果如下：\n\n- 「说明」：见附件",
        "甲方说明：「交付」见第三条。",
        "结论：销售额上升；要看明细时可以说「按月统计」，毛利率为 32 %，下降 3 个百分点。",
        "张三负责报价，请回复「收到」并在周五前附上签字的合同。",
        "请在周五前答复。请回复「收到」。",
        'Dear Ann,\nPlease say "yes" to the offer of £4,500 by Friday.\nBest',
        'Dear Ann,\nSay "yes" to the offer.\nSay "yes".',
        "客户问价格时，请说「您好，这款是299元」，不要报底价。",
        "客户问价格时，请说「您好」。",
        "要退货时请说「好的」；需要换货时说「请稍等」，三天内寄出。",
    ],
)
def test_what_people_said_stays(text: str) -> None:
    assert drop_spoken_hints(text) == text
