"""JSON to a plan: what is read, and every way to be wrong."""

import pytest

from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.plans import Choice, OnFail, Plan, PlanProblem, plan_from_json, read_plan
from tests.plans.support import plan


def _deep(levels: int) -> JsonValue:
    value: JsonValue = "x"
    for _ in range(levels):
        value = [value]
    return {"goal": value}


ASK = {"id": "a", "ask": "Which one?"}
CALL = {"id": "c", "call": "look"}


def _only(written: JsonValue) -> PlanProblem:
    reading = read_plan(written)
    assert reading.plan is None
    assert len(reading.problems) == 1, [problem.to_json() for problem in reading.problems]
    return reading.problems[0]


STEPS: dict[str, tuple[list[JsonValue], str, str]] = {
    "not an object": (["look"], "value_invalid", "/steps/0"),
    "a misspelt key": ([{**CALL, "wehn": "$.message"}], "unknown_key", "/steps/0/wehn"),
    "an id with spaces": ([{"id": "a b"}], "name_invalid", "/steps/0/id"),
    "an id that is a number": ([{"id": 7}], "value_invalid", "/steps/0/id"),
    "two ids": ([{"id": "x"}, {"id": "x"}], "name_taken", "/steps/1/id"),
    "two results of one name": ([{"id": "x"}, {"id": "y", "save": "x"}], "name_taken", "/steps/1/save"),
    "a result over the message": ([{"id": "x", "save": "message"}], "name_taken", "/steps/0/save"),
    "call and ask": ([{**CALL, "ask": "?"}], "step_two_actions", "/steps/0"),
    "arguments without a call": ([{"id": "x", "with": {}}], "step_incomplete", "/steps/0/with"),
    "choices without a question": ([{**CALL, "choices": ["a"]}], "step_incomplete", "/steps/0/choices"),
    "tools for a call": ([{**CALL, "tools": ["look"]}], "step_incomplete", "/steps/0/tools"),
    "an empty call": ([{"id": "x", "call": " "}], "value_invalid", "/steps/0/call"),
    "arguments in a list": ([{**CALL, "with": ["a"]}], "value_invalid", "/steps/0/with"),
    "both names of arguments": ([{**CALL, "with": {}, "arguments": {}}], "name_taken", "/steps/0"),
    "a bad expression": ([{**CALL, "with": {"a/b": ["$.x["]}}], "expression_invalid", "/steps/0/with/a~1b/0"),
    "a condition that is none": ([{**CALL, "when": "always"}], "expression_invalid", "/steps/0/when"),
    "a condition that is true": ([{**CALL, "when": True}], "value_invalid", "/steps/0/when"),
    "a name nobody saves": ([{**CALL, "with": {"q": "$.nobody.id"}}], "unknown_name", "/steps/0"),
    "a need nobody is": ([{**CALL, "needs": ["gone"]}], "unknown_step", "/steps/0/needs"),
    "a need that comes later": ([{**CALL, "needs": ["z"]}, {"id": "z"}], "wrong_order", "/steps/0"),
    "a result that comes later": ([{**CALL, "with": {"q": "$.z"}}, {"id": "z"}], "wrong_order", "/steps/0"),
    "itself": ([{**CALL, "needs": ["c"]}], "plan_cycle", "/steps"),
    "a schema that is none": ([{**CALL, "expects": {"type": "thing"}}], "schema_invalid", "/steps/0/expects"),
    "a schema from elsewhere": ([{**CALL, "expects": {"$ref": "http://x/y"}}], "schema_invalid", "/steps/0/expects"),
    "a schema that loops": ([{**CALL, "expects": {"$ref": "#"}}], "schema_invalid", "/steps/0/expects"),
    "a schema in a list": ([{**CALL, "expects": []}], "value_invalid", "/steps/0/expects"),
    "no choices": ([{**ASK, "choices": []}], "value_invalid", "/steps/0/choices"),
    "a choice that YAML made true": ([{**ASK, "choices": [True]}], "value_invalid", "/steps/0/choices/0"),
    "a choice twice": ([{**ASK, "choices": ["要", "要"]}], "name_taken", "/steps/0/choices"),
    "a choice that does not fit": (
        [{**ASK, "choices": ["要"], "answer": {"type": "integer"}}],
        "answer_invalid",
        "/steps/0/choices/0",
    ),
    "an unknown last resort": ([{**CALL, "on_fail": "pray"}], "value_invalid", "/steps/0/on_fail"),
    "retries without end": ([{**CALL, "on_fail": {"retry": 99}}], "value_invalid", "/steps/0/on_fail"),
    "a novel for a title": ([{**CALL, "title": "字" * 2001}], "value_invalid", "/steps/0/title"),
    "201 needs": ([{**CALL, "needs": [f"s{n}" for n in range(201)]}], "value_invalid", "/steps/0/needs"),
    "a list of lists": ([{**CALL, "needs": [["a"]]}], "value_invalid", "/steps/0/needs"),
    "51 steps": ([{"id": f"s{n}"} for n in range(51)], "plan_too_long", "/steps"),
}


