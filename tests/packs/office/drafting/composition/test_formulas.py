"""Formulas of a column, as people say them."""

import pytest

from metier.packs.office.drafting.composition._formulas import read_formula

_COLUMNS = ("Item", "Hours", "Rate", "Pay")
_BUDGET = ("项目", "预算", "实际", "差额")


@pytest.mark.parametrize(
    ("clause", "formula"),
    [
        ("Pay is hours times rate", "=B{row}*C{row}"),
        ("Pay = Hours * Rate", "=B{row}*C{row}"),
        ("Pay is a formula, hours times rate", "=B{row}*C{row}"),
        ("pay: rate plus hours", "=C{row}+B{row}"),
        ("Pay 20% of rate", "=C{row}*20%"),
        ("Pay is Rate times 1.5", "=C{row}*1.5"),
    ],
)
def test_english_formulas_are_read(clause: str, formula: str) -> None:
    assert read_formula(clause, _COLUMNS) == (3, formula)


@pytest.mark.parametrize(
    "clause", ["差额就是实际减预算", "差额=实际-预算", "差额用公式：实际减去预算", "差额是实际减预算要公式的"]
)
def test_chinese_formulas_are_read(clause: str) -> None:
    assert read_formula(clause, _BUDGET) == (3, "=C{row}-B{row}")


@pytest.mark.parametrize(
    "clause",
    [
        "Pay is a formula",
        "Pay is hours times the bonus",
        "Pay is rate",
        "Total is hours times rate",
        "Pay hours rate",
        "",
    ],
)
def test_a_formula_with_a_word_that_is_not_known_is_not_guessed(clause: str) -> None:
    assert read_formula(clause, _COLUMNS) is None
