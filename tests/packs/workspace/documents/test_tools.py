"""The tools pptx, docx, pdf and xlsx: what they are made from, what they refuse, and what the files hold."""

from pathlib import Path
from typing import cast

import pytest
from docx import Document
from openpyxl import load_workbook
from pptx import Presentation

from metier.agent.adapters import describe_arguments
from metier.attachments import add_attachment
from metier.json_values import JsonObject
from metier.pack import PackContext
from metier.packs.office.slides import find_overflow
from metier.packs.workspace._results import keep_report
from metier.packs.workspace.documents._request import find_outline, read_request
from metier.packs.workspace.documents._tools import build_tools, find_content, make_docx, make_pdf, make_pptx, make_xlsx
from metier.settings import Settings
from metier.tools import ToolContext, ToolError
from metier.workspaces import WorkspaceQuota
from tests.packs.workspace.documents.fixtures import ANALYSIS, RESEARCH


def run(workspace: Path, make: object, content: str, **options: str) -> JsonObject:
    made = make(ToolContext(workspace), content, **options)  # type: ignore[operator]
    assert made.data is not None
    return cast("JsonObject", made.data)


def find(workspace: Path, words: str, **options: str) -> tuple[str | None, str]:
    made = find_content(ToolContext(workspace), words, **options)  # type: ignore[arg-type]
    assert made.data is not None
    return cast("str | None", made.data["content"]), str(made.data["source"])


def read_texts(file: Path) -> list[list[str]]:
    deck = Presentation(str(file))
    return [[one.text_frame.text for one in slide.shapes if one.has_text_frame] for slide in deck.slides]


@pytest.mark.parametrize(
    ("content", "zh", "en"),
    [
        ("research", "研究报告", "research report"),
        ("data", "数据分析", "data analysis"),
        ("sample:work", "示例提纲", "sample outline"),
    ],
)
def test_a_step_names_its_content_in_the_readers_words(tmp_path: Path, content: str, zh: str, en: str) -> None:
    makers = [one.spec for one in build_tools(PackContext(Settings(), tmp_path)) if one.spec.name != "find_content"]
    assert len(makers) == 4
    for spec in makers:
        assert zh in str(describe_arguments(spec, {"content": content}, "zh"))
        assert en in str(describe_arguments(spec, {"content": content}, "en"))


def test_a_research_report_becomes_slides_that_keep_every_mark_and_source(tmp_path: Path) -> None:
    keep_report(tmp_path, "research_report", RESEARCH)
    made = run(tmp_path, make_pptx, "research")
    slides = read_texts(tmp_path / str(made["file"]))
    flat = "\n".join(text for slide in slides for text in slide)
    assert slides[0][:2] == ["新能源汽车市场趋势", "示例资料，数字均为虚构。"]
    assert "销量继续增长，全年约 1,286 万辆。 [2]" in flat
    assert "渗透率接近一半。 [1][3]" in flat
    assert "“全年销量约 1,286 万辆” [2]" in flat
    assert "出口量（2025）：120 万辆 [1]；200 万辆 [3]" in flat
    assert "没有找到二手车的数据" in flat
    sources = slides[-1]
    assert sources[0] == "来源"
    assert "[2] 年报, b.pdf 第 4 页" in sources[1]
    assert "[3] c, https://c.test/x, 2026-11-17 01:02 读取" in sources[1]
    assert "没有用到" not in flat
    assert str(made["summary"]).startswith("示例资料，数字均为虚构。")
    assert find_overflow(tmp_path / str(made["file"])) == ()
    word = Document(str(tmp_path / str(run(tmp_path, make_docx, "research")["file"])))
    assert "渗透率接近一半。 [1][3]" in [one.text for one in word.paragraphs]


def test_an_analysis_becomes_a_workbook_with_numbers_and_slides_with_a_native_chart(tmp_path: Path) -> None:
    keep_report(tmp_path, "data_report", ANALYSIS)
    book = load_workbook(tmp_path / str(run(tmp_path, make_xlsx, "data")["file"]))
    assert "按地区" in book.sheetnames
    assert [cell.value for cell in book["按地区"][2]] == ["东", 12.5]
    deck = Presentation(str(tmp_path / str(run(tmp_path, make_pptx, "data")["file"])))
    assert sum(shape.has_chart for slide in deck.slides for shape in slide.shapes) == 1
    assert sum(shape.has_table for slide in deck.slides for shape in slide.shapes) == 2


def test_what_a_message_means_is_found_in_the_conversation(tmp_path: Path) -> None:
    assert find(tmp_path, "生成 PPT") == (None, "step")
    assert find(tmp_path, "把研究结果做成PPT") == (None, "step")
    assert find(tmp_path, "用示例提纲生成 PPT") == ("sample:work", "words")
    content = "一、背景\n市场在变化\n二、计划\n先试点".encode("gb18030")
    attached = add_attachment(tmp_path, "方案.txt", content, max_bytes=10_000, quota=WorkspaceQuota())
    assert find(tmp_path, "生成 PPT") == (attached.path, "step")
    keep_report(tmp_path, "research_report", RESEARCH)
    assert find(tmp_path, "生成 PPT") == ("research", "assumption")
    assert find(tmp_path, "用方案生成 PPT") == (attached.path, "words")
    assert find(tmp_path, "把附件做成PPT") == (attached.path, "words")
    assert find(tmp_path, "然后做成PPT", known=attached.path, previous="research") == ("research", "words")
    assert find(tmp_path, "turn the research report into a deck") == ("research", "words")
    assert run(tmp_path, make_pdf, attached.path)["count"] == 1
    assert (
        find(tmp_path, "请按下面的提纲生成PPT")
        == find(tmp_path, "make slides from the outline below")
        == (None, "step")
    )


