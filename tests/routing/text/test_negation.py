import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.text import Negation, _negation, parse_negation
from metier.routing.text._triggers import WordFinder
from metier.textsearch import fold

WORDS = WordFinder(
    [
        "ppt",
        "幻灯片",
        "研究报告",
        "报告",
        "周报",
        "画图",
        "pdf",
        "slides",
        "report",
        "charts",
        "tables",
        "market research",
    ]
)


@pytest.mark.parametrize(
    ("message", "asked", "denied"),
    [
        pytest.param("不要做PPT，写一份研究报告", "写一份研究报告", {"ppt"}, id="不要, then a request"),
        pytest.param("不要做PPT写一份研究报告", "写一份研究报告", {"ppt"}, id="no comma between"),
        pytest.param("写研究报告，别做PPT了", "写研究报告", {"ppt"}, id="别, after a request"),
        pytest.param("别画图", "", {"画图"}, id="别 alone"),
        pytest.param("无需导出pdf", "", {"pdf"}, id="无需"),
        pytest.param("我不需要PPT，只要研究报告", "只要研究报告", {"ppt"}, id="不需要"),
        pytest.param("不用PPT直接给报告", "直接给报告", {"ppt"}, id="不用, 直接"),
        pytest.param("不要PPT和PDF，要周报", "要周报", {"ppt", "pdf"}, id="two joined by 和"),
        pytest.param("PPT就不用了，写研究报告", "写研究报告", {"ppt"}, id="refused afterwards"),
        pytest.param("PPT、PDF都不要", "", {"ppt", "pdf"}, id="two refused afterwards"),
        pytest.param("写报告，而不是PPT", "写报告", {"ppt"}, id="而不是"),
        pytest.param("不要研究报告", "", {"研究报告", "报告"}, id="a word within a word"),
        pytest.param("除了PPT都行", "", {"ppt"}, id="除了…都"),
        pytest.param("不要ＰＰＴ", "", {"ppt"}, id="folded before"),
        pytest.param("I don't want slides, write a report", "write a report", {"slides"}, id="don't"),
        pytest.param("I do not want slides. Write a Report", "Write a Report", {"slides"}, id="do not, case kept"),
        pytest.param("a report, not slides", "a report", {"slides"}, id="not, after a request"),
        pytest.param("write a report without charts", "write a report", {"charts"}, id="without"),
        pytest.param("a report without charts or tables", "a report", {"charts", "tables"}, id="or"),
        pytest.param("a report instead of slides", "a report", {"slides"}, id="instead of"),
        pytest.param("slides are not needed, just a report", "just a report", {"slides"}, id="not needed"),
        pytest.param("don't make slides about the market research", "", {"slides"}, id="what the refused is about"),
        pytest.param("No slides please, a report", "please, a report", {"slides"}, id="no"),
    ],
)
def test_what_is_refused_is_taken_out(message: str, asked: str, denied: set[str]) -> None:
    heard = parse_negation(message.replace("ＰＰＴ", "PPT"), WORDS)
    assert (heard.remaining, set(heard.denied)) == (asked, denied)


@pytest.mark.parametrize(
    "message",
    [
        "不要着急，帮我做PPT",
        "不要着急帮我做PPT",
        "不用担心格式，做PPT",
        "别忘了做PPT",
        "不是不要PPT",
        "不得不做PPT",
        "要不要做PPT",
        "是不是该做PPT",
        "要不做个PPT吧",
        "不仅要PPT还要报告",
        "除了PPT，还要研究报告",
        "特别好看的PPT",
        "分别写周报和PPT",
        "别人的PPT怎么做",
        "识别PPT里的字",
        "PPT不用太花哨",
        "不要太长的PPT",
        "不会做PPT，教教我",
        "这个字不认识，做PPT",
        "no problem, make slides",
        "no problem make slides",
        "no more than ten slides",
        "not only slides but also a report",
        "don't just make slides",
        "why not make slides",
        "I do not know how to make slides",
        "don't forget the slides",
        "never skip the slides",
        "I am not in a hurry; make slides",
        "what are common mistakes to avoid with slides",
        "how do I avoid charts that nobody reads",
        "we have no slides yet, where do we start",
        "this is not a full report, what do I call it",
        "make slides",
        "不要pdfium",
        "",
    ],
)
def test_what_only_looks_like_a_refusal_changes_nothing(message: str) -> None:
    heard = parse_negation(message, WORDS)
    assert (heard.remaining, heard.denied) == (message, ())


def test_a_refusal_does_not_reach_over_many_words() -> None:
    assert parse_negation("我不是专业人士但对这个特别特别特别特别感兴趣想做PPT", WORDS).denied == ()
    assert parse_negation("not being an expert in any of these many matters i need slides", WORDS).denied == ()


