"""Plans on decks: the user's template stays, nothing overflows or overlaps, a second run changes nothing."""

import io
import subprocess
from pathlib import Path
from shutil import which
from zipfile import ZipFile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Emu

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import load_plan
from metier.packs.office.slides import (
    OutlineSlide,
    create_blank,
    create_deck,
    find_overflow,
    read_deck,
    read_slides,
)

LONG = "\n".join(
    f"第{at}点：本季度在客户侧推进了若干重点项目，覆盖需求调研、方案评审、上线切换与培训等环节，整体进度符合预期，后续继续跟踪。"
    for at in range(1, 31)
)
ROWS = [
    ["序号", "风险", "措施"],
    *[[str(at), f"第{at}项风险：供应商交付延期", "提前锁定资源，每周跟踪并升级"] for at in range(1, 26)],
]
BLOCK: JsonObject = {
    "op": "upsert_block",
    "block_id": "汇报",
    "anchor": "end",
    "actions": [
        {"id": "1", "op": "add_slide", "title": "项目进展", "layout": 2, "content": LONG},
        {"id": "2", "op": "add_slide", "title": "关键指标", "layout": 11},
        {"id": "3", "title": "t", "op": "add_textbox", "text": "98.6%", "font_size": 60, "font_bold": True},
        {"id": "4", "title": "t", "op": "add_table", "rows": 26, "cols": 3, "data": ROWS},
        {"id": "5", "op": "add_slide", "title": "季度数据", "layout": 2},
        {
            "id": "6",
            "op": "add_chart",
            "title": "收入与成本",
            "chart_type": "column",
            "data": [["季度", "收入", "成本"], ["一季度", 120, 80], ["二季度", "150", 95]],
        },
        {"id": "7", "title": "t", "op": "set_notes", "text": "这一页要慢讲"},
        {"id": "8", "op": "add_slide", "title": "非常长的标题" * 12, "layout": 2, "content": "短"},
    ],
}
# One step of each other kind on the slides that are there.
STEPS: tuple[JsonObject, ...] = (
    BLOCK,
    {"op": "add_image", "path": "pic.png", "slide_index": 2},
    {"op": "add_shape", "shape_type": "chevron", "text": "立项", "fill_color": "#2F5597", "slide_index": 2},
    {"op": "insert_word_art", "text": "谢谢观看"},
    {"op": "add_hyperlink", "address": "https://example.org", "text_to_display": "主页", "slide_index": 2},
    {"op": "set_slide_transition", "effect": "push", "apply_to_all": True},
    {"op": "add_animation", "effect": "fade", "slide_index": 2, "target_index": 2},
    {"op": "set_animation_timing", "animation_index": 1, "duration": 2, "slide_index": 2},
    {"op": "set_slide_background", "color": "#F2F6FC"},
    {"op": "set_table_style", "style_name": "Table Grid", "apply_to_all": True},
    {"op": "set_slide_text_style", "font": "楷体", "apply_to_all": True},
    {"op": "set_slide_theme", "theme_name": "green"},
    {"op": "set_page_numbers"},
    {"op": "set_footer", "text": "内部资料"},
    {"op": "set_presentation_props", "title": "年度汇报"},
    {"op": "fill_placeholder", "text": "集团信息部", "placeholder_kind": "subtitle", "slide_index": 1},
    {"op": "duplicate_slide", "source_index": 1},
    {"op": "reorder_slides", "from_index": 2, "to_index": 4},
    {"op": "replace_text", "find_text": "背景", "replace_text": "项目背景"},
)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deck")
    Image.new("RGB", (640, 360), "#88aadd").save(folder / "pic.png")
    outline = [
        OutlineSlide("年度工作汇报", ("信息部",), is_cover=True),
        OutlineSlide("目录", ("背景", "进展"), notes="先讲背景"),
    ]
    (folder / "a.pptx").write_bytes(create_deck(outline))
    return folder / "a.pptx"