@pytest.mark.parametrize(("steps", "code", "path"), STEPS.values(), ids=STEPS.keys())
def test_a_wrong_step_is_told_with_its_place(steps: list[JsonValue], code: str, path: str) -> None:
    problem = _only({"steps": steps})
    assert (problem.code, problem.path) == (code, path)
    assert problem.message


PLANS: dict[str, tuple[JsonValue, str, str]] = {
    "no object": ([], "value_invalid", ""),
    "null": (None, "value_invalid", ""),
    "not JSON": ({"goal": float("nan")}, "value_invalid", ""),
    "half of a character": ({"goal": "\ud800"}, "value_invalid", ""),
    "a key that is a number": ({"steps": [{1: "x"}]}, "value_invalid", ""),  # type: ignore[dict-item]
    "a well without a bottom": (_deep(200), "value_invalid", ""),
    "steps in an object": ({"steps": {"a": 1}}, "value_invalid", "/steps"),
    "a newer version": ({"version": 2}, "value_invalid", "/version"),
    "an unknown source": ({"source": "oracle"}, "value_invalid", "/source"),
    "a goal that is a list": ({"goal": []}, "value_invalid", "/goal"),
    "constraints in a list": ({"constraints": []}, "value_invalid", "/constraints"),
    "constraints of nobody": ({"constraints": {"source": "moon"}}, "value_invalid", "/constraints/source"),
    "a milestone of nothing": ({"steps": [CALL], "milestones": [{"name": "m"}]}, "value_missing", "/milestones/0"),
    "a milestone after nothing": (
        {"steps": [CALL], "milestones": [{"after": "z", "check": {"kind": "expr", "expr": "$.c"}}]},
        "unknown_step",
        "/milestones/0/after",
    ),
    "a milestone of no steps": (
        {"milestones": [{"check": {"kind": "expr", "expr": "$.message"}}]},
        "unknown_step",
        "/milestones/0/after",
    ),
    "a milestone that reads nothing": (
        {"steps": [CALL], "milestones": [{"check": {"kind": "expr", "expr": "$.cc"}}]},
        "unknown_name",
        "/milestones/0/check",
    ),
    "two milestones of one name": (
        {"steps": [CALL], "milestones": [{"name": "m", "check": {"kind": "expr", "expr": "$.c"}}] * 2},
        "name_taken",
        "/milestones/1/name",
    ),
}


@pytest.mark.parametrize(("written", "code", "path"), PLANS.values(), ids=PLANS.keys())
def test_a_wrong_plan_is_told_with_its_place(written: JsonValue, code: str, path: str) -> None:
    problem = _only(written)
    assert (problem.code, problem.path) == (code, path)


def test_every_problem_is_told_at_once() -> None:
    reading = read_plan({"steps": [{**CALL, "wehn": 1}, {"id": "d", "call": "x", "with": {"q": "$.["}}]})
    assert [(problem.step, problem.code) for problem in reading.problems] == [
        ("c", "unknown_key"),
        ("d", "expression_invalid"),
    ]


def test_a_misspelt_key_and_a_misspelt_name_get_the_nearest_as_a_hint() -> None:
    assert _only({"steps": [{**CALL, "wehn": "$.message"}]}).hint == "did you mean 'when'?"
    steps: list[JsonValue] = [{"id": "scenario"}, {**CALL, "with": {"q": "$.scenaro.id"}}]
    assert _only({"steps": steps}).hint == "did you mean 'scenario'?"


def test_a_bad_plan_raises_with_the_first_problem_and_the_count() -> None:
    with pytest.raises(InvalidInput, match=r"^/source: .*\(and 1 more\)$"):
        plan_from_json({"steps": [{**CALL, "wehn": 1}], "source": 3})


def test_a_plan_says_what_it_was_given() -> None:
    written = plan(
        {"id": "查", "call": "look", "arguments": {"q": "$.message"}, "on_fail": {"retry": 2, "then": "continue"}},
        {"ask": "选哪个？", "choices": ["A", {"text": "B", "value": 2}], "needs": "查", "title": "选"},
        source="sop",
        constraints={"allowed": ["look"], "source": "skill"},
    )
    first, second = written.steps
    assert first.arguments == {"q": "$.message"}
    assert first.on_fail == OnFail("retry", 2, "continue")
    assert (second.id, second.needs, second.choices) == ("step_2", ("查",), (Choice("A", "A"), Choice("B", 2)))
    assert written.constraints.permits("look")
    assert not written.constraints.permits("rm")


def test_null_is_the_same_as_nothing() -> None:
    empty = dict.fromkeys(("call", "with", "choices", "answer", "show", "when", "save", "expects", "needs"))
    assert plan({"id": "a", "ask": "?", **empty, "tools": None, "on_fail": None}) == plan({"id": "a", "ask": "?"})


def test_a_problem_is_json() -> None:
    assert _only({"goal": []}).to_json() == {
        "path": "/goal",
        "code": "value_invalid",
        "message": "'goal' and 'task_type' are texts",
        "hint": "",
        "step": "",
    }


def test_an_empty_plan_is_a_plan() -> None:
    assert plan_from_json({}) == Plan("")
