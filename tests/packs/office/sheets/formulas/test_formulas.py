"""Formulas: values as spreadsheet programs give them, for one cell each."""

from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from metier.packs.office.sheets import read_workbook
from metier.packs.office.sheets._recalculate import recalculate
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.formulas import CellError, format_value, parse_formula, prefix_functions, show_formula

# Column A: n1, n2, n3, n0 …; column B: 1.5, 3, 4.5 …; column C: twice B. Checked against LibreOffice 7.4.
CASES: tuple[tuple[str, object], ...] = (
    ("SUM(B1:B20)", 315),
    ("AVERAGE(C1:C20)", 31.5),
    ('SUMIF(A1:A20,"n1",B1:B20)', 67.5),
    ('COUNTIFS(A1:A20,"n2",B1:B20,">10")', 3),
    ('IFERROR(VLOOKUP("n3",A1:C20,3,FALSE),0)', 9),
    ('INDEX(B1:B20,MATCH("n2",A1:A20,0))', 3),
    ('TEXT(DATE(2024,3,5),"yyyy年m月d日")', "2024年3月5日"),
    ('SUMPRODUCT((A1:A20="n1")*(B1:B20>3)*B1:B20)', 66),
    ("SUBTOTAL(9,B1:B20)", 315),
    ('LEFT("中文文本",2)&RIGHT(A1,1)&MID("abc",2,1)', "中文1b"),
    ('IF(AND(B1>1,NOT(FALSE)),"yes","no")', "yes"),
    ("MAX(B:B)", 30),
    ("2^3+-2%", 7.98),
    ("-2^2", 4),
    ('LOOKUP(2,1/(A1:A20="n1"),B1:B20)', 25.5),
    ('TEXT(1234.567,"#,##0.00")', "1,234.57"),
    ("1/0", CellError("#DIV/0!")),
    ('_xlfn.XLOOKUP("n2",A1:A20,B1:B20)', 3),
    ('_xlfn.TEXTJOIN(",",TRUE,A1:A3)', "n1,n2,n3"),
    ("EDATE(DATE(2024,1,31),1)", 45351),
    ("0.1+0.2=0.3", True),
    ("MOD(-3,2)", 1),
    ('_xlfn.IFS(B1>100,"a",TRUE,"b")', "b"),
    ("ROUND(2.675,2)", 2.68),
    ('SUBSTITUTE("a-b-c","-","+",2)', "a-b+c"),
    ('COUNTIF(A1:A20,"n*")', 20),
    ('TEXT(0.256,"0.0%")', "25.6%"),
    ('VLOOKUP("none",A1:C20,3,FALSE)', CellError("#N/A")),
    ('HYPERLINK("#A1","去")', "去"),
    ("WEEKNUM(DATE(2024,3,5),2)", 10),
    ("MROUND(7.3,0.5)", 7.5),
    ("SUM(OFFSET(B1,1,0,3,1))", 13.5),
    ("SUM(OFFSET(B20,0,0,-2))", 58.5),
    ("OFFSET(A1,-1,0)", CellError("#REF!")),
    ('INDIRECT("B"&2)+SUM(INDIRECT("B1:B2"))', 7.5),
    ('INDIRECT("没有!A1")', CellError("#REF!")),
    ("SUM(_xlfn.UNIQUE(_xlfn._xlws.FILTER(B1:B20,B1:B20>27)))", 58.5),
    ("INDEX(_xlfn._xlws.SORT(B1:B20,1,-1),2)", 28.5),
    ("INDEX(_xlfn.SORTBY(A1:A3,B1:B3,-1),1)", "n3"),
    ("SUM(_xlfn.SEQUENCE(3,2,0,10))", 150),
    ("NoSuchName+1", CellError("#NAME?")),
    ("没有!A1+1", CellError("#REF!")),
    ('"1"+1', 2),
    ('"x"+1', CellError("#VALUE!")),
)


