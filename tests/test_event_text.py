"""Events as text."""

from metier.event_text import render_chart, render_pause, render_table
from metier.json_values import JsonObject

COLUMNS: list[JsonObject] = [{"key": "cell", "title": "小区"}, {"key": "rsrp", "title": "RSRP", "unit": "dBm"}]


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
    assert render_chart({"spec": spec}) == "**RSRP [heatmap]** (1600)"


def test_a_question_numbers_its_choices() -> None:
    choices: list[JsonObject] = [{"text": "发", "value": True}, {"text": "不发", "value": False}]
    assert render_pause({"text": "要发出去吗？", "choices": choices}) == "要发出去吗？\n1. 发\n2. 不发"


def test_a_table_without_a_title_has_no_title_line() -> None:
    assert render_table({"columns": COLUMNS[:1], "rows": [["a\nb"]], "total": 1}).splitlines() == [
        "| 小区 |",
        "|---|",
        "| a b |",
    ]
