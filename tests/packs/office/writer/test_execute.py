"""Plans on real documents: what was asked for is changed, everything else stays as it was."""

import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from docx import Document

from metier.packs.office._hosts import Execution, Selection, WriteRequest, host_for
from metier.packs.office.files import OfficeFileError, Package
from metier.packs.office.plan import OfficePlan, load_plan
from metier.packs.office.writer import create_blank, read_document
from tests.packs.office.writer.samples import build_contract

HERE = Path(__file__).parent
AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
TABLE = [["风险", "金额"], ["延期", "12"], ["质量", "8"]]
BLOCK = {
    "op": "upsert_block",
    "block_id": "风险清单",
    "anchor": "end",
    "actions": [
        {"id": "x1", "title": "t", "op": "insert_text", "text": "# 风险清单\n共三项"},
        {"id": "x2", "title": "t", "op": "insert_table", "rows": 3, "cols": 2, "header": True, "data": TABLE},
        {"id": "x3", "op": "insert_chart_from_selection", "title": "风险金额", "chart_type": 5},
    ],
}


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    return build_contract(tmp_path / "合同.docx")


def _plan(*actions: dict[str, Any]) -> OfficePlan:
    numbered = [{"id": f"a{number}", "title": "步骤", **action} for number, action in enumerate(actions, 1)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wps", "actions": numbered}, host="wps")
    assert loaded.plan is not None, [one.text() for one in loaded.problems]
    return loaded.plan


def _run(source: Path, *actions: dict[str, Any], **options: Any) -> tuple[Execution, Path]:
    target = source.with_name(f"out-{len(list(source.parent.iterdir()))}.docx")
    request = WriteRequest(at=AT, **options)
    return host_for("wps").execute(_plan(*actions), source, target, request=request), target


def _part(path: Path, name: str = "word/document.xml") -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def _lines(path: Path) -> list[str]:
    return read_document(path).text.splitlines()


def test_a_match_across_split_runs_is_replaced_and_its_format_kept(contract: Path) -> None:
    done, target = _run(contract, {"op": "replace_text", "find_text": "总价的30%", "replace_text": "总价的20%"})
    assert [(one.address, one.before, one.after) for one in done.changes] == [
        ("p5", "定金为合同总价的30%。", "定金为合同总价的20%。")
    ]
    assert '<w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>20</w:t></w:r>' in _part(target)
    assert "<w:t>定金为合同</w:t>" in _part(target)


def test_tracked_changes_show_only_what_differs(contract: Path) -> None:
    steps = {"op": "replace_text", "find_text": "总价的30%", "replace_text": "总价的20%", "comment": "定金过高"}
    for options, track in (({"mode": "tracked"}, False), ({}, True)):
        done, target = _run(contract, {**steps, "track": track}, author="王律师", **options)
        xml = _part(target)
        assert '<w:delText xml:space="preserve">30</w:delText>' in xml
        assert 'w:author="王律师" w:date="2024-05-06T07:08:09Z"' in xml
        assert "第二条 定金为合同总价的20%。" in _lines(target)
        assert "定金过高" in _part(target, "word/comments.xml")
        assert len(done.changes) == 1
        assert Document(str(target)).paragraphs[0].text == "买卖合同"


def test_the_same_plan_twice_leaves_the_file_untouched(contract: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"op": "replace_text", "find_text": "甲方", "replace_text": "甲方（买方）"},
        {"op": "add_comment", "anchor_text": "质保期一年", "text": "建议两年"},
        {
            "op": "insert_after_text",
            "anchor_text": "签字之日起生效。",
            "text": "一式两份。",
            "new_paragraph_before": True,
        },
        {"op": "insert_before_text", "anchor_text": "交货期为", "text": "（三）"},
        BLOCK,
        {"op": "insert_text", "text": "附言"},
        {"op": "insert_table", "rows": 2, "cols": 2},
        {"op": "insert_word_art", "text": "重要"},
        {"op": "set_header", "text": "机密"},
        {"op": "set_footer", "text": "某某公司", "alignment": "right"},
        {"op": "set_page_numbers", "format": "dashes", "alignment": "outside"},
        {"op": "set_page_setup", "preset": "gbt9704"},
        {"op": "apply_text_style_to_matches", "find_text": "设备", "bold": True, "font": "黑体"},
        {"op": "set_paragraph_format", "apply_to_selection": False, "alignment": "justify", "line_spacing": "1.5"},
        {"op": "set_text_style", "apply_to_selection": False, "font": "仿宋", "size": 16},
        {"op": "normalize_headings", "apply_to_selection": False, "levels": [{"level": 1, "font": "黑体", "size": 22}]},
        {"op": "set_table_cell_text", "table_index": 1, "row": 2, "col": 1, "text": "首付款"},
        {"op": "set_writer_table_style", "block_id": "风险清单", "borders": True, "header": True},
        {"op": "fill_template", "values": {"person": "王五"}},
    ]
    for mode in ("direct", "tracked", "compare_table"):
        first, target = _run(contract, *steps, mode=mode)
        codes = {one.code for one in first.skipped}
        assert codes <= {"already_there"}, (mode, [one.to_json() for one in first.skipped])
        second, again = _run(target, *steps, mode=mode)
        assert second.unchanged, (mode, [one.to_json() for one in second.changes])
        assert again.read_bytes() == target.read_bytes()