def test_formulas_give_the_values_of_spreadsheet_programs(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for number in range(1, 21):
        book.active.append([f"n{number % 4}", number * 1.5, f"=B{number}*2"])
    for row, (formula, _) in enumerate(CASES, 1):
        book.active.cell(row, 6, f"={formula}")
    for row in range(1, 1_501):
        book.active.cell(row, 8, "=1" if row == 1 else f"=H{row - 1}+1")
    book.active["J1"], book.active["J2"] = "=J2", "=J1"
    book.save(tmp_path / "a.xlsx")
    parts = WorkbookParts.open(tmp_path / "a.xlsx")
    problems = recalculate(parts, set(), now=datetime(2024, 3, 5)).problems
    (tmp_path / "b.xlsx").write_bytes(parts.parts.to_bytes())
    cells = {cell.address: cell.value for cell in read_workbook(tmp_path / "b.xlsx").sheets[0].cells}
    wrong = []
    for row, (formula, expected) in enumerate(CASES, 1):
        value = cells[f"F{row}"]
        is_number = isinstance(expected, int | float) and not isinstance(expected, bool)
        if value != (pytest.approx(expected) if is_number else expected) or isinstance(value, bool) != isinstance(
            expected, bool
        ):
            wrong.append((formula, value, expected))
    assert wrong == []
    assert cells["H1500"] == 1500, "a long chain does not exhaust the stack"
    assert set(problems) == {("Sheet", 1, 10), ("Sheet", 2, 10)}, "a circle is a problem, not a hang"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ('=xlookup("IFS(",A1:A2,B1:B2)', '_xlfn.XLOOKUP("IFS(",A1:A2,B1:B2)'),
        ("=SUM(A1)+_xlfn.IFS(A1,1)", "SUM(A1)+_xlfn.IFS(A1,1)"),
        ("=sort(unique(filter(A1:A9,B1:B9>0)))", "_xlfn._xlws.SORT(_xlfn.UNIQUE(_xlfn._xlws.FILTER(A1:A9,B1:B9>0)))"),
        ("=_xlfn.SORT(A1:A3)", "_xlfn._xlws.SORT(A1:A3)"),
        ("=SORTBY(A1:A3,B1:B3)", "_xlfn.SORTBY(A1:A3,B1:B3)"),
        ("=LET(x,A1*2,单价, x+1, x*单价)", "_xlfn.LET(_xlpm.x,A1*2,_xlpm.单价, _xlpm.x+1, _xlpm.x*_xlpm.单价)"),
        ("=LET(sum,1,SUM(A1)+sum)", "_xlfn.LET(_xlpm.sum,1,SUM(A1)+_xlpm.sum)"),
        ("=_xlfn.LET(_xlpm.x,1,_xlpm.x+1)", "_xlfn.LET(_xlpm.x,1,_xlpm.x+1)"),
        ("=MAP(A1:A3,LAMBDA(v,v*2))", "_xlfn.MAP(A1:A3,_xlfn.LAMBDA(_xlpm.v,_xlpm.v*2))"),
        ("=LAMBDA(x,x+1)(3)", "_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(3)"),
        ("=SUM(A1#)", "SUM(_xlfn.ANCHORARRAY(A1))"),
        ("=IF(A1=\"SORT(\",'SORT(x)'!A1,表1[SORT(])", "IF(A1=\"SORT(\",'SORT(x)'!A1,表1[SORT(])"),
    ],
)
def test_newer_functions_are_stored_as_excel_stores_them(typed: str, stored: str) -> None:
    assert prefix_functions(typed) == stored
    assert prefix_functions(show_formula(stored)) == stored
    parse_formula(stored)


def test_number_formats_show_what_a_cell_shows() -> None:
    cases = (
        (1234.5, "#,##0.00", "1,234.50"),
        (-5, "0.0;(0.0)", "(5.0)"),
        (0.5, "0%", "50%"),
        (45356, "yyyy-mm-dd", "2024-03-05"),
        (45356.75, "yyyy/m/d h:mm", "2024/3/5 18:00"),
        (12, '0"元"', "12元"),
        (1234567, "0.0,", "1234.6"),
        (7, "000", "007"),
        (0.1 + 0.2, "General", "0.3"),
        (45356, "aaaa", "星期二"),
    )
    assert [(code, format_value(number, code)) for number, code, _ in cases] == [
        (code, shown) for _, code, shown in cases
    ]
