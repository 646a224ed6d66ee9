import pytest

from metier.routing.text import SkillNames, find_named
from tests.routing.support import skill

NAMES = SkillNames(
    [
        skill("weekly-report", title="周报"),
        skill("pptx", title="Slide decks"),
        skill("research", title="研究报告"),
        skill("node_helper", title="Node.js helper"),
    ]
)


@pytest.mark.parametrize(
    ("message", "found", "rest"),
    [
        pytest.param("/pptx 做季度汇报", "pptx", "做季度汇报", id="slash"),
        pytest.param("  /pptx", "pptx", "", id="slash, nothing more"),
        pytest.param("／ＰＰＴＸ 汇报", "pptx", "汇报", id="full width"),
        pytest.param("/Weekly_Report last week", "weekly-report", "last week", id="case and separator"),
        pytest.param("/weekly report last week", "weekly-report", "last week", id="a space for the separator"),
        pytest.param("/周报 上周", "weekly-report", "上周", id="title after a slash"),
        pytest.param("/Slide decks for the board", "pptx", "the board", id="title of two words"),
        pytest.param("/pptx，做汇报", "pptx", "做汇报", id="comma after the name"),
        pytest.param("/pptx做汇报", "pptx", "做汇报", id="Chinese right after the name"),
        pytest.param("/pptx\nline one\nline two", "pptx", "line one\nline two", id="lines"),
        pytest.param("切换到周报", "weekly-report", "", id="切换到"),
        pytest.param("切换到「周报」技能", "weekly-report", "", id="quoted, with the word skill"),
        pytest.param("请切换到 weekly-report，写上周的", "weekly-report", "写上周的", id="polite, with a rest"),
        pytest.param("用周报技能写一下上周", "weekly-report", "写一下上周", id="用…技能 with a rest"),
        pytest.param("用周报", "weekly-report", "", id="用"),
        pytest.param("改用研究报告：低空经济", "research", "低空经济", id="改用"),
        pytest.param("use pptx", "pptx", "", id="use id"),
        pytest.param("Use the Slide Decks skill to present Q3", "pptx", "present Q3", id="use title skill to"),
        pytest.param("switch to weekly report: last week", "weekly-report", "last week", id="switch to"),
        pytest.param("please use 'research' for solid-state batteries", "research", "solid-state batteries", id="for"),
        pytest.param("use Node.js helper, please", "node_helper", "please", id="a title with a full stop"),
    ],
)
def test_a_message_that_names_a_skill(message: str, found: str, rest: str) -> None:
    named = find_named(message, NAMES)
    assert named is not None
    assert (named.skill, named.rest) == (found, rest)


@pytest.mark.parametrize(
    "message",
    [
        "use a hammer",
        "use research methods to find out",
        "run the numbers",
        "用心写一份报告",
        "用周报的格式写总结",
        "使用方法是什么",
        "换成柱状图",
        "我用过周报",
        "/etc/hosts 是什么",
        "//",
        "/ 帮我做个汇报",
        "1/2 of the weekly-report",
        "",
        "用",
        "use ",
    ],
)
def test_a_message_that_names_none(message: str) -> None:
    assert find_named(message, NAMES) is None


@pytest.mark.parametrize("message", ["/", " ／ \n"])
def test_a_slash_alone_asks_for_the_list(message: str) -> None:
    named = find_named(message, NAMES)
    assert named is not None
    assert named.wants_list


@pytest.mark.parametrize(
    ("message", "asked", "near"),
    [
        pytest.param("/pptxx 汇报", "pptxx", ("pptx",), id="a slip of the finger"),
        pytest.param("/week", "week", ("weekly-report",), id="the beginning of an id"),
        pytest.param("/研究报 低空经济", "研究报", ("research",), id="nearly a title"),
        pytest.param("/zzz", "zzz", (), id="like none"),
    ],
)
def test_an_unknown_slash_keeps_the_message_and_knows_what_is_near(
    message: str, asked: str, near: tuple[str, ...]
) -> None:
    named = find_named(message, NAMES)
    assert named is not None
    assert (named.skill, named.typed_name, named.suggestions, named.rest) == ("", asked, near, message)


def test_an_exact_id_wins_over_one_that_only_looks_like_it() -> None:
    names = SkillNames([skill("a-b", priority=9), skill("a_b")])
    assert names.find("a_b") == "a_b"
    assert names.find("a b") == "a-b"


def test_an_id_wins_over_another_skills_title() -> None:
    names = SkillNames([skill("other", title="pdf"), skill("pdf")])
    assert names.find("PDF") == "pdf"


@pytest.mark.parametrize(
    "message",
    ["用" + " " * 50_000 + "x", "use " + "a " * 25_000 + "!", "/" + "x" * 50_000, "切换到" + "，" * 50_000],
    ids=["spaces", "words", "one long name", "commas"],
)
def test_a_hostile_message_costs_one_pass(message: str) -> None:
    named = find_named(message, NAMES)
    assert named is None or not named.skill


@pytest.mark.parametrize(
    "message", ["how many skills do you have", "你有多少个技能", "一共有几个技能？", "which skills are there?"]
)
def test_who_asks_for_the_number_of_skills_gets_the_list(message: str) -> None:
    named = find_named(message, NAMES)
    assert named is not None
    assert named.wants_list
