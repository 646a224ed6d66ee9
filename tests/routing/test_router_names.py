"""Messages that name their skill, through the router."""

import pytest

from metier.routing import Router
from metier.skills import DeclaredTool, Invocation, Skill
from tests.routing.support import BAZI, DESK, WORDS, ConceptView, catalog, skill


@pytest.mark.parametrize(
    ("message", "chosen", "rest"),
    [
        pytest.param("/pptx 做季度汇报", "pptx", "做季度汇报", id="slash"),
        pytest.param("切换到周报", "weekly-report", "", id="title"),
        pytest.param("use the meeting minutes skill: today", "meeting-minutes", "today", id="id with spaces"),
    ],
)
def test_a_named_skill_is_taken_without_a_search(message: str, chosen: str, rest: str) -> None:
    view = ConceptView()
    decision = Router(views=(view,)).route(message, catalog=DESK)
    assert (decision.verdict, decision.route, decision.skill, decision.message) == ("auto", "explicit", chosen, rest)
    assert decision.candidates[0].score == 1
    assert view.synced == []


def test_a_named_skill_wins_over_the_one_in_use() -> None:
    assert WORDS.route("/pptx", catalog=DESK, active="bazi").skill == "pptx"


def test_a_long_message_after_a_name_is_kept_whole() -> None:
    assert len(WORDS.route("/pptx " + "字" * 100_000, catalog=DESK).message) == 100_000


def test_a_slash_alone_lists_what_can_be_named() -> None:
    off = skill("off", enabled=False)
    model_only = skill("model-only", invocation=Invocation(by_user=False))
    private = skill("private", title="Mine", invocation=Invocation(automatic=False))
    decision = WORDS.route("/", catalog=catalog(off, model_only, private, BAZI))
    assert (decision.verdict, decision.route, decision.skill) == ("none", "list", None)
    assert decision.notes == ("/bazi  八字命理", "/private  Mine")


def test_an_unknown_slash_says_so_and_the_message_is_searched_whole() -> None:
    decision = WORDS.route("/pttx 把大纲变成幻灯片", catalog=DESK)
    assert (decision.route, decision.skill, decision.message) == ("search", "pptx", "/pttx 把大纲变成幻灯片")
    assert decision.notes[0] == "no skill is called 'pttx'; near: /pptx"


def test_a_path_is_no_command() -> None:
    decision = WORDS.route("/etc/hosts 是什么", catalog=DESK)
    assert decision.route == "search"
    assert decision.verdict != "auto"
    assert not any("no skill is called" in note for note in decision.notes)


@pytest.mark.parametrize(
    ("one", "code"),
    [
        pytest.param(skill("x", enabled=False), "disabled", id="disabled"),
        pytest.param(skill("x", hosts=("et",)), "host", id="host"),
        pytest.param(skill("x", group="life"), "group", id="group"),
        pytest.param(skill("x", tools=(DeclaredTool("gone"),)), "missing_tool", id="tool"),
        pytest.param(skill("x", requires=("gone",)), "missing_skill", id="skill"),
        pytest.param(skill("x", invocation=Invocation(by_user=False)), "not_by_name", id="not by name"),
    ],
)
def test_a_named_skill_that_cannot_be_had_says_why(one: Skill, code: str) -> None:
    router = Router(groups=frozenset({"files"}), tools=frozenset())
    decision = router.route("/x do it", catalog=catalog(one, BAZI), host="writer")
    assert (decision.verdict, decision.route, decision.skill, decision.message) == ("none", "explicit", None, "do it")
    assert [found.code for found in decision.filtered] == [code]
    assert decision.notes == (f"the message names 'x', but {decision.filtered[0].text()}",)


def test_a_skill_for_people_only_is_found_by_name_alone() -> None:
    private = skill("x", triggers=("折线图",), examples=("画折线图",), invocation=Invocation(automatic=False))
    assert WORDS.route("画折线图", catalog=catalog(private, BAZI)).skill is None
    assert WORDS.route("/x", catalog=catalog(private, BAZI)).skill == "x"