@pytest.mark.parametrize(
    ("message", "asked", "denied"),
    [
        pytest.param("不要写程序，把会记成纪要", "把会记成纪要", ("不要写程序",), id="an order"),
        pytest.param("先不退款，给客户写段话", "给客户写段话", ("先不退款",), id="先不"),
        pytest.param("作文先不改，给家长写封信", "给家长写封信", ("作文先不改",), id="put off by 先不"),
        pytest.param("PPT先放一放，把重复行去掉", "把重复行去掉", ("ppt",), id="put off by name"),
        pytest.param("画图以后再说，写周报", "写周报", ("画图",), id="以后再说"),
        pytest.param("PPT就算了，写周报", "写周报", ("ppt",), id="算了"),
        pytest.param("不是看齿轮，看轴承", "看轴承", ("不是看齿轮",), id="不是A，B"),
        pytest.param("与其做仿真，不如看看负荷", "不如看看负荷", ("与其做仿真",), id="与其"),
        pytest.param("no tables please, just fix the import", "please, just fix the import", ("tables",), id="no"),
        pytest.param("no spreadsheet work, fix the import", "fix the import", ("no spreadsheet work",), id="none"),
        pytest.param("I'm not asking for a chart, draw a card", "draw a card", ("im not asking for a chart",), id="im"),
        pytest.param("skip the tour and show me the map", "show me the map", ("skip the tour",), id="skip … and"),
        pytest.param("never mind the bill, write a report", "write a report", ("never mind the bill",), id="mind"),
        pytest.param("the slides can wait, write a report", "write a report", ("slides",), id="can wait"),
        pytest.param("make slides, but without animations", "make slides", ("but without animations",), id="a detail"),
        pytest.param("without touching a word, unify fonts", "unify fonts", ("without touching a word",), id="so"),
    ],
)
def test_a_refusal_that_names_no_skill_goes_as_a_whole(message: str, asked: str, denied: tuple[str, ...]) -> None:
    heard = parse_negation(message, WORDS)
    assert (heard.remaining, (*heard.denied, *heard.refused)) == (asked, denied)


@pytest.mark.parametrize(
    "message",
    [
        "PPT就不用做了，谢谢",
        "号不用约了，谢谢",
        "不用画图，我自己来",
        "周报已经有人写了，不用管",
        "不要写程序",
        "今天不想算命，也不想聊人生，随便唠两句",
        "please don't write any code",
        "I don't need any code, forget it",
        "the report is fine, leave it alone",
    ],
)
def test_a_message_that_only_refuses_asks_for_nothing(message: str) -> None:
    heard = parse_negation(message, WORDS)
    assert heard.remaining == ""
    assert heard.denied or heard.refused


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("我不想上班，怎么办", id="nothing else is asked"),
        pytest.param("不用电怎么取暖", id="a question"),
        pytest.param("我不是专业人士，教教我", id="who asks"),
        pytest.param("it doesn't start, fix it", id="what is wrong"),
        pytest.param("I don't have a car, plan a trip", id="what there is not"),
    ],
)
def test_what_is_wrong_or_unwanted_in_life_is_part_of_the_request(message: str) -> None:
    assert parse_negation(message, WORDS) == Negation(message)


@given(st.text("不要别PT做，。ppt report no slides或和", max_size=60))
def test_hearing_never_invents_words(message: str) -> None:
    heard = parse_negation(message, WORDS)
    assert set(heard.remaining) <= set(message)
    assert heard.denied or heard.refused or heard.remaining == message
    assert all(word in fold(message) for word in (*heard.denied, *heard.refused))


@pytest.mark.parametrize(
    "message",
    ["先" * 8_000, "就先也都" * 2_000, "，不用" * 2_000, "那就还是算" * 1_600],
    ids=["先", "就先也都", "不用", "算"],
)
def test_a_message_full_of_little_words_costs_one_pass(message: str) -> None:
    assert len(parse_negation(message, WORDS).remaining) <= len(message)


@pytest.mark.parametrize("message", ["别ppt " * 2000, "别" * 10_000, "，" * 10_000, "不要ppt和" * 2000, "除了" * 5000])
def test_a_message_full_of_refusals_costs_one_pass(message: str) -> None:
    assert len(parse_negation(message, WORDS).remaining) <= len(message)


_LATIN = (
    "no slides, write a report",
    "Please write the report. The slides can wait.",
    "slides later, first the report",
    "another time, just the report",
    "put the slides aside and write a report",
    "never mind the charts",
    "forget it",
    "we do it later today, write a report",
    "cannot hesitate: write the report",
    "a report instead of slides",
    "leave out tables or charts, but make slides",
    "slides are not needed, write a report",
    "the slides are unnecessary",
    "Wait for the rain. Later the lift was repaired. Write a report",
)


@pytest.mark.parametrize("message", [*_LATIN, " ".join(_LATIN), "写报告，不要PPT, slides later"])
def test_the_search_for_refusing_words_changes_no_result(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = parse_negation(message, WORDS)
    monkeypatch.setattr(_negation, "_may_refuse", lambda _: True)
    assert parse_negation(message, WORDS) == found


@given(st.lists(st.sampled_from((*" ".join(_LATIN).split(), "slides", "report.", "Later")), max_size=12))
def test_the_search_for_refusing_words_changes_no_result_of_any_words(words: list[str]) -> None:
    message = " ".join(words)
    found = parse_negation(message, WORDS)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_negation, "_may_refuse", lambda _: True)
        assert parse_negation(message, WORDS) == found
