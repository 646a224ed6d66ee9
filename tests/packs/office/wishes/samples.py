"""Small files of eight kinds, as people attach them."""

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from docx import Document
from openpyxl import Workbook
from pptx import Presentation


def _write_text(lines: Sequence[str], file: Path) -> None:
    made = Document()
    for line in lines:
        if line.startswith("# "):
            made.add_heading(line[2:], 1)
        else:
            made.add_paragraph(line)
    made.save(str(file))


def _write_sheet(rows: Sequence[Sequence[object]], file: Path) -> None:
    made = Workbook()
    assert made.active is not None
    for row in rows:
        made.active.append(list(row))
    made.save(file)


def _write_data(rows: Sequence[Sequence[object]], file: Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


def _write_slides(slides: Sequence[tuple[str, str]], file: Path) -> None:
    made = Presentation()
    for title, body in slides:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    made.save(str(file))


_TEXTS: Mapping[str, Sequence[str]] = {
    "contract.docx": (
        "Purchase contract",
        "Party A: Hill Trading Ltd.  Party B: Lake Supplies Ltd.",
        "1. The deposit is 30% of the price.",
        "2. Party A pays 60% before 5 January 2026 and 50% afterwards.",
        "3. Delivery takes place in Leeds within 20 days.",
        "4. Disputes go to arbitration or the court of Leeds.",
    ),
    "采购合同.docx": (
        "采购合同",
        "甲方：山丘贸易有限公司  乙方：湖滨供应有限公司",
        "第一条 定金为合同总价的30%。",
        "第二条 甲方于2026年1月5日前付款。",
        "第三条 交货地点为南京，期限二十日。",
        "第四条 争议由仲裁或向法院起诉解决。",
    ),
    "transcript.docx": (
        "Anna: We need the budget by Friday.",
        "Ben: I will send it by Thursday.",
        "Anna: Good. We decided to use supplier B.",
        "Cara: I will call supplier A to cancel.",
    ),
    "录音稿.docx": (
        "发言人1：预算周五前要定。",
        "发言人2：我周四之前发给大家。",
        "发言人1：好，决定用B供应商。",
        "发言人3：我去通知A供应商取消。",
    ),
    "通知.docx": (
        "关于加强安全管理的通知",
        "各部门：",
        "为加强安全管理，现通知如下：",
        "一、加强值班。值班人员每两小时巡查一次。",
        "二、落实责任。各部门负责人为第一责任人。",
        "特此通知。",
        "安全办公室",
        "2026年3月1日",
    ),
    "招标文件.docx": (
        "办公设备采购项目招标文件",
        "第一章 投标须知",
        "1.1 投标截止时间：2026年5月10日9时30分。",
        "1.2 投标保证金：人民币20000元。",
        "第二章 技术要求",
        "★2.1 打印机速度不低于每分钟40页。",
        "★2.2 质保期不少于三年。",
    ),
    "exam.docx": (
        "Midterm exam: Geography",
        "I. Choose the right answer",
        "1. The capital of France is (   )",
        "A. Lyon  B. Paris  C. Nice",
        "2. The longest river is (   )",
        "A. Nile  B. Rhine  C. Thames",
        "II. Fill in the blanks",
        "3. Water boils at ____ degrees.",
    ),
    "report.docx": (
        "Quarterly report",
        "# Sales",
        "Sales rose by 12% to 4.2 million euros. The north grew most.",
        "# Staff",
        "We hired 14 people. Two left the company.",
        "# Outlook",
        "We expect 5 million euros next quarter.",
    ),
}
_BUDGET = (("Item", "Amount", "Dept"), ("Rent", 100, "HQ"), ("Rent", 100, "HQ"), ("Travel", "250", "Sales"))
_BUDGET_ZH = (("项目", "金额", "部门"), ("房租", 100, "总部"), ("房租", 100, "总部"), ("差旅", "250", "销售"))
_ORDERS = (
    ("date", "region", "product", "amount"),
    ("2026-01-03", "North", "Tea", 120),
    ("2026-01-09", "South", "Tea", 80),
)
_LAUNCH = (("Product launch", "May 2026"), ("Market", "Growth 12%"), ("Plan", "Start in June\nGrowth 15%"))
_WRITERS: Mapping[str, Callable[[Path], None]] = {
    **{name: partial(_write_text, lines) for name, lines in _TEXTS.items()},
    "budget.xlsx": partial(_write_sheet, (*_BUDGET, ("Ads", 300, "Sales"), ("Total", "=SUM(B2:B3)", None))),
    "预算.xlsx": partial(_write_sheet, (*_BUDGET_ZH, ("广告", 300, "销售"), ("合计", "=SUM(B2:B3)", None))),
    "orders.csv": partial(_write_data, (*_ORDERS, ("2026-02-11", "South", "Coffee", 150))),
    "launch.pptx": partial(_write_slides, _LAUNCH),
}


def make_sample(name: str, folder: Path) -> bytes:
    """Content of the file of this name."""
    file = folder / name
    _WRITERS[name](file)
    return file.read_bytes()
