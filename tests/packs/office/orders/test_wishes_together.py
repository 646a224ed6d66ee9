"""Several wishes in one message, rows, thousands and closings: what is written is where it was meant."""

from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt

from tests.packs.office.orders.written import (
    list_lines,
    make_deck,
    make_document,
    make_workbook,
    read_message,
    write_orders,
)

_PRICES = (("Item", "Price", "Qty"), ("Pen", 3, 2), ("Ink", 4000, 5), ("Cup", 1, 1), ("Pen", 3, 2))
_BUDGET = (("项目", "预算金额", "备注"), ("差旅费", 5000, None), ("办公费", 3000, None), ("合计", "=SUM(B2:B3)", None))


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    return make_document(tmp_path / "通知.docx", "放假通知", "五月一日放假。", "五月二日上班。")


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    return make_workbook(tmp_path / "prices.xlsx", *_PRICES, name="List")


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return make_deck(tmp_path / "总结.pptx", ("年终总结", "市场部"), ("目录", "业绩"), ("今年业绩", "增长18%"))


def _list_rows(book: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in book.active.iter_rows()]


@pytest.mark.parametrize(
    "message",
    [
        "字号改小四，标题居中，再加页码",
        "标题居中，正文字号改成小四，加页码",
        "set the font size to 12, center the title and add page numbers",
    ],
)
def test_a_size_without_a_place_is_for_the_text_and_not_for_the_title(notice: Path, message: str) -> None:
    written = write_orders(notice, message)
    title, *body = written.paragraphs
    assert title.alignment == WD_ALIGN_PARAGRAPH.CENTER
    assert {run.font.size for run in title.runs} == {None}
    assert {run.font.size for one in body for run in one.runs} == {Pt(12)}
    assert "PAGE" in written.sections[0].footer._element.xml


def test_a_size_behind_a_place_is_for_that_place(notice: Path) -> None:
    title = write_orders(notice, "标题居中，字号二号").paragraphs[0]
    assert {run.font.size for run in title.runs} == {Pt(22)}


@pytest.mark.parametrize(
    "message", ["remove duplicates and sort by Price", "去重并按Price排序", "去掉重复的行，再按Price排"]
)
def test_duplicates_go_before_the_rest_is_sorted(prices: Path, message: str) -> None:
    assert [row[0] for row in _list_rows(write_orders(prices, message))] == ["Item", "Cup", "Pen", "Ink"]


def test_rows_that_go_after_a_sort_are_asked_about(prices: Path) -> None:
    assert not read_message(prices, "sort by Price and delete the last row").actions


@pytest.mark.parametrize(
    "message", ["Price加千分号", "给Price列加上千位分隔符", "Price加千分位", "add thousands separators to Price"]
)
def test_thousands_are_a_format_of_the_numbers(prices: Path, message: str) -> None:
    sheet = write_orders(prices, message).active
    assert [sheet["B3"].value, sheet["B3"].number_format] == [4000, "#,##0"]


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("把第3行的Price改成5", ("B3", 5)),
        ("change the price of Ink to 9", ("B3", 9)),
        ("把Cup的Price改成9", ("B4", 9)),
        ("删掉Ink那一行", ("A3", "Cup")),
        ("delete the Ink row", ("A3", "Cup")),
    ],
)
def test_a_row_is_changed_by_its_number_or_its_name(prices: Path, message: str, changed: tuple[str, Any]) -> None:
    assert write_orders(prices, message).active[changed[0]].value == changed[1]


@pytest.mark.parametrize(
    ("message", "row"),
    [
        ("在下面加一行", [None, None, None]),
        ("add an empty row at the bottom", [None, None, None]),
        ("在最下面加一行培训费1000", ["培训费", 1000, None]),
        ("最后加一行 培训费 1000", ["培训费", 1000, None]),
        ("加一行：培训费 1000", ["培训费", 1000, None]),
        ("在下面加一行：培训费，1000", ["培训费", 1000, None]),
    ],
)
def test_a_new_row_of_a_sheet_stands_above_its_total(tmp_path: Path, message: str, row: list[Any]) -> None:
    rows = _list_rows(write_orders(make_workbook(tmp_path / "预算.xlsx", *_BUDGET), message))
    assert rows[-2:] == [row, ["合计", "=SUM(B2:B4)", None]]


@pytest.mark.parametrize("message", ["在下面加一行", "表格最后加一行：培训费，1000，新", "加一行：培训费，1000，新"])
def test_a_new_row_of_a_table_stands_above_its_total(tmp_path: Path, message: str) -> None:
    table: list[tuple[str, ...]] = [("项目", "预算", "备注"), ("差旅费", "5000", ""), ("合计", "5000", "")]
    written = write_orders(make_document(tmp_path / "预算.docx", "预算", "说明。", table), message).tables[0]
    assert [one.cells[0].text for one in written.rows] == [
        "项目",
        "差旅费",
        "" if "：" not in message else "培训费",
        "合计",
    ]


@pytest.mark.parametrize(
    "message", ["加落款：行政部，2026年5月1日", "落款写行政部，2026年5月1日", "sign-off: 行政部, 2026年5月1日"]
)
def test_a_closing_is_two_lines_at_the_right(notice: Path, message: str) -> None:
    written = write_orders(notice, message)
    assert list_lines(written)[-2:] == ["行政部", "2026年5月1日"]
    assert {one.alignment for one in written.paragraphs[-2:]} == {WD_ALIGN_PARAGRAPH.RIGHT}


@pytest.mark.parametrize("message", ["加个落款", "add a sign-off"])
def test_who_signs_is_asked_for(notice: Path, message: str) -> None:
    note = read_message(notice, message).note
    assert note is not None
    assert note.code == "who_signs"


@pytest.mark.parametrize(
    "message", ["把目录页去掉，配色换成蓝色的", "change the colour scheme to blue and remove the agenda slide"]
)
def test_a_slide_goes_and_the_colours_change(deck: Path, message: str) -> None:
    written = write_orders(deck, message)
    assert [one.shapes.title.text for one in written.slides] == ["年终总结", "今年业绩"]
    theme = next(one for one in written.slide_masters[0].part.rels.values() if one.reltype.endswith("/theme"))
    assert b"2F5597" in theme.target_part.blob


@pytest.mark.parametrize(("message", "code"), [("把附录页去掉", "no_such"), ("配色换成紫色", "which_theme")])
def test_a_slide_that_is_not_there_and_colours_that_are_not_are_asked_about(
    deck: Path, message: str, code: str
) -> None:
    found = read_message(deck, message)
    assert not found.actions
    assert found.note is not None
    assert found.note.code == code
