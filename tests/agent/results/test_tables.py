"""Tables in tool results: all of it to the user, a header and five rows to the model, nothing changed on the way."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool

from metier.agent import TableMiddleware, result_data
from metier.agent.results import _tables
from metier.agent.results._tables import MAX_CELLS, PAGE_CELLS, read_table
from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.store import EventDraft
from metier.testing import FakeModel
from tests.agent.support import answers, asked, both_ways, run

CELLS = [{"小区": f"460-00-{number}", "RSRP": -100.5 - number} for number in range(15)]


def tool_giving(result: object, **options: Any) -> StructuredTool:
    def query_cells() -> object:
        """Query the cells."""
        return result

    return StructuredTool.from_function(query_cells, **options)


async def told(way: str, result: object, text: str = "list the cells", **options: Any) -> tuple[Any, list[EventDraft]]:
    events: list[EventDraft] = []
    model = FakeModel().call("query_cells").say("Done.")
    middleware = [TableMiddleware(on_event=events.append)]
    agent: Any = create_agent(model, [tool_giving(result, **options)], middleware=middleware)
    (answer,) = answers(await run(way, agent, asked(text)))
    return answer, events


@both_ways
async def test_the_user_gets_every_row_and_the_model_five(way: str) -> None:
    columns = [{"key": "小区"}, {"key": "RSRP", "title": "参考信号", "type": "number", "unit": "dBm"}]
    result = {"table": {"title": "弱覆盖小区", "columns": columns, "rows": CELLS}, "area": "海淀"}
    answer, events = await told(way, result, "查询海淀的小区")
    (event,) = events
    assert event.kind == "table"
    assert event.data["rows"] == [[row["小区"], row["RSRP"]] for row in CELLS]
    assert (event.data["call"], event.data["total"], event.data["title"]) == ("call-1", 15, "弱覆盖小区")
    seen = json.loads(answer.text)
    assert seen["area"] == "海淀"
    assert seen["table"]["columns"] == ["小区", "参考信号 (dBm)"]
    assert len(seen["table"]["rows"]) == 5
    assert seen["table"]["note"].startswith("共 15 条")


@both_ways
async def test_a_plain_list_of_objects_is_a_table(way: str) -> None:
    answer, events = await told(way, CELLS)
    assert json.loads(answer.text)["table"]["note"] == "15 rows, the first 5 shown here; the user sees all"
    assert events[0].data["columns"] == [
        {"key": "小区", "title": "小区", "type": "text", "unit": ""},
        {"key": "RSRP", "title": "RSRP", "type": "number", "unit": ""},
    ]


async def test_the_whole_result_is_still_there_for_a_plan() -> None:
    answer, _ = await told("async", {"table": {"rows": CELLS}})
    assert result_data(answer) == {"table": {"rows": CELLS}}


async def test_several_tables_of_one_result_are_all_told() -> None:
    answer, events = await told("async", {"tables": [{"rows": CELLS}, {"rows": CELLS[:2]}]})
    assert [event.data["table"] for event in events] == ["call-1-table-1", "call-1-table-2"]
    assert len(json.loads(answer.text)["tables"]) == 2


async def test_a_table_beside_a_text_leaves_the_text_alone() -> None:
    pair = ("15 cells found.", {"table": {"rows": CELLS}})
    answer, events = await told("async", pair, response_format="content_and_artifact")
    assert answer.text == "15 cells found."
    assert len(events) == 1


NOT_TABLES = [
    pytest.param("3 cells", id="text"),
    pytest.param("[see the manual] and more", id="text that starts like a list"),
    pytest.param([1, 2, 3], id="numbers"),
    pytest.param(CELLS[:2], id="two objects"),
    pytest.param([{"a": {"b": 1}}] * 3, id="nested objects"),
    pytest.param({"rows": CELLS}, id="rows without a table"),
]


@pytest.mark.parametrize("result", NOT_TABLES)
async def test_everything_else_passes_untouched(result: object) -> None:
    answer, events = await told("async", result)
    plain = tool_giving(result).invoke({"name": "query_cells", "args": {}, "id": "x", "type": "tool_call"})
    assert answer.content == plain.content
    assert events == []


async def test_a_result_with_nan_is_refused_with_the_reason() -> None:
    answer, events = await told("async", '{"table": {"rows": [{"a": NaN}]}}')
    assert answer.status == "error"
    assert (
        answer.text
        == "Tool 'query_cells' ran, but its result cannot be used: NaN is not JSON. A missing number is null."
    )
    assert events == []


async def test_a_table_that_is_none_costs_only_itself() -> None:
    answer, events = await told("async", {"tables": ["x", {"rows": CELLS}], "note": "kept"})
    seen = json.loads(answer.text)
    assert seen["tables"][0]["error"] == "tables[0] is no object"
    assert seen["note"] == "kept"
    assert len(events) == 1


async def test_a_list_that_is_too_wide_for_a_table_ends_in_words() -> None:
    answer, events = await told("async", [{str(number): number for number in range(10_001)}] * 3)
    assert json.loads(answer.text)["table"]["error"] == "table.columns has 10001 items"
    assert events == []


def test_nested_values_are_whole_for_the_user_and_short_for_the_model() -> None:
    table = read_table({"rows": [{"a": {"b": [1, 2]}, "c": ["长" * 500]}]})
    assert next(table.pages())["rows"] == [[{"b": [1, 2]}, ["长" * 500]]]
    rows: Any = table.digest("en")["rows"]
    assert rows[0][0] == '{"b":[1,2]}'
    assert len(str(rows)) < 300
    assert [column.type for column in table.columns] == ["json", "json"]


WRONG = [
    pytest.param([], "table is no object", id="list"),
    pytest.param({"rows": "x"}, "table.rows is no list", id="rows"),
    pytest.param({"rows": [1]}, "table.columns is missing", id="no columns"),
    pytest.param({"rows": [1], "columns": ["a"]}, "table.rows[0] is neither an object nor a list", id="row"),
    pytest.param({"rows": [[1, 2]], "columns": ["a"]}, "table.rows[0] has 2 values", id="wide row"),
    pytest.param({"rows": [], "columns": "a"}, "table.columns is no list", id="columns"),
    pytest.param({"rows": [], "columns": [{"title": "A"}]}, "table.columns[0] has no key", id="column"),
    pytest.param({"rows": [], "columns": ["a", "a"]}, "table.columns names a key twice", id="twice"),
    pytest.param({"rows": [], "columns": [{"key": "a", "type": "html"}]}, "table.columns[0].type is 'html'", id="type"),
    pytest.param({"rows": [], "title": 1}, "table.title is no text", id="title"),
    pytest.param({"rows": [{"a": float("inf")}]}, "table.rows[0] holds NaN or Infinity", id="infinity"),
    pytest.param({"rows": [], "columns": [str(n) for n in range(10_001)]}, "table.columns has 10001 items", id="many"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_table_says_where(value: JsonValue, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_table(value)
    assert caught.value.message == message


class Rows(list[JsonValue]):
    """A million rows that take no memory, and a count of how many were taken."""

    def __init__(self, size: int, row: JsonValue) -> None:
        super().__init__()
        self.size, self.row, self.taken = size, row, 0

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at: Any) -> Any:
        self.taken += 1
        return self.row


def test_a_million_rows_are_paged_and_only_the_page_that_is_asked_for_is_made() -> None:
    rows = Rows(1_000_000, {"a": 1, "b": 2})
    table = read_table({"columns": ["a", "b"], "rows": rows})
    taken = rows.taken
    first = next(table.pages())
    assert rows.taken - taken == PAGE_CELLS // 2
    assert (first["total"], first["offset"], first["more"]) == (1_000_000, 0, True)


def test_more_values_than_are_kept_are_cut_and_the_cut_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    most = MAX_CELLS // 20  # reached in no time, and still several pages
    monkeypatch.setattr(_tables, "MAX_CELLS", most)
    table = read_table({"columns": ["a", "b", "c", "d"], "rows": Rows(50_000, [1, 2, 3, 4])})
    pages = list(table.pages())
    assert len(pages) > 1
    assert pages[0]["kept"] == most // 4
    assert sum(len(page["rows"]) for page in pages if isinstance(page["rows"], list)) == most // 4
    assert pages[-1]["more"] is False


def test_ten_thousand_columns_fit_into_a_prompt() -> None:
    table = read_table({"rows": [{str(number): number for number in range(10_000)}] * 3})
    digest = table.digest("zh")
    assert len(json.dumps(digest)) < 2000
    assert "另有 9970 列未列出" in str(digest["note"])
    assert len(list(table.pages())) == 2


def test_markup_and_long_texts_are_data() -> None:
    text = "<script>alert(1)</script>" + "长" * 1000
    table = read_table({"rows": [{"a": text}]})
    assert next(table.pages())["rows"] == [[text]]
    assert len(str(table.digest("en")["rows"])) < 300


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.lists(st.dictionaries(st.text(min_size=1), scalars, min_size=1), min_size=1, max_size=30))
def test_pages_put_together_are_the_rows(rows: list[dict[str, JsonValue]]) -> None:
    table = read_table({"rows": rows})
    keys = [column.key for column in table.columns]
    told = [row for page in table.pages() for row in page["rows"]]  # type: ignore[union-attr]
    assert told == [[row.get(key) for key in keys] for row in rows]


def test_the_result_of_a_message_without_a_digest_is_its_json_or_its_text() -> None:
    assert result_data(ToolMessage('{"a": 1}', tool_call_id="x")) == {"a": 1}
    assert result_data(ToolMessage("好的", tool_call_id="x")) == "好的"
