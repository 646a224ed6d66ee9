"""Files from a template and the rows of a sheet: values as cells show them, headers, rows left out, names."""

from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.packs.office.conversation.patterns.test_find import _save
from tests.packs.office.conversation.test_tools import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def make_template(*lines: str, header: str = "", footer: str = "") -> bytes:
    made = Document()
    for line in lines:
        made.add_paragraph(line)
    made.sections[0].header.paragraphs[0].text = header
    made.sections[0].footer.paragraphs[0].text = footer
    return _save(made)


def make_book(*rows: tuple[Any, ...], **formats: str) -> tuple[Workbook, Worksheet]:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    for address, code in formats.items():
        sheet[address].number_format = code
    return book, sheet


async def fill(desk: Desk, template: str, book: Workbook, name: str = "名单.xlsx") -> tuple[str, list[Path]]:
    content = BytesIO()
    book.save(content)
    desk.attach(name, content.getvalue())
    kept = await desk.data("propose_changes", document=template, task="template-fill")
    await desk.data("write_document", document=template, plan=kept["plan"])
    return str(kept["summary"]), sorted((desk.workspace / "documents").iterdir())


def read_texts(files: list[Path]) -> list[str]:
    return [Document(str(one)).paragraphs[0].text for one in files]


async def test_numbers_and_dates_are_written_as_the_cells_show_them(desk: Desk) -> None:
    template = desk.attach("函.docx", make_template("{{名}}|{{数}}|{{和}}|{{日}}|{{率}}|¥{{价}}|{{号}}"))
    book, _ = make_book(
        ("名", "数", "和", "日", "率", "价", "号"),
        ("甲", 1e-05, 0.1 + 0.2, date(2026, 3, 2), 0.125, 1234.5, 123_456_789_012),
        ("乙", 123_456_789.12, 2.0, date(2026, 3, 2), 1, 0, 1e15),
        D3="yyyy/m/d", D2="yyyy年m月d日", E2="0.0%", F2="¥#,##0.00", E3="0%", F3="¥#,##0.00",
    )  # fmt: skip
    _, files = await fill(desk, template, book)
    assert read_texts(files) == [
        "甲|0.00001|0.3|2026年3月2日|12.5%|¥1,234.50|123456789012",
        "乙|123456789.12|2|2026/3/2|100%|¥0.00|1000000000000000",
    ]


async def test_places_of_headers_and_footers_are_filled(desk: Desk) -> None:
    template = desk.attach("证.docx", make_template("兹证明{{姓名}}。", header="编号{{编号}}", footer="经办：【经办】"))
    book, _ = make_book(("姓名", "编号", "经办"), ("王磊", "A-1", "赵敏"), ("李敏", "A-2", "钱进"))
    summary, files = await fill(desk, template, book)
    assert "使用的列：姓名、编号、经办" in summary
    found = [Document(str(one)).sections[0] for one in files]
    assert [one.header.paragraphs[0].text for one in found] == ["编号A-1", "编号A-2"]
    assert [one.footer.paragraphs[0].text for one in found] == ["经办：赵敏", "经办：钱进"]


async def test_of_equal_blanks_the_one_that_bears_the_name_is_filled(desk: Desk) -> None:
    template = desk.attach("合同.docx", make_template("甲方：______ 乙方：___ 丙方：___"))
    book, _ = make_book(("乙方", "丙方"), ("王磊___", "李敏"), ("周舟", None))
    _, files = await fill(desk, template, book)
    assert read_texts(files) == ["甲方：______ 乙方：王磊___ 丙方：李敏", "甲方：______ 乙方：周舟 丙方："]


async def test_rows_that_are_left_out_are_told_with_their_reason(desk: Desk) -> None:
    template = desk.attach("证.docx", make_template("{{姓名}}：{{金额}}"))
    book, sheet = make_book(
        ("姓名", "金额", "备注"), ("王磊", 5, ""), (None, None, "空"), ("李敏", 6, ""), ("合计", 11, ""),
        (None, None, None), ("说明", "见附表", "x"), ("周舟", 7, ""),
    )  # fmt: skip
    book.create_sheet("往年").append(("姓名", "年份"))
    book["往年"].append(("旧人", "2020"))
    sheet.row_dimensions[4].hidden = True
    summary, files = await fill(desk, template, book)
    assert (
        "未使用的行：第 5 行（合计）、第 3 行（所用的列都没有值）、第 7–8 行（另一张表）、“往年”全部（另一工作表）。"
        in summary
    )
    assert "隐藏的行也已填写：第 4 行。" in summary
    assert read_texts(files) == ["王磊：5", "李敏：6"]


async def test_the_table_whose_columns_bear_the_names_is_taken(desk: Desk) -> None:
    template = desk.attach("证.docx", make_template("{{姓名}}：{{岗位}}"))
    book, sheet = make_book(("说明", "内容"), ("一", "请勿改动"))
    sheet.title = "说明"
    for row in (("姓名", "岗位"), ("王磊", "经理")):
        (book["数据"] if "数据" in book.sheetnames else book.create_sheet("数据")).append(row)
    _, files = await fill(desk, template, book)
    assert read_texts(files) == ["王磊：经理"]


async def test_files_of_two_templates_rows_of_one_name_and_a_second_run_never_overwrite_each_other(desk: Desk) -> None:
    first = desk.attach("录用.docx", make_template("录用{{姓名}}"))
    second = desk.attach("保密.docx", make_template("保密{{姓名}}"))
    book, _ = make_book(("姓名", "岗位"), ("王磊", "经理"), ("王磊", "会计"))
    await fill(desk, first, book)
    await fill(desk, second, book)
    _, files = await fill(desk, first, book)
    assert [one.name for one in files] == sorted(
        f"00{row}_王磊_{name}.docx" for row in (1, 2) for name in ("录用", "录用-2", "保密")
    )
    await desk.data("undo_write", document=first)
    assert read_texts(sorted((desk.workspace / "documents").iterdir())) == ["保密王磊", "保密王磊"]


async def test_a_cell_with_an_error_is_a_gap_and_never_a_value(desk: Desk) -> None:
    template = desk.attach("证.docx", make_template("{{姓名}}：{{金额}}"))
    book, sheet = make_book(("姓名", "金额"), ("王磊", "#N/A"), ("李敏", 6))
    sheet["B2"].data_type = "e"
    summary, files = await fill(desk, template, book)
    assert "001_王磊_证（金额的单元格是错误值）" in summary
    assert read_texts(files) == ["王磊：{{金额}}", "李敏：6"]
