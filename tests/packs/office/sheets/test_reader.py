"""Workbooks as read and as made."""

import io
from pathlib import Path

import openpyxl
import pytest

from metier.packs.office.files import OfficeFileError
from metier.packs.office.ooxml import OoxmlParts
from metier.packs.office.sheets import NewSheet, create_blank, create_workbook, read_workbook
from metier.packs.office.sheets._workbook import WorkbookParts


def test_a_workbook_is_read_with_formats_hidden_and_merged_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["名称", "金额", "编号"])
    sheet.append(["甲", 1200, "100"])
    sheet.append(["乙", "=B2*2", "110101199001011234"])
    sheet["B2"].number_format = "#,##0.00"
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["C"].hidden = True
    sheet.merge_cells("A5:B5")
    book.create_sheet("藏").sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    view = read_workbook(tmp_path / "a.xlsx")
    first = view.sheets[0]
    cells = {cell.address: cell for cell in first.cells}
    assert cells["B2"].text == "1,200.00"
    assert cells["B3"].formula == "B2*2"
    assert cells["B3"].is_missing_value
    assert (cells["A3"].is_hidden, cells["C2"].is_hidden, cells["A2"].is_hidden) == (True, True, False)
    assert [area.text for area in first.merged] == ["A5:B5"]
    assert view.sheets[1].is_hidden


def test_a_new_workbook_keeps_texts_as_texts(tmp_path: Path) -> None:
    rows = (("甲", 1.5, "=cmd()"), ("乙", 12345678901234567890, None))
    (tmp_path / "a.xlsx").write_bytes(
        create_workbook([NewSheet("表/一", ("名称", "数", "备注"), rows), NewSheet("表/一")])
    )
    loaded = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert loaded.sheetnames == ["表_一", "表_一-2"]
    sheet = loaded["表_一"]
    assert [cell.value for cell in sheet[2]] == ["甲", 1.5, "=cmd()"]
    assert sheet["C2"].data_type != "f"
    assert sheet["B3"].value == "12345678901234567890"
    create_blank(tmp_path / "b.xlsx")
    assert openpyxl.load_workbook(tmp_path / "b.xlsx").sheetnames == ["Sheet1"]


def test_a_file_that_is_no_workbook_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK nothing")
    with pytest.raises(OfficeFileError):
        read_workbook(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    "names",
    [
        ("find get my some many up then  more of it",),
        ("数据 ", "数据", "'数据'"),
        ("a" * 27 + "-3", "a" * 31, "a" * 31),
        ("b" * 31,) * 12,
        ("\x0b\x00", "", " ' "),
        ("x" * 30 + "'y",),
    ],
)
def test_every_sheet_has_a_name_of_its_own_that_excel_takes_whatever_it_is_called(names: tuple[str, ...]) -> None:
    book = openpyxl.load_workbook(io.BytesIO(create_workbook([NewSheet(one, ("甲",), ((1,),)) for one in names])))
    made = [one.lower() for one in book.sheetnames]
    assert len(set(made)) == len(names)
    assert all(0 < len(one) <= 31 and one == one.strip(" '") for one in made)


def test_a_sheet_whose_name_has_blanks_around_it_is_found() -> None:
    book = openpyxl.Workbook()
    book.active.title = "数据 "
    book.create_sheet("数据")
    book.create_sheet(" 表")
    buffer = io.BytesIO()
    book.save(buffer)
    parts = WorkbookParts(OoxmlParts(buffer.getvalue()))
    assert [one.name for one in parts.sheets()] == ["数据 ", "数据", " 表"]
    assert parts.sheet("表").name == " 表"
