"""`$.path`: what compiles, what is refused, what is found."""

import json

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.limits import BadExpression
from metier.plans._expressions import compile_expression, is_expression, is_true, look_up

DATA: JsonObject = {
    "scenario": {"matches": [{"id": "dt-1", "score": 0.9}, {"id": "dt-2", "score": 0.4}]},
    "根因": {"rows": []},
    "n": 0,
    "text": "nan",
}

FOUND = {
    "a path": ("$.scenario.matches[0].id", "dt-1"),
    "everything": ("$", DATA),
    "a filter": ("$.scenario.matches[?score > `0.5`].id", ["dt-1"]),
    "a quoted Chinese name": ('$."根因".rows', []),
    "a function": ("$.length(scenario.matches)", 2),
    "a shape": ("$.scenario.matches[].{k: id}", [{"k": "dt-1"}, {"k": "dt-2"}]),
    "a comparison": ("$.scenario.matches[0].id == 'dt-1'", True),
    "nothing there": ("$.scenario.nothing[3].id", None),
    "a function of the wrong type": ("$.length(n)", None),
    "a number that is none": ("$.to_number(text)", None),
    "types that cannot be compared": ("$.max_by(scenario.matches, &@)", None),
}


@pytest.mark.parametrize(("text", "value"), FOUND.values(), ids=FOUND.keys())
def test_an_expression_finds(text: str, value: JsonValue) -> None:
    assert look_up(text, DATA) == value


REFUSED = {
    "no dot": "$scenario",
    "a price": "$100",
    "cut off": "$.a.",
    "a stray bracket": "$.a[",
    "a second dollar": "$.a && $.b",
    "an unknown function": "$.open('/etc/passwd')",
    "too few arguments": "$.length()",
    "too many arguments": "$.length(a, b)",
    "a step of nothing": "$.a[::0]",
    "too long": "$." + "a" * 500,
    "a pit of brackets": "$." + "(" * 240 + "a" + ")" * 240,
    "a long row of pipes": "$." + "|".join("a" * 240),
    "copies of copies": "$.[@,@]|[@,@]|[@,@]|[@,@]|[@,@]|[@,@]|[@,@]",
    "quotes of quotes": "$." + "to_string([" * 8 + "@" + "])" * 8,
    "a separator out of the data": "$.join(big, list)",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_run_or_could_grow_is_refused_at_load(text: str) -> None:
    with pytest.raises(BadExpression):
        compile_expression(text)


READS = {
    "$.a.b[0].c": {"a"},
    "$.a[?x == y].z": {"a"},
    "$.a && !b || c == d": {"a", "b", "c", "d"},
    "$.max_by(a, &score)": {"a"},
    "$.[a, b.c]": {"a", "b"},
    "$.{x: a}": {"a"},
    "$.a | b": {"a"},
    "$.@.a": {"a"},
    "$.*.b": {"@"},
    "$": {"@"},
    "$.`1`": set[str](),
}


@pytest.mark.parametrize(("text", "names"), READS.items(), ids=READS.keys())
def test_an_expression_knows_what_it_reads(text: str, names: set[str]) -> None:
    assert compile_expression(text).reads == names


@pytest.mark.parametrize(
    ("value", "true"),
    [(None, False), (False, False), ("", False), ([], False), ({}, False), (0, True), ("no", True), ([0], True)],
)
def test_only_null_false_and_empty_are_false(value: JsonValue, true: bool) -> None:
    assert is_true("$.x", {"x": value}) is true


def test_a_literal_dollar_and_a_number_are_no_expressions() -> None:
    assert [is_expression(value) for value in ("$.a", "$", "$$5", "5$", 5, None)] == [True, True] + [False] * 4


def test_what_is_found_is_a_copy() -> None:
    found = look_up("$.scenario", DATA)
    assert isinstance(found, dict)
    before = json.dumps(DATA)
    found["matches"] = []
    assert json.dumps(DATA) == before
