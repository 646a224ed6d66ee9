"""Files as secretaries, teachers and accountants have them, for orders in everyday words."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import Workbook
from pptx import Presentation

# A line that begins with # is a heading, a list of rows is a table.
_Content = Sequence[str | Sequence[tuple[str, ...]]]
_DOCUMENTS: dict[str, tuple[str, _Content]] = {
    "contract": (
        "设备采购合同",
        (
            *("甲方：上海明远科技有限公司", "乙方：苏州恒达机械有限公司"),
            *("根据《中华人民共和国民法典》，双方就设备采购事宜达成如下协议。", "# 第一条 标的"),
            *("乙方向甲方供应数控机床三台，型号为 HD-2000。", "# 第二条 价款与支付"),
            "合同总价为人民币壹拾贰万元整（¥120,000.00）。",
            *("甲方在合同签订后十日内支付百分之三十，验收合格后支付百分之七十。", "# 第三条 交货"),
            *("交货地点为甲方厂区，交货期限为 2026 年 3 月 31 日前。", "# 第四条 违约责任"),
            *("任何一方违约，应向对方支付违约金。", "# 第五条 争议解决"),
            "因本合同发生的争议，提交甲方所在地人民法院诉讼解决。",
            [
                ("名称", "型号", "数量", "单价（元）"),
                ("数控机床", "HD-2000", "3", "35000"),
                ("刀具", "T-15", "10", "1200"),
                ("冷却液", "C-8", "6", "500"),
            ],
            "本合同一式两份，双方各执一份。",
        ),
    ),
    "notice": (
        "关于举办春季运动会的通知",
        (
            *(
                "各班级、各位家长：",
                "# 一、活动时间",
                "2026 年 4 月 18 日（星期六）上午 8:30 开始，预计下午 4 点结束。",
            ),
            *("# 二、活动地点", "学校东操场。如遇下雨，改在体育馆举行。", "# 三、参赛要求"),
            *("每班限报十人，每人最多两项。", "参赛学生须穿运动鞋，自备饮用水。", "# 四、联系人"),
            "张老师，电话 13800001234。",
            [
                ("项目", "时间", "裁判"),
                ("100 米", "9:00", "李强"),
                ("跳远", "10:00", "王芳"),
                ("接力", "14:00", "赵磊"),
            ],
            *("学校体育组", "2026 年 4 月 1 日"),
        ),
    ),
    "report": (
        "Quarterly Sales Report",
        (
            "# Introduction",
            "This report covers the third quarter of 2026. It was prepared by the sales team of Acme Ltd.",
            *("# Results", "Revenue grew by 12% compared with the previous quarter."),
            "The teh northern region performed best.",
            [("Region", "Q2", "Q3"), ("North", "120", "150"), ("South", "90", "85"), ("West", "60", "75")],
            *("# Risks", "Two key customers may leave.", "Prices of raw materials are rising."),
            *("# Outlook", "We expect growth of 5% in the fourth quarter."),
        ),
    ),
}
_SHEETS: dict[str, dict[str, list[list[Any]]]] = {
    "grades": {
        "成绩": [
            ["姓名", "班级", "语文", "数学", "英语"],
            ["王小明", "一班", 88, 92, 79],
            ["李娜", "一班", 95, 87, 91],
            ["张伟", "二班", 72, 58, 66],
            ["刘洋", "二班", 84, 90, 88],
            ["陈静", "一班", 59, 71, 64],
            ["杨帆", "二班", 91, 96, 85],
            ["赵敏", "三班", 77, 83, 90],
            ["黄磊", "三班", 68, 55, 72],
            ["周杰", "三班", 86, 79, 81],
            ["吴昊", "一班", 93, 98, 94],
        ]
    },
    "expense": {
        "报销": [
            ["日期", "部门", "费用类别", "金额", "经办人", "备注"],
            [date(2026, 1, 5), "市场部", "差旅费", 1280.5, "王芳", None],
            [date(2026, 1, 9), "研发部", "办公费", 356, "李强", None],
            [date(2026, 1, 12), "市场部", "招待费", 2400, "王芳", "客户"],
            [date(2026, 2, 3), "行政部", "办公费", 890.25, "赵敏", None],
            [date(2026, 2, 11), "研发部", "差旅费", 3120, "周杰", None],
            [date(2026, 2, 20), "市场部", "差旅费", 780, "刘洋", None],
            [date(2026, 3, 2), "行政部", "招待费", 1650, "赵敏", "年会"],
            [date(2026, 3, 15), "研发部", "办公费", 420, "李强", None],
        ],
        "部门预算": [
            ["部门", "预算", "负责人"],
            ["市场部", 5000, "王总"],
            ["研发部", 4000, "陈总"],
            ["行政部", 3000, "刘总"],
        ],
    },
    "sales": {
        "Sales": [
            ["Date", "Region", "Product", "Quantity", "Unit Price", "Amount"],
            [date(2026, 1, 3), "North", "Chair", 12, 45, "=D2*E2"],
            [date(2026, 1, 10), "South", "Desk", 5, 180, "=D3*E3"],
            [date(2026, 1, 15), "North", "Lamp", 30, 22, "=D4*E4"],
            [date(2026, 2, 2), "West", "Chair", 8, 45, "=D5*E5"],
            [date(2026, 2, 14), "South", "Lamp", 16, 22, "=D6*E6"],
            [date(2026, 3, 1), "West", "Desk", 7, 180, "=D7*E7"],
            [date(2026, 3, 20), "North", "Desk", 3, 180, "=D8*E8"],
        ]
    },
}
_DECKS: dict[str, tuple[tuple[str, str], ...]] = {
    "summary": (
        ("年终工作总结", "市场部 2026 年 12 月"),
        ("今年业绩", "销售额增长 18%\n新客户 42 家\n回款率 93%"),
        ("存在问题", "交付周期偏长\n人员流动大"),
        ("明年计划", "拓展华东市场\n建立培训制度\n上线新系统"),
        ("谢谢", "欢迎提问"),
    ),
    "pitch": (
        ("Project Aurora", "Kickoff meeting"),
        ("Goals", "Reduce costs by 10%\nLaunch in May\nHire two engineers"),
        ("Timeline", "Design: January\nBuild: March\nLaunch: May"),
        ("Budget", "Total 200k\nTravel 20k"),
        ("Questions", "Thank you"),
    ),
}


def make_everyday(folder: Path) -> dict[str, Path]:
    """Write all files into a folder; their paths by name."""
    made = {}
    for name, (title, content) in _DOCUMENTS.items():
        made[name] = folder / f"{name}.docx"
        _make_document(made[name], title, content)
    for name, sheets in _SHEETS.items():
        made[name] = folder / f"{name}.xlsx"
        book = Workbook()
        book.remove(book.worksheets[0])
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(str(made[name]))
    for name, slides in _DECKS.items():
        made[name] = folder / f"{name}.pptx"
        deck = Presentation()
        for at, (title, body) in enumerate(slides):
            slide = deck.slides.add_slide(deck.slide_layouts[1 if at else 0])
            shapes: Any = slide.shapes
            shapes.title.text = title
            slide.placeholders[1].text_frame.text = body
        deck.save(str(made[name]))
    return made


def _make_document(path: Path, title: str, content: _Content) -> None:
    document = Document()
    document.add_heading(title, 0)
    for one in content:
        if not isinstance(one, str):
            table = document.add_table(rows=0, cols=len(one[0]))
            table.style = "Table Grid"
            for row in one:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        elif one.startswith("# "):
            document.add_heading(one[2:], 1)
        else:
            document.add_paragraph(one)
    document.save(str(path))
