"""Orders for a workbook as steps: formulas, keys of an order, colors of tabs, and what a sheet would get wrong."""

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.table import Table

from metier.language import language_of
from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from metier.packs.office.plan import load_plan
from tests.packs.office.orders.written import list_steps, read_file, write_orders


@pytest.mark.parametrize(
    ("message", "formula"),
    [
        ("把H1设为=SUM(C2:C4)", "=SUM(C2:C4)"),
        ("H1设为公式=SORT(C2:C4,1,-1)", "=SORT(C2:C4,1,-1)"),
        ("请在H1单元格写公式：=C2*2", "=C2*2"),
        ("set H1 to the formula =SUM(C2:C4)", "=SUM(C2:C4)"),
    ],
)
def test_a_formula_that_is_ordered_for_a_cell_is_a_formula_and_no_text(
    samples: dict[str, Path], message: str, formula: str
) -> None:
    made: Any = list(read_orders(message, read_file(samples["sales"]), language=language_of(message)).actions)
    cells = [cell for one in made for cell in one["cells"]]
    assert [(one["cell"][-2:], one.get("formula"), one.get("value")) for one in cells] == [("H1", formula, None)]


def test_what_a_sheet_would_get_wrong_is_asked_about_refused_or_said(tmp_path: Path) -> None:
    """Formulas that read other rows, cells that others read, the last rows of a table, columns of one name."""
    heads: list[Any] = ["项目", "收入", "余额"]
    balance: list[list[Any]] = [heads, ["a", 5, "=B2"], ["b", 9, "=C2+B3"], ["c", 7, "=C3+B4"]]
    own_row: list[list[Any]] = [heads, ["a", 5, "=B2*2"], ["b", 9, "=B3/SUM(B$2:B$4)"], ["c", 7, 1]]
    cases = {
        ("按收入降序排", "balance"): "其他行",
        ("删除第3行", "balance"): "#REF!",
        ("删除第2到4行", "table"): "至少要留一行",
        ("金额列乘以2", "twins"): "B、C",
        ("隔行填充浅灰色", "long"): "底色 浅灰色、隔行",
        ("按收入降序排", "own"): "=B2/SUM(B$2:B$4)\nc\t7\t1\na\t5\t=B4*2",
    }
    sheets: dict[str, list[list[Any]]] = {"balance": balance, "table": own_row, "own": own_row}
    sheets |= {"twins": [["项目", "金额", "金额"], ["a", 1, 2]], "long": [["名", "值"], *([["n", 1]] * 1_200)]}
    paths = {}
    for name, rows in sheets.items():
        book = Workbook()
        for row in rows:
            book.worksheets[0].append(row)
        if name == "table":
            book.worksheets[0].add_table(Table(displayName="T", ref="A1:C4"))
        paths[name] = tmp_path / f"{name}.xlsx"
        book.save(paths[name])
    wrong = [
        (message, said) for (message, name), part in cases.items() if part not in (said := _say(message, paths[name]))
    ]
    assert wrong == []


def _say(message: str, path: Path) -> str:
    """What a person is told before anything is written."""
    read = read_orders(message, read_file(path), language="zh")
    if read.note is not None:
        return read.note.text("zh")
    plan = load_plan(
        {"schema_version": "ah32.plan.v1", "host_app": "et", "actions": list(read.actions)}, host="et"
    ).plan
    assert plan is not None
    try:
        made = host_for("et").execute(plan, path, path.with_stem("made"), request=WriteRequest())
    except PlanStepError as error:
        return error.text("zh")
    return "\n".join((*(one.zh for one in made.warnings), *(one.after for one in made.changes)))


def test_formulas_become_what_they_show_or_are_asked_about(tmp_path: Path) -> None:
    book = Workbook()
    sheet: Any = book.active
    for row in (("Item", "Net", "Gross"), ("A", 10, "=B2*2"), ("B", -4, "=B3*2"), ("B", -4, "=B3*2")):
        sheet.append(row)
    book.save(tmp_path / "raw.xlsx")
    message = "turn all formulas into values"
    assert list_steps(message, read_file(tmp_path / "raw.xlsx")) == []  # never calculated
    calculated = write_orders(tmp_path / "raw.xlsx", "加一行合计", tmp_path / "known.xlsx").active
    assert calculated["C5"].value == "=SUM(C2:C4)"
    made = write_orders(tmp_path / "known.xlsx", message, tmp_path / "values.xlsx").active
    assert [made[f"C{row}"].value for row in range(2, 6)] == [20, -8, -8, 4]
    steps = list_steps("重复的行删了,删了几行跟我说一声", read_file(tmp_path / "values.xlsx"))
    assert [one["lines"] for one in steps] == [["4"]]


def test_columns_named_by_letters_are_sorted_by_as_they_are_said(readings: dict[str, Reading]) -> None:
    def _keys(message: str) -> list[tuple[str, str]]:
        return [(one["key"], one["order"]) for one in list_steps(message, readings["orders"])]

    # The last key is sorted first, so that the first one said is the main one.
    assert _keys("sort by column B then column C") == [("C", "asc"), ("B", "asc")]
    assert _keys("sort by column B, then by column C descending") == [("C", "desc"), ("B", "asc")]
    assert _keys("sort by Region, then by column D descending") == [("D", "desc"), ("C", "asc")]
    assert _keys("先按B列再按C列排序") == [("C", "asc"), ("B", "asc")]


def test_all_tabs_get_a_color_in_both_languages(readings: dict[str, Reading]) -> None:
    for message in ("每个标签都标成蓝色", "把所有标签都改成蓝色", "colour all tabs blue"):
        assert [one["sheet_name"] for one in list_steps(message, readings["sales"])] == ["销售", "客户"], message
