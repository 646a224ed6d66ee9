import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.text import TriggerIndex, build_routing_text, split_requests
from tests.routing.support import DESK

LISTENERS = TriggerIndex([build_routing_text(one) for one in DESK])


def texts(message: str) -> tuple[str, ...]:
    return tuple(part.text for part in split_requests(message, LISTENERS))


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        pytest.param("写周报，然后整理会议纪要", ("写周报", "整理会议纪要"), id="然后"),
        pytest.param("写周报；做PPT", ("写周报", "做PPT"), id="semicolon"),
        pytest.param("审合同，顺便做成PPT，最后导出pdf", ("审合同", "做成PPT", "导出pdf"), id="three"),
        pytest.param("先调研再做成PPT", ("先调研", "做成PPT"), id="先…再… without a comma"),
        pytest.param("把表汇总，做一页图", ("把表汇总", "做一页图"), id="an ask after a comma"),
        pytest.param("录音理成纪要，结果放进PPT里", ("录音理成纪要", "结果放进PPT里"), id="a trigger after a comma"),
        pytest.param("出周报和PPT", ("出周报", "PPT"), id="one verb, two objects"),
        pytest.param("周报、PPT都给我", ("周报", "PPT都给我"), id="a list"),
        pytest.param("纪要、PPT都要", ("纪要", "PPT都要"), id="a list with one known word"),
        pytest.param("分析负荷并做成PPT", ("分析负荷", "做成PPT"), id="并"),
        pytest.param("算个八字。写周报。", ("算个八字", "写周报"), id="sentences"),
        pytest.param("一是写周报，二是做PPT", ("一是写周报", "做PPT"), id="counted"),
        pytest.param("Write the report and then make slides", ("Write the report", "make slides"), id="and then"),
        pytest.param("Write the report. Then make slides", ("Write the report", "make slides"), id="Then, upper case"),
        pytest.param("check the load and send me the list", ("check the load", "send me the list"), id="and, a verb"),
        pytest.param("a weekly report as well as slides", ("a weekly report", "slides"), id="as well as"),
        pytest.param("both slides and a research report", ("both slides", "a research report"), id="both"),
        pytest.param("fix it before turning it into slides", ("fix it", "turning it into slides"), id="before …ing"),
        pytest.param("1. 写周报 2. 做PPT", ("写周报", "做PPT"), id="numbered"),
        pytest.param("写一篇“电池”，然后做PPT", ("写一篇“电池”", "做PPT"), id="a quotation stays whole"),
        pytest.param("做PPT之前，先写周报", ("先写周报", "做PPT"), id="what comes before stands first"),
        pytest.param("Before you make slides, write the report", ("write the report", "make slides"), id="Before"),
        pytest.param(
            "write the report and, in addition, make slides", ("write the report", "make slides"), id="and, in addition"
        ),
        pytest.param(
            "Is it full? And when that's done, make slides", ("Is it full", "make slides"), id="a question, then later"
        ),
        pytest.param(
            "write the report, and the contract needs a review",
            ("write the report", "the contract needs a review"),
            id="what needs something",
        ),
        pytest.param("is it full? Also, add a slide", ("is it full", "add a slide"), id="a question, then more"),
    ],
)
def test_a_message_comes_apart_where_another_ask_begins(message: str, parts: tuple[str, ...]) -> None:
    assert texts(message) == parts


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("写周报", id="one"),
        pytest.param("然后呢", id="nothing before"),
        pytest.param("写周报；", id="nothing after"),
        pytest.param("", id="empty"),
        pytest.param("页码和编号弄连贯", id="two details"),
        pytest.param("产品、价格、销量", id="a list of details"),
        pytest.param("上周的发言里最后定了什么", id="最后 within a clause"),
        pytest.param("remove eric's b. day", id="an abbreviation"),
        pytest.param("my cover letter and CV in one pdf", id="and, no verb"),
        pytest.param("salt and pepper", id="and, no skill"),
        pytest.param("PPT和幻灯片", id="two names of one skill"),
        pytest.param("比较一下周报和PPT", id="two things to compare"),
        pytest.param("Calculate the psychological index", id="a word that begins like P.S."),
        pytest.param("explain how a car stops and then accelerates again", id="then, in what is told"),
        pytest.param("test the headline, slides and button", id="a list of things"),
        pytest.param("Edit this line: 'Make slides today. Then write the weekly report!'", id="quoted"),
        pytest.param("Fit the model, which is linear", id="a relative clause"),
        pytest.param("统计各区域和各月份的销售额", id="各 before what is counted"),
        pytest.param("如果先写周报再做PPT会怎么样", id="what would be"),
        pytest.param("What happens if we write the report first and then make slides", id="what would be, English"),
    ],
)
def test_one_ask_is_not_taken_apart(message: str) -> None:
    assert texts(message) == ()


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("\n".join(f"line number {at}" for at in range(50)), id="a paste"),
        pytest.param("写周报；" * 6, id="more than five"),
        pytest.param("写周报；" + "字" * 2_000, id="too long"),
    ],
)
def test_a_long_list_or_a_paste_is_one_thing(message: str) -> None:
    assert texts(message) == ()


