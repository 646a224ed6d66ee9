"""A conversation as a document: what is in it, what is not, and what hostile content does to it."""

import re
import struct
import zlib
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import docx
import pytest
from markdown_it import MarkdownIt

from metier.exports import ExportDocument, build_document, draw_chart, draw_png, write_document
from metier.exports._blocks import TableBlock, TextBlock, TextRun
from metier.exports._drawing import LabelShape, PathShape
from metier.exports._fonts import FONT_FILE, register_font, replace_missing
from metier.exports._read import MAX_ROWS
from metier.json_values import JsonObject
from metier.language import Language
from metier.store import Conversation, Event, EventKind

NOW = datetime(2026, 1, 20, 8, 0, tzinfo=UTC)
COLUMNS: list[Any] = [
    {"key": "cell", "title": "小区", "type": "text", "unit": ""},
    {"key": "rsrp", "title": "RSRP", "type": "number", "unit": "dBm"},
]
CHART: dict[str, Any] = {
    "kind": "grouped_bar",
    "title": "优化前后",
    "columns": COLUMNS,
    "rows": [["A", -104.5], ["B", -98.0]],
    "x": "cell",
    "y": ["rsrp"],
    "group": "",
    "thresholds": [{"value": -110.0, "title": "门限 −110"}],
    "note": "24 / 96",
}


def make_events(*given: tuple[EventKind, JsonObject]) -> list[Event]:
    return [Event("c1", "t1", number, NOW, kind, data) for number, (kind, data) in enumerate(given, 1)]


def make_document(*given: tuple[EventKind, JsonObject], language: Language | None = None) -> ExportDocument:
    conversation = Conversation("c1", "ann", None, None, None, None, NOW, NOW, 1)
    return build_document(conversation, make_events(*given), NOW, language=language)