def test_only_touched_parts_are_written_also_in_files_of_libreoffice(tmp_path: Path) -> None:
    source = tmp_path / "lo.docx"
    source.write_bytes((HERE / "libreoffice.docx").read_bytes())
    _, target = _run(source, {"op": "replace_text", "find_text": "二十日", "replace_text": "十五日", "track": True})
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target) as new:
        assert old.namelist() == new.namelist()
        assert [name for name in old.namelist() if old.read(name) != new.read(name)] == ["word/document.xml"]
    assert "交货期为十五日。" in _lines(target)


def test_a_block_is_found_again_after_libreoffice_saved_the_file(tmp_path: Path) -> None:
    source = tmp_path / "lo.docx"
    source.write_bytes((HERE / "libreoffice_block.docx").read_bytes())
    done, target = _run(source, BLOCK)
    assert done.unchanged
    assert target.read_bytes() == source.read_bytes()
    text = {"id": "x1", "title": "t", "op": "insert_text", "text": "# 风险清单\n共四项"}
    _, changed = _run(source, {**BLOCK, "actions": [text]})
    assert [line for line in _lines(changed) if line in ("风险清单", "共三项", "共四项")] == ["风险清单", "共四项"]
    _, back = _run(changed, {"op": "rollback_block", "block_id": "风险清单"})
    assert "延期\t12" in _lines(back)
    _, gone = _run(back, {"op": "delete_block", "block_id": "风险清单"})
    assert "风险清单" not in _lines(gone)


def test_a_chart_is_native_and_a_header_row_repeats(contract: Path) -> None:
    _, target = _run(contract, BLOCK)
    with zipfile.ZipFile(target) as archive:
        chart = archive.read("word/charts/chart1.xml").decode()
        names = archive.namelist()
    assert "<c:pieChart>" in chart
    assert "c:externalData" in chart
    assert "word/embeddings/Microsoft_Excel_Sheet1.xlsx" in names
    assert _part(target).count("<w:tblHeader/>") == 1


