"""Events as text."""

from typing import Any, get_args

from metier.event_text import render_calls, render_chart, render_pause, render_shown, render_table
from metier.events import ChartSpec
from metier.json_values import JsonObject, JsonValue
from metier.language import language_of

COLUMNS: list[JsonObject] = [{"key": "cell", "title": "小区"}, {"key": "rsrp", "title": "RSRP", "unit": "dBm"}]


def test_numbers_of_a_column_have_the_same_digits() -> None:
    columns: list[JsonValue] = [{"key": "a", "title": "a"}, {"key": "b", "title": "b"}, {"key": "c", "title": "c"}]
    rows: list[JsonValue] = [[47, 1, 0.00000004], [41.0, 2, 3], [45.25, 3, None]]
    text = render_table({"columns": columns, "rows": rows, "total": 3})
    assert text.splitlines()[2:] == ["| 47.00 | 1 | 4e-08 |", "| 41.00 | 2 | 3 |", "| 45.25 | 3 | – |"]


def test_a_table_shows_its_first_rows_and_counts_the_rest() -> None:
    rows = [[f"A|{number}", None if number else -90.5] for number in range(20)]
    text = render_table({"title": "指标", "columns": COLUMNS, "rows": rows, "total": 20, "offset": 0}, max_rows=6)
    assert text.splitlines()[:5] == ["**指标** (20)", "", "| 小区 | RSRP (dBm) |", "|---|---|", "| A\\|0 | -90.5 |"]
    assert text.splitlines()[-1] == "… 6 / 20"


def test_later_pages_of_a_table_are_silent() -> None:
    assert render_table({"rows": [[1]], "offset": 500}) == ""


def test_a_chart_shows_its_numbers() -> None:
    spec: JsonObject = {"kind": "line", "title": "走势", "columns": COLUMNS, "rows": [["A", -90]]}
    assert "| A | -90 |" in render_chart({"spec": spec})


def test_a_map_is_only_named() -> None:
    spec: JsonObject = {"kind": "heatmap", "title": "RSRP", "columns": COLUMNS, "rows": [["A", -90]] * 1600}
    assert render_chart({"spec": spec}) == "**RSRP (heat map)** (1600)"


def test_a_question_numbers_its_choices() -> None:
    choices: list[JsonObject] = [{"text": "发", "value": True}, {"text": "不发", "value": False}]
    assert render_pause({"text": "要发出去吗？", "choices": choices}) == "要发出去吗？\n1. 发\n2. 不发"


def test_a_call_that_waits_shows_what_it_would_do_with_numbered_rows() -> None:
    title = {"zh": "原值", "en": "was"}
    preview: JsonObject = {
        "sentence": {"zh": "两处", "en": "two"},
        "columns": [{"key": "old", "title": title, "unit": "°"}],
        "rows": [{"id": "a", "values": {"old": 3.0}}, {"id": "b", "values": {"old": {"zh": "无", "en": "none"}}}],
        "totals": [{"title": title, "value": 2, "unit": ""}],
    }
    call: JsonObject = {"title": "下发", "details": [{"title": "场景", "value": "朝阳"}], "preview": preview}
    assert render_pause({"text": "是否执行？", "calls": [call]}).splitlines() == [
        "是否执行？",
        "**下发** (场景: 朝阳)",
        "两处",
        "原值: 2",
        "",
        "| # | 原值 (°) |",
        "|---|---|",
        "| 1 | 3 |",
        "| 2 | 无 |",
    ]
    assert "was: 2" in render_pause({"text": "Shall I?", "calls": [call]})


def test_a_table_without_a_title_has_no_title_line() -> None:
    assert render_table({"columns": COLUMNS[:1], "rows": [["a\nb"]], "total": 1}).splitlines() == [
        "| 小区 |",
        "|---|",
        "| a b |",
    ]


def test_a_preview_shows_all_its_columns() -> None:
    columns = [{"key": f"c{at}", "title": {"zh": f"列{at}", "en": f"column {at}"}} for at in range(14)]
    row = {"id": "1", "values": {f"c{at}": at for at in range(14)}}
    preview: dict[str, Any] = {
        "sentence": {"zh": "改动", "en": "changes"},
        "columns": columns,
        "rows": [row],
        "totals": [],
    }
    (text,) = render_calls(
        {"text": "Approve?", "calls": [{"id": "a", "name": "write", "args": {}, "preview": preview}]}
    )
    assert "column 13" in text


def test_what_a_question_shows_is_a_table_or_lines_and_never_json() -> None:
    rows: list[JsonValue] = [{"方面": "收入", "权重": 3}, {"方面": "成长", "权重": 5}]
    table = "| 方面 | 权重 |\n|---|---|\n| 收入 | 3 |\n| 成长 | 5 |"
    assert [render_shown(one) for one in (rows, {"table": rows})] == [table, table]
    assert render_shown({"city": "Lyon", "count": 2}) == "- city: Lyon\n- count: 2"
    others: tuple[JsonValue, ...] = (["a", 1], "as it is", None)
    assert [render_shown(one) for one in others] == ["- a\n- 1", "as it is", ""]
    assert render_pause({"text": "打分：", "show": {"table": rows}}) == f"打分：\n{table}"


def test_every_kind_of_chart_is_named_in_the_language_of_its_title() -> None:
    kinds = {str(kind) for kind in get_args(ChartSpec.model_fields["kind"].annotation)} - {"table"}
    for title in ("Coverage", "覆盖"):
        heads = {render_chart({"spec": {"kind": kind, "title": title}}).splitlines()[0] for kind in kinds}
        assert len(heads) == len(kinds)
        assert all(f"{title} (" in head or (f"{title}（" in head and "_" not in head) for head in heads)
        assert {language_of(head) for head in heads} == {language_of(title)}
