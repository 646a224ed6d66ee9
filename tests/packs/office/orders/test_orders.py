"""Orders in words become exactly their steps, or a question; the steps change exactly what was ordered."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from docx import Document
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.table import Table
from pptx import Presentation

from metier.language import Language, language_of
from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.analysis import Reading
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._reading import read_document
from metier.packs.office.drafting import draft_plan
from metier.packs.office.orders import read_orders
from metier.packs.office.plan import HostApp, load_plan
from tests.packs.office.orders.everyday import make_everyday
from tests.packs.office.orders.samples import make_samples

WORDINGS = Path(__file__).parent / "wordings.jsonl"
EVERYDAY = Path(__file__).parent / "everyday.jsonl"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_samples(tmp_path_factory.mktemp("orders"))


@pytest.fixture(scope="module")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_everyday(tmp_path_factory.mktemp("everyday"))


@pytest.fixture(scope="module")
def readings(samples: dict[str, Path]) -> dict[str, Reading]:
    return {name: _read(path) for name, path in samples.items()}


def _read(path: Path) -> Reading:
    kind: Any = path.suffix[1:]
    return read_document(path.parent, ConversationDocument(path.name, path.name, kind, path.name), with_others=False)


def _steps(message: str, reading: Reading) -> list[dict[str, Any]]:
    made: Any = read_orders(message, reading, language=language_of(message)).actions
    titled = ("insert_chart_from_selection", "add_slide")
    return [
        {name: value for name, value in one.items() if name != "id" and (name != "title" or one["op"] in titled)}
        for one in made
    ]


def _write(path: Path, message: str, target: Path) -> Any:
    """The file as the orders change it, opened by the program's own library."""
    reading = _read(path)
    actions: Any = list(read_orders(message, reading, language=language_of(message)).actions)
    host: HostApp = {"xlsx": "et", "pptx": "wpp", "docx": "wps"}[reading.kind]  # type: ignore[assignment]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": host, "actions": actions}, host=host).plan
    assert plan is not None, message
    assert host_for(host).execute(plan, path, target, request=WriteRequest()).changes, message
    again = target.with_stem("again")
    assert host_for(host).execute(plan, target, again, request=WriteRequest()).unchanged, message
    return {"et": load_workbook, "wpp": Presentation, "wps": Document}[host](str(target))


def test_every_wording_gives_its_steps_or_a_question(readings: dict[str, Reading]) -> None:
    cases = [json.loads(line) for line in WORDINGS.read_text("utf-8").splitlines()]
    wrong = [
        (case["message"], made, case["steps"])
        for case in cases
        if (made := _steps(case["message"], readings[case["file"]])) != case["steps"]
    ]
    assert wrong == []


def test_everyday_wordings_give_their_steps_or_a_question(everyday: dict[str, Path]) -> None:
    """Two wishes in one sentence, reasons beside them, names for places, both scripts, no names of operations."""
    known = {name: _read(path) for name, path in everyday.items()}
    cases = [json.loads(line) for line in EVERYDAY.read_text("utf-8").splitlines()]
    wrong = [
        (case["message"], made, case["steps"])
        for case in cases
        if (made := _steps(case["message"], known[case["file"]])) != case["steps"]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("message", "formula"),
    [
        ("把H1设为=SUM(C2:C4)", "=SUM(C2:C4)"),
        ("H1设为公式=SORT(C2:C4,1,-1)", "=SORT(C2:C4,1,-1)"),
        ("请在H1单元格写公式：=C2*2", "=C2*2"),
        ("set H1 to the formula =SUM(C2:C4)", "=SUM(C2:C4)"),
    ],
)
def test_a_formula_that_is_ordered_for_a_cell_is_a_formula_and_no_text(
    samples: dict[str, Path], message: str, formula: str
) -> None:
    made: Any = list(read_orders(message, _read(samples["sales"]), language=language_of(message)).actions)
    cells = [cell for one in made for cell in one["cells"]]
    assert [(one["cell"][-2:], one.get("formula"), one.get("value")) for one in cells] == [("H1", formula, None)]


