"""What a file leaves out of an answer: words for the conversation."""

import pytest

from metier.exports._spoken_hints import drop_spoken_hints


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("推荐参数见表；需要写入数字孪生时说「下发参数」。", "推荐参数见表。"),
        ("现在有 67 处参数在用，说「撤销参数」可以撤销最近一次下发。", "现在有 67 处参数在用。"),
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
    ],
)
def test_what_people_said_stays(text: str) -> None:
    assert drop_spoken_hints(text) == text
