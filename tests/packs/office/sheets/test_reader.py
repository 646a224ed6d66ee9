"""Workbooks as read and as made."""

from pathlib import Path

import openpyxl
import pytest

from metier.packs.office.files import OfficeFileError
from metier.packs.office.sheets import NewSheet, create_blank, create_workbook, read_workbook


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
