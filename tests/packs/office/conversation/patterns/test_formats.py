"""Documents in the form of GB/T 9704-2012 or of a sample: what is written is read back from the file."""

from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from metier.packs.office.conversation.patterns._find import find_pattern
from metier.packs.office.writer import read_looks
from tests.packs.office.conversation.patterns.test_find import _save
from tests.packs.office.conversation.test_tools import Desk

NOTICE = (
    "关于开展安全检查的通知",
    "各县区局：",
    "为落实责任，现就有关事项通知如下。",
    "一、总体要求",
    "（一）提高认识",
    "1.明确分工",
    "（1）压实责任",
    "各单位要逐级落实，不得推诿。",
    "青山市数据局",
    "2026年3月2日",
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def make_notice(*lines: str) -> bytes:
    made = Document()
    for line in lines or NOTICE:
        made.add_paragraph(line)
    return _save(made)


async def write(desk: Desk, document: str, **asked: Any) -> tuple[Path, dict[str, Any]]:
    kept = await desk.data("propose_changes", document=document, **asked)
    done = await desk.data("write_document", document=document, plan=kept["plan"])
    return desk.workspace / done["file"], dict(kept)


def look_at(file: Path) -> dict[str, dict[str, Any]]:
    """The look of each paragraph by its text."""
    looks = read_looks(file)
    texts = [one.text for one in Document(str(file)).paragraphs]
    return {text: dict(looks[f"p{at}"]) for at, text in enumerate(texts, 1) if text}


async def test_an_official_document_gets_the_look_of_each_of_its_parts(desk: Desk) -> None:
    file, _ = await write(desk, desk.attach("通知.docx", make_notice()), task="policy-format")
    looks = look_at(file)
    fonts = {text: (one["font"], one["size"], one["alignment"]) for text, one in looks.items()}
    assert fonts["关于开展安全检查的通知"] == ("方正小标宋简体", 22.0, "center")
    assert fonts["各县区局："] == ("仿宋_GB2312", 16.0, "left")
    assert fonts["一、总体要求"] == ("黑体", 16.0, "justify")
    assert fonts["（一）提高认识"] == ("楷体_GB2312", 16.0, "justify")
    assert {fonts[one] for one in NOTICE[5:8]} == {("仿宋_GB2312", 16.0, "justify")}
    assert {fonts[one] for one in NOTICE[8:]} == {("仿宋_GB2312", 16.0, "right")}
    assert {one["line_points"] for one in looks.values()} == {28.95}
    assert [looks[one]["first_line_chars"] for one in NOTICE] == [0, 0, 2, 2, 2, 2, 2, 2, 0, 0]
    assert [looks[one]["right_chars"] for one in NOTICE[8:]] == [2, 4]


LEFT = (
    *("青山市数据局文件", "青数〔2026〕3号", "关于开展安全检查的通知", "为落实责任，现将有关事项通知如下："),
    *(
        "1、总体要求",
        "（1）提高认识",
        "甲,乙,丙要逐级落实,不得推诿;时间为9:30,共1,000人(试行)。",
        "青山市数据局",
        "2026年3月2日",
    ),
    *("附件1", "名单", "一、第一组"),
)


async def test_what_only_announces_is_no_addressee_and_a_renumbered_heading_looks_as_its_new_level(desk: Desk) -> None:
    file, kept = await write(desk, desk.attach("通知.docx", make_notice(*LEFT)), task="policy-format")
    looks = read_looks(file)
    assert [looks[f"p{at}"]["font"] for at in (4, 5, 6, 7)] == ["仿宋_GB2312", "黑体", "楷体_GB2312", "仿宋_GB2312"]
    assert looks["p4"]["first_line_chars"] == 2
    found = [(one["quote"], one["replacement"]) for one in kept["findings"] if one["rule"] == "half_width"]
    assert found == [
        ("甲,乙", "甲，乙"),
        ("乙,丙", "乙，丙"),
        ("实,不", "实，不"),
        ("诿;时", "诿；时"),
        ("0,共", "0，共"),
        ("(试行)", "（试行）"),
    ]


async def test_tables_annexes_and_the_head_are_left_and_told(desk: Desk) -> None:
    made = Document()
    for line in LEFT:
        made.add_paragraph(line)
    made.add_table(1, 1).cell(0, 0).text = "姓名"
    made.sections[0].header.paragraphs[0].text = "内部资料"
    before = {text: one["size"] for text, one in look_at_bytes(desk, made).items()}
    file, kept = await write(desk, desk.attach("通知.docx", _save(made)), task="policy-format")
    told = "表格（1 个）、“附件1”起的附件、版头和版记（2 行）、页眉页脚里的文字"
    assert f"以下部分保持原样，请自行核对：{told}。" in kept["summary"]
    after = look_at(file)
    assert [after[one]["size"] for one in ("青山市数据局文件", "附件1", "一、第一组")] == [before["附件1"]] * 3
    cell = Document(str(file)).tables[0].cell(0, 0).paragraphs[0].runs[0]
    assert cell.font.size == Pt(before["附件1"])


async def test_28_characters_stand_on_a_line_by_the_size_of_normal_and_closer_letters(desk: Desk) -> None:
    file, _ = await write(desk, desk.attach("通知.docx", make_notice()), task="policy-format")
    made = Document(str(file))
    grid = made.sections[0]._sectPr.find(qn("w:docGrid"))
    width = 156 * 72 / 25.4
    cell = 16 + int(grid.get(qn("w:charSpace"))) / 4096
    assert made.styles["Normal"].font.size == Pt(16)
    assert int(width // cell) == 28
    body = next(one for one in made.paragraphs if one.text.startswith("各单位要"))
    letters = int(body.runs[0]._r.find(f".//{qn('w:spacing')}").get(qn("w:val"))) / 20
    assert int(width // (16 + letters)) == 28
    properties = body._p.pPr
    assert properties is not None
    assert properties.find(qn("w:snapToGrid")).get(qn("w:val")) == "0"


def look_at_bytes(desk: Desk, made: DocxDocument) -> dict[str, dict[str, Any]]:
    path = desk.workspace.parent / "before.docx"
    path.write_bytes(_save(made))
    return look_at(path)


async def test_headings_by_style_lose_their_colour(desk: Desk) -> None:
    made = Document()
    made.add_heading("关于检查的通知", 0)
    made.add_heading("一、要求", 1)
    made.add_paragraph("各单位落实。")
    file, _ = await write(desk, desk.attach("通知.docx", _save(made)), task="policy-format")
    assert {one["color"] for one in look_at(file).values()} == {"000000"}
    colors = {one.get(qn("w:val")) for one in Document(str(file)).paragraphs[1]._p.iter(qn("w:color"))}
    assert colors == {"000000"}


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ("一.总体要求", "一.", "一、"),
        ("1、明确分工", "1、", "1."),
        ("⑴压实责任", "⑴", "（1）"),
        ("(一)提高认识", "(一)", "（一）"),
        ("(1)压实责任", "(1)", "（1）"),
    ],
)
async def test_a_number_that_the_norm_writes_otherwise_is_a_finding(
    desk: Desk, line: str, label: str, expected: str
) -> None:
    document = desk.attach("通知.docx", make_notice("关于检查的通知", "各单位：", "一、总体要求", line, "请落实。"))
    kept = await desk.data("propose_changes", document=document, task="policy-format")
    found = [(one["quote"], one["replacement"]) for one in kept["findings"] if one["rule"] == "label_form"]
    assert found == [(label, expected)]


async def test_an_official_document_that_is_right_needs_no_second_change(desk: Desk) -> None:
    document = desk.attach("通知.docx", make_notice())
    await write(desk, document, task="policy-format")
    again = await desk.data("propose_changes", document=document, task="policy-format")
    assert again["plan"] == ""


def make_sample() -> bytes:
    """B5 with wide margins: a red title, blue headings, small body, a shaded table, a header and page numbers."""
    made = Document()
    page = made.sections[0]
    page.page_width, page.page_height, page.left_margin, page.top_margin = Mm(176), Mm(250), Mm(20), Mm(15)
    parts = (
        ("样本报告", "华文中宋", 24, True, RGBColor(0xC0, 0, 0), WD_ALIGN_PARAGRAPH.CENTER, 0),
        ("一、第一部分", "黑体", 15, True, RGBColor(0, 0x32, 0xA0), WD_ALIGN_PARAGRAPH.LEFT, 0),
        ("这里是样本的正文，说明情况。", "楷体", 13, False, None, WD_ALIGN_PARAGRAPH.JUSTIFY, 26),
        ("这里是样本的另一段正文。", "楷体", 13, False, None, WD_ALIGN_PARAGRAPH.JUSTIFY, 26),
    )
    for text, font, size, bold, color, alignment, indent in parts:
        paragraph = made.add_paragraph()
        _dress(paragraph.add_run(text), font, size, bold)
        if color is not None:
            paragraph.runs[0].font.color.rgb = color
        paragraph.alignment = alignment
        paragraph.paragraph_format.line_spacing = Pt(22)
        paragraph.paragraph_format.first_line_indent = Pt(indent)
    table = made.add_table(2, 2)
    for row, size in zip(table.rows, (12, 10), strict=True):
        for cell in row.cells:
            _dress(cell.paragraphs[0].add_run("内容"), "宋体", size, size == 12)
    _dress(page.header.paragraphs[0].add_run("样本页眉"), "楷体", 9, False)
    return _save(made)


def _dress(run: Any, font: str, size: float, bold: bool) -> None:
    run.font.size, run.font.bold, run.font.name = Pt(size), bold, "Arial"
    run._r.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), font)