def test_an_order_with_words_beside_it_is_asked_about_with_these_words(readings: dict[str, Reading]) -> None:
    asked = {
        ("sales", "按销售额排序，除了华东"): "除了华东",
        ("notice", "把第一段加粗，但不要动称呼"): "不要动",
        ("orders", "delete the Rate column unless it is used"): "unless",
    }
    for (name, message), part in asked.items():
        reading = readings[name]
        language = language_of(message)
        host: HostApp = "et" if reading.kind == "xlsx" else "wps"
        draft = draft_plan(message, host=host, language=language, reading=reading)
        assert draft.plan is None, message
        assert part in draft.question, draft.question


def test_a_row_that_cannot_be_placed_never_becomes_a_table_of_its_own(everyday: dict[str, Path]) -> None:
    message = "昨天说的设备那里最后加一行：水泵，P-1，2，800"
    draft = draft_plan(message, host="wps", language="zh", reading=_read(everyday["contract"]))
    assert draft.plan is None
    assert draft.question


def test_rows_and_columns_move_the_formulas_that_read_them(samples: dict[str, Path], tmp_path: Path) -> None:
    sheet = _write(samples["sales"], "在数量后面插入一列“单位”", tmp_path / "a.xlsx")["销售"]
    assert [cell.value for cell in sheet[1]][4:7] == ["数量", "单位", "单价"]
    assert sheet["H2"].value == "=E2*G2"
    sheet = _write(samples["sales"], "删除第3行", tmp_path / "b.xlsx")["销售"]
    assert [sheet["D3"].value, sheet["G3"].value, sheet.max_row] == ["王五", "=E3*F3", 6]
    row = "add a row at the end: A-5, Delta, West, 500, 0.1, 2024-03-01"
    sheet = _write(samples["orders"], row, tmp_path / "c.xlsx")["Orders"]
    assert [sheet["A6"].value, sheet["D6"].value, sheet["D7"].value] == ["A-5", 500, "=SUM(D2:D6)"]
    book = _write(samples["sales"], "工作表“销售”重命名为“一季度 销售”", tmp_path / "d.xlsx")
    assert book.sheetnames == ["一季度 销售", "客户"]


def test_looks_sizes_and_panes_of_a_sheet_are_written(samples: dict[str, Path], tmp_path: Path) -> None:
    message = "表头加粗居中、底色浅蓝，冻结首行，A列宽度设为20"
    sheet = _write(samples["sales"], message, tmp_path / "a.xlsx")["销售"]
    head = sheet["C1"]
    assert (head.font.b, head.alignment.horizontal, head.fill.fgColor.rgb) == (True, "center", "FFDDEBF7")
    assert (sheet.freeze_panes, sheet.column_dimensions["A"].width) == ("A2", 20)
    sheet = _write(samples["sales"], "按销售额从高到低排序", tmp_path / "b.xlsx")["销售"]
    assert [sheet[f"D{row}"].value for row in (2, 3, 4)] == ["王五", "赵六", "张三"]
    chart = _write(samples["scores"], "画一个姓名和数学的折线图", tmp_path / "c.xlsx")["Sheet1"]._charts[0]
    assert [chart.ser[0].cat.strRef.f, chart.ser[0].val.numRef.f] == ["Sheet1!$A$2:$A$5", "Sheet1!$C$2:$C$5"]
    book = _write(samples["sales"], "用地区和销售额做一个柱状图", tmp_path / "d.xlsx")
    assert [book["按地区汇总"]._charts[0].ser[0].val.numRef.numCache.ptCount] == [3]