def test_anchors_that_are_missing_or_ambiguous_change_nothing(contract: Path) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"op": "insert_after_text", "anchor_text": "没有这句话", "text": "x"}, "anchor_missing"),
        ({"op": "insert_after_text", "anchor_text": "设备", "text": "x"}, "anchor_ambiguous"),
        ({"op": "add_comment", "anchor_text": "设备", "text": "x"}, "anchor_ambiguous"),
        ({"op": "replace_text", "find_text": "没有这句话", "replace_text": "x"}, "anchor_missing"),
        ({"op": "set_selection_by_text", "anchor_text": "设备", "occurrence": 9}, "occurrence_missing"),
        ({"op": "delete_block", "block_id": "无"}, "block_missing"),
        ({"op": "rollback_block", "block_id": "无"}, "no_backup"),
        ({"op": "set_table_cell_text", "row": 9, "col": 9, "text": "x"}, "no_cell"),
        ({"op": "set_table_cell_text", "table_index": 9, "row": 1, "col": 1, "text": "x"}, "no_table"),
        ({"op": "set_text_style", "bold": True}, "nothing_selected"),
        ({"op": "insert_image", "path": "../../etc/passwd"}, "picture_outside"),
        ({"op": "insert_image", "path": "none.png"}, "picture_missing"),
        ({"op": "add_comment", "address": "p999", "text": "x"}, "address_missing"),
        ({"op": "answer_mode_apply", "answers": [{"q": "77", "answer": "A"}]}, "no_question"),
        ({"op": "fill_template", "values": {"nobody": "x"}}, "placeholders_missing"),
        ({**BLOCK, "actions": [{"id": "i", "title": "t", "op": "insert_image", "path": "none.png"}]}, "inside_failed"),
    ]
    wrong = []
    for step, code in cases:
        done, target = _run(contract, step)
        codes = [one.code for one in done.skipped]
        said = [one.reason.text(language) for one in done.skipped for language in ("zh", "en")]
        if (
            codes != [code]
            or not done.unchanged
            or target.read_bytes() != contract.read_bytes()
            or any("…" in one for one in said)
        ):
            wrong.append((step, codes, said))
    assert wrong == []


def test_after_a_lost_cursor_nothing_is_written_at_a_wrong_place(contract: Path) -> None:
    lost = {"op": "set_selection_by_text", "anchor_text": "没有这句话"}
    done, _ = _run(contract, lost, {"op": "insert_text", "text": "x"}, {"op": "set_header", "text": "页眉"})
    assert [one.code for one in done.skipped] == ["anchor_missing", "cursor_lost"]
    assert [one.op for one in done.changes] == ["set_header"]


def test_text_goes_where_the_cursor_is(contract: Path) -> None:
    _, target = _run(
        contract,
        {"op": "set_selection_by_text", "anchor_text": "设备共十台", "position": "after"},
        {"op": "insert_text", "text": "（含备件）"},
    )
    assert "（一）设备共十台（含备件）。" in _lines(target)
    _, target = _run(contract, {"op": "insert_text", "text": "新"}, selection=Selection("p1", 2, 2))
    assert _lines(target)[0] == "买卖新合同"
    _, target = _run(contract, {"op": "insert_text", "text": "第一行\n第二行"})
    assert _lines(target)[-2:] == ["第一行", "第二行"]


def test_headings_and_lists_are_those_of_word(contract: Path) -> None:
    _, target = _run(
        contract,
        {"op": "insert_text", "text": "待办", "level": 2},
        {"op": "insert_text", "text": "甲\n乙", "list": "number"},
        {"op": "insert_text", "text": "丙", "list": "bullet"},
    )
    assert _lines(target)[-4:] == ["待办", "1. 甲", "2. 乙", "• 丙"]
    assert [(one.level, one.text) for one in read_document(target).outline][-1] == (2, "待办")


def test_only_chosen_changes_are_written(contract: Path) -> None:
    step = {"op": "replace_text", "find_text": "设备", "replace_text": "机器"}
    host = host_for(contract)
    preview = host.dry_run(_plan(step), contract, request=WriteRequest())
    assert [one.id for one in preview.changes] == ["a1", "a1#2"]
    done, target = _run(contract, step, chosen=frozenset({"a1#2"}))
    assert [one.id for one in done.changes] == ["a1#2"]
    assert _lines(target)[1:3] == ["第一条 甲方向乙方购买设备。", "（一）机器共十台。"]


