import json
from types import MappingProxyType

import pytest

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.tools import argument_problems, check_parameters
from metier.tools.schema import parse_json_strings

AREA: JsonObject = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "minLength": 1},
        "cells": {"type": "array", "items": {"type": "integer"}},
        "band": {"enum": ["4G", "5G"]},
        "since": {"type": "string", "format": "date"},
        "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "where": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/point"}]},
    },
    "required": ["region"],
    "additionalProperties": False,
    "$defs": {"point": {"type": "object", "required": ["lat", "lon"]}},
}


def said(schema: JsonObject, arguments: JsonValue) -> list[str]:
    return [str(problem) for problem in argument_problems(schema, arguments)]


def test_arguments_that_fit_have_no_problems() -> None:
    good: JsonObject = {"region": "朝阳区", "cells": [1, 2], "band": "5G", "since": "2026-03-01", "code": "BJ"}
    assert said(AREA, good) == []
    assert said(AREA, MappingProxyType({"region": "x", "cells": (1, 2)})) == []


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "$: region missing"),
        ({"region": "x", "cells": [1, "二"]}, '$.cells[1]: must be a whole number, not "二"'),
        ({"region": "x", "band": "6G"}, '$.band: must be one of "4G", "5G", not "6G"'),
        ({"region": "x", "since": "昨天"}, '$.since: "昨天" is not a valid date'),
        ({"region": "x", "code": "北京"}, "$.code: \"北京\" does not match '^[A-Z]{2}$'"),
        ({"region": "x", "where": 7}, "$.where: 7 fits none of the 2 forms it may have"),
        ({"region": "x", "bandd": "4G"}, "$: unknown: bandd; known: region, cells, band, since, code, where"),
        ({"region": ""}, "$.region: '' should be non-empty"),
        ([], "$: must be an object, not []"),
        ("text", '$: must be an object, not "text"'),
    ],
    ids=lambda value: json.dumps(value, ensure_ascii=False)[:40] if not isinstance(value, str) else None,
)
def test_a_problem_names_the_place_and_the_reason(arguments: JsonValue, problem: str) -> None:
    assert said(AREA, arguments) == [problem]


