"""The schema a model fills in."""

import pytest
from jsonschema import Draft202012Validator

from metier.json_values import JsonObject, JsonValue
from metier.plans import build_plan_schema, validate_model_plan
from tests.plans.support import spec, specs

GOOD: JsonObject = {
    "goal": "查弱覆盖",
    "steps": [
        {"id": "a", "title": "查", "call": "look", "with": {"q": "$.message"}},
        {"id": "b", "title": "问", "ask": "继续吗？", "choices": ["是"], "when": "$.a"},
        {"id": "c", "title": "总结", "needs": ["a", "b"], "save": "summary"},
    ],
    "milestones": [
        {"name": "m", "after": "a", "check": {"kind": "tool_output", "tool": "look"}, "on_fail": "retry"},
        {"name": "n", "after": "a", "check": {"kind": "regex", "pattern": "a+", "of": "$.a"}},
    ],
}


def _fits(value: JsonValue, *tools: str) -> bool:
    return Draft202012Validator(build_plan_schema(tools)).is_valid(value)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(build_plan_schema(["look"]))


def test_what_fits_the_schema_is_a_plan() -> None:
    assert _fits(GOOD, "look")
    assert validate_model_plan(GOOD, tools=specs(spec("look", "q"))).problems == ()


BAD: dict[str, JsonValue] = {
    "no steps": {**GOOD, "steps": []},
    "13 steps": {"goal": "g", "steps": [{"id": f"s{n}", "title": "t"} for n in range(13)]},
    "another key": {**GOOD, "thoughts": "…"},
    "another tool": {"goal": "g", "steps": [{"id": "a", "title": "t", "call": "rm"}]},
    "an unknown check": {**GOOD, "milestones": [{"name": "m", "after": "a", "check": {"kind": "custom"}}]},
    "a condition in words": {"goal": "g", "steps": [{"id": "a", "title": "t", "when": "if needed"}]},
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_what_is_no_plan_does_not_fit(value: JsonValue) -> None:
    assert not _fits(value, "look")


def test_without_tools_any_name_fits() -> None:
    assert _fits(BAD["another tool"])
