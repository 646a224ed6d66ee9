"""Totals of a sheet in every form that people write, and numbers that are stored as text."""

from datetime import date

import pytest

from metier.packs.office.analysis import Reading, SheetCell, SheetCells, propose
from metier.packs.office.analysis.workbooks import audit_sheet

Row = tuple[str | int | float | None, ...]


def sheet_of(*rows: Row) -> SheetCells:
    return SheetCells(
        "账",
        tuple(
            SheetCell(f"{'ABCDEFGH'[column]}{number}", None if str(value).startswith("=") else value, _formula(value))
            for number, row in enumerate(rows, 1)
            for column, value in enumerate(row)
            if value is not None
        ),
    )


def _formula(value: object) -> str:
    return str(value) if str(value).startswith("=") else ""


ITEMS: tuple[Row, ...] = (
    ("项目", "数量", "金额"),
    ("纸张", 3, 36),
    ("墨盒", 2, 240),
    ("文件夹", 5, 25),
    ("订书机", 1, 18),
)


@pytest.mark.parametrize(
    ("formula", "rules"),
    [
        ("=C2+C3+C4", ["broken_sum"]),
        ("=SUM(C2:C4)", ["broken_sum"]),
        ("=SUM(C2:C6)", ["broken_sum"]),
        ("=SUM(C2:C5)-C4", ["broken_sum"]),
        ("=SUM(C2:C5)+100", ["constant_in_total"]),
        ("=SUM(C2:C5,50)", ["constant_in_total"]),
        ("=SUM(B2:B5)", ["wrong_column"]),
        ("=SUM(C2:C5)+C2", ["double_counted"]),
        ("=C2+C3+C4+C5", []),
        ("=SUM(C2:C3,C4:C5)", []),
        ("=ROUND(SUM($C$2:$C$5),2)", []),
        ("=SUBTOTAL(9,C2:C5)", []),
        ("=SUM(C1:C5)", []),
        ("=SUMIF(B2:B5,\">1\",C2:C5)", []),
        ("=SUM(C2:C5)*1.06", []),
    ],
)  # fmt: skip
def test_a_total_is_compared_with_its_rows_whatever_its_formula_looks_like(formula: str, rules: list[str]) -> None:
    found = audit_sheet(sheet_of(*ITEMS, ("合计", "=SUM(B2:B5)", formula)))
    assert [one.rule for one in found] == rules
    assert {one.values["cell"] for one in found} <= {"C6"}


@pytest.mark.parametrize(
    ("formula", "rules"),
    [
        ("=SUM(C2:C7)", ["double_counted"]),
        ("=C4+C7+C2", ["double_counted"]),
        ("=C4", ["broken_sum"]),
        ("=C4+C7", []),
        ("=SUM(C2:C3)+SUM(C5:C6)", []),
    ],
)
def test_a_grand_total_counts_each_row_once_through_its_subtotals(formula: str, rules: list[str]) -> None:
    rows = (
        *ITEMS[:3],
        ("小计", None, "=SUM(C2:C3)"),
        *ITEMS[3:],
        ("小计", None, "=SUM(C5:C6)"),
        ("总计", None, formula),
    )
    assert [one.rule for one in audit_sheet(sheet_of(*rows))] == rules


def test_subtotals_of_excel_leave_each_other_out() -> None:
    rows = (*ITEMS[:3], ("小计", None, "=SUBTOTAL(9,C2:C3)"), ("总计", None, "=SUBTOTAL(9,C2:C4)"))
    assert audit_sheet(sheet_of(*rows)) == ()


def test_a_column_whose_numbers_are_mostly_texts_is_told_and_words_beside_them_do_not_hide_it() -> None:
    rows: list[Row] = [
        ("日期", "金额"),
        *((f"{day}日", f"{day * 10}") for day in range(1, 7)),
        ("7日", 70),
        ("8日", "无"),
    ]
    assert [one.rule for one in audit_sheet(sheet_of(*rows))] == ["number_as_text"] * 6
    notes: list[Row] = [("日期", "备注"), *((f"{day}日", "照常") for day in range(1, 5)), ("5日", "3")]
    assert audit_sheet(sheet_of(*notes)) == ()


@pytest.mark.parametrize("task", ["et-analyzer", "et-visualizer"])
def test_a_number_stored_as_text_is_named_where_the_figures_leave_it_out(task: str) -> None:
    mixed = sheet_of(("部门", "金额"), ("销售", 100), ("财务", "120"), ("行政", 90), ("研发", 300))
    for language in ("zh", "en"):
        made = propose(task, Reading("a.xlsx", "xlsx", sheets=(mixed,)), today=date(2026, 3, 4), language=language)
        assert made.actions
        assert "账!B3" in made.summary
    texts = sheet_of(("部门", "金额"), ("销售", "100"), ("财务", "120"), ("行政", "90"))
    told = propose(task, Reading("a.xlsx", "xlsx", sheets=(texts,)), today=date(2026, 3, 4), language="zh")
    assert told.actions == ()
    assert "账!B2" in told.summary
