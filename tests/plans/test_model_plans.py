"""Plans that a model wrote: refused with reasons, put in order, made shorter."""

import json

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.plans import CallTool, Constraints, ModelPlan, PlanRun, next_move, validate_model_plan
from metier.tools import ToolSpec
from tests.plans.support import spec, specs

TOOLS = specs(
    spec("web_search", "q", effects=("reads",)),
    spec("read_file", "path", effects=("reads",)),
    spec("write_file", "path", "text", effects=("writes",)),
    spec("post", "text", effects=("network",)),
)


def _judged(*steps: JsonValue, constraints: Constraints | None = None, **more: JsonValue) -> ModelPlan:
    written: JsonObject = {"goal": "写一份报告", "steps": list(steps), **more}
    return validate_model_plan(written, tools=TOOLS, constraints=constraints or Constraints())


def _search(step_id: str, **more: JsonValue) -> JsonObject:
    return {"id": step_id, "title": "查", "call": "web_search", "with": {"q": "$.message"}, **more}


REFUSED: dict[str, tuple[JsonValue, str, str]] = {
    "no steps": ({"goal": "g", "steps": []}, "plan_empty", "/steps"),
    "steps left out": ({"goal": "g"}, "plan_empty", "/steps"),
    "steps in words": ({"goal": "g", "steps": "search, then write"}, "plan_empty", "/steps"),
    "13 steps": ({"goal": "g", "steps": [_search(f"s{n}") for n in range(13)]}, "plan_too_long", "/steps"),
    "500 steps": ({"goal": "g", "steps": [_search(f"s{n}") for n in range(500)]}, "plan_too_long", "/steps"),
    "no goal": ({"steps": [_search("a")]}, "value_missing", "/goal"),
    "an invented tool": ({"goal": "g", "steps": [{"id": "a", "call": "telepathy"}]}, "tool_unknown", "/steps/0/call"),
    "a tool offered that is none": (
        {"goal": "g", "steps": [{"id": "a", "tools": ["telepathy"]}]},
        "tool_unknown",
        "/steps/0/tools",
    ),
    "a tool to be looked up": (
        {"goal": "g", "steps": [{"id": "a", "call": "$.message"}]},
        "tool_unknown",
        "/steps/0/call",
    ),
    "an argument the tool does not take": (
        {"goal": "g", "steps": [{"id": "a", "call": "web_search", "with": {"querry": "x"}}]},
        "unknown_key",
        "/steps/0/with/querry",
    ),
    "an unknown dependency": ({"goal": "g", "steps": [_search("a", needs=["zz"])]}, "unknown_step", "/steps/0/needs"),
    "a circle": (
        {"goal": "g", "steps": [_search("a", needs=["b"]), _search("b", needs=["a"])]},
        "plan_cycle",
        "/steps",
    ),
    "a doubled id": ({"goal": "g", "steps": [_search("a"), _search("a")]}, "name_taken", "/steps/1/id"),
    "a maybe": ({"goal": "g", "steps": [_search("a", is_sufficient="maybe")]}, "unknown_key", "/steps/0/is_sufficient"),
    "prose": ("Sure! Here is the plan:", "value_invalid", ""),
    "half of JSON": ('{"goal": "g", "steps": [', "value_invalid", ""),
    "a list": ("[]", "value_invalid", ""),
    "NaN": ('{"goal": NaN}', "value_invalid", ""),
    "a pit": ("[" * 100_000, "value_invalid", ""),
}


