"""The SOP of a skill, made a plan."""

import pytest

from metier.errors import InvalidSkill
from metier.json_values import JsonObject
from metier.language import Language
from metier.plans import Constraints, compile_sop, read_sop, rules_from_plan
from metier.skills import Skill
from tests.plans.support import skill, telecom_skill


def test_a_skill_without_steps_gives_a_plan_without_steps() -> None:
    plan = compile_sop(skill(tools=("look",)))
    assert (plan.source, plan.steps) == ("none", ())
    assert plan.constraints == Constraints(("look",), (), "skill")


def test_the_skill_bounds_the_plan() -> None:
    plan = compile_sop(telecom_skill())
    assert plan.source == "sop"
    assert plan.goal == "弱覆盖巡检"
    assert not plan.constraints.permits("send_mail")
    assert not plan.constraints.permits("shell")
    rules = rules_from_plan(plan)
    assert (rules.layer, rules.forbidden) == ("plan", frozenset({"send_mail"}))
    assert rules.allowed == frozenset(plan.constraints.allowed or ())


BOTH: JsonObject = {
    "id": "send",
    "title": {"zh": "确认", "en": "Agree"},
    "ask": {"zh": "要发吗？", "en": "Send it?"},
    "choices": [{"text": {"zh": "发", "en": "Send"}, "value": True}, {"text": {"en": "No"}, "value": False}],
}


@pytest.mark.parametrize(
    ("language", "expected"),
    [("zh", ("确认", "要发吗？", ["发", "No"])), ("en", ("Agree", "Send it?", ["Send", "No"]))],
)
def test_words_in_both_languages_are_said_in_one(language: Language, expected: tuple[str, str, list[str]]) -> None:
    (step,) = compile_sop(skill(BOTH), language).steps
    assert (step.title, step.ask, [choice.text for choice in step.choices]) == expected


@pytest.mark.parametrize(("language", "name"), [("zh", "已发出"), ("en", "sent")])
def test_the_name_of_a_milestone_is_said_in_one_language(language: Language, name: str) -> None:
    check: JsonObject = {"kind": "expr", "expr": "$.send"}
    milestone: JsonObject = {"name": {"zh": "已发出", "en": "sent"}, "after": "send", "check": check}
    (found,) = compile_sop(skill(BOTH, milestones=(milestone,)), language).milestones
    assert found.name == name


def test_words_in_a_third_language_are_no_words() -> None:
    reading = read_sop(skill({"id": "send", "ask": {"fr": "On envoie ?"}}))
    assert [problem.path for problem in reading.problems] == ["/sop/0/ask"]


WRONG: dict[str, tuple[Skill, str, str]] = {
    "an expression": (skill({"id": "find", "call": "a", "with": {"q": "$.["}}), "expression_invalid", "/sop/0/with/q"),
    "a tool of nobody's": (skill({"id": "find", "call": "shell"}, tools=("a",)), "tool_not_allowed", "/sop/0/call"),
    "a tool offered": (skill({"id": "find", "tools": ["shell"]}, tools=("a",)), "tool_not_allowed", "/sop/0/tools"),
    "a check": (
        skill({"id": "find", "call": "a"}, milestones=({"check": {"kind": "vibes"}},)),
        "check_unknown",
        "/milestones/0/check/kind",
    ),
}


@pytest.mark.parametrize(("broken", "code", "path"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_sop_is_told_in_the_words_of_the_front_matter(broken: Skill, code: str, path: str) -> None:
    reading = read_sop(broken)
    assert reading.plan is None
    assert [(problem.code, problem.path) for problem in reading.problems] == [(code, path)]


def test_a_wrong_sop_names_the_skill_and_the_step() -> None:
    with pytest.raises(InvalidSkill, match=r"skill 'demo'.*step 'find'") as caught:
        compile_sop(WRONG["an expression"][0])
    assert "$$5" in caught.value.hint


def test_a_tool_that_the_skill_forbids_is_refused_with_what_it_allows() -> None:
    (problem,) = read_sop(WRONG["a tool of nobody's"][0]).problems
    assert problem.message == "the skill does not allow the tool 'shell'"
    assert problem.hint == "allowed: a"