def test_what_is_taken_out_of_a_document_is_gone_and_the_rest_stays(samples: dict[str, Path], tmp_path: Path) -> None:
    before = [one.text for one in Document(str(samples["contract"])).paragraphs]
    made = _write(samples["contract"], "删除第三条", tmp_path / "a.docx")
    assert [one.text for one in made.paragraphs] == [*before[:8], *before[10:]]
    made = _write(samples["notice"], "删除表格的第三行", tmp_path / "b.docx")
    assert [row.cells[1].text for row in made.tables[0].rows] == ["负责人", "张三", "王五"]
    made = _write(samples["notice"], "在表格最后加一行：人事部、孙七、13800000004", tmp_path / "c.docx")
    assert [cell.text for cell in made.tables[0].rows[-1].cells] == ["人事部", "孙七", "13800000004"]
    made = _write(samples["notice"], "删除所有批注", tmp_path / "d.docx")
    assert list(made.comments) == []
    made = _write(samples["contract"], "第二条删了，后面的条号顺一下", tmp_path / "e.docx")
    assert [one.text for one in made.paragraphs][5:8:2] == ["第二条 交货时间", "第三条 违约责任"]
    made = _write(samples["notice"], "表格按电话从大到小排序", tmp_path / "f.docx")
    assert [row.cells[1].text for row in made.tables[0].rows] == ["负责人", "王五", "李四", "张三"]


def test_looks_of_paragraphs_are_written(samples: dict[str, Path], tmp_path: Path) -> None:
    made = _write(samples["contract"], "正文首行缩进2字符，行距固定值28磅", tmp_path / "a.docx")
    form = made.paragraphs[1]._p.pPr
    assert (form.ind.get(_w("firstLineChars")), form.spacing.get(_w("line"))) == ("200", "560")
    made = _write(samples["notice"], "最后一段右对齐，加下划线", tmp_path / "b.docx")
    assert (made.paragraphs[-1].alignment, made.paragraphs[-1].runs[0].underline) == (2, True)


