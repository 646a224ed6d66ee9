"""Writes the sample documents of the office pack: transcript, contract with defects, ledger, notice, outline."""

import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Mm, Pt
from openpyxl import Workbook
from openpyxl.styles import Font

FOLDER: Final = Path(__file__).resolve().parent.parent / "src/metier/packs/office/samples"
_DATE: Final = (2026, 3, 2, 9, 0, 0)

TRANSCRIPT_ZH: Final = (
    "会议录音稿",
    "时间：2026年3月2日 14:00",
    "参会人员：王磊、李敏、张涛、陈静",
    "王磊：人到齐了，今天主要定两件事，一是新门户上线时间，二是客服系统换不换。",
    "李敏：门户这边开发已经完成，压测上周做完了，还剩两个安全问题没改。",
    "王磊：安全问题谁负责？什么时候能改完？",
    "张涛：我来改，下周五之前改完。",
    "陈静：改完以后要重新做一次渗透测试，安全部需要两天。",
    "王磊：好，那就这么定，门户3月20日上线，上线前由陈静安排渗透测试。",
    "李敏：上线公告我来写，3月16日前发给大家看。",
    "王磊：第二件事，客服系统。现在这套一年维护费四十万，大家怎么看？",
    "张涛：我建议先试用一个月再说，现在换风险太大。",
    "陈静：同意，供应商也愿意提供试用。",
    "王磊：那就决定先试用一个月，不换系统。试用由张涛联系供应商，时间待定。",
    "李敏：预算表需要更新，我会尽快处理。",
    "王磊：行，没有别的事就散会。",
)
TRANSCRIPT_EN: Final = (
    "Meeting transcript",
    "Date: 2 March 2026, 14:00",
    "Attendees: Laura Chen, Mark Hill, Tom Reed, Anna Park",
    "Laura Chen: Two things today: when the new portal goes live, and whether we replace the help desk.",
    "Mark Hill: The portal is finished. The load test was done last week; two security issues are still open.",
    "Laura Chen: Who takes the security issues, and by when?",
    "Tom Reed: I will fix them by next Friday.",
    "Anna Park: After that we need another penetration test; the security team takes two days.",
    "Laura Chen: Then it is decided: the portal goes live on 20 March. Anna Park will arrange the test before that.",
    "Mark Hill: I will write the announcement and send it around by 16 March.",
    "Laura Chen: Second point, the help desk system. Maintenance costs 40,000 a year. What do you think?",
    "Tom Reed: I suggest a trial of one month first; replacing it now is too risky.",
    "Anna Park: Agreed, the vendor offers a trial.",
    "Laura Chen: Then we decided on a trial of one month. Tom Reed will contact the vendor, date to be confirmed.",
    "Mark Hill: The budget sheet has to be updated, I will do it soon.",
    "Laura Chen: Fine, that is all for today.",
)
CONTRACT: Final = (
    ("设备采购合同", 0),
    ("甲方（买方）：青山科技有限公司", 0),
    ("乙方（卖方）：绿水设备有限公司", 0),
    ("根据《中华人民共和国民法典》，双方经协商一致，订立本合同。", 0),
    ("第一条 标的物", 1),
    ("乙方向甲方供应检测设备10台，型号为QS-200，质量应符合国家标准。", 0),
    ("第二条 价款", 1),
    ("合同总价为人民币1,000,000元（大写：壹佰贰拾万元整），含税。", 0),
    ("第三条 付款方式", 1),
    (
        "合同签订后5日内，甲方支付定金300,000元，即合同总价的30%；设备到货后支付合同总价的50%；验收合格后支付合同总价的30%。",
        0,
    ),
    ("第四条 交付与验收", 1),
    ("乙方应于2026年6月30日前将设备送至甲方指定地点：____________。", 0),
    ("甲方应在收到设备后10日内按第十八条的标准验收。", 0),
    ("第五条 质量保证", 1),
    ("质保期为验收合格之日起12个月。质保期内青山公司应免费维修。", 0),
    ("第六条 违约责任", 1),
    ("乙方逾期交付的，每逾期一日按合同总价的5%支付违约金。", 0),
    ("第七条 争议解决", 1),
    ("因本合同发生的争议，双方可以向北京仲裁委员会申请仲裁，也可以向甲方所在地人民法院起诉。", 0),
    ("第八条 其他", 1),
    ("本合同一式两份，双方各执一份，自双方签字盖章之日起生效。", 0),
    ("甲方（盖章）：                乙方（盖章）：", 0),
)
NOTICE: Final = (
    "青山市数据局关于开展2026年数据安全检查的通知",
    "各县区数据局，市直各部门：",
    "为落实数据安全责任，经研究，决定开展2026年数据安全检查。现将有关事项通知如下。",
    "1、检查范围",
    "各单位自建和委托建设的信息系统。",
    "2、检查内容",
    "(1)数据分类分级情况。",
    "(2)数据出境和共享情况。",
    "4、工作要求",
    "各单位应于2026年4月15日前报送自查报告。",
    "青山市数据局",
    "2026年3月2日",
)
OUTLINE_ZH: Final = (
    ("新门户上线汇报", 0),
    ("项目背景", 1),
    ("现有门户使用八年，移动端访问占七成", 0),
    ("用户投诉集中在搜索和办事进度", 0),
    ("建设成果", 1),
    ("完成42个事项的在线办理", 0),
    ("平均打开时间由4.1秒降到1.2秒", 0),
    ("风险与对策", 1),
    ("两个安全问题：3月13日前修复", 0),
    ("渗透测试：上线前完成", 0),
    ("下一步", 1),
    ("3月20日上线，之后一个月每周汇报", 0),
)
OUTLINE_EN: Final = (
    ("Launch of the new portal", 0),
    ("Background", 1),
    ("The present portal is eight years old; 70 % of visits are mobile", 0),
    ("Complaints are about search and progress of requests", 0),
    ("Results", 1),
    ("42 services can be used online", 0),
    ("Loading time went from 4.1 s to 1.2 s", 0),
    ("Risks", 1),
    ("Two security issues: fixed by 13 March", 0),
    ("Penetration test: before the launch", 0),
    ("Next steps", 1),
    ("Launch on 20 March, weekly reports for a month", 0),
)
LEDGER_ZH: Final = (
    ("单据号", "日期", "部门", "摘要", "金额", "税率", "税额"),
    ("FK-001", "2026-01-05", "市场部", "展会费用", 12000, 0.06, "=E2*F2"),
    ("FK-002", "2026-01-08", "研发部", "测试设备", 35800, 0.13, "=E3*F3"),
    ("FK-003", "2026-01-12", "行政部", "办公用品", 2350, 0.13, "=E4*F4"),
    ("FK-004", "2026-01-15", "市场部", "广告投放", "18600", 0.06, "=E5*F5"),
    ("FK-005", "2026-01-20", "研发部", "云服务", 9400, 0.06, 564),
    ("FK-003", "2026-01-12", "行政部", "办公用品", 2350, 0.13, "=E7*F7"),
    ("FK-006", "2026-01-28", "行政部", "差旅", 4180, 0.06, "=E8*F8"),
    ("合计", None, None, None, "=SUM(E2:E6)", None, "=SUM(G2:G8)"),
)
LEDGER_EN: Final = (
    ("Voucher", "Date", "Department", "Subject", "Amount", "Tax rate", "Tax"),
    ("PV-001", "2026-01-05", "Marketing", "Fair", 12000, 0.06, "=E2*F2"),
    ("PV-002", "2026-01-08", "Research", "Test devices", 35800, 0.13, "=E3*F3"),
    ("PV-003", "2026-01-12", "Office", "Supplies", 2350, 0.13, "=E4*F4"),
    ("PV-004", "2026-01-15", "Marketing", "Advertising", "18600", 0.06, "=E5*F5"),
    ("PV-005", "2026-01-20", "Research", "Cloud", 9400, 0.06, 564),
    ("PV-003", "2026-01-12", "Office", "Supplies", 2350, 0.13, "=E7*F7"),
    ("PV-006", "2026-01-28", "Office", "Travel", 4180, 0.06, "=E8*F8"),
    ("Total", None, None, None, "=SUM(E2:E6)", None, "=SUM(G2:G8)"),
)


