"""The choice of a skill looks at the head of a document, whatever its size, and reads a sheet once."""

import copy
from pathlib import Path

import pytest
from docx import Document
from openpyxl import Workbook

from metier.packs.office import claim, fallback_claim
from metier.packs.office.analysis import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks import read_tables
from metier.packs.office.conversation._documents import list_documents
from metier.packs.office.conversation._reading import read_document, read_head
from metier.packs.office.sheets import read_workbook

_MOST = 4_000


def _attach(folder: Path, name: str) -> Path:
    (folder / "attachments").mkdir()
    return folder / "attachments" / f"001-{name}"


def _write_rows(path: Path, rows: int) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("数据")
    sheet.append(["部门", "金额"])
    for number in range(rows):
        sheet.append([f"部门{number % 7}", number])
    book.save(path)


def _write_paragraphs(path: Path, count: int) -> None:
    made = Document()
    one = made.add_paragraph("项目背景说明")._p
    for _ in range(count - 1):
        one.addnext(copy.deepcopy(one))
    made.save(str(path))


@pytest.mark.parametrize("rows", [100, 6_000, 20_000])
def test_a_skill_is_chosen_by_the_head_of_a_workbook_of_any_size(tmp_path: Path, rows: int) -> None:
    _write_rows(_attach(tmp_path, "表.xlsx"), rows)
    head = read_head(tmp_path, list_documents(tmp_path)[0])
    assert head is not None
    assert sum(len(one.cells) for one in head.sheets) == min(2 * rows + 2, _MOST)
    assert claim("把A1改成科室", tmp_path) == "document_edit"
    assert claim("今天天气怎么样", tmp_path) == fallback_claim("今天天气怎么样", tmp_path) == ""


def test_no_more_rows_of_a_workbook_are_read_than_its_head_has(tmp_path: Path) -> None:
    _write_rows(path := _attach(tmp_path, "表.xlsx"), 500)
    sheet = read_workbook(path, max_cells=100, only_head=True).sheets[0]
    assert sheet.is_cut
    assert len(sheet.cells) == 100


def test_a_long_document_that_cannot_be_read_in_part_is_left_to_the_skill_that_is_asked(tmp_path: Path) -> None:
    _write_paragraphs(_attach(tmp_path, "文.docx"), 20_000)
    assert read_head(tmp_path, list_documents(tmp_path)[0]) is None
    assert claim("把部门3改成研发部", tmp_path) == ""


def test_the_head_of_a_short_document_is_the_document_that_is_read_anyway(tmp_path: Path) -> None:
    _write_paragraphs(_attach(tmp_path, "文.docx"), 20)
    known = list_documents(tmp_path)[0]
    assert read_head(tmp_path, known) is read_document(tmp_path, known, with_others=False)


def test_the_tables_of_a_sheet_are_read_once_and_never_those_of_an_equal_one() -> None:
    cells = tuple(SheetCell(f"{column}{row}", f"{column}{row}") for row in range(1, 4) for column in "AB")
    first, second = SheetCells("一", cells), SheetCells("一", cells)
    assert next(read_tables(first)) is next(read_tables(first))
    assert next(read_tables(first)) is not next(read_tables(second))


def test_each_block_between_empty_rows_has_its_own_cells_and_no_others() -> None:
    cells = tuple(SheetCell(f"A{row}", f"x{row}") for start in (1, 4, 7) for row in (start, start + 1))
    tables = list(read_tables(SheetCells("一", cells)))
    assert [sorted(one.cells) for one in tables] == [[(1, 1), (2, 1)], [(4, 1), (5, 1)], [(7, 1), (8, 1)]]