@pytest.mark.parametrize(("written", "code", "path"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_plan_is_refused_with_the_reason(written: JsonValue, code: str, path: str) -> None:
    found = validate_model_plan(written, tools=TOOLS)
    assert found.plan is None
    assert [(problem.code, problem.path) for problem in found.problems] == [(code, path)]


def test_a_tool_outside_the_constraints_is_refused_with_what_is_allowed() -> None:
    found = _judged({"id": "a", "call": "write_file"}, constraints=Constraints(("web_search",), (), "skill"))
    (problem,) = found.problems
    assert (problem.code, problem.message) == ("tool_not_allowed", "the skill does not allow the tool 'write_file'")
    assert problem.hint == "allowed: web_search"


def test_a_forbidden_tool_is_refused_with_what_is_forbidden() -> None:
    found = _judged({"id": "a", "call": "post"}, constraints=Constraints(None, ("post",), "task_type"))
    (problem,) = found.problems
    assert (problem.message, problem.hint) == ("the task type does not allow the tool 'post'", "forbidden: post")


def test_a_tool_that_takes_anything_is_given_anything() -> None:
    tools = {**TOOLS, "any": ToolSpec("any", "", {"type": "object"})}
    written: JsonObject = {"goal": "g", "steps": [{"id": "a", "call": "any", "with": {"x": 1}}]}
    assert validate_model_plan(written, tools=tools).plan is not None


def test_a_plan_cannot_allow_itself_a_tool() -> None:
    written: JsonObject = {"goal": "g", "steps": [_search("a")], "constraints": {"allowed": ["web_search", "post"]}}
    found = validate_model_plan(written, tools=TOOLS, constraints=Constraints(None, ("post",), "task_type"))
    (problem,) = found.problems
    assert (problem.code, problem.path) == ("tool_not_allowed", "/constraints/allowed")


def _bounded(own: JsonObject, above: Constraints) -> Constraints:
    written: JsonObject = {"goal": "g", "steps": [_search("a")], "constraints": own}
    found = validate_model_plan(written, tools=TOOLS, constraints=above)
    assert found.plan is not None, found.problems
    return found.plan.constraints


def test_a_plan_may_give_tools_up() -> None:
    above = Constraints(("post", "web_search"), ("read_file",), "skill")
    assert _bounded({"allowed": ["web_search"], "forbidden": ["post"]}, above) == Constraints(
        ("web_search",), ("read_file", "post"), "plan"
    )


def test_a_model_cannot_say_where_its_plan_comes_from() -> None:
    found = _judged(_search("a"), source="sop", version=9, given=["secret"])
    assert found.plan is not None
    assert (found.plan.source, found.plan.given) == ("model", ())


def test_steps_are_put_in_an_order_that_works() -> None:
    found = _judged(
        {"id": "w", "call": "write_file", "with": {"path": "a.md", "text": "$.s.text"}},
        _search("s"),
    )
    assert found.plan is not None
    assert [step.id for step in found.plan.steps] == ["s", "w"]
    assert isinstance(next_move(PlanRun.start(found.plan, {"message": "m"}), TOOLS), CallTool)


DROPS: dict[str, tuple[list[JsonObject], tuple[str, ...]]] = {
    "a search nobody uses": ([_search("a"), _search("b"), {"id": "z", "needs": ["b"]}], ("a",)),
    "a step that only checks": ([_search("a"), {"id": "look"}, {"id": "z", "needs": ["a"]}], ("look",)),
    "what only a dropped step used": (
        [_search("a"), {"id": "b", "needs": ["a"]}, _search("c"), {"id": "z", "needs": ["c"]}],
        ("a", "b"),
    ),
    "nothing when it is used by reading": (
        [_search("a"), {"id": "z", "call": "write_file", "with": {"path": "p", "text": "$.a.text"}}],
        (),
    ),
    "nothing when everything is read": ([_search("a"), {"id": "z", "call": "web_search", "with": {"q": "$"}}], ()),
    "nothing that writes": (
        [{"id": "w", "call": "write_file"}, _search("a"), {"id": "z", "needs": ["a"]}],
        (),
    ),
    "nothing that may do something over the network": (
        [{"id": "p", "call": "post"}, _search("a"), {"id": "z", "needs": ["a"]}],
        (),
    ),
    "no question": ([{"id": "q", "ask": "哪个区？"}, _search("a"), {"id": "z", "needs": ["a"]}], ()),
    "nothing when the last step does not say what it uses": ([_search("a"), _search("b"), {"id": "z"}], ()),
}


@pytest.mark.parametrize(("steps", "dropped"), DROPS.values(), ids=DROPS.keys())
def test_what_leads_nowhere_and_changes_nothing_is_dropped(steps: list[JsonObject], dropped: tuple[str, ...]) -> None:
    found = _judged(*steps)
    assert found.plan is not None, found.problems
    assert found.dropped == dropped
    assert [step.id for step in found.plan.steps] == [step["id"] for step in steps if step["id"] not in dropped]


def test_a_network_tool_that_may_be_called_twice_changes_nothing() -> None:
    tools = {**TOOLS, "fetch": ToolSpec("fetch", "", effects=frozenset({"network"}), idempotent=True)}
    steps: list[JsonValue] = [{"id": "f", "call": "fetch"}, _search("a"), {"id": "z", "needs": ["a"]}]
    assert validate_model_plan({"goal": "g", "steps": steps}, tools=tools).dropped == ("f",)


def test_a_milestone_keeps_the_steps_it_judges() -> None:
    milestone: JsonObject = {"name": "m", "after": "a", "check": {"kind": "contains", "text": "x", "of": "$.b"}}
    steps = (_search("b"), _search("a"), _search("c"), {"id": "z", "needs": ["c"]})
    assert _judged(*steps, milestones=[milestone]).dropped == ()


def test_a_plan_may_read_what_earlier_plans_found() -> None:
    steps: list[JsonValue] = [{"id": "a", "call": "web_search", "with": {"q": "$.scenario.id"}}]
    refused = validate_model_plan({"goal": "g", "steps": steps}, tools=TOOLS)
    assert [problem.code for problem in refused.problems] == ["unknown_name"]
    taken = validate_model_plan({"goal": "g", "steps": steps}, tools=TOOLS, given=("scenario",))
    assert taken.plan is not None
    assert taken.plan.given == ("scenario",)


def test_the_text_of_a_plan_is_read_as_well() -> None:
    assert validate_model_plan(json.dumps({"goal": "g", "steps": [_search("a")]}), tools=TOOLS).plan is not None