def main() -> None:
    """Write all samples; the same input gives the same bytes."""
    FOLDER.mkdir(exist_ok=True)
    _write("sample-transcript.zh.docx", lambda to: _write_lines(to, [(line, 0) for line in TRANSCRIPT_ZH]))
    _write("sample-transcript.en.docx", lambda to: _write_lines(to, [(line, 0) for line in TRANSCRIPT_EN]))
    _write("sample-contract.docx", lambda to: _write_lines(to, CONTRACT))
    _write("sample-notice.docx", lambda to: _write_lines(to, [(line, 0) for line in NOTICE], center=False))
    _write("sample-outline.zh.docx", lambda to: _write_lines(to, OUTLINE_ZH))
    _write("sample-outline.en.docx", lambda to: _write_lines(to, OUTLINE_EN))
    _write("sample-ledger.zh.xlsx", lambda to: _write_sheet(to, "一月", LEDGER_ZH))
    _write("sample-ledger.en.xlsx", lambda to: _write_sheet(to, "January", LEDGER_EN))


def _write(name: str, save: Callable[[io.BytesIO], None]) -> None:
    made = io.BytesIO()
    save(made)
    (FOLDER / name).write_bytes(_with_fixed_times(made.getvalue()))


def _write_lines(target: io.BytesIO, lines: Sequence[tuple[str, int]], *, center: bool = True) -> None:
    made = Document()
    section = made.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    for name in ("Normal", "Heading 1", "Title"):
        made.styles[name].element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), "宋体")
    made.styles["Normal"].font.size = Pt(12)
    title, *rest = lines
    head = made.add_paragraph(title[0], style="Title" if center else None)
    if center:
        head.alignment = WD_ALIGN_PARAGRAPH.CENTER
    for text, level in rest:
        made.add_paragraph(text, style="Heading 1" if level else None)
    _fix_properties(made.core_properties)
    made.save(target)


def _write_sheet(target: io.BytesIO, title: str, rows: Sequence[Sequence[object]]) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for column, width in zip("ABCDEFG", (12, 13, 12, 16, 13, 9, 13), strict=True):
        sheet.column_dimensions[column].width = width
    for row in sheet.iter_rows(min_row=2, min_col=5, max_col=7):
        row[0].number_format, row[1].number_format, row[2].number_format = "#,##0.00", "0%", "#,##0.00"
    _fix_properties(book.properties)
    book.save(target)


def _fix_properties(properties: object) -> None:
    from datetime import datetime

    for name in ("created", "modified"):
        setattr(properties, name, datetime(*_DATE))
    for name in ("author", "creator", "lastModifiedBy", "last_modified_by", "comments"):
        if hasattr(properties, name):
            setattr(properties, name, "" if name == "comments" else "Metier")


def _with_fixed_times(content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for one in source.infolist():
            target.writestr(zipfile.ZipInfo(one.filename, _DATE), source.read(one), zipfile.ZIP_DEFLATED)
    return made.getvalue()


if __name__ == "__main__":
    main()
