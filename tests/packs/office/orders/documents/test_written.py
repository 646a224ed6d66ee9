"""Orders for a document, written: exactly what was ordered changes, once, and the rest stays."""

from pathlib import Path

from docx import Document

from metier.packs.office.drafting import draft_plan
from tests.packs.office.orders.written import list_steps, read_file, write_orders


def test_what_is_taken_out_of_a_document_is_gone_and_the_rest_stays(samples: dict[str, Path], tmp_path: Path) -> None:
    before = [one.text for one in Document(str(samples["contract"])).paragraphs]
    made = write_orders(samples["contract"], "删除第三条", tmp_path / "a.docx")
    assert [one.text for one in made.paragraphs] == [*before[:8], *before[10:]]
    made = write_orders(samples["notice"], "删除表格的第三行", tmp_path / "b.docx")
    assert [row.cells[1].text for row in made.tables[0].rows] == ["负责人", "张三", "王五"]
    made = write_orders(samples["notice"], "在表格最后加一行：人事部、孙七、13800000004", tmp_path / "c.docx")
    assert [cell.text for cell in made.tables[0].rows[-1].cells] == ["人事部", "孙七", "13800000004"]
    made = write_orders(samples["notice"], "删除所有批注", tmp_path / "d.docx")
    assert list(made.comments) == []
    made = write_orders(samples["contract"], "第二条删了，后面的条号顺一下", tmp_path / "e.docx")
    assert [one.text for one in made.paragraphs][5:8:2] == ["第二条 交货时间", "第三条 违约责任"]
    made = write_orders(samples["notice"], "表格按电话从大到小排序", tmp_path / "f.docx")
    assert [row.cells[1].text for row in made.tables[0].rows] == ["负责人", "王五", "李四", "张三"]


def test_looks_of_paragraphs_are_written(samples: dict[str, Path], tmp_path: Path) -> None:
    made = write_orders(samples["contract"], "正文首行缩进2字符，行距固定值28磅", tmp_path / "a.docx")
    form = made.paragraphs[1]._p.pPr
    assert (form.ind.get(name_of("firstLineChars")), form.spacing.get(name_of("line"))) == ("200", "560")
    made = write_orders(samples["notice"], "最后一段右对齐，加下划线", tmp_path / "b.docx")
    assert (made.paragraphs[-1].alignment, made.paragraphs[-1].runs[0].underline) == (2, True)


def test_contents_watermark_protection_and_moves_are_written_once(everyday: dict[str, Path], tmp_path: Path) -> None:
    made = write_orders(everyday["report"], 'Put "DRAFT" across the pages', tmp_path / "a.docx")
    shapes = made.sections[0].header._element.iter("{urn:schemas-microsoft-com:vml}textpath")
    assert [one.get("string") for one in shapes if one.get("string")] == ["DRAFT"]
    made = write_orders(everyday["report"], "Add a table of contents after the title", tmp_path / "b.docx")
    assert [one.text for one in made.paragraphs][1:6] == [
        "Contents",
        *(f"{name}\t" for name in ("Introduction", "Results", "Risks", "Outlook")),
    ]
    made = write_orders(everyday["notice"], "把联系人放到活动地点前面", tmp_path / "c.docx")
    heads = [one.text for one in made.paragraphs if one.style is not None and one.style.name == "Heading 1"]
    assert heads == ["一、活动时间", "二、联系人", "三、活动地点", "四、参赛要求"]
    made = write_orders(everyday["contract"], "最后留出双方签字盖章的地方", tmp_path / "d.docx")
    assert [cell.text for cell in made.tables[-1].rows[0].cells] == ["甲方（盖章）：", "乙方（盖章）："]
    made = write_orders(everyday["contract"], "给我把合同锁上，只能看不能改", tmp_path / "e.docx")
    protection = made.settings.element.find(name_of("documentProtection"))
    assert (protection.get(name_of("edit")), protection.get(name_of("enforcement"))) == ("readOnly", "1")
    made = write_orders(tmp_path / "e.docx", "取消保护", tmp_path / "f.docx")
    assert made.settings.element.find(name_of("documentProtection")) is None


def test_page_numbers_headers_and_swaps_are_written_as_they_were_meant(
    everyday: dict[str, Path], tmp_path: Path
) -> None:
    page = write_orders(everyday["notice"], "页码放页脚中间,封面那页别有", tmp_path / "e.docx").sections[0]
    assert (page.different_first_page_header_footer, "PAGE" in page.footer._element.xml) == (True, True)
    assert "PAGE" not in page.first_page_footer._element.xml
    head = (
        write_orders(everyday["contract"], "页眉右边写上“合同编号 018”，小五号灰色", tmp_path / "f.docx")
        .sections[0]
        .header
    )
    assert [(one.text, one.runs[0].font.size.pt) for one in head.paragraphs if one.text] == [("合同编号 018", 9)]
    texts = [
        one.text
        for one in write_orders(everyday["report"], "swap the 1st and 2nd paragraphs", tmp_path / "g.docx").paragraphs
    ]
    assert texts[2].startswith("Revenue grew")


def test_levels_and_lists_are_written_and_the_rest_stays(everyday: dict[str, Path], tmp_path: Path) -> None:
    before = [one.text for one in Document(str(everyday["report"])).paragraphs]
    message = "Can you bump every heading down one level? The whole thing is getting pasted into a bigger report."
    made = write_orders(everyday["report"], message, tmp_path / "a.docx").paragraphs
    assert [one.text for one in made] == before
    names = {str(one.style.name) for one in made if one.style is not None and "Heading" in str(one.style.name)}
    assert names == {"Heading 2"}
    made = write_orders(everyday["notice"], "把表格改成列表", tmp_path / "b.docx")
    lines = [one.text for one in made.paragraphs if one._p.pPr is not None and one._p.pPr.numPr is not None]
    assert (len(made.tables), lines[0]) == (0, "项目：100 米；时间：9:00；裁判：李强")
    assert list_steps("表格第一列改成项目符号", read_file(everyday["notice"])) == []


def test_wishes_beside_a_text_are_no_part_of_it(everyday: dict[str, Path]) -> None:
    reading = read_file(everyday["report"])
    (mark,) = list_steps("打个水印:内部资料 请勿外传,斜着的,灰色淡一点别影响看字", reading)
    assert mark == {"op": "set_watermark", "text": "内部资料 请勿外传"}
    assert list_steps("打个水印:内部资料,要用红色楷体写满三行", reading) == []
    (swap,) = list_steps("把全文里的“Results”都换成“Findings”,标题里的也要换", reading)
    assert "address" not in swap


def test_a_row_that_cannot_be_placed_never_becomes_a_table_of_its_own(everyday: dict[str, Path]) -> None:
    message = "昨天说的设备那里最后加一行：水泵，P-1，2，800"
    draft = draft_plan(message, host="wps", language="zh", reading=read_file(everyday["contract"]))
    assert draft.plan is None
    assert draft.question


def name_of(name: str) -> str:
    """The name of an element or attribute of a document."""
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"