def make_png(header: bytes) -> bytes:
    """A grey picture of 8 by 8 with this header."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress((b"\x00" + b"\x80" * 8) * 8)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def make_report(rows: int = 3) -> ExportDocument:
    table: dict[str, Any] = {
        "table": "x",
        "call": "k1",
        "title": "小区级",
        "columns": COLUMNS,
        "rows": [[f"小区{number}", -100.25 - number] for number in range(rows)],
        "offset": 0,
        "total": 5 * rows,
        "kept": rows,
        "more": False,
    }
    return make_document(
        ("turn.started", {"message": "分析朝阳区", "skill": None}),
        ("tool.called", {"call": "k1", "tool": "query_root_cause_analysis", "arguments": {"digitaltwins_id": "D1"}}),
        ("table", table),
        ("text.done", {"text": "是否仿真？"}),
        ("pause.opened", {"pause": "p", "text": "是否仿真？", "choices": [{"text": "需要", "value": True}]}),
        ("pause.answered", {"pause": "p", "answer": True}),
        ("chart", {"chart": "y", "call": "k1", "spec": CHART}),
        ("chart", {"chart": "z", "call": "k1", "spec": {**CHART, "kind": "heatmap", "group": "cell"}}),
        (
            "text.done",
            {"text": "## 结论\n\n**弱覆盖** 53 个小区。\n\n- 一\n- 二\n\n| a | b |\n|---|---|\n| 1 | <b>2</b> |"},
        ),
    )


def test_every_format_has_the_words_the_tables_and_the_charts_and_no_machinery() -> None:
    document = make_report()
    markdown = write_document(document, "md").decode()
    page = write_document(document, "html").decode()
    word = docx.Document(BytesIO(write_document(document, "docx")))
    pdf = write_document(document, "pdf")
    for text in (markdown, page):
        for words in (
            "分析朝阳区",
            "提问：是否仿真？",
            "回答：需要",
            "结论",
            "小区级",
            "−110" if text is page else "优化前后",
        ):
            assert words in text
        assert "共 15 行，列出前 3 行。" in text
        assert not re.search(r"query_root_cause|digitaltwins_id|k1", re.sub(r"base64,\S+", "", text))
    assert markdown.index("结论") < markdown.index("小区级")
    assert page.count("<svg") == 2
    assert MarkdownIt("commonmark").render(markdown).count('<img src="data:image/png;base64,iVBORw0KGgo') == 2
    assert "<b>2" not in page
    assert "&lt;b&gt;2" in page
    assert [len(table.rows) for table in word.tables] == [2, 4]
    assert len(word.inline_shapes) == 2
    assert pdf.startswith(b"%PDF")
    assert b"NotoSansSC" in pdf


def test_hostile_content_is_harmless_and_limits_are_told() -> None:
    odd = '\x00\x07\ud800=HYPERLINK("x")|<script>alert(1)</script>\u202e😀 ]]> & 𠮷\n' + "长" * 5000
    table: dict[str, Any] = {
        "table": "x",
        "call": "k",
        "title": odd[:300],
        "columns": [{"key": str(at), "title": odd[:80], "type": "text", "unit": ""} for at in range(40)],
        "rows": [[odd] * 40 for _ in range(MAX_ROWS + 50)],
        "offset": 0,
        "total": MAX_ROWS + 50,
        "kept": MAX_ROWS + 50,
        "more": False,
    }
    chart: dict[str, Any] = {**CHART, "title": odd[:200], "rows": [[odd[:50], 1e308], ["b", -1e308], ["c", None]]}
    document = make_document(
        ("turn.started", {"message": odd, "skill": None}),
        (
            "text.done",
            {"text": f"# {odd}\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![i](file:///etc/passwd)"},
        ),
        ("table", {**table, "rows": table["rows"][:30]}),
        ("chart", {"chart": "y", "call": "k", "spec": chart}),
        ("chart", {"chart": "y", "call": "k", "spec": {"kind": "line", "rows": "no"}}),
        ("turn.failed", {"code": "x", "message": odd}),
        language="en",
    )
    page = write_document(document, "html").decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'javascript:alert(1)"' not in page
    assert "30 of 250 rows." in page
    assert "12 of 40 columns." in page
    assert docx.Document(BytesIO(write_document(document, "docx"))).tables
    assert write_document(document, "pdf").startswith(b"%PDF")
    assert write_document(document, "md")


def test_markdown_holds_no_markup_that_somebody_else_wrote() -> None:
    odd = "<script>x</script> ![p](http://evil.example/p.png) [a](javascript:alert) `b` ~~~ c\\[d](e)"
    columns = [{"key": "a", "title": odd}]
    document = make_document(
        ("turn.started", {"message": odd, "skill": None}),
        ("turn.started", {"message": "again", "skill": None}),
        ("text.done", {"text": r"\![x](http://evil.example/q.png) \<b> and `` a`b `` and **\[c](d)**"}),
        ("table", {"table": "x", "title": odd, "columns": columns, "rows": [[odd]], "total": 1}),
        ("chart", {"chart": "y", "call": "k", "spec": {**CHART, "title": odd, "note": odd}}),
        language="en",
    )
    text = write_document(document, "md").decode()
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert [tag for tag in ("<script", "<a ", "<b>") if tag in shown] == []
    assert re.findall('<img src="(data:image/png|[^"]*)', shown) == ["data:image/png"]  # the chart, which is ours
    assert shown.count("&lt;script&gt;") == 7
    assert "<code>a`b</code>" in shown
    assert r"c\[d](e)" in shown


def test_small_and_large_numbers_are_told_in_tables() -> None:
    values = [1e-7, -0.00123456, 0.0, -0.0, 12.34567, 98.0, 1e300, -1.5e15, 7]
    columns = [{"key": "a", "title": "n", "type": "number"}]
    rows = [[value] for value in values]
    document = make_document(("table", {"table": "x", "columns": columns, "rows": rows, "total": len(rows)}))
    (table,) = [block for block in document.blocks if isinstance(block, TableBlock)]
    told = ["1e-07", "-0.001235", "0.0000", "0.0000", "12.3457", "98.0000", "1e+300", "-1.5e+15", "7.0000"]
    assert [row[0] for row in table.rows] == told


def test_damaged_and_huge_pictures_are_named_and_leave_the_rest_of_the_document() -> None:
    wide = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    pictures = {
        "nothing.png": b"\x89PNG\r\n\x1a\n",
        "nothing.jpg": b"\xff\xd8\xff",
        "zero.png": make_png(struct.pack(">IIBBBBB", 0, 0, 1, 0, 0, 0, 0)),
        "huge.png": make_png(wide),
        "cut.png": make_png(struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))[:50],
        "good.png": make_png(struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)),
    }
    given: list[tuple[EventKind, JsonObject]] = [
        ("image", {"path": path, "media_type": "image/jpeg" if path.endswith("jpg") else "image/png"})
        for path in pictures
    ]
    conversation = Conversation("c1", "ann", None, None, None, None, NOW, NOW, 1)
    document = build_document(conversation, make_events(*given), NOW, language="en", read_image=pictures.get)
    word = docx.Document(BytesIO(write_document(document, "docx")))
    assert len(word.inline_shapes) == 1
    assert [p.text for p in word.paragraphs].count("The picture is damaged or too large to show.") == 5
    assert write_document(document, "pdf").startswith(b"%PDF")
    assert write_document(document, "html").count(b"<img") == 6


def test_what_a_text_holds_is_limited_like_the_tables_of_tools() -> None:
    texts = {
        "many columns": ("|" + "a|" * 2000 + "\n|" + "-|" * 2000 + "\n|" + "b|" * 2000, "12 of 2000 columns."),
        "many rows": ("|a|b|\n|-|-|\n" + "|x|y|\n" * 3_000, f"{MAX_ROWS} of 3000 rows."),
        "many items": ("- x\n" * 3_000, f"{MAX_ROWS} of 3000 rows."),
        "many headings": ("# x\n" * 3_000, "The document ends here"),
        "a long heading": ("# " + "W" * 90_000, "W" * 500),
        "many lines": ("a\n" * 2_000, "a\na"),
    }
    wrong = []
    for name, (text, told) in texts.items():
        document = make_document(("text.done", {"text": text}), language="en")
        if told not in write_document(document, "md").decode():
            wrong.append(name)
        paragraphs = [block for block in document.blocks if isinstance(block, TextBlock)]
        if max(len(block.runs) for block in paragraphs) > 3:
            wrong.append(name)
        if name in ("many columns", "many lines", "a long heading"):
            write_document(document, "pdf")
    assert wrong == []


def test_negative_bars_stand_on_the_axis_so_that_the_worst_is_the_shortest() -> None:
    from metier.exports._charts import draw_chart
    from metier.exports._drawing import BoxShape

    drawing = draw_chart(CHART)
    assert drawing is not None
    worst, best = [one for one in drawing.shapes if isinstance(one, BoxShape) and one.width > 20]
    assert worst.height < best.height
    assert any(isinstance(one, PathShape) and one.is_dashed for one in drawing.shapes)


def test_cursors_stand_at_their_numbers_and_a_line_has_gaps_where_it_has_no_values() -> None:
    rows: Any = [[at / 10, at, 5.0 if at in (10, 11, 12, 40, 41) else None] for at in range(101)]
    columns: Any = [{"key": key} for key in ("n", "level", "alarm")]
    cursors: Any = [{"title": "BPFI", "at": [5.0, 20.0], "sides": [2.5]}, {"title": "1×", "at": [1.0]}]
    spec: JsonObject = {"kind": "line", "columns": columns, "rows": rows, "x": "n", "y": ["level", "alarm"]}
    drawing = draw_chart({**spec, "cursors": cursors})
    assert drawing is not None
    paths = [one for one in drawing.shapes if isinstance(one, PathShape)]
    lines = [one.points for one in paths if one.width == 2.0]
    assert [len(one) for one in lines] == [101, 3, 2]
    left, right = lines[0][0][0], lines[0][-1][0]
    upright = {
        round((one.points[0][0] - left) / (right - left) * 10, 3)
        for one in paths
        if len(one.points) == 2 and one.points[0][0] == one.points[1][0]
    }
    assert upright == {5.0, 2.5, 1.0}
    labels = [one.text for one in drawing.shapes if isinstance(one, LabelShape)]
    assert (labels.count("BPFI"), labels.count("1×")) == (2, 2), "at the line and in the legend"
    assert draw_png(drawing)


def test_a_heatmap_of_a_place_has_square_cells() -> None:
    from metier.exports._charts import draw_chart
    from metier.exports._drawing import BoxShape

    columns = [{"key": key, "title": key, "type": "number", "unit": ""} for key in ("east", "north", "rsrp")]
    rows = [[east, north, -90.0 - east] for east in range(4) for north in range(4)]
    places: JsonObject = {"columns": columns, "x": "east", "group": "north", "y": ["rsrp"], "rows": rows}
    drawing = draw_chart({"kind": "heatmap", "title": "", **places})
    assert drawing is not None
    assert [one.width == one.height for one in drawing.shapes if isinstance(one, BoxShape)][:16] == [True] * 16


def test_every_numbered_list_of_a_word_file_starts_at_one() -> None:
    said: JsonObject = {"text": "1. first\n2. second\n\nthen\n\n1. other\n2. last"}
    document = make_document(("turn.started", {"message": "hi", "skill": None}), ("text.done", said))
    word = docx.Document(BytesIO(write_document(document, "docx")))
    numbered = [one for one in word.paragraphs if one.style is not None and one.style.name == "List Number"]
    assert len(numbered) == 4
    ids = [one._p.pPr.numPr.numId.val for one in numbered]  # type: ignore[union-attr]
    assert ids[0] == ids[1] != ids[2] == ids[3]


def test_the_font_has_the_characters_of_both_languages_and_shows_a_box_for_others() -> None:
    known = register_font()
    assert (
        replace_missing("覆盖优化 RSRP −110 dBm ≥ 95 % “下倾角”。→✓", known)
        == "覆盖优化 RSRP −110 dBm ≥ 95 % “下倾角”。→✓"
    )
    assert replace_missing("😀", known) == "□"
    names = "王喆李堃张赟陈翀林玥周垚㛃囍張灣"
    assert replace_missing(names, known) == names
    assert FONT_FILE.with_name("OFL.txt").is_file()


def test_a_pdf_names_every_character_that_it_cannot_show() -> None:
    from pypdf import PdfReader

    table = TableBlock("", ("姓名", "部门"), (("𠮷田喆", "财务 😀\ufe0f"),), (False, False))
    words = TextBlock((TextRun("王𠮷"),))
    for blocks, points in (((words, table), ("2", "U+1F600", "U+20BB7")), ((TextBlock((TextRun("王喆"),)),), ())):
        made = write_document(ExportDocument("名单", "zh", blocks), "pdf")
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(made)).pages)
        assert all(one in text for one in points)
        assert ("显示为" in text) is bool(points)
        assert "喆" in text


def test_a_missing_library_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from metier.errors import Unavailable

    monkeypatch.setitem(sys.modules, "reportlab.lib.pagesizes", None)
    with pytest.raises(Unavailable, match="pdf files cannot be written here"):
        write_document(make_report(), "pdf")


def test_what_an_approver_was_shown_is_in_the_document() -> None:
    words = {"zh": "新值", "en": "new"}
    preview: JsonObject = {
        "sentence": {"zh": "将改动 1 处", "en": "1 change"},
        "columns": [{"key": "after", "title": words, "unit": "°"}],
        "rows": [{"id": "a", "values": {"after": 7.5}}],
    }
    call: JsonObject = {"id": "k", "name": "apply_parameters", "args": {}, "title": "下发参数", "preview": preview}
    asked: JsonObject = {"pause": "p", "text": "是否执行下发参数？", "calls": [call]}
    document = make_document(
        ("turn.started", {"message": "下发参数", "skill": None}),
        ("pause.opened", asked),
        ("pause.answered", {"pause": "p", "answer": {"decision": "approve"}}),
    )
    text = write_document(document, "md").decode()
    assert "将改动 1 处" in text
    assert "| 1 | 7.5 |" in text
    assert "apply_parameters" not in text


def test_a_map_is_drawn_per_layer_with_its_stages_on_one_scale() -> None:
    bands = [{"low": None, "high": -110.0, "title": "弱"}, {"low": -110.0, "high": None, "title": "好"}]
    spec: JsonObject = {
        "title": "RSRP",
        "measure": "RSRP",
        "unit": "dBm",
        "difference_unit": "dB",
        "width_m": 100.0,
        "height_m": 100.0,
        "columns": 2,
        "rows": 1,
        "layers": [
            {
                "id": "4G",
                "title": "4G",
                "stages": [{"stage": "before", "values": [-120.0, -90.0]}, {"stage": "after", "values": [-90.0, None]}],
            }
        ],
        "bands": bands,
        "difference_bands": [],
        "sites": [{"id": "s", "title": "S", "x_m": 50.0, "y_m": 50.0}],
        "sectors": [{"id": "c", "site": "s", "layer": "4G", "azimuth_deg": 90.0, "beamwidth_deg": 65.0, "changes": ""}],
        "ground": [],
        "note": "每格约 50 米",
    }
    page = write_document(
        make_document(
            ("turn.started", {"message": "地图", "skill": None}), ("map", {"map": "m", "call": "k", "spec": spec})
        ),
        "html",
    ).decode()
    for words in ("RSRP · 4G", "优化前 · RSRP (dBm)", "优化后 · RSRP (dBm)", "每格约 50 米", "弱", "#a50026"):
        assert words in page


def test_a_turn_begun_by_a_command_is_told_in_the_words_of_its_answer() -> None:
    options: list[Any] = [{"value": "tilt", "label": "下倾角"}, {"value": "power", "label": "功率"}]
    fields: list[Any] = [{"name": "kinds", "title": "参数", "options": options}, {"name": "range", "title": "范围"}]
    document = make_document(
        ("turn.started", {"message": "/simulation_plan"}),
        ("skill.activated", {"skill": "simulation_plan", "title": "自定义仿真"}),
        ("pause.opened", {"pause": "p", "text": "还需要这些", "form": {"fields": fields}}),
        ("pause.answered", {"pause": "p", "answer": {"kinds": ["tilt", "power"], "range": [0, 20]}}),
        ("text.done", {"text": "仿真完成。"}),
    )
    text = write_document(document, "html").decode()
    assert (document.language, document.title) == ("zh", "自定义仿真")
    assert "/simulation_plan" not in text
    assert "Exported" not in text
    assert "[" not in text.partition("<body")[2]
    assert "参数：下倾角" in text
    assert "功率；范围：0" in text
    assert "tilt" not in text
