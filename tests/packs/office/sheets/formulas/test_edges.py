"""Formulas with arguments at the edge: empty, negative, texts, errors, far dates, huge numbers."""

import json
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from metier.packs.office.sheets._recalculate import recalculate
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.formulas import CellError, CellValue
from tests.packs.office.sheets.formulas.sheet_of_formulas import calculate_formulas

# Formulas on which LibreOffice 7.4 and Excel agree, with LibreOffice's values.
AGREED: tuple[tuple[str, object], ...] = tuple(
    tuple(json.loads(line)) for line in (Path(__file__).parent / "golden_values.jsonl").read_text("utf-8").splitlines()
)
NUM, VALUE, DIV, NA, REF = (CellError(one) for one in ("#NUM!", "#VALUE!", "#DIV/0!", "#N/A", "#REF!"))
# Where LibreOffice goes its own way, the values that Excel's reference documents.
DOCUMENTED: tuple[tuple[str, object], ...] = (
    ("CEILING(2.5,-2)", NUM),
    ("CEILING(-2.5,2)", -2),
    ("CEILING(-2.5,-2)", -4),
    ("FLOOR(2.5,-2)", NUM),
    ("FLOOR(-2.5,2)", -4),
    ("FLOOR(-2.5,-2)", -2),
    ("FLOOR(2.5,0)", DIV),
    ("MROUND(5,-2)", NUM),
    ("0^0", NUM),
    ("PRODUCT(B1:B3)", 0),
    ("PRODUCT(5,)", 0),
    ("VARP(B1:B3)", DIV),
    ("STDEVP(B1:B3)", DIV),
    ("STDEV(A1)", DIV),
    ("MEDIAN(B1:B3)", NUM),
    ('COUNT("7","x",TRUE,C1)', 2),
    ('SUM("7",1)', 8),
    ("AVERAGE(5,)", 2.5),
    ('SUMIF(A1:A6,">0",G1)', 12),
    ('SUMIF(A1:A6,">0",G1:H2)', 12),
    ('SUMIFS(G1:G3,A1:A6,">0")', VALUE),
    ('SUMIFS(G1:G6,A1:A3,"x")', VALUE),
    ('COUNTIF(C1:C6,"#N/A")', 1),
    ('COUNTIF(A1:A6,"*")', 0),
    ("SUM(COUNTIF(A1:A6,{1,2,9}))", 2),
    ('SUM(SUMIF(B1:B6,{"apple","Banana"},A1:A6))', 3),
    ("SUM(COUNTIFS(A1:A6,{1,2},G1:G6,{1;2}))", 2),
    ("SUMPRODUCT(1/COUNTIF(G1:G6,G1:G6))", 6),
    ("SUM(LARGE(G1:G6,{1,2,3}))", 15),
    ("SUM(ABS({-1,-2}))", 3),
    ('FIND("a","abc",0)', VALUE),
    ('SEARCH("a","abc",-1)', VALUE),
    ('SEARCH("a","abc",9)', VALUE),
    ('FIND("","abc",2)', 2),
    ('SUBSTITUTE("aXb","X","-",0)', VALUE),
    ('SUBSTITUTE("aXb","X","-",E1)', VALUE),
    ('REPLACE("abc",0,1,"")', VALUE),
    ('REPT("a",-1)', VALUE),
    ('REPT("ab",1E10)', VALUE),
    ("LEN(REPT(REPT(1,30000),2))", VALUE),
    ("VALUE(TRUE)", VALUE),
    ("IFERROR(1E300*1E300,7)", 7),
    ("ISERROR(IF(NA(),1,2))", True),
    ("ROUND(1E300,2)", 1e300),
    ("ROUND(123,-400)", 0),
    ("EDATE(45000,100000)", NUM),
    ("EDATE(1,-1)", NUM),
    ("EOMONTH(2958465,1)", NUM),
    ("EOMONTH(45000,1E300)", NUM),
    ("PMT(-2,2,100)", NUM),
    ("PMT(-1,-12,100)", NUM),
    ("WEEKDAY(1)", 1),
    ("WEEKDAY(60,2)", 3),
    ("WEEKDAY(45351,10)", NUM),
    ("DAY(60)", 29),
    ("MONTH(60)", 2),
    ("DATE(1900,2,29)", 60),
    ("DAY(0)", 0),
    ("YEAR(2958466)", NUM),
    ("DATE(10000,1,1)", NUM),
    ("TIME(-1,0,0)", NUM),
    ("TIME(1.5,0,0)", 1 / 24),
    ('DATEDIF(45000,45351,"x")', NUM),
    ('TEXT(-1,"yyyy-mm-dd")', VALUE),
    ('TEXT(1,"")', ""),
    ("TRUE&1", "TRUE1"),
    ("FALSE<1", False),
    ("MATCH(9E307,A1:A6)", 6),
    ("CONCATENATE(A1:A2,1)", VALUE),
    ("INDEX(A1:A6,0)", VALUE),
    ("{3,4}", 3),
    ("-FALSE", 0),
    ('COUNTIF(B1:B6,"' + "*a" * 40 + '*b")', 0),
)
# What computers of other languages read otherwise is not calculated.
UNCERTAIN: tuple[str, ...] = (
    'VALUE("1/2/2024")',
    'VALUE("¥5")',
    'DATEVALUE("5 Jan 2024")',
    '"1/2"+1',
    "CHAR(200)",
    'CODE("数")',
    'TEXT(1,"# ?/?")',
    'TEXT(1,"b")',
    "IF()",
    "IF(TRUE)",
    "CHOOSE()",
    "IFERROR()",
    "SWITCH()",
    "INDEX()",
    "CEILING(1)",
)