@pytest.mark.parametrize("mode", ["direct", "tracked", "compare_table"])
@pytest.mark.parametrize("words", ["设备", "没有这个词"])
def test_a_dry_run_finds_what_the_write_does_and_packs_no_file(
    contract: Path, monkeypatch: pytest.MonkeyPatch, mode: Any, words: str
) -> None:
    step = {"op": "replace_text", "find_text": words, "replace_text": "机器"}
    written, _ = _run(contract, step, mode=mode)
    monkeypatch.setattr(Package, "save", lambda *_: pytest.fail("a file was packed"))
    files = set(contract.parent.iterdir())
    assert host_for(contract).dry_run(_plan(step), contract, request=WriteRequest(mode, at=AT)) == written
    assert set(contract.parent.iterdir()) == files


def test_a_compare_table_leaves_the_text_alone(contract: Path) -> None:
    step = {"op": "replace_text", "find_text": "质保期一年", "replace_text": "质保期两年"}
    done, target = _run(contract, step, mode="compare_table")
    lines = _lines(target)
    assert "（二）质保期一年。" in lines
    assert "第 4 段\t替换文字\t质保期一年。\t质保期两年。" in lines
    assert [one.after for one in done.changes] == ["质保期两年。"]


def test_a_long_row_may_break_over_pages_and_a_short_one_stays_whole(contract: Path) -> None:
    rows = [["位置", "修改后"], ["第一段", "短"], ["文末", "一行\n" * 40]]
    _, target = _run(contract, {"op": "insert_table", "rows": 3, "cols": 2, "header": True, "data": rows})
    written = [row for row in _part(target).split("<w:tr>") if any(one[0] in row for one in rows)]
    assert ["cantSplit" in row for row in written[-3:]] == [True, True, False]


def test_a_short_head_stays_on_one_line_beside_a_long_column(contract: Path) -> None:
    rows = [["位置", "操作", "原文", "修改后"], ["文末", "写入", "", "会议纪要，很长的一段文字" * 9]]
    step = {"op": "insert_table", "rows": 2, "cols": 4, "header": True, "data": rows}
    _, target = _run(contract, step, style={"fonts": {"bodySize": 18}})
    widths = [int(one) for one in re.findall(r'<w:gridCol w:w="(\d+)"', _part(target))][-4:]
    assert min(widths) >= 2 * 18 * 20  # two characters of 18 points
    assert widths[3] == max(widths)


def test_protected_and_signed_documents_stay_as_they_are(contract: Path) -> None:
    with zipfile.ZipFile(contract, "a") as archive:
        archive.writestr("_xmlsignatures/sig1.xml", "<Signature/>")
    before = contract.read_bytes()
    with pytest.raises(OfficeFileError) as caught:
        _run(contract, {"op": "insert_text", "text": "x"})
    assert caught.value.reason == "signed"
    assert contract.read_bytes() == before


def test_templates_and_answers_are_filled_in_place(tmp_path: Path) -> None:
    document = Document()
    paragraph = document.add_paragraph("致：{{cust")
    paragraph.add_run("omer}}").bold = True
    document.add_paragraph("1. 首都是（  ）。")
    document.add_paragraph("2. 一年有____个月，一周有____天。")
    document.add_paragraph("3. 简述理由。")
    document.add_paragraph("答：")
    document.sections[0].header.paragraphs[0].text = "${customer}"
    source = tmp_path / "模板.docx"
    document.save(str(source))
    answers = [{"q": "1", "answer": "北京"}, {"q": "2", "answer": "12；7"}, {"q": "3", "answer": "理由充分"}]
    steps = ({"op": "fill_template", "values": {"customer": "甲公司"}}, {"op": "answer_mode_apply", "answers": answers})
    done, target = _run(source, *steps)
    assert _lines(target) == [
        "致：甲公司",
        "1. 首都是（ 北京 ）。",
        "2. 一年有12个月，一周有7天。",
        "3. 简述理由。",
        "答：理由充分",
    ]
    assert read_document(target).pieces[-1].text == "甲公司"
    assert done.skipped == ()
    again, _ = _run(target, *steps)
    assert again.unchanged


