"""Schemas of tools for decoders: what each dialect keeps, and the way back to what the tool wants."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.agent.models.decoding import Dialect, to_decoder_schema
from metier.json_values import JsonObject, to_plain_json
from metier.tools import argument_problems
from tests.agent.models.decoding.random_json import write_under

DIALECTS: tuple[Dialect, ...] = ("strict", "open", "claude")


def written(schema: JsonObject, dialect: Dialect) -> Any:
    return to_plain_json(to_decoder_schema(schema, dialect).schema)


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


KEPT = [
    pytest.param({"type": "string", "pattern": "^a$", "format": "date", "title": "T"}, {"type": "string"}, id="string"),
    pytest.param({"type": "string", "minLength": 3, "maxLength": 9}, {"type": "string", "minLength": 1}, id="length"),
    pytest.param(
        {"type": "integer", "minimum": 1, "maximum": 10.0, "multipleOf": 2},
        {"type": "integer", "minimum": 1, "maximum": 10},
        id="integer",
    ),
    pytest.param({"type": "number", "minimum": 0.5}, {"type": "number"}, id="number"),
    pytest.param({"const": "a"}, {"type": "string", "enum": ["a"]}, id="const"),
    pytest.param({"enum": ["a", 1, None]}, {"type": ["string", "integer", "null"], "enum": ["a", 1, None]}, id="enum"),
    pytest.param({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, id="two types"),
    pytest.param(
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 3},
        {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        id="array",
    ),
    pytest.param({"oneOf": [{"const": "a"}, {"const": "a"}]}, {"type": "string", "enum": ["a"]}, id="the same twice"),
    pytest.param({"type": "object", "additionalProperties": False}, of(), id="an empty object"),
    pytest.param(
        {"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"const": 1}}, "required": ["b"]}]},
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer", "enum": [1]}},
            "required": ["b"],
            "additionalProperties": False,
        },
        id="all of",
    ),
    pytest.param(
        {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": [], "additionalProperties": False},
        id="conditions",
    ),
]


@pytest.mark.parametrize(("schema", "kept"), KEPT)
def test_engines_with_grammars_get_what_they_know(schema: Any, kept: Any) -> None:
    assert written(of(x=schema), "open")["properties"]["x"] == kept


def test_strict_mode_requires_all_and_makes_the_optional_nullable() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"q": {"type": "string", "description": "What."}, "k": {"type": "integer"}},
    }
    assert written({**schema, "required": ["q"]}, "strict") == {
        "type": "object",
        "properties": {
            "q": {"type": "string", "description": "What."},
            "k": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["q", "k"],
        "additionalProperties": False,
    }


def test_a_null_that_only_the_decoder_wanted_is_taken_out_again() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"q": {"type": "string"}, "k": {"type": "integer"}, "n": {"type": ["integer", "null"]}},
        "required": ["q"],
    }
    restore = to_decoder_schema(schema, "strict").restore
    assert restore({"q": "x", "k": None, "n": None}) == {"q": "x", "n": None}


def test_a_free_object_travels_as_a_text_in_strict_mode() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"o": {"type": "object"}, "any": {}},
        "required": ["o", "any"],
    }
    made = to_decoder_schema(schema, "strict")
    assert not made.expressible
    assert written(schema, "strict")["properties"]["o"]["type"] == "string"
    assert made.restore({"o": '{"a": [1]}', "any": "no JSON"}) == {"o": {"a": [1]}, "any": "no JSON"}
    assert written(schema, "open")["properties"]["o"] == {"type": "object"}


def test_what_a_decoder_does_not_know_the_tool_s_own_schema_still_checks() -> None:
    schema = of(k={"type": "integer", "minimum": 1}, day={"type": "string", "pattern": "^[0-9]+$"})
    made = to_decoder_schema(schema, "strict")
    value = made.restore({"k": 0, "day": "Monday"})
    assert [problem.path for problem in argument_problems(schema, value)] == ["$.k", "$.day"]


def test_a_schema_that_runs_in_circles_ends() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/tree"}},
        "$defs": {
            "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "n": {"type": "integer"}}}
        },
    }
    for dialect in DIALECTS:
        text = json.dumps(written(schema, dialect))
        assert "$ref" not in text
        assert '"n"' in text


SCALARS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        *({"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}),
        *({"enum": ["a", "b"]}, {"const": 3}, {"type": ["string", "null"]}, {"enum": ["x", None]}, {"type": "null"}),
        *({"type": "string", "description": "words", "default": "x", "examples": ["y"]}, {"$ref": "#/$defs/word"}),
    ]
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "b", "c", "键"])
    objects = st.builds(
        lambda properties, required: {
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name in required],
        },
        st.dictionaries(names, inner, min_size=1, max_size=3),
        st.sets(names),
    )
    arrays = st.builds(lambda items: {"type": "array", "items": items}, inner)
    unions = st.builds(lambda first, second: {"anyOf": [first, second]}, SCALARS, SCALARS)
    return objects | arrays | unions


SCHEMAS = st.recursive(SCALARS, _containers, max_leaves=6)


@given(field=SCHEMAS, dialect=st.sampled_from(DIALECTS), seed=st.integers(0, 2**32), required=st.booleans())
def test_whatever_a_decoder_writes_the_tool_accepts(field: Any, dialect: Dialect, seed: int, required: bool) -> None:
    """For schemas with keywords that all dialects know: nothing is lost on the way there and back."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"x": field, "y": {"type": "string"}},
        "required": ["x"] if required else [],
        "additionalProperties": False,
        "$defs": {"word": {"type": "string"}},
    }
    made = to_decoder_schema(schema, dialect)
    text = write_under(json.loads(json.dumps(to_plain_json(made.schema))), random.Random(seed))
    value: Any = made.restore(json.loads(text))
    assert argument_problems(schema, value) == ()


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "allOf", "$ref", "enum", "required", "const", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(schema=st.dictionaries(st.sampled_from(["type", "properties", "anyOf", "allOf", "$ref", "items"]), ANY_JSON))
def test_no_schema_however_broken_raises_or_leaves_the_subset(schema: dict[str, Any]) -> None:
    for dialect in DIALECTS:
        made = to_decoder_schema(schema, dialect)
        write_under(json.loads(json.dumps(to_plain_json(made.schema))), random.Random(1))
