"""Tables and charts of a conversation, read from its stored events."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue

MAX_ROWS: Final = 20_000


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its key, its heading, and the unit of its values."""

    key: str
    title: str
    unit: str = ""

    @property
    def heading(self) -> str:
        """The title with the unit behind it."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table that the user was shown; `total` may be more than the rows that were kept. `said` led to it."""

    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    total: int
    said: str = ""
    call: str = ""

    def list_names(self) -> tuple[tuple[str, ...], ...]:
        """Values of each column of words, each value once."""
        columns = zip(*self.rows, strict=True) if self.rows else ()
        words = [tuple(dict.fromkeys(one for one in column if isinstance(one, str) and one)) for column in columns]
        return tuple(one for one in words if len(one) > 1)


@dataclass(frozen=True, slots=True)
class ResultChart:
    """A chart that the user was shown, as its specification."""

    spec: JsonObject
    said: str = ""
    call: str = ""

    @property
    def title(self) -> str:
        return str(self.spec.get("title") or "")

    @property
    def kind(self) -> str:
        return str(self.spec.get("kind") or "")


@dataclass(frozen=True, slots=True)
class Answer:
    """Text of an answer, and tables and charts to show with it. `found` is false if it only says what can be asked.

    `shown` are the rows that the text lists, for a chart of the answer.
    """

    text: str
    tables: tuple[ResultTable, ...] = ()
    charts: tuple[ResultChart, ...] = ()
    found: bool = True
    shown: ResultTable | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence of a report; `subject` is the bold word that it begins with.

    `line` is all of it without marks; empty for a heading. `is_verdict` says that it has a bold sentence.
    """

    text: str
    subject: str = ""
    line: str = ""
    is_verdict: bool = False


@dataclass(frozen=True, slots=True)
class Results:
    """Results of a conversation, those of the newest turn first and in the order in which they were shown.

    `said` is the message of the newest turn, `remarks` are the sentences of its report and `fresh` those after its last
    question was answered; `is_change` says that this turn asked to approve a change. `verdicts` are those
    of the turns, by their messages.
    """

    tables: tuple[ResultTable, ...] = ()
    charts: tuple[ResultChart, ...] = ()
    remarks: tuple[Remark, ...] = ()
    fresh: tuple[Remark, ...] = ()
    is_change: bool = False
    said: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tables or self.charts)


@dataclass(slots=True)
class _OpenTable:
    title: str
    columns: tuple[TableColumn, ...]
    total: int
    call: str
    rows: list[tuple[JsonValue, ...]] = field(default_factory=list)


def results_from_events(
    turns: Iterable[tuple[str, Iterable[tuple[str, JsonObject]]]],
    find_others: Callable[[str, str, JsonObject], Iterable[ResultTable]] = lambda *_: (),
) -> Results:
    """Collect results from turns, the newest first; each is the user's message and its events as kind and data.

    An answer to a question shows results of earlier turns again: its events name no call of their own. `find_others`
    reads tables of other events; they come after those of their turn.
    """
    tables: list[ResultTable] = []
    charts: list[ResultChart] = []
    for said, events in turns:
        opened: dict[str, _OpenTable] = {}
        others: list[ResultTable] = []
        for kind, data in events:
            others += find_others(kind, said, data)
            if kind == "table":
                _add_page(opened, data)
            elif kind == "chart" and isinstance(spec := data.get("spec"), Mapping):
                charts.append(ResultChart(spec, said, str(data.get("call", ""))))
        tables += [
            ResultTable(one.title, one.columns, tuple(one.rows), max(one.total, len(one.rows)), said, one.call)
            for one in opened.values()
            if one.columns and one.rows
        ]
        tables += others
    return Results(tuple(tables), tuple(charts))


def table_from_chart(chart: ResultChart) -> ResultTable:
    """The data of a chart as a table."""
    columns, rows = _read_columns(chart.spec.get("columns")), _read_rows(chart.spec.get("rows"), MAX_ROWS)
    return ResultTable(chart.title, columns, tuple(rows), len(rows), chart.said, chart.call)


def _add_page(opened: dict[str, _OpenTable], data: JsonObject) -> None:
    name, total = str(data.get("table", "")), data.get("total")
    if name not in opened:
        count = total if isinstance(total, int) else 0
        title, call = str(data.get("title") or ""), str(data.get("call", ""))
        opened[name] = _OpenTable(title, _read_columns(data.get("columns")), count, call)
    table = opened[name]
    table.rows += _read_rows(data.get("rows"), MAX_ROWS - len(table.rows))


def _read_columns(value: JsonValue) -> tuple[TableColumn, ...]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return tuple(
        TableColumn(str(one.get("key", "")), str(one.get("title") or one.get("key", "")), str(one.get("unit") or ""))
        for one in listed
        if isinstance(one, Mapping)
    )


def _read_rows(value: JsonValue, most: int) -> list[tuple[JsonValue, ...]]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [tuple(row) for row in listed[: max(0, most)] if isinstance(row, Sequence) and not isinstance(row, str)]
