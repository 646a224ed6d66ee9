"""Arguments that a model got nearly right are repaired; what would be a guess is left alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.json_values import JsonObject
from metier.tools.schema import argument_problems, repair_arguments

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "region": {"type": "string"},
        "start_date": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "kind": {"type": "string", "enum": ["Weak", "strong"]},
    },
    "required": ["region"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("given", "expected", "codes"),
    [
        pytest.param({"Region": "x"}, {"region": "x"}, ["renamed"], id="another case"),
        pytest.param(
            {"region": "x", "startDate": "d"}, {"region": "x", "start_date": "d"}, ["renamed"], id="camel case"
        ),
        pytest.param({"region": "x", "start-date": "d"}, {"region": "x", "start_date": "d"}, ["renamed"], id="a dash"),
        pytest.param({"regoin": "x"}, {"region": "x"}, ["renamed"], id="a typing error"),
        pytest.param({"region_name": "x"}, {"region": "x"}, ["renamed"], id="a word too many"),
        pytest.param({"region": "x", "count": "5"}, {"region": "x", "count": 5}, ["converted"], id="a number as text"),
        pytest.param(
            {"region": "x", "ratio": "0.5"}, {"region": "x", "ratio": 0.5}, ["converted"], id="a fraction as text"
        ),
        pytest.param({"region": "x", "deep": "True"}, {"region": "x", "deep": True}, ["converted"], id="yes as text"),
        pytest.param(
            {"region": "x", "names": "a"}, {"region": "x", "names": ["a"]}, ["converted"], id="one for a list"
        ),
        pytest.param(
            {"region": "x", "names": ' ["a", "b, c"]'},
            {"region": "x", "names": ["a", "b, c"]},
            ["converted"],
            id="a list as text",
        ),
        pytest.param({"region": 7}, {"region": "7"}, ["converted"], id="a text as number"),
        pytest.param({"region": "x", "kind": "weak"}, {"region": "x", "kind": "Weak"}, ["converted"], id="a choice"),
        pytest.param({"region": "x", "count": None}, {"region": "x"}, ["dropped"], id="null for nothing"),
        pytest.param({"Region": 7}, {"region": "7"}, ["renamed", "converted"], id="a name and its value"),
    ],
)
def test_it_is_repaired_and_said(given: JsonObject, expected: JsonObject, codes: list[str]) -> None:
    made, repairs = repair_arguments(SCHEMA, given)
    assert made == expected
    assert [one.code for one in repairs] == codes


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"place": "x"}, id="a name that could be anything"),
        pytest.param({"region": "x", "count": "five"}, id="a word for a number"),
        pytest.param({"region": "x", "count": 5.5}, id="a fraction for a whole number"),
        pytest.param({"region": "x", "kind": "medium"}, id="no choice"),
        pytest.param({"region": ["a", "b"]}, id="a list for a text"),
        pytest.param({"region": "x", "names": '["a", "b'}, id="half a list as text"),
        pytest.param({"region": "x", "names": "[1, 2]"}, id="a list of other values as text"),
    ],
)
def test_what_would_be_a_guess_is_left_as_it_is(given: JsonObject) -> None:
    assert repair_arguments(SCHEMA, given) == (given, ())


def test_a_name_that_may_mean_two_arguments_is_left_as_it_is() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"from_city": {"type": "string"}, "to_city": {"type": "string"}},
        "required": ["from_city", "to_city"],
        "additionalProperties": False,
    }
    assert repair_arguments(schema, {"city": "x"})[1] == ()


_VALID = st.fixed_dictionaries(
    {"region": st.text()},
    optional={
        "count": st.integers(),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "deep": st.booleans(),
        "names": st.lists(st.text(), max_size=3),
        "kind": st.sampled_from(["Weak", "strong"]),
    },
)
_ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


@given(_VALID)
def test_valid_arguments_are_never_touched(arguments: JsonObject) -> None:
    assert repair_arguments(SCHEMA, arguments) == (arguments, ())


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "Region", "counts", "x"]), _ANY))  # type: ignore[misc]
def test_a_repair_never_adds_a_problem(arguments: JsonObject) -> None:
    made, repairs = repair_arguments(SCHEMA, arguments)
    before, after = argument_problems(SCHEMA, arguments), argument_problems(SCHEMA, made)
    assert len(after) < len(before) if repairs else made == arguments