def test_at_most_five_problems_are_told_and_long_values_are_cut() -> None:
    problems = said(AREA, {"region": "x", "cells": ["y" * 500] * 50})
    assert len(problems) == 5
    assert all(len(problem) < 120 for problem in problems)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date-time", "2026-03-01T08:00:00+08:00", "2026-03-01 08:00"),
        ("time", "08:00:00Z", "8 o'clock"),
        ("uri", "https://example.com/a", "example"),
        ("email", "li@example.com", "li"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("ipv6", "::1", ":::"),
        ("uuid", "12345678-1234-5678-1234-567812345678", "1234"),
    ],
)
def test_formats_are_checked(kind: str, good: str, bad: str) -> None:
    schema: JsonObject = {"properties": {"x": {"type": "string", "format": kind}}}
    assert said(schema, {"x": good}) == []
    assert said(schema, {"x": bad}) == [f'$.x: "{bad}" is not a valid {kind}']


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"$ref": "https://example.com/s.json"}, "points to"),
        ({"properties": {"x": {"items": {"$ref": "file:///etc/passwd"}}}}, "points to"),
        ({"properties": {"x": {"$dynamicRef": "other.json#a"}}}, "points to"),
        ({"properties": {"x": {"pattern": "^(?=a)b"}}}, "cannot be run safely"),
        ({"properties": {"x": {"pattern": r"(a)\1"}}}, "cannot be run safely"),
        ({"properties": {"x": {"pattern": "("}}}, "cannot be run safely|no JSON Schema"),
        ({"properties": {"x": {"pattern": "(a{1,1000}){1,1000}"}}}, "cannot be run safely"),
        ({"patternProperties": {"^(?!x)": {}}}, "cannot be run safely"),
        ({"patternProperties": {"a": {}}, "unevaluatedProperties": False}, "not supported"),
        ({"type": "array"}, "must describe an object"),
        ({"properties": []}, "no JSON Schema"),
        ({"type": "objct"}, "no JSON Schema"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_schema_that_fetches_runs_away_or_is_none_is_refused(schema: JsonObject, word: str) -> None:
    with pytest.raises(InvalidTool, match=word):
        check_parameters(schema)


def test_a_property_called_pattern_is_no_pattern() -> None:
    check_parameters({"properties": {"pattern": {"type": "string"}, "$ref": {"const": {"$ref": "http://x"}}}})


def test_a_pattern_may_name_unicode_letters() -> None:
    schema: JsonObject = {"properties": {"x": {"type": "string", "pattern": r"^\p{L}+$"}}}
    assert said(schema, {"x": "小区"}) == []
    assert len(said(schema, {"x": "7"})) == 1


def test_a_pattern_that_would_run_away_in_python_does_not_here() -> None:
    schema: JsonObject = {"properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    assert said(schema, {"x": "a" * 50_000}) == []
    assert len(said(schema, {"x": "a" * 50_000 + "!"})) == 1


def test_pattern_properties_and_the_rest_work_together() -> None:
    schema: JsonObject = {"patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": False}
    assert said(schema, {"n_a": 1}) == []
    assert said(schema, {"n_a": "x"}) == ['$.n_a: must be a whole number, not "x"']
    assert said(schema, {"m_a": 1, "n_b": 2}) == ["$: unknown: m_a; known: none"]


def test_a_name_cannot_make_a_pattern_run_away() -> None:
    schema: JsonObject = {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}
    assert len(said(schema, {"a" * 5_000 + "!": 1})) == 1


def test_additional_properties_may_have_a_schema() -> None:
    schema: JsonObject = {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}
    assert said(schema, {"a": "x", "b": 1}) == []
    assert said(schema, {"b": "x"}) == ['$.b: must be a whole number, not "x"']


def test_a_schema_may_describe_trees_but_not_run_in_circles() -> None:
    tree: JsonObject = {"properties": {"children": {"type": "array", "items": {"$ref": "#"}}}}
    assert said(tree, {"children": [{"children": []}]}) == []
    assert said({"$ref": "#"}, {}) == ["$: it is nested too deep, or the schema runs in circles"]


TWO_WAYS_DOWN: JsonObject = {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}
NESTED_UNEVALUATED: JsonObject = {"properties": {"x": {}}}
for _ in range(30):
    NESTED_UNEVALUATED = {"allOf": [NESTED_UNEVALUATED], "unevaluatedProperties": False}
DEEP: JsonValue = {}
for _ in range(30):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        pytest.param(TWO_WAYS_DOWN, DEEP, id="a value that doubles the way"),
        pytest.param(NESTED_UNEVALUATED, {"x": 1}, id="unevaluated at every level"),
    ],
)
def test_a_validation_without_an_end_is_a_problem(
    schema: JsonObject, arguments: JsonValue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metier.limits._steps.MAX_STEPS", 10_000)
    check_parameters(schema)
    assert [str(one) for one in argument_problems(schema, arguments)] == [
        "$: it takes too many steps to check; give less at once"
    ]
    assert argument_problems({"type": "object"}, {}) == ()


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"properties": {"a": {"$ref": "#/nowhere"}}}, id="no target"),
        pytest.param({"properties": {"a": {"$ref": "#nowhere"}}}, id="no anchor"),
        pytest.param(
            {"$ref": "#/default", "default": {"properties": {"a": {"pattern": "(?=a)"}}}}, id="a pattern in a default"
        ),
        pytest.param(
            {"$ref": "#/examples/0", "examples": [{"properties": {"a": {"$ref": "http://x.example/"}}}]},
            id="an address in an example",
        ),
        pytest.param(
            {"$ref": "#/const", "const": {"unevaluatedProperties": False, "patternProperties": {"^(a+)+$": {}}}},
            id="unevaluated in a constant",
        ),
        pytest.param({"properties": {"a": {"maximum": float("inf")}}}, id="a number that is none"),
        pytest.param({"properties": {"a": {"default": {1, 2}}}}, id="no JSON"),
    ],
)
def test_a_schema_is_checked_wherever_its_references_lead(schema: JsonObject) -> None:
    with pytest.raises(InvalidTool):
        check_parameters(schema)
    (problem,) = argument_problems(schema, {"a": "b"})
    assert "schema cannot be used" in problem.reason


def test_a_schema_that_fails_only_when_it_is_used_is_a_problem_too() -> None:
    moved: JsonObject = {"$defs": {"x": {"$id": "http://x.example/", "$ref": "#/$defs/x"}}, "$ref": "#/$defs/x"}
    (problem,) = argument_problems(moved, {"a": "b"})
    assert "schema cannot be used" in problem.reason


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ([1, 2, "1", None, True, [1], {"a": 1}], True),
        ([1, True, 0, False], True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}], False),
        ([[1, {"a": None}], [1, {"a": None}]], False),
        ([{"a": number} for number in range(3000)], True),
    ],
)
def test_items_are_unique_by_value(items: list[JsonValue], unique: bool) -> None:
    schema: JsonObject = {"properties": {"all": {"uniqueItems": True}}}
    assert (argument_problems(schema, {"all": items}) == ()) is unique


def test_a_huge_number_is_a_problem_and_no_crash() -> None:
    schema: JsonObject = {"properties": {"x": {"multipleOf": 0.1}}}
    assert len(said(schema, {"x": 10**400})) == 1


@pytest.mark.parametrize(
    ("given", "read", "notes"),
    [
        ('{"region": "x"}', {"region": "x"}, 1),
        ({"region": "x", "cells": "[1, 2]"}, {"region": "x", "cells": [1, 2]}, 1),
        ('{"region": "x", "cells": "[1]"}', {"region": "x", "cells": [1]}, 2),
        ({"region": '{"not": "wanted"}'}, {"region": '{"not": "wanted"}'}, 0),
        ({"cells": "[1, 2"}, {"cells": "[1, 2"}, 0),
        ("plain", "plain", 0),
        ({"cells": [1]}, {"cells": [1]}, 0),
    ],
    ids=["the whole", "one argument", "both", "a text is wanted", "half a list", "no JSON", "nothing to do"],
)
def test_json_in_a_text_is_read_where_an_object_or_a_list_is_wanted(
    given: JsonValue, read: JsonValue, notes: int
) -> None:
    found, said_of_it = parse_json_strings(AREA, given)
    assert found == read
    assert len(said_of_it) == notes