@pytest.mark.parametrize(
    ("message", "asking"),
    [
        pytest.param("评审会上大家说的意见，整理成待办", [False, True], id="的, then an ask"),
        pytest.param("卖得最好的款列出来，做一页图", [True, True], id="的 and a verb"),
        pytest.param("I am planning a trip. Show me a map", [False, True], id="a statement"),
        pytest.param("I am looking for a map. Show me a chart", [True, True], id="a wish"),
        pytest.param("Show me a chart. Somebody came in late", [True, False], id="a last statement"),
        pytest.param("the script crashes, fix the import", [False, True], id="what is wrong"),
        pytest.param("I run an agency. Find me ten shops", [False, True], id="who asks"),
        pytest.param("Make a poster. We sell slides to schools", [True, False], id="who asks, afterwards"),
        pytest.param("What should we test? We want to raise our rate", [True, False], id="what it is for"),
        pytest.param("Make a poster. We also want to raise our rate", [True, False, True], id="one more wish"),
        pytest.param("Set up a program. How should we structure it?", [True, False], id="a question about it"),
        pytest.param("Show me a map. Can you help me out?", [True, False], id="help with it"),
        pytest.param("审一下合同，标出来", [True, False], id="does not say what"),
        pytest.param("check the agreement and fix it", [True, False], id="does not say what, English"),
        pytest.param("审一下合同，做PPT", [True, True], id="short, but named"),
        pytest.param("不要着急，做个PPT", [False, True], id="comfort"),
        pytest.param("先调研，再做PPT", [True, True], id="two asks"),
        pytest.param("开源模型的现状；写个示例程序", [True, True], id="的, but a semicolon"),
        pytest.param("开源模型的现状，然后写个示例程序", [True, True], id="的, but 然后"),
        pytest.param("纪要、PPT都要", [True, True], id="a list of words"),
    ],
)
def test_what_a_request_is_about_is_no_request(message: str, asking: list[bool]) -> None:
    assert [part.is_request for part in split_requests(message, LISTENERS)] == asking


@pytest.mark.parametrize(
    ("message", "marked"),
    [
        pytest.param("写周报，然后做PPT", [True, True], id="然后"),
        pytest.param("写周报，做PPT", [False, False], id="a comma"),
        pytest.param("write it, make slides, then send it", [False, False, True], id="one of two"),
        pytest.param("write the report, and make slides too", [False, True], id="too"),
    ],
)
def test_a_part_knows_whether_a_word_sets_it_apart(message: str, marked: list[bool]) -> None:
    assert [part.marked for part in split_requests(message, LISTENERS)] == marked


def test_a_part_knows_whether_it_works_on_what_the_one_in_front_makes() -> None:
    parts = split_requests("Sum the sales by month, plot it as a line and write the minutes", LISTENERS)
    assert [part.reuses for part in parts] == [False, True, False]


@given(st.text("写周报做PPT，。；和、再并 and then makeslides.", max_size=60))
def test_the_parts_are_pieces_of_the_message_in_order(message: str) -> None:
    at = 0
    for text in texts(message):
        at = message.index(text, at) + len(text)
    assert len(texts(message)) in (0, 2, 3, 4, 5)