def _w(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"


def test_points_of_slides_come_and_go_in_the_look_of_the_others(samples: dict[str, Path], tmp_path: Path) -> None:
    made = _write(samples["deck"], "第3页加一条要点：预算超支", tmp_path / "a.pptx")
    assert made.slides[2].placeholders[1].text_frame.text == "交付延迟\n人员不足\n预算超支"
    made = _write(samples["deck"], "删掉第二页的“成本下降5%”这一条", tmp_path / "b.pptx")
    assert made.slides[1].placeholders[1].text_frame.text == "收入增长20%\n新增客户15家"


def test_pages_contents_watermark_protection_and_moves_are_written_once(
    everyday: dict[str, Path], tmp_path: Path
) -> None:
    made = _write(everyday["report"], 'Put "DRAFT" across the pages', tmp_path / "a.docx")
    shapes = made.sections[0].header._element.iter("{urn:schemas-microsoft-com:vml}textpath")
    assert [one.get("string") for one in shapes if one.get("string")] == ["DRAFT"]
    made = _write(everyday["report"], "Add a table of contents after the title", tmp_path / "b.docx")
    assert [one.text for one in made.paragraphs][1:6] == [
        "Contents",
        *(f"{name}\t" for name in ("Introduction", "Results", "Risks", "Outlook")),
    ]
    made = _write(everyday["notice"], "把联系人放到活动地点前面", tmp_path / "c.docx")
    heads = [one.text for one in made.paragraphs if one.style is not None and one.style.name == "Heading 1"]
    assert heads == ["一、活动时间", "二、联系人", "三、活动地点", "四、参赛要求"]
    made = _write(everyday["contract"], "最后留出双方签字盖章的地方", tmp_path / "d.docx")
    assert [cell.text for cell in made.tables[-1].rows[0].cells] == ["甲方（盖章）：", "乙方（盖章）："]
    made = _write(everyday["contract"], "给我把合同锁上，只能看不能改", tmp_path / "e.docx")
    protection = made.settings.element.find(_w("documentProtection"))
    assert (protection.get(_w("edit")), protection.get(_w("enforcement"))) == ("readOnly", "1")
    made = _write(tmp_path / "e.docx", "取消保护", tmp_path / "f.docx")
    assert made.settings.element.find(_w("documentProtection")) is None
    sheet = _write(everyday["expense"], "打印的时候每页都要有表头，横着打，缩到一页宽", tmp_path / "a.xlsx")["报销"]
    assert (sheet.print_title_rows, sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == (
        "$1:$1",
        "landscape",
        1,
    )
    book = _write(everyday["expense"], "给部门预算表加一列已用金额，从报销表里汇总过来", tmp_path / "b.xlsx")
    assert book["部门预算"]["D2"].value == "=SUMIF(报销!$B$2:$B$9,A2,报销!$D$2:$D$9)"
    values = load_workbook(str(tmp_path / "b.xlsx"), data_only=True)["部门预算"]
    assert [values[f"D{row}"].value for row in (2, 3, 4)] == [4460.5, 3896, 2540.25]
    sheet = _write(everyday["expense"], "这个表保护起来，别人不能乱改", tmp_path / "c.xlsx")["报销"]
    assert sheet.protection.sheet is True


def test_wishes_beside_a_text_are_no_part_of_it(everyday: dict[str, Path]) -> None:
    reading = _read(everyday["report"])
    (mark,) = _steps("打个水印:内部资料 请勿外传,斜着的,灰色淡一点别影响看字", reading)
    assert mark == {"op": "set_watermark", "text": "内部资料 请勿外传"}
    assert _steps("打个水印:内部资料,要用红色楷体写满三行", reading) == []
    (swap,) = _steps("把全文里的“Results”都换成“Findings”,标题里的也要换", reading)
    assert "address" not in swap


def test_orders_of_other_people_are_written_as_they_were_meant(
    samples: dict[str, Path], everyday: dict[str, Path], tmp_path: Path
) -> None:
    """Exceptions, promises, examples, shares, answers in a cell; several orders name slides as they are now."""
    sheet = _write(samples["orders"], "add a col w each customers share of the total, one decimal", tmp_path / "a.xlsx")
    assert [sheet["Orders"]["G2"].value, sheet["Orders"]["G2"].number_format] == ["=D2/SUM(D$2:D$5)", "0.0%"]
    message = "put region and customer together in one new column like 'North - Acme', leave the old ones alone"
    assert _write(samples["orders"], message, tmp_path / "b.xlsx")["Orders"]["G2"].value == '=C2&" - "&B2'
    sheet = _write(samples["sales"], "只看华东和华南的,其他人先藏起来", tmp_path / "c.xlsx")["销售"]
    assert [row for row in range(2, 8) if sheet.row_dimensions[row].hidden]
    deck = _write(everyday["summary"], "删掉第二页，第四页标题改成“展望”", tmp_path / "d.pptx")
    assert [one.shapes.title.text for one in deck.slides] == ["年终工作总结", "存在问题", "展望", "谢谢"]
    page = _write(everyday["notice"], "页码放页脚中间,封面那页别有", tmp_path / "e.docx").sections[0]
    assert (page.different_first_page_header_footer, "PAGE" in page.footer._element.xml) == (True, True)
    assert "PAGE" not in page.first_page_footer._element.xml
    head = (
        _write(everyday["contract"], "页眉右边写上“合同编号 018”，小五号灰色", tmp_path / "f.docx").sections[0].header
    )
    assert [(one.text, one.runs[0].font.size.pt) for one in head.paragraphs if one.text] == [("合同编号 018", 9)]
    texts = [
        one.text
        for one in _write(everyday["report"], "swap the 1st and 2nd paragraphs", tmp_path / "g.docx").paragraphs
    ]
    assert texts[2].startswith("Revenue grew")


def test_what_would_be_in_the_way_of_another_order_is_asked_about(samples: dict[str, Path]) -> None:
    reading = _read(samples["sales"])
    for message in ("按数量降序排，再删掉最后一行", "加一列总额，再加一列平均值", "把没用的行都删了"):
        assert _steps(message, reading) == [], message


def test_what_a_sheet_would_get_wrong_is_asked_about_refused_or_said(tmp_path: Path) -> None:
    """Formulas that read other rows, cells that others read, the last rows of a table, columns of one name."""
    heads: list[Any] = ["项目", "收入", "余额"]
    balance: list[list[Any]] = [heads, ["a", 5, "=B2"], ["b", 9, "=C2+B3"], ["c", 7, "=C3+B4"]]
    own_row: list[list[Any]] = [heads, ["a", 5, "=B2*2"], ["b", 9, "=B3/SUM(B$2:B$4)"], ["c", 7, 1]]
    cases = {
        ("按收入降序排", "balance"): "其他行",
        ("删除第3行", "balance"): "#REF!",
        ("删除第2到4行", "table"): "至少要留一行",
        ("金额列乘以2", "twins"): "B、C",
        ("隔行填充浅灰色", "long"): "底色 浅灰色、隔行",
        ("按收入降序排", "own"): "=B2/SUM(B$2:B$4)\nc\t7\t1\na\t5\t=B4*2",
    }
    sheets: dict[str, list[list[Any]]] = {"balance": balance, "table": own_row, "own": own_row}
    sheets |= {"twins": [["项目", "金额", "金额"], ["a", 1, 2]], "long": [["名", "值"], *([["n", 1]] * 1_200)]}
    paths = {}
    for name, rows in sheets.items():
        book = Workbook()
        for row in rows:
            book.worksheets[0].append(row)
        if name == "table":
            book.worksheets[0].add_table(Table(displayName="T", ref="A1:C4"))
        paths[name] = tmp_path / f"{name}.xlsx"
        book.save(paths[name])
    wrong = [
        (message, said) for (message, name), part in cases.items() if part not in (said := _say(message, paths[name]))
    ]
    assert wrong == []


def _say(message: str, path: Path) -> str:
    """What a person is told before anything is written."""
    read = read_orders(message, _read(path), language="zh")
    if read.note is not None:
        return read.note.text("zh")
    plan = load_plan(
        {"schema_version": "ah32.plan.v1", "host_app": "et", "actions": list(read.actions)}, host="et"
    ).plan
    assert plan is not None
    try:
        made = host_for("et").execute(plan, path, path.with_stem("made"), request=WriteRequest())
    except PlanStepError as error:
        return error.text("zh")
    return "\n".join((*(one.zh for one in made.warnings), *(one.after for one in made.changes)))


def test_levels_lists_sums_and_marks_are_written_and_the_rest_stays(
    everyday: dict[str, Path], samples: dict[str, Path], tmp_path: Path
) -> None:
    before = [one.text for one in Document(str(everyday["report"])).paragraphs]
    message = "Can you bump every heading down one level? The whole thing is getting pasted into a bigger report."
    made = _write(everyday["report"], message, tmp_path / "a.docx").paragraphs
    assert [one.text for one in made] == before
    names = {str(one.style.name) for one in made if one.style is not None and "Heading" in str(one.style.name)}
    assert names == {"Heading 2"}
    made = _write(everyday["notice"], "把表格改成列表", tmp_path / "b.docx")
    lines = [one.text for one in made.paragraphs if one._p.pPr is not None and one._p.pPr.numPr is not None]
    assert (len(made.tables), lines[0]) == (0, "项目：100 米；时间：9:00；裁判：李强")
    assert _steps("表格第一列改成项目符号", _read(everyday["notice"])) == []
    sheet = _write(samples["orders"], "make it print on one page landscape", tmp_path / "a.xlsx")["Orders"]
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 1)
    deck = _write(samples["deck"], "最后加一页“谢谢聆听”,跟封面一个风格", tmp_path / "a.pptx")
    assert deck.slides[len(deck.slides) - 1].slide_layout.name == deck.slides[0].slide_layout.name


def test_formulas_become_what_they_show_or_are_asked_about(tmp_path: Path) -> None:
    book = Workbook()
    sheet: Any = book.active
    for row in (("Item", "Net", "Gross"), ("A", 10, "=B2*2"), ("B", -4, "=B3*2"), ("B", -4, "=B3*2")):
        sheet.append(row)
    book.save(tmp_path / "raw.xlsx")
    message = "turn all formulas into values"
    assert _steps(message, _read(tmp_path / "raw.xlsx")) == []  # never calculated
    calculated = _write(tmp_path / "raw.xlsx", "加一行合计", tmp_path / "known.xlsx").active
    assert calculated["C5"].value == "=SUM(C2:C4)"
    made = _write(tmp_path / "known.xlsx", message, tmp_path / "values.xlsx").active
    assert [made[f"C{row}"].value for row in range(2, 6)] == [20, -8, -8, 4]
    steps = _steps("重复的行删了,删了几行跟我说一声", _read(tmp_path / "values.xlsx"))
    assert [one["lines"] for one in steps] == [["4"]]


def test_columns_named_by_letters_are_sorted_by_as_they_are_said(readings: dict[str, Reading]) -> None:
    def _keys(message: str) -> list[tuple[str, str]]:
        return [(one["key"], one["order"]) for one in _steps(message, readings["orders"])]

    # The last key is sorted first, so that the first one said is the main one.
    assert _keys("sort by column B then column C") == [("C", "asc"), ("B", "asc")]
    assert _keys("sort by column B, then by column C descending") == [("C", "desc"), ("B", "asc")]
    assert _keys("sort by Region, then by column D descending") == [("D", "desc"), ("C", "asc")]
    assert _keys("先按B列再按C列排序") == [("C", "asc"), ("B", "asc")]


def test_all_tabs_get_a_color_in_both_languages(readings: dict[str, Reading]) -> None:
    for message in ("每个标签都标成蓝色", "把所有标签都改成蓝色", "colour all tabs blue"):
        assert [one["sheet_name"] for one in _steps(message, readings["sales"])] == ["销售", "客户"], message


def test_numbers_of_a_chart_keep_their_size_and_are_not_mixed(readings: dict[str, Reading]) -> None:
    (made,) = _steps("第2页做成柱状图：华东5万，华北400", readings["deck"])
    assert made["data"][1:] == [["华东", 50_000], ["华北", 400]]
    mixed = read_orders("第2页做成柱状图：华东5%，华北400", readings["deck"], language="zh")
    assert (mixed.actions, mixed.note and mixed.note.code) == ((), "mixed_units")
    kinds = {"bar chart": "column", "horizontal bar chart": "bar", "line chart": "line"}
    for said, kind in kinds.items():
        (made,) = _steps(f"add a {said} to slide 2: East 5, West 4", readings["deck"])
        assert made["chart_type"] == kind


def test_how_many_points_a_slide_gets_is_no_part_of_its_title(readings: dict[str, Reading]) -> None:
    said = ("with three bullets", "with the following points", "with", "and these 3 items")
    for words in said:
        (made,) = _steps(f"Add a slide at the end called Risks {words}: rates, staff, energy", readings["deck"])
        assert (made["title"], made["content"]) == ("Risks", "rates\nstaff\nenergy"), words
    (made,) = _steps("Add a slide at the end called Dealing with Risks: rates, staff", readings["deck"])
    assert made["title"] == "Dealing with Risks"


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """A letting agreement whose figures stand in the text and in a table."""
    document = Document()
    for line in (
        "Lease",
        "The Tenant shall pay a monthly rent of £2,400, due on the 1st day of each month.",
        "The Tenant pays a deposit of £4,800 on signing. Reminders cost £10 or £20.",
        "The fee is £10 for a copy. A fee of £20 is due for a key.",
    ):
        document.add_paragraph(line)
    table = document.add_table(rows=0, cols=3)
    for row in (("Item", "Amount", "Due"), ("Rent", "£2,400", "Monthly"), ("Deposit", "£4,800", "On signing")):
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    path = tmp_path_factory.mktemp("lease") / "lease.docx"
    document.save(str(path))
    return _read(path)


def test_a_row_told_without_a_colon_goes_into_the_table_that_is_there(lease: Reading) -> None:
    for message in (
        "Add a row to the table for Insurance, £120, yearly.",
        "Add a row for Insurance, £120, yearly to the table",
        "在表格最后加一行Insurance，£120，Due yearly".replace("Insurance", "保险"),
    ):
        (made,) = _steps(message, lease)
        assert (made["op"], made["change"], made["values"][1:]) == ("edit_table", "insert_row", ["£120", "yearly"])
    draft = draft_plan("Add a row to the table for Insurance, £120.", host="wps", language="en", reading=lease)
    assert (draft.plan, draft.code) == (None, "value_count")


def test_a_figure_is_changed_wherever_it_stands_beside_its_name(lease: Reading) -> None:
    expected = [
        {"op": "replace_text", "find_text": "rent of £2,400", "replace_text": "rent of £2,650", "address": "p2"},
        {"op": "set_table_cell_text", "row": 2, "col": 2, "text": "£2,650", "table_index": 1},
    ]
    assert _steps("Change the rent to £2,650", lease) == expected
    assert _steps("Change the rent to £2,650 a month", lease) == expected


def test_what_is_in_the_document_is_never_said_to_be_missing(lease: Reading) -> None:
    def _code(message: str) -> str:
        note = read_orders(message, lease, language="en").note
        return note.code if note else ""

    assert _code("Change the rent to £650 a week") == "term_in_text"
    assert _code("Change the fee to £30") == "which_of"
    assert _code("Change the salary to £5,000") == "no_text_here"


def test_a_question_whether_something_is_right_orders_nothing(readings: dict[str, Reading]) -> None:
    for message in (
        "表格的合计对不对",
        "合计正确吗？",
        "公式有没有问题",
        "Are the totals right?",
        "does the total add up",
    ):
        for name in ("orders", "sales"):
            assert not read_orders(message, readings[name], language=language_of(message)).is_order, message
    assert _steps("合计不对，把D6改成5", readings["orders"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_offered_after_a_write_can_be_done_with_a_file_of_its_kind(
    readings: dict[str, Reading], language: Language
) -> None:
    head = (resources.files("metier.packs.office") / "skills/document_edit.md").read_text("utf-8").split("---")[1]
    offered = yaml.safe_load(head)["metadata"]["next_messages"][language]
    samples = {"docx": "notice", "xlsx": "orders", "pptx": "deck"}
    hosts: dict[str, HostApp] = {"docx": "wps", "xlsx": "et", "pptx": "wpp"}
    for one in offered:
        kind = one["files"]
        draft = draft_plan(one["text"], host=hosts[kind], language=language, reading=readings[samples[kind]])
        assert draft.plan is not None, (one, draft.question)
    assert {one["files"] for one in offered} == set(samples)


def test_reasons_after_a_comma_are_left_out_and_wishes_are_not(readings: dict[str, Reading]) -> None:
    plain = _steps("delete the Beta row", readings["orders"])
    assert plain
    for why in ("the company paid that one directly", "we never use it", "they don't need it any more"):
        assert _steps(f"delete the Beta row, {why}.", readings["orders"]) == plain, why
    for wish in ("the rest underlined", "the total has to be bold", "never the Acme ones"):
        assert _steps(f"delete the Beta row, {wish}.", readings["orders"]) != plain, wish


@pytest.fixture(scope="module")
def invitation(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    document = Document()
    for line in (
        "家长会通知",
        "家长会下周五召开，地点为学校礼堂，请准时参加。",
        "会议期间请将手机调至静音。",
        "联系人刘洋。",
    ):
        document.add_paragraph(line)
    table = document.add_table(rows=0, cols=2)
    for row in (("年级", "班主任"), ("一年级", "张敏"), ("二年级", "刘洋")):
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    path = tmp_path_factory.mktemp("invitation") / "notice.docx"
    document.save(str(path))
    return _read(path)


def test_places_and_values_are_found_by_the_words_people_use(invitation: Reading) -> None:
    (made,) = _steps("地点换成体育馆", invitation)
    assert (made["find_text"], made["replace_text"]) == ("学校礼堂", "体育馆")
    (made,) = _steps("表格里刘洋换成黄莉", invitation)
    assert (made["find_text"], made["address"]) == ("刘洋", "t1.r3.c2")
    (made,) = _steps("把手机静音那句删了吧", invitation)
    assert made["expected"] == ["会议期间请将手机调至静音。"]
    assert _steps("把停车收费那句删了吧", invitation) == []