def make_target() -> bytes:
    made = Document()
    made.add_paragraph("季度工作报告")
    made.add_heading("一、基本情况", 1)
    body = made.add_paragraph("本季度完成任务，")
    body.add_run("重点突出").bold = True
    body.add_run("，成效明显，各项指标都在计划之内。")
    made.add_paragraph("（一）存在问题")
    made.add_paragraph("部分项目进度偏慢，需要加快。")
    table = made.add_table(2, 2)
    for number, row in enumerate(table.rows):
        for cell in row.cells:
            cell.text = ("项目", "12")[number]
    made.sections[0].header.paragraphs[0].text = "本单位页眉"
    return _save(made)


async def test_a_document_gets_the_formatting_of_a_sample_and_keeps_its_words(desk: Desk) -> None:
    sample = desk.attach("样本.docx", make_sample())
    target = desk.attach("报告.docx", make_target())
    before = [one.text for one in Document(str(desk.workspace / target)).paragraphs]
    file, kept = await write(desk, target, task="doc-formatter", pattern=sample)
    made = Document(str(file))
    assert [one.text for one in made.paragraphs] == before
    page = made.sections[0]
    assert [round((one or 0) / Mm(1)) for one in (page.page_width, page.page_height, page.left_margin)] == [
        176,
        250,
        20,
    ]
    looks = look_at(file)
    title, heading, body = (looks[one] for one in ("季度工作报告", "一、基本情况", "部分项目进度偏慢，需要加快。"))
    assert (title["font"], title["latin_font"], title["size"], title["color"]) == ("华文中宋", "Arial", 24, "C00000")
    assert (title["alignment"], title["bold"], title["line_points"]) == ("center", True, 22)
    assert (heading["font"], heading["size"], heading["color"]) == ("黑体", 15, "0032A0")
    assert (body["font"], body["size"], body["first_line_points"], body["alignment"]) == ("楷体", 13, 26, "justify")
    assert [run.bold for run in made.paragraphs[2].runs].count(True) == 1  # a word in bold stays bold
    cells = read_looks(file)
    assert (cells["t1.r1.c1"]["size"], cells["t1.r1.c1"]["bold"], cells["t1.r2.c1"]["size"]) == (12, True, 10)
    assert (cells["header1.p1"]["font"], page.header.paragraphs[0].text) == ("楷体", "本单位页眉")
    assert "“样本.docx”里没有二级标题" in kept["summary"]


async def test_each_part_is_a_row_of_the_preview(desk: Desk) -> None:
    sample, target = desk.attach("样本.docx", make_sample()), desk.attach("报告.docx", make_target())
    kept = await desk.data("propose_changes", document=target, task="doc-formatter", pattern=sample)
    rows = await desk.preview(document=target, plan=kept["plan"])
    assert len(rows) == 7  # page, title, heading, body, header of the table, its cells, header of the page


async def test_what_a_sample_does_not_have_is_told_and_nothing_else_is_guessed(desk: Desk) -> None:
    empty = desk.attach("空.docx", _save(Document()))
    target = desk.attach("报告.docx", make_target())
    kept = await desk.data("propose_changes", document=target, task="doc-formatter", pattern=empty)
    assert (kept["plan"], "没有可以参照格式的文字" in kept["summary"]) == ("", True)


def test_a_sample_that_is_not_attached_is_asked_for(desk: Desk) -> None:
    desk.attach("报告.docx", make_target())
    assert find_pattern("照样本的格式排版报告.docx", desk.workspace, "docx").is_unclear
    assert not find_pattern("排版报告.docx", desk.workspace, "docx").is_unclear
