"""Whatever a formula says, it has a value that a file can hold, or a reason why it is not calculated."""

import math
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from metier.packs.office.sheets.formulas import FormulaProblem, parse_formula
from metier.packs.office.sheets.formulas._branches import BRANCHES
from metier.packs.office.sheets.formulas.functions import (
    ARRAY_FUNCTIONS,
    CONDITIONAL_FUNCTIONS,
    EACH_FUNCTIONS,
    LOOKUP_FUNCTIONS,
    RANGE_FUNCTIONS,
)
from tests.packs.office.sheets.formulas.sheet_of_formulas import calculate_formulas

FUNCTIONS = sorted(
    {*BRANCHES, *ARRAY_FUNCTIONS, *CONDITIONAL_FUNCTIONS, *EACH_FUNCTIONS, *LOOKUP_FUNCTIONS, *RANGE_FUNCTIONS}
)
_ATOMS = (
    *("", "0", "1", "-1", "2.5", "-7", "1E300", "1E-300", "1E10", "60", "45351.75", "2958466", "0.1"),
    *("TRUE", "NA()", "1/0", "A1", "E1", "C2", "B3", "A1:A6", "B1:C6", "A:A", "D1:D6", "E1:E3", "{1,2;3,4}", '{"a",1}'),
    *(
        '""',
        '"abc"',
        '"*a*"',
        '"~"',
        '">1"',
        '"1/2"',
        '"2024-01-31"',
        '"12:30"',
        '"yyyy"',
        '"0.0E+0"',
        '"#,##0.00;[<5]x"',
    ),
    *('"[h]:mm:ss.00"', '"??/?"', '"md"', '"(5)"', '"1E400"', '"A1"', '"_x0001_"', '"数量"', "CHAR(1)", "CHAR(10)"),
)
_OPERATORS = ("+", "-", "*", "/", "^", "&", "=", "<>", "<", ">=")


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    call = st.tuples(st.sampled_from(FUNCTIONS), st.lists(inner, max_size=5))
    binary = st.tuples(inner, st.sampled_from(_OPERATORS), inner)
    return st.one_of(
        call.map(lambda parts: f"{parts[0]}({','.join(parts[1])})"),
        binary.map(lambda parts: "(" + (parts[0] or "0") + parts[1] + (parts[2] or "0") + ")"),
        inner.map(lambda one: f"-({one or 1})%"),
    )


_FORMULAS = st.recursive(st.sampled_from(_ATOMS), _combine, max_leaves=8)


@given(st.lists(_FORMULAS, min_size=30, max_size=60))
def test_a_formula_has_a_value_or_a_reason(formulas: list[str]) -> None:
    for formula, (value, reason) in zip(formulas, calculate_formulas(formulas), strict=True):
        if reason is None:
            assert value is not None, formula
            assert not isinstance(value, float) or math.isfinite(value), formula


@given(st.text(alphabet="A1:$!()[]{},;+-*/^&=<>%\"'@#. eE\u4e2d", max_size=60))
def test_a_text_is_a_formula_or_a_named_problem(text: str) -> None:
    with suppress(FormulaProblem):
        assert parse_formula(text).tree


def test_long_and_deep_formulas_have_a_value_or_a_reason() -> None:
    deep = ("-" * 3000 + "1", "(" * 500 + "1" + ")" * 500, "+".join(["1"] * 3000), "ABS(" * 80 + "1" + ")" * 80)
    wide = ('REPT("ab",16000)&REPT("c",800)', "SUM(" + ",".join(["A1:A6"] * 200) + ")")
    for formula, (value, reason) in zip((*deep, *wide), calculate_formulas((*deep, *wide)), strict=True):
        assert (value is None) == (reason is not None), formula[:40]
