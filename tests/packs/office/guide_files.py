"""Files that the examples of the office guides are about."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.util import Mm

from tests.packs.office.orders.written import make_deck, make_document

_P: str = "http://schemas.openxmlformats.org/presentationml/2006/main"
_SHEETS: dict[str, dict[str, list[list[Any]]]] = {
    "报销.xlsx": {
        "报销表": [
            ["日期", "部门", "金额", "备注"],
            ["2026-01-05", "市场部", 1280, None],
            ["2026-01-09", "研发部", 3560, None],
            ["2026-02-01", "市场部", 2400, "客户"],
        ],
        "部门预算表": [["部门", "预算"], ["市场部", 5000], ["研发部", 4000]],
    },
    "成绩.xlsx": {
        "成绩": [
            ["姓名", "班级", "语文", "数学", "总分"],
            ["王小明", "一班", 88, 92, "=C2+D2"],
            ["李娜", "一班", 95, 87, "=C3+D3"],
            ["张伟", "二班", 72, 58, "=C4+D4"],
        ]
    },
    "orders.xlsx": {
        "Orders": [
            ["Order", "Region", "Amount", "Tax", "Remark"],
            [1001, "North", 1200, "=C2*0.1", None],
            [1002, "South", 300, "=C3*0.1", "paid"],
            [1003, "North", 700, "=C4*0.1", None],
        ],
        "Budget": [["Item", "Plan"], ["Travel", 500], ["Office", 200]],
    },
    "one-sheet.xlsx": {"Budget": [["Item", "Plan"], ["Travel", 500], ["Office", 200]]},
}


def make_guide_files(folder: Path) -> Mapping[str, Sequence[Path]]:
    """Files by kind, written into a folder: for each example of a guide there is one that it fits."""
    zh = make_document(
        folder / "方案.docx",
        "春游活动方案",
        *("# 一、活动时间", "2026年4月18日上午8:30出发。", "# 二、活动地点", "植物园。下雨改到体育馆。"),
        *("# 三、联系人", "黄总，电话13800001234。", "行政部", "2026年4月1日"),
    )
    en = make_document(
        folder / "report.docx",
        "Quarterly Report",
        *("# Introduction", "This report covers the third quarter.", "# Results"),
        *("Revenue grew by 12% compared with the previous quarter.", "# Risks", "Two key customers may leave."),
    )
    decks = (
        make_deck(
            folder / "总结.pptx",
            *(
                ("年终总结", "市场部"),
                ("今年业绩", "销售额增长18%\n新客户42家"),
                ("存在问题", "交付周期偏长\n人员流动大"),
            ),
            ("明年计划", "拓展市场\n培训\n上线系统"),
        ),
        make_deck(
            folder / "kickoff.pptx",
            *(("Project Aurora", "Kickoff"), ("Problems", "Late parts\nTwo open posts"), ("Plan", "Design\nBuild")),
            ("Budget", "Total 200k\nTravel 20k\nRent 50k\nStaff 80k"),
        ),
    )
    for one in decks:
        _animate(one)
    books = [_make_book(folder / name, sheets) for name, sheets in _SHEETS.items()]
    return {"docx": (zh, en), "xlsx": books, "pptx": decks}


def _make_book(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(str(path))
    return path


def _animate(path: Path) -> None:
    """A wide deck whose slides have an animation."""
    deck = Presentation(str(path))
    deck.slide_width, deck.slide_height = Mm(338), Mm(190)
    effect = '<p:par><p:cTn id="2" presetID="1" presetClass="entr" fill="hold"/></p:par>'
    tree = (
        f'<p:tnLst><p:par><p:cTn id="1"><p:childTnLst><p:seq>{effect}</p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>'
    )
    for slide in deck.slides:
        slide.element.append(parse_xml(f'<p:timing xmlns:p="{_P}">{tree}</p:timing>'))
    deck.save(str(path))
