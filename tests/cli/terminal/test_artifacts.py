"""Tables and charts on a terminal."""

from metier.cli.terminal._artifacts import render_chart, render_table
from metier.json_values import JsonObject

COLUMNS: list[JsonObject] = [{"key": "cell", "title": "小区"}, {"key": "rsrp", "title": "RSRP", "unit": "dBm"}]


def test_a_table_shows_its_first_rows_and_counts_the_rest() -> None:
    rows = [[f"A|{number}", None if number else -90.5] for number in range(20)]
    text = render_table({"title": "指标", "columns": COLUMNS, "rows": rows, "total": 20, "offset": 0})
    assert text.splitlines()[:5] == ["**指标** (20)", "", "| 小区 | RSRP (dBm) |", "|---|---|", "| A\\|0 | -90.5 |"]
    assert text.splitlines()[-1] == "… +14"


def test_later_pages_of_a_table_are_silent() -> None:
    assert render_table({"rows": [[1]], "offset": 500}) == ""


def test_a_chart_shows_its_numbers() -> None:
    spec: JsonObject = {"kind": "line", "title": "走势", "columns": COLUMNS, "rows": [["A", -90]]}
    assert "| A | -90 |" in render_chart({"spec": spec})


def test_a_map_is_only_named() -> None:
    spec: JsonObject = {"kind": "heatmap", "title": "RSRP", "columns": COLUMNS, "rows": [["A", -90]] * 1600}
    assert render_chart({"spec": spec}) == "**RSRP [heatmap]** (1600)"
