"""JMESPath that skills bring along: what could grow is refused when it is read, what takes long ends when it runs."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jmespath.exceptions import JMESPathError

from metier.errors import TooManySteps
from metier.json_values import JsonObject
from metier.limits import BadExpression, evaluate, limit_steps, parse_expression, spend_value

ROWS: JsonObject = {"rows": [{"id": f"c{n}", "load": n} for n in range(200)]}

DOUBLING = {
    "lists of lists": "@" + "|[@,@]" * 30,
    "flat lists": "[@]" + "|[@,@][]" * 15,
    "objects": "@" + "|{a:@,b:@}" * 15,
    "texts in texts": "to_string(" * 20 + "@" + ")" * 20,
    "a function of two": "rows" + "|merge({a:@},{b:[@,@]})" * 7,
    "brackets": "(" * 60 + "a" + ")" * 60,
    "mapped": "rows" + "|map(&[@,@],@)" * 10,
}


@pytest.mark.parametrize("text", DOUBLING.values(), ids=DOUBLING.keys())
def test_an_expression_that_doubles_is_refused(text: str) -> None:
    with pytest.raises(BadExpression):
        parse_expression(text)


def test_an_expression_within_the_limits_still_has_a_budget() -> None:
    parsed = parse_expression("rows[*].[id,load,id,load]|[*].{a:@}")
    with limit_steps(500), pytest.raises(TooManySteps):
        evaluate(parsed, ROWS)
    assert len(evaluate(parsed, ROWS)) == 200


def test_comparisons_inside_comparisons_are_evaluated_once() -> None:
    text = "a"
    for _ in range(20):
        text = f"({text}) == b"
    with limit_steps(1000):
        assert evaluate(parse_expression(text), {"a": 1, "b": 2}) is False


TERMS = st.sampled_from(["@", "a", "rows", "rows[*]", "rows[].id", "*", "`[1,2]`", "'x'", "rows[?load > `3`]", "a.b"])
SHAPES: tuple[str, ...] = (
    *("[{0},{1}]", "{{p:{0},q:{1}}}", "({0})|({1})", "to_string({0})", "map(&[@,{1}],{0})", "[{0},{0}][]"),
    *("join(', ',{0})", "sort({0})", "{0} == {1}", "({0}) || ({1})", "merge({0},{1})", "length({0})"),
)
EXPRESSIONS = st.recursive(
    TERMS, lambda inner: st.builds(str.format, st.sampled_from(SHAPES), inner, inner), max_leaves=12
)


@given(EXPRESSIONS)
def test_any_expression_is_refused_or_stays_within_its_budget(text: str) -> None:
    with suppress(BadExpression, JMESPathError, TypeError, TooManySteps), limit_steps(100_000):
        found: Any = evaluate(parse_expression(text), ROWS)
        spend_value(found)