def run(source: Path, *actions: JsonObject, chosen: frozenset[str] | None = None) -> tuple[Execution, Path]:
    listed = [{"id": f"a{at}", "title": "步骤", **one} for at, one in enumerate(actions)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wpp", "meta": {}, "actions": listed}, host="wpp")
    assert loaded.plan is not None, [one.text("en") for one in loaded.problems]
    target = source.with_name(f"{source.stem}-out.pptx")
    return host_for("wpp").execute(loaded.plan, source, target, request=WriteRequest(chosen=chosen)), target


def parts(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def full(deck: Path) -> tuple[Execution, Path]:
    return run(deck, *STEPS)


def test_nothing_overflows_or_overlaps_even_with_too_much_content(full: tuple[Execution, Path]) -> None:
    done, out = full
    assert find_overflow(out) == ()
    view = read_deck(out)
    text = "\n".join(shape.text for slide in view.slides for shape in slide.shapes)
    assert all(f"第{at}点" in text and f"第{at}项风险" in text for at in range(1, 26)), "everything is on some slide"
    assert any("续" in slide.title for slide in view.slides)
    assert any("续到下一张" in warning.zh for warning in done.warnings)


def test_a_finished_deck_has_native_charts_notes_fonts_and_motion(full: tuple[Execution, Path]) -> None:
    _, out = full
    content = b"".join(value for name, value in parts(out).items() if name.startswith("ppt/slides/slide"))
    for mark in (
        b'<a:ea typeface="',
        b"<p:push",
        b"<p:animEffect",
        b"hlinkClick",
        b'type="sldNum"',
        "内部资料".encode(),
    ):
        assert mark in content, mark
    view = read_deck(out)
    assert (view.width, view.height) == (12_192_000, 6_858_000)
    kinds = [shape.kind for slide in view.slides for shape in slide.shapes]
    assert {"chart", "table", "picture", "title"} <= set(kinds)
    assert "这一页要慢讲" in [one.notes for one in read_slides(out)]
    chart = next(s for one in Presentation(str(out)).slides for s in one.shapes if s.has_chart).chart
    assert [list(series.values) for series in chart.plots[0].series] == [[120, 150], [80, 95]]


def test_the_same_plan_twice_leaves_the_file_byte_identical(full: tuple[Execution, Path], deck: Path) -> None:
    _, out = full
    copy = deck.with_name("again.pptx")
    copy.write_bytes(out.read_bytes())
    second, again = run(copy, *STEPS)
    assert second.unchanged
    assert again.read_bytes() == out.read_bytes()
    _, once = run(deck, BLOCK)
    single = deck.with_name("single.pptx")
    single.write_bytes(once.read_bytes())
    assert run(single, BLOCK)[0].unchanged, "a block is found by its names, without any other mark"


def test_untouched_parts_keep_their_bytes(deck: Path) -> None:
    _, out = run(deck, {"op": "fill_placeholder", "text": "新目录", "placeholder_kind": "title", "slide_index": 2})
    before, after = parts(deck), parts(out)
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"ppt/slides/slide2.xml"}


def test_a_block_is_replaced_in_place_and_deleted_whole(deck: Path) -> None:
    small: JsonObject = {**BLOCK, "actions": [{"id": "1", "op": "add_slide", "title": "一页", "layout": 2}]}
    _, out = run(deck, BLOCK)
    first = deck.with_name("first.pptx")
    first.write_bytes(out.read_bytes())
    _, out = run(first, small)
    assert [slide.title for slide in read_deck(out).slides] == ["年度工作汇报", "目录", "一页"]
    second = deck.with_name("second.pptx")
    second.write_bytes(out.read_bytes())
    _, out = run(second, {"op": "delete_block", "block_id": "汇报"})
    assert [slide.title for slide in read_deck(out).slides] == ["年度工作汇报", "目录"]


def test_bad_steps_name_their_place_and_leave_no_file(deck: Path) -> None:
    lonely = deck.with_name("lonely.pptx")
    lonely.write_bytes(deck.read_bytes())
    cases: tuple[tuple[JsonObject, str], ...] = (
        ({"op": "set_notes", "text": "x", "slide_index": 9}, "slide_index"),
        ({"op": "add_slide", "title": "x", "layout": 150}, "layout"),
        ({"op": "add_shape", "shape_type": "dragon"}, "shape_type"),
        ({"op": "add_image", "path": "/etc/passwd"}, "path"),
        ({"op": "add_hyperlink", "address": "javascript:alert(1)"}, "address"),
        ({"op": "add_chart", "data": [["甲", "乙"], ["a", "b"]]}, "data"),
        ({"op": "set_slide_theme", "template_path": "../x.pptx"}, "template_path"),
        ({"op": "fill_placeholder", "text": "x", "placeholder_index": 40}, "placeholder_index"),
        ({"op": "replace_text", "find_text": "没有这句", "replace_text": "x"}, "find_text"),
    )
    for action, place in cases:
        with pytest.raises(PlanStepError) as caught:
            run(lonely, action)
        assert f"actions[0].{place}" in str(caught.value), action
    assert not lonely.with_name("lonely-out.pptx").exists()


def test_an_outline_goes_onto_the_users_template(deck: Path) -> None:
    template = Presentation()
    template.slide_width, template.slide_height = Emu(9_144_000), Emu(6_858_000)
    template.slides.add_slide(template.slide_layouts[0])
    buffer = io.BytesIO()
    template.save(buffer)
    path = deck.with_name("template.pptx")
    path.write_bytes(buffer.getvalue())
    made = deck.with_name("made.pptx")
    made.write_bytes(
        create_deck([OutlineSlide("封面", is_cover=True), OutlineSlide("要点", tuple(LONG.split("\n")))], template=path)
    )
    view = read_deck(made)
    assert (view.width, view.slides[0].title) == (9_144_000, "封面")
    assert len(view.slides) > 2
    assert find_overflow(made) == ()
    create_blank(made)
    assert read_deck(made).slides == ()


def test_a_template_file_serves_as_template_and_stays_one(deck: Path) -> None:
    template = deck.with_name("own.potx")
    with ZipFile(deck) as source, ZipFile(template, "w") as target:
        for name in source.namelist():
            kind = (b"presentationml.presentation.main", b"presentationml.template.main")
            target.writestr(name, source.read(name).replace(*kind))
    made = deck.with_name("from-template.pptx")
    made.write_bytes(create_deck([OutlineSlide("封面", is_cover=True)], template=template))
    assert [slide.title for slide in read_deck(made).slides] == ["封面"]
    assert len(Presentation(str(made)).slides) == 1


@pytest.mark.skipif(which("soffice") is None, reason="needs LibreOffice")
def test_libreoffice_opens_the_result_and_keeps_the_block(full: tuple[Execution, Path], deck: Path) -> None:
    _, out = full
    folder = deck.parent / "converted"
    command = ["soffice", f"-env:UserInstallation=file://{deck.parent}/profile", "--headless", "--convert-to", "pptx"]
    done = subprocess.run([*command, "--outdir", folder, out], capture_output=True, check=False, timeout=180)
    converted = folder / out.name
    if not converted.exists():
        pytest.skip(f"LibreOffice has no slides here: {done.stderr.decode()[-200:]}")
    count = len(read_deck(converted).slides)
    assert count == len(read_deck(out).slides)
    _, again = run(converted, BLOCK)
    titles = [slide.title for slide in read_deck(again).slides]
    assert titles.count("关键指标") == titles.count("季度数据") == titles.count("项目进展") == 1
    assert find_overflow(again) == ()


def test_rows_and_cells_of_a_table_change_once_and_keep_their_look(tmp_path: Path) -> None:
    source = tmp_path / "table.pptx"
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    table = slide.shapes.add_table(3, 2, Emu(0), Emu(0), Emu(4_000_000), Emu(1_200_000)).table
    for row, cells in enumerate((("Work", "Days"), ("Floor", "4"), ("Paint", "5"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
            table.cell(row, column).text_frame.paragraphs[0].runs[0].font.bold = True
    made.save(str(source))
    steps: tuple[JsonObject, ...] = (
        {"op": "edit_slide_table", "change": "set_cell", "row": 2, "col": 2, "text": "6", "slide_index": 1},
        {"op": "edit_slide_table", "change": "insert_row", "row": 3, "values": ["Doors", "2"], "slide_index": 1},
        {"op": "edit_slide_table", "change": "delete_row", "row": 4, "expected": "Paint\t5", "slide_index": 1},
    )
    done, target = run(source, *({"id": f"s{at}", **one} for at, one in enumerate(steps)))
    assert len(done.changes) == 3
    read = Presentation(str(target)).slides[0].shapes[-1].table
    assert [[cell.text for cell in row.cells] for row in read.rows] == [
        ["Work", "Days"],
        ["Floor", "6"],
        ["Doors", "2"],
    ]
    assert all(run.font.bold for cell in read.rows[2].cells for run in cell.text_frame.paragraphs[0].runs)
    assert run(target, *({"id": f"s{at}", **one} for at, one in enumerate(steps)))[0].unchanged


def test_a_table_is_the_same_one_when_it_is_read_and_when_it_is_written(tmp_path: Path) -> None:
    """Tables out of their order on the slide, one with a line break in a cell."""
    from metier.packs.office.analysis import Reading
    from metier.packs.office.orders import read_orders

    source = tmp_path / "tables.pptx"
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    for top, rows in (
        (4_000_000, (("Work", "Status"), ("Walls", "Late"), ("Doors", "On time"), ("Roof", "On time"))),
        (1_400_000, (("Work", "Status"), ("Shelves\nand boxes", "Late"), ("Paint", "On time"))),
        (2_600_000, (("Work", "Status"), ("Lights", "Late"), ("Floor", "On time"), ("Steps", "On time"))),
    ):
        table = slide.shapes.add_table(len(rows), 2, Emu(0), Emu(top), Emu(4_000_000), Emu(900_000)).table
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
    made.save(str(source))
    found = read_orders(
        "put the lights as on time", Reading("a.pptx", "pptx", slides=read_slides(source)), language="en"
    )
    _, target = run(source, *found.actions)
    tables = [one.table for one in Presentation(str(target)).slides[0].shapes if one.has_table]
    assert [one.cell(1, 1).text for one in tables] == ["Late", "Late", "On time"]


def test_a_row_that_is_added_has_an_id_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "ids.pptx"
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    table = slide.shapes.add_table(3, 1, Emu(0), Emu(0), Emu(4_000_000), Emu(900_000)).table
    for number, row in enumerate(table._tbl.tr_lst):
        table.cell(number, 0).text = f"r{number}"
        part = row.makeelement(
            "{http://schemas.microsoft.com/office/drawing/2014/main}rowId", {"val": str(100 + number)}
        )
        row.append(part)
    made.save(str(source))
    _, target = run(
        source,
        {"id": "s1", "op": "edit_slide_table", "change": "insert_row", "values": ["x"], "slide_index": 1},
        {"id": "s2", "op": "edit_slide_table", "change": "delete_row", "row": 2, "expected": "r1", "slide_index": 1},
        {"id": "s3", "op": "edit_slide_table", "change": "insert_row", "values": ["y"], "slide_index": 1},
    )
    tree = Presentation(str(target)).slides[0].shapes[-1].table._tbl
    ids = [one.get("val") for one in tree.iter("{http://schemas.microsoft.com/office/drawing/2014/main}rowId")]
    assert len(set(ids)) == len(ids) == 4


def test_new_slides_have_the_fonts_and_sizes_of_the_plans_style(deck: Path) -> None:
    style: JsonObject = {"fonts": {"eastAsia": "仿宋", "heading": "黑体"}, "wpp": {"body": {"size": 17}}}
    step: JsonObject = {"id": "a", "op": "add_slide", "title": "风险", "content": "工期紧\n人手少"}
    loaded = load_plan(
        {"schema_version": "ah32.plan.v1", "host_app": "wpp", "meta": {"style_spec": style}, "actions": [step]},
        host="wpp",
    )
    assert loaded.plan is not None, [one.text("en") for one in loaded.problems]
    target = deck.with_name("styled.pptx")
    host_for("wpp").execute(loaded.plan, deck, target, request=WriteRequest())
    new = next(
        text.decode() for name, text in parts(target).items() if "slides/slide" in name and "工期紧".encode() in text
    )
    title, body = (next(one for one in new.split("<a:r>") if word in one) for word in ("风险", "工期紧"))
    assert "黑体" in title
    assert "仿宋" in body
    assert 'sz="1700"' in body
