"""Shows an answer from results on screen: its text, tables and charts, and a reminder of the question that waits."""

from typing import Final

from metier.agent.choice._reminders import remind_of_pause
from metier.agent.turn import TurnState
from metier.json_values import JsonObject, JsonValue
from metier.questions import Answer, ResultTable
from metier.store import EventDraft

_MAX_SHOWN_ROWS: Final = 200


def show_answer(state: TurnState, answer: Answer, *, tells_rows: bool = True) -> None:
    """Queue the text of an answer with its tables and charts, and a reminder of the question that waits."""
    state.queue_display_events(
        *(EventDraft("table", _table_data(state, one)) for one in answer.tables),
        *(EventDraft("chart", {"chart": _new_id(state), "call": one.call, "spec": one.spec}) for one in answer.charts),
    )
    state.queue_reply("\n\n".join(one for one in (answer.text, remind_of_pause(state, tells_rows=tells_rows)) if one))


def _table_data(state: TurnState, table: ResultTable) -> JsonObject:
    rows: list[JsonValue] = [list(row) for row in table.rows[:_MAX_SHOWN_ROWS]]
    columns: list[JsonValue] = [
        {"key": one.key, "title": one.title, "type": "number" if _has_numbers(table, at) else "text", "unit": one.unit}
        for at, one in enumerate(table.columns)
    ]
    about: JsonObject = {"offset": 0, "total": table.total, "kept": len(rows), "more": False}
    return {
        "table": _new_id(state),
        "call": table.call,
        "rows": rows,
        **about,
        "title": table.title,
        "columns": columns,
    }


def _has_numbers(table: ResultTable, at: int) -> bool:
    """Whether a column has numbers and nothing else; the first one names the rows."""
    values = [row[at] for row in table.rows if at < len(row) and row[at] not in (None, "")]
    return at > 0 and bool(values) and all(isinstance(one, int | float) for one in values)


def _new_id(state: TurnState) -> str:
    return state.resources.new_id()[:12]