def test_what_nothing_is_called_is_asked_for_and_no_document_is_taken_for_it(tmp_path: Path) -> None:
    text = "一、背景\n市场在变化\n二、计划\n先试点".encode()
    attached = add_attachment(tmp_path, "采购方案.txt", text, max_bytes=10_000, quota=WorkspaceQuota())
    for words in ("把待办导出成Excel", "export the action items as Excel", "把待办导出成PDF"):
        assert find(tmp_path, words, known=attached.path) == (None, "step"), words
    for words in ("把方案导出成Excel", "把这份文件转成PDF"):
        assert find(tmp_path, words) == (attached.path, "words"), words
    for words in ("转成Excel", "把它导出成Excel", "export it as Excel"):
        assert find(tmp_path, words) == (attached.path, "step"), words


def test_a_list_without_a_heading_is_called_by_its_points(tmp_path: Path) -> None:
    run(tmp_path, make_pptx, "- 目标\n- 措施\n- 计划")
    run(tmp_path, make_pptx, "- Goals for the coming year\n- Measures", language="en")
    assert {one.stem for one in tmp_path.rglob("*.pptx")} == {"目标措施计划", "Goals-for-the-coming-year"}


def test_outlines_in_messages_are_told_from_requests() -> None:
    cases = {
        "write a pdf: # Fire drill\n## When\n- Monday": "# Fire drill\n## When\n- Monday",
        "生成 PPT": "",
        "/pptx create presentation.pptx": "",
        "做一个关于新能源汽车的PPT": "",
        "生成PPT：背景、方案、计划": "- 背景\n- 方案\n- 计划",
        "做PPT，提纲：1. 背景 2. 方案": "- 背景\n- 方案",
        "请按下面的提纲生成PPT：\n一、背景\n- 甲": "一、背景\n- 甲",
        "# 标题\n## 甲\n- 乙": "# 标题\n## 甲\n- 乙",
        "make slides: goals; plan; budget": "- goals\n- plan\n- budget",
    }
    assert {text: find_outline(text) for text in cases} == cases
    assert read_request("做一个《年度计划》的PPT：甲、乙", "pptx").title == "年度计划"
    assert read_request("/pptx create presentation.pptx", "pptx").file_name == "presentation.pptx"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_bad_outlines_are_a_clear_sentence_and_leave_nothing_behind(tmp_path: Path, language: str) -> None:
    long = "\n".join(f"- point {at}" for at in range(300))
    many = "\n".join(f"## part {at}\n- a\n- b" for at in range(61))
    cases = {
        "topic": "outline_empty",
        long: "outline_too_long",
        many: "too_many_sections",
        "research": "no_research",
        "data": "no_data",
        "outline": "no_outline",
    }
    found = {}
    for content in cases:
        with pytest.raises(ToolError) as caught:
            run(tmp_path, make_pptx, content, language=language)
        found[content] = caught.value.failure.code
        assert caught.value.failure.hint
    assert found == cases
    assert not (tmp_path / "documents").exists()


def test_a_file_is_never_overwritten_and_the_outline_is_known_later(tmp_path: Path) -> None:
    outline = "# 年度计划\n## 目标\n- 增长\n- =1+1\n## 措施\n- 招聘"
    names = [run(tmp_path, make_pptx, outline, file_name="presentation.pptx")["name"] for _ in range(2)]
    assert names == ["presentation.pptx", "presentation-2.pptx"]
    assert find(tmp_path, "再做成 PDF", known="outline") == ("outline", "step")
    assert run(tmp_path, make_pdf, "outline")["name"] == "年度计划.pdf"
    made = run(tmp_path, make_xlsx, "姓名,工号\n王磊,001\n李敏,12", title="../../名单")
    sheet = load_workbook(tmp_path / str(made["file"])).worksheets[0]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["姓名", "工号"],
        ["王磊", "001"],
        ["李敏", 12],
    ]
    assert str(made["file"]) == "documents/名单.xlsx"


def test_a_deck_of_the_sample_says_on_its_cover_that_the_figures_are_invented(tmp_path: Path) -> None:
    run(tmp_path, make_pptx, "sample:work", language="en")
    (file,) = tmp_path.rglob("*.pptx")
    assert "Sample: the figures are invented." in read_texts(file)[0]


def test_the_list_of_parts_says_of_every_part_what_it_begins_with(tmp_path: Path) -> None:
    keep_report(tmp_path, "data_report", ANALYSIS)
    for content in ("data", "# 计划\n## 目标\n- 降本\n- 提质\n## 附录"):
        made = make_pptx(ToolContext(tmp_path), content, language="zh").data
        assert made is not None
        rows = cast("list[JsonObject]", made["tables"])[0]["rows"]
        assert rows
        assert all(all(isinstance(cell, str) and cell for cell in row) for row in cast("list[list[object]]", rows)), (
            rows
        )