def _is_same(value: CellValue, expected: object) -> bool:
    if isinstance(expected, bool) or isinstance(value, bool):
        return value is expected
    if isinstance(expected, int | float) and isinstance(value, int | float):
        return value == pytest.approx(expected, rel=1e-9, abs=1e-12)
    return value == expected


def _differences(cases: tuple[tuple[str, object], ...]) -> list[tuple[str, CellValue, object]]:
    found = calculate_formulas([formula for formula, _ in cases])
    return [
        (formula, value if reason is None else reason, expected)
        for (formula, expected), (value, reason) in zip(cases, found, strict=True)
        if reason is not None or not _is_same(value, expected)
    ]


def test_formulas_give_what_excel_and_libreoffice_agree_on() -> None:
    cases = tuple(
        (formula, CellError(value) if isinstance(value, str) and value.startswith("#") else value)
        for formula, value in AGREED
    )
    assert len(cases) > 500
    assert _differences(cases) == []


def test_formulas_give_what_excel_documents() -> None:
    assert _differences(DOCUMENTED) == []


def test_what_depends_on_the_computer_is_not_calculated() -> None:
    found = calculate_formulas(UNCERTAIN)
    assert [formula for formula, (_, reason) in zip(UNCERTAIN, found, strict=True) if reason is None] == []


def test_a_sum_follows_the_cells_beyond_its_written_range(tmp_path: Path) -> None:
    """SUMIF reads its numbers in the size of its first range, whatever is written for them."""
    book = openpyxl.Workbook()
    for row in (1, 2, 3):
        book.active.append([1, row])
    book.active["C1"] = "=SUMIF(A1:A3,1,B1)"
    book.save(tmp_path / "a.xlsx")
    parts = WorkbookParts.open(tmp_path / "a.xlsx")
    recalculate(parts, set(), now=datetime(2024, 3, 5))
    before = parts.sheet("Sheet").value(1, 3)
    parts.sheet("Sheet").set_value(3, 2, 10.0)
    recalculate(parts, {("Sheet", 3, 2)}, now=datetime(2024, 3, 5))
    assert (before, parts.sheet("Sheet").value(1, 3)) == (6, 13)


def test_a_result_that_xml_cannot_hold_is_stored_as_excel_stores_it() -> None:
    values = [value for value, _ in calculate_formulas(["CHAR(1)", 'CHAR(65)&"_x0041_"', 'CHAR(13)&"a"'])]
    assert values == ["_x0001_", "A_x0041_", "\ra"]
