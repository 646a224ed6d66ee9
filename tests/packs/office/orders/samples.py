"""Files that the orders of the tests are about."""

from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import Workbook
from pptx import Presentation

_CONTRACT = (
    *("甲方：北京星辰科技有限公司", "乙方：上海明远贸易有限公司", "第一条 合同标的"),
    *("甲方向乙方采购办公设备一批，总金额人民币100000元。", "第二条 付款方式"),
    "合同签订后30天内，甲方支付合同总额的30%作为预付款。",
    *("货到验收合格后，甲方在30天内付清余款。", "第三条 交货时间", "乙方应在2024年6月30日前完成交货。"),
    *("第四条 违约责任", "任何一方违约，应向对方支付违约金。", "", "第五条 争议解决"),
    "双方协商不成的，提交北京仲裁委员会仲裁。",
)
_SHEETS: dict[str, dict[str, list[list[Any]]]] = {
    "sales": {
        "销售": [
            ["日期", "地区", "产品", "销售员", "数量", "单价", "销售额"],
            *(
                [*row, f"=E{at}*F{at}"]
                for at, row in enumerate(
                    (
                        ["2024-01-03", "华东", "键盘", "张三", 10, 99.5],
                        ["2024-01-05", "华南", "鼠标", "李四", 25, 45],
                        ["2024-02-01", "华北", "显示器", "王五", 3, 1299],
                        ["2024-02-11", "华东", "鼠标", "赵六", 40, 45],
                        ["2024-03-08", "华南", "键盘", "张三", 12, 99.5],
                        ["2024-03-20", "华北", "键盘", "李四", 7, 99.5],
                    ),
                    2,
                )
            ),
        ],
        "客户": [
            ["姓名", "电话", "城市", "等级", "备注"],
            ["陈一", "13900000001", "北京", "A", None],
            ["周二", "13900000002", "上海", "B", None],
            ["吴三", "13900000003", "广州", "A", None],
            ["周二", "13900000002", "上海", "B", None],
        ],
    },
    "scores": {
        "Sheet1": [
            ["姓名", "语文", "数学", "英语"],
            *(["小明", 88, 92, 79], ["小红", 95, 81, 90], ["小刚", 59, 73, 66], ["小丽", 77, 100, 85]),
        ]
    },
    "orders": {
        "Orders": [
            ["Order", "Customer", "Region", "Amount", "Rate", "Date"],
            ["A-1", "Acme", "North", 1200, 0.05, "2024-01-02"],
            ["A-2", "Beta", "South", 800, 0.12, "2024-01-09"],
            ["A-3", "Acme", "North", 2300, 0.07, "2024-02-01"],
            ["A-4", "Core", "East", 150, 0.2, "2024-02-17"],
            ["Total", None, None, "=SUM(D2:D5)", None, None],
        ]
    },
}
_SLIDES = (
    (0, "年度总结", "2024年"),
    (1, "业绩回顾", "收入增长20%\n新增客户15家\n成本下降5%"),
    (1, "存在问题", "交付延迟\n人员不足"),
    (1, "明年计划", "扩大市场\n招聘10人"),
    (5, "谢谢", ""),
)


def make_samples(folder: Path) -> dict[str, Path]:
    """Write all sample files; their paths by name."""
    made = {name: _make_workbook(folder / f"{name}.xlsx", sheets) for name, sheets in _SHEETS.items()}
    made |= {"contract": _make_contract(folder / "contract.docx"), "notice": _make_notice(folder / "notice.docx")}
    return made | {"report": _make_report(folder / "report.docx"), "deck": _make_deck(folder / "deck.pptx")}


def _make_workbook(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    book = Workbook()
    for at, (name, rows) in enumerate(sheets.items()):
        sheet: Any = book.active if at == 0 else book.create_sheet()
        sheet.title = name
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def _make_contract(path: Path) -> Path:
    made = Document()
    made.add_heading("采购合同", 0)
    for line in _CONTRACT:
        made.add_paragraph(line)
    made.save(str(path))
    return path


def _make_notice(path: Path) -> Path:
    made = Document()
    made.add_heading("关于开展安全检查的通知", 0)
    made.add_paragraph("各部门：")
    made.add_heading("一、总体要求", 1)
    made.add_paragraph("为确保生产安全，现决定开展全面检查。请各部门高度重视。")
    made.add_heading("二、检查内容", 1)
    made.add_paragraph("重点检查消防设施、用电安全和危险品管理。")
    made.add_paragraph("检查结果纳入年度考核。")
    made.add_heading("三、时间安排", 1)
    made.add_paragraph("检查时间为5月1日至5月15日，具体安排见下表。")
    rows = (
        *(("部门", "负责人", "电话"), ("技术部", "张三", "13800000001")),
        *(("市场部", "李四", "13800000002"), ("财务部", "王五", "13800000003")),
    )
    table = made.add_table(rows=4, cols=3)
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    made.add_paragraph("")
    last = made.add_paragraph("联系人：赵六，电话：010-12345678。")
    made.add_comment(last.runs, "请核实电话", "审阅人", "S")
    made.add_paragraph("安全办公室")
    made.save(str(path))
    return path


def _make_report(path: Path) -> Path:
    made = Document()
    made.add_heading("Quarterly Report", 0)
    made.add_heading("Introduction", 1)
    made.add_paragraph("This report covers the first quarter. Acme Corp performed well.")
    made.add_paragraph("The market grew by five percent.")
    made.add_heading("Results", 1)
    made.add_paragraph("Revenue was 1.2 million dollars. Acme Corp gained 30 customers.")
    made.add_heading("Outlook", 1)
    made.add_paragraph("We expect stable growth.")
    made.add_paragraph("Prepared by the finance team.")
    made.save(str(path))
    return path


def _make_deck(path: Path) -> Path:
    made = Presentation()
    for layout, title, body in _SLIDES:
        slide: Any = made.slides.add_slide(made.slide_layouts[layout])
        slide.shapes.title.text = title
        if body:
            slide.placeholders[1].text = body
    made.save(str(path))
    return path
