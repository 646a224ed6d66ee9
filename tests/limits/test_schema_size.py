"""Sizes of schemas are known before anything is validated with them."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from metier.json_values import JsonObject, JsonValue
from metier.limits import MAX_EXPANDED_KEYWORDS, SchemaSize, describe_excess, find_shape_problem, measure_schema


def doubling(levels: int, keyword: str = "allOf") -> JsonObject:
    """Every level refers twice to the next: 2ⁿ checks of one value."""
    defs = {f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**defs, f"d{levels}": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/d0"}}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_references_that_double_are_too_large(keyword: str) -> None:
    assert "more than 20000 keywords" in describe_excess(measure_schema(doubling(30, keyword)))
    assert describe_excess(measure_schema(doubling(5, keyword))) == ""


@pytest.mark.parametrize(
    "spelling", ["#/$defs/d1", "#/%24defs/d1", "#anchor"], ids=["pointer", "escaped pointer", "anchor"]
)
def test_every_spelling_of_a_reference_is_counted(spelling: str) -> None:
    large: JsonValue = {"$anchor": "anchor", "enum": list(range(5000))}
    schema: JsonObject = {"$defs": {"d1": large}, "allOf": [{"$ref": spelling}] * 5}
    assert measure_schema(schema).expanded > MAX_EXPANDED_KEYWORDS


def test_a_circle_is_counted_once() -> None:
    tree: JsonObject = {"properties": {"children": {"items": {"$ref": "#"}}}}
    assert describe_excess(measure_schema(tree)) == ""


def test_a_long_chain_of_references_is_measured_without_recursion() -> None:
    defs: JsonValue = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(3000)}
    assert measure_schema({"$defs": defs, "$ref": "#/$defs/d0"}).keywords < 10_000


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        pytest.param({"enum": list(range(10_000))}, "keywords and values", id="many values"),
        pytest.param(
            {"properties": {f"p{n}": {"pattern": rf"\w{{60}}{n}"} for n in range(20)}}, "patterns", id="many patterns"
        ),
    ],
)
def test_the_sentence_names_the_number_and_the_limit(schema: JsonObject, reason: str) -> None:
    said = describe_excess(measure_schema(schema))
    assert reason in said
    assert "the most is" in said


def test_the_same_pattern_is_compiled_once() -> None:
    schema: JsonObject = {"properties": {f"p{n}": {"pattern": r"^\w{1,64}$"} for n in range(50)}}
    assert describe_excess(measure_schema(schema)) == ""


def test_sizes_of_several_schemas_add_up() -> None:
    assert SchemaSize(1, 5, 2) + SchemaSize(2, 3, 4) == SchemaSize(3, 5, 6)


KEYWORDS = (
    *("type", "properties", "items", "required", "enum", "minimum", "minLength", "anyOf", "additionalProperties"),
    *("$defs", "pattern", "title", "default", "const", "uniqueItems", "oddity", "$ref", "not", "$anchor"),
)
KEYS = st.sampled_from(["a", "b", "$ref", "type"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.sampled_from(["string", "object", "#/$defs/a", "#", "x", 1, -1, 1.5, True, None, [], ["a", "a"], ["a"]]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(KEYS, inner, max_size=2),
        st.dictionaries(
            st.sampled_from(KEYWORDS),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_the_quick_check_of_the_shape_agrees_with_the_metaschema(value: JsonValue) -> None:
    schema = value if isinstance(value, dict) else {"items": value}
    valid = Draft202012Validator({"$ref": "https://json-schema.org/draft/2020-12/schema"}).is_valid(schema)
    assert (find_shape_problem(cast("JsonObject", schema)) == "") is valid
