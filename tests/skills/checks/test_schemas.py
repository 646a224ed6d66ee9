"""Schemas that fetch, loop or lead nowhere are refused before anybody runs them."""

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.skills.checks import check_schema


def diamond(levels: int) -> JsonObject:
    """Every level refers twice to the next: 2ⁿ ways to the bottom."""
    two = ("x", "y")
    defs = {f"d{n}": {"properties": {key: {"$ref": f"#/$defs/d{n + 1}"} for key in two}} for n in range(levels)}
    return {"$defs": {**defs, f"d{levels}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def nested(levels: int) -> JsonObject:
    schema: dict[str, JsonValue] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({}, id="anything"),
        pytest.param({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}, id="object"),
        pytest.param({"$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a"}, id="local reference"),
        pytest.param({"$defs": {"a b/c": {}}, "$ref": "#/$defs/a%20b~1c"}, id="escaped reference"),
        pytest.param({"$defs": {"a": {"$anchor": "here"}}, "$ref": "#here"}, id="anchor"),
        pytest.param({"allOf": [{"type": "string"}, {"$ref": "#/allOf/0"}]}, id="into a list"),
        pytest.param({"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"}}}, id="odd names"),
        pytest.param(diamond(8), id="diamond"),
        pytest.param({"patternProperties": {"^x-": {}}}, id="safe pattern property"),
        pytest.param(nested(12), id="twelve levels"),
    ],
)
def test_a_plain_schema_is_taken(schema: JsonObject) -> None:
    assert check_schema(schema) is None


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        pytest.param({"$ref": "http://x.example/s"}, "schema_remote_ref", id="remote"),
        pytest.param({"properties": {"x": {"$ref": "other.json#/a"}}}, "schema_remote_ref", id="another file"),
        pytest.param({"$dynamicRef": "https://x.example/s#a"}, "schema_remote_ref", id="remote, dynamic"),
        pytest.param({"$ref": "#"}, "schema_recursive_ref", id="the whole"),
        pytest.param({"properties": {"x": {"$ref": "#/properties/x"}}}, "schema_recursive_ref", id="itself"),
        pytest.param({"allOf": [{"$ref": "#/allOf/0"}]}, "schema_recursive_ref", id="itself in a list"),
        pytest.param(
            {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"items": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"},
            "schema_recursive_ref",
            id="in a circle",
        ),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {}, "b": {}}, "properties": {"x": {"$ref": "#/properties"}}},
            "schema_recursive_ref",
            id="beside another reference",
        ),
        pytest.param({"$anchor": "a", "items": {"$ref": "#a"}}, "schema_recursive_ref", id="an anchor"),
        pytest.param({"$ref": "#/$defs/none"}, "schema_invalid", id="nowhere"),
        pytest.param({"$ref": "#/allOf/9", "allOf": [{}]}, "schema_invalid", id="past the end of a list"),
        pytest.param({"type": "text"}, "schema_invalid", id="no such type"),
        pytest.param({"properties": []}, "schema_invalid", id="a list for a map"),
        pytest.param({"pattern": "(?=a)b"}, "schema_pattern_unsafe", id="pattern"),
        pytest.param({"patternProperties": {r"(a)\1": {}}}, "schema_pattern_unsafe", id="pattern property"),
        pytest.param({"items": [{"not": {"pattern": "("}}]}, "schema_pattern_unsafe", id="deep inside"),
        pytest.param(
            {"unevaluatedProperties": False, "patternProperties": {"a": {}}},
            "schema_invalid",
            id="unevaluated patterns",
        ),
        pytest.param(
            {"unevaluatedItems": False, "$ref": "#/$defs/a", "$defs": {"a": {}}},
            "schema_invalid",
            id="unevaluated references",
        ),
        pytest.param(nested(200), "schema_invalid", id="two hundred levels"),
    ],
)
def test_any_other_schema_is_refused_with_a_reason(schema: JsonObject, code: str) -> None:
    problem = check_schema(schema)
    assert problem is not None
    assert problem.code == code
    assert problem.message
