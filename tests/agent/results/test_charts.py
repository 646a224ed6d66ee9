"""Charts: data and nothing else, shown to the user and told to the model in one line."""

import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import StructuredTool

from metier.agent import CHART_KINDS, ChartMiddleware, TableMiddleware, read_chart
from metier.agent.middleware._results import show_chart_tool
from metier.agent.results._chart_spec import MAX_POINTS
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.store import EventDraft
from metier.testing import FakeModel
from metier.tools import check_parameters
from tests.agent.support import answers, asked, both_ways, run

ROWS: list[JsonValue] = [{"cell": "A", "day": 1, "rsrp": -101.5}, {"cell": "B", "day": 2, "rsrp": None}]


def chart(**changes: JsonValue) -> dict[str, JsonValue]:
    return {"kind": "line", "title": "覆盖趋势", "rows": ROWS, "x": "day", "y": ["rsrp"], **changes}


def agent_of(model: FakeModel, events: list[EventDraft], result: object = "nothing") -> Any:
    def compare() -> object:
        """Compare before and after."""
        return result

    middleware = [TableMiddleware(on_event=events.append), ChartMiddleware(on_event=events.append)]
    return create_agent(model, [StructuredTool.from_function(compare)], middleware=middleware)


@both_ways
async def test_the_model_shows_a_chart_and_reads_one_line(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().call("show_chart", **chart(group="cell")).say("好了。")
    (answer,) = answers(await run(way, agent_of(model, events), asked("画个图")))
    assert answer.text == "已向用户展示折线图《覆盖趋势》：2 个数据点，指标 rsrp"
    (event,) = events
    spec: Any = event.data["spec"]
    assert (event.kind, event.data["call"], spec["kind"], spec["group"]) == ("chart", "call-1", "line", "cell")
    assert spec["rows"] == [["A", 1, -101.5], ["B", 2, None]]


@both_ways
async def test_a_chart_that_cannot_be_drawn_is_answered_with_the_field(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().call("show_chart", **chart(y=["rsrq"])).say("Sorry.")
    (answer,) = answers(await run(way, agent_of(model, events), asked()))
    assert answer.status == "error"
    assert answer.text == "chart.y names no column: 'rsrq'. did you mean 'rsrp'?"
    assert events == []


@both_ways
async def test_a_result_may_hold_tables_and_charts_together(way: str) -> None:
    events: list[EventDraft] = []
    result = {"table": {"rows": ROWS}, "charts": [chart(), chart(kind="heatmap")], "note": "done"}
    (answer,) = answers(
        await run(way, agent_of(FakeModel().call("compare").say("Done."), events, result), asked("compare them"))
    )
    seen = json.loads(answer.text)
    assert seen["note"] == "done"
    assert seen["table"]["note"] == "2 rows"
    assert seen["charts"][0] == "the user sees a line chart '覆盖趋势': 2 points, rsrp"
    assert seen["charts"][1]["error"] == "charts[1].y and 'group' do not make a heatmap"
    assert sorted(event.kind for event in events) == ["chart", "table"]


@pytest.mark.parametrize("kind", CHART_KINDS)
def test_every_kind_can_be_seen_as_a_table(kind: str) -> None:
    spec = read_chart(chart(kind=kind, group="cell"))
    assert spec.table.page(0, 2) == spec.to_json()["rows"]


SAID_OTHERWISE = [
    ("grouped_bar_chart", "grouped_bar"),
    ("line_chart", "line"),
    ("stacked_bar_chart", "stacked_bar"),
    ("scatter_plot", "scatter"),
    ("heatmap", "heatmap"),
    ("table", "table"),
]


@pytest.mark.parametrize(("said", "meant"), SAID_OTHERWISE)
def test_the_names_that_skills_use_are_understood(said: str, meant: str) -> None:
    assert read_chart(chart(kind=said, group="cell")).kind == meant


WRONG = [
    pytest.param("x", "chart is no object", id="text"),
    pytest.param(chart(kind="pie3d"), "chart.kind is 'pie3d'", id="kind"),
    pytest.param(chart(kind=["line"]), "chart.kind is \"['line']\"", id="kind is a list"),
    pytest.param(chart(title="x" * 201), "chart.title is no text of at most 200 characters", id="title"),
    pytest.param(chart(formatter="function(v){return v}"), "chart.formatter is not a field of a chart", id="function"),
    pytest.param(chart(x="function(d){return d.x}"), "chart.x names no column: 'function(d){return d.x}'", id="code"),
    pytest.param(chart(x=1), "chart.x is not the key of a column", id="x"),
    pytest.param(chart(y=[{}]), "chart.y is no list of keys of columns", id="y"),
    pytest.param(chart(y=["rsrp", "rsrp"]), "chart.y must be at most 20 different keys", id="y twice"),
    pytest.param(chart(y=["cell"]), "chart.rows[0].cell is no number: 'A'", id="not a number"),
    pytest.param(chart(kind="scatter", x="cell"), "chart.rows[0].cell is no number: 'A'", id="scatter"),
    pytest.param(chart(rows=[{"day": 1, "rsrp": True}]), "chart.rows[0].rsrp is no number: 'True'", id="boolean"),
    pytest.param(
        chart(rows=[{"day": 1, "rsrp": 10**400}]), "chart.rows[0].rsrp is no number: '1" + "0" * 39 + "'", id="big"
    ),
    pytest.param(chart(rows=[{"day": 1, "rsrp": float("nan")}]), "chart.rows[0] holds NaN or Infinity", id="nan"),
    pytest.param(chart(rows=[]), "chart.rows is empty", id="empty"),
    pytest.param(chart(cursors="x"), "chart.cursors is no list of at most 12", id="cursors"),
    pytest.param(chart(cursors=[{"title": "1×"}]), "chart.cursors[0].at is empty", id="cursor without a place"),
    pytest.param(
        chart(cursors=[{"title": "1×", "at": ["1"]}]),
        "chart.cursors[0].at has something that is no number",
        id="cursor at a text",
    ),
    pytest.param(chart(x=""), "chart.x is missing", id="no x"),
    pytest.param(chart(y=[]), "chart.y is missing", id="no y"),
    pytest.param(chart(rows=ROWS * MAX_POINTS), f"chart.rows makes {2 * MAX_POINTS} points", id="points"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_chart_says_which_field(value: JsonValue, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_chart(value)
    assert caught.value.message == message


def test_markup_in_a_label_stays_the_text_it_is() -> None:
    label = "<img src=x onerror=alert(1)>"
    spec = read_chart(chart(title=label, rows=[{"day": label, "rsrp": 1}]))
    data: JsonObject = spec.to_json()
    assert data["title"] == label
    assert data["rows"] == [[label, 1]]


def test_the_tool_has_a_schema_that_the_gate_accepts() -> None:
    tool = show_chart_tool()
    assert isinstance(tool.args_schema, dict)
    check_parameters(tool.args_schema)


HEAT: JsonObject = {
    "kind": "heatmap",
    "title": "t",
    "rows": [{"a": 1, "b": 2, "v": 3}],
    "x": "a",
    "group": "b",
    "y": ["v"],
}


def test_a_heatmap_may_say_its_range_of_colours() -> None:
    assert read_chart({**HEAT, "range": [-120, -50]}).to_json()["range"] == [-120.0, -50.0]
    assert "range" not in read_chart(HEAT).to_json()


@pytest.mark.parametrize("wrong", [[1], [2, 1], [1, 1], ["a", "b"], "12", [0, 1e999], [True, 2]])
def test_a_range_that_is_none_is_refused(wrong: JsonValue) -> None:
    with pytest.raises(InvalidInput, match=r"chart\.range"):
        read_chart({**HEAT, "range": wrong})