def test_answers_of_questions_with_the_same_number_go_to_their_own_places(tmp_path: Path) -> None:
    source = tmp_path / "paper.docx"
    paper = Document()
    for line in ("一、选择题", "1. 首都是（ ）", "二、填空题", "1. 一年有____个月，", "一周有____天。", "签名：____"):
        paper.add_paragraph(line)
    paper.save(str(source))
    placed = [{"q": "1", "answer": "C", "addresses": "p2"}, {"q": "1", "answer": "12；7", "addresses": "p4 p5"}]
    done, target = _run(source, {"op": "answer_mode_apply", "answers": placed})
    assert _lines(target)[1:] == ["1. 首都是（ C ）", "二、填空题", "1. 一年有12个月，", "一周有7天。", "签名：____"]
    assert done.skipped == ()
    again, _ = _run(target, {"op": "answer_mode_apply", "answers": placed})
    assert again.unchanged
    unclear, _ = _run(source, {"op": "answer_mode_apply", "answers": [{"q": "1", "answer": "C"}]})
    assert [one.code for one in unclear.skipped] == ["several_questions"]
    assert unclear.unchanged


def test_page_measures_are_those_of_the_norm(contract: Path) -> None:
    _, target = _run(
        contract, {"op": "set_page_setup", "preset": "gbt9704"}, {"op": "set_page_numbers", "format": "dashes"}
    )
    section = Document(str(target)).sections[0]
    margins = [section.top_margin, section.left_margin, section.right_margin, section.bottom_margin]
    assert [round(one.mm) for one in margins if one is not None] == [37, 28, 26, 35]
    assert section.page_width is not None
    assert section.page_height is not None
    assert (round(section.page_width.mm), round(section.page_height.mm)) == (210, 297)
    assert 'w:linePitch="579"' in _part(target)
    page = read_document(target).page
    assert page is not None
    assert (page.top_mm, page.left_mm, page.lines_per_page, page.chars_per_line) == (37.0, 28.0, 22, 28)
    assert "— 1 —" in [piece.text for piece in read_document(target).pieces]


def test_a_new_document_is_a4_with_chinese_fonts_and_takes_a_plan(tmp_path: Path) -> None:
    create_blank(tmp_path / "新.docx")
    done, target = _run(tmp_path / "新.docx", BLOCK)
    assert done.skipped == ()
    assert _lines(target)[:3] == ["风险清单", "共三项", "风险\t金额"]
    page = read_document(target).page
    assert page is not None
    assert (round(page.width_mm), round(page.height_mm)) == (210, 297)
    assert 'w:eastAsia="黑体"' in _part(target, "word/styles.xml")


def test_chinese_fonts_are_set_where_word_looks_for_them(contract: Path) -> None:
    _, target = _run(
        contract, {"op": "apply_text_style_to_matches", "find_text": "购买", "font": "仿宋_GB2312", "size": 16}
    )
    assert 'w:eastAsia="仿宋_GB2312"' in _part(target)
    assert '<w:sz w:val="32"/>' in _part(target)


STYLE = {
    "fonts": {"eastAsia": "仿宋", "latin": "Arial", "headingSize": 22},
    "writer": {"body": {"size": 14, "color": "#333333"}, "heading": {"font": "黑体"}},
}


def test_new_text_has_the_fonts_sizes_and_colour_of_the_style_and_old_text_keeps_its_own(contract: Path) -> None:
    before = _part(contract)
    _, target = _run(contract, BLOCK, style=STYLE)
    written = _part(target)
    body = next(one for one in written.split("<w:r>") if "共三项" in one)
    assert all(part in body for part in ('w:eastAsia="仿宋"', 'w:ascii="Arial"', 'w:val="28"', 'w:val="333333"')), body
    heading = next(one for one in written.split("<w:r>") if ">风险清单<" in one)
    assert all(part in heading for part in ('w:eastAsia="黑体"', 'w:val="44"')), heading
    assert "仿宋" in next(one for one in written.split("<w:tc>") if "延期" in one)
    assert all(run in written for run in before.split("<w:r>")[1:4])


def test_a_plan_without_a_style_is_written_in_the_documents_own_format(contract: Path) -> None:
    _, target = _run(contract, BLOCK)
    assert "仿宋" not in next(one for one in _part(target).split("<w:r>") if "共三项" in one)
