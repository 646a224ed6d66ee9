"""Tables in tool results: all rows to the user, the header and five rows to the model.

A tool returns `{"table": {"title", "columns": [{"key", "title", "type", "unit"}], "rows": […]}}`, several under
`tables`, or simply a list of at least three flat objects. Rows are objects or lists; columns may be omitted.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal, cast, get_args

from metier.agent.adapters import render_sentence
from metier.agent.results._digest import Extraction, json_line, replace_each
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.store import EventDraft

ColumnType = Literal["text", "number", "boolean", "time", "json"]

MAX_COLUMNS: Final = 10_000
MAX_CELLS: Final = 2_000_000
PAGE_CELLS: Final = 20_000
DIGEST_ROWS: Final = 5
_DIGEST_COLUMNS: Final = 30
_MAX_DIGEST_CELL_CHARS: Final = 200
_MIN_LISTED_ROWS: Final = 3
_MAX_LABEL_CHARS: Final = 200
_SAMPLE_ROWS: Final = 100
TABLE_KEYS: Final = ("table", "tables")
_TYPES: Final = get_args(ColumnType)
_UNKNOWN: Final = cast("ColumnType", "")  # until inferred from the values


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the key of its values, their title, type and unit."""

    key: str
    title: str = ""
    type: ColumnType = "text"
    unit: str = ""

    @property
    def heading(self) -> str:
        name = self.title or self.key
        return f"{name} ({self.unit})" if self.unit else name

    def to_json(self) -> JsonObject:
        return {"key": self.key, "title": self.title or self.key, "type": self.type, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. The rows are those of the result, not a copy; values are never changed."""

    columns: tuple[Column, ...]
    rows: Sequence[JsonValue]
    title: str = ""

    @property
    def kept_rows(self) -> int:
        """Number of emitted rows; a table of more than two million cells is cut, and `total` and `kept` say so."""
        return min(len(self.rows), max(1, MAX_CELLS // max(1, len(self.columns))))

    def page(self, offset: int, limit: int) -> list[JsonValue]:
        """Some rows as lists in the order of the columns; missing values are null."""
        return [self._cells(self.rows[at]) for at in range(offset, min(offset + limit, len(self.rows)))]

    def pages(self) -> Iterator[JsonObject]:
        """The table in pieces of bounded size, generated one by one; the first has the columns."""
        size = max(1, PAGE_CELLS // max(1, len(self.columns)))
        kept = self.kept_rows
        head: JsonObject = {"title": self.title, "columns": [one.to_json() for one in self.columns]}
        for offset in range(0, max(kept, 1), size):
            until = min(offset + size, kept)
            yield {
                **(head if offset == 0 else {}),
                "total": len(self.rows),
                "kept": kept,
                "offset": offset,
                "rows": self.page(offset, until - offset),
                "more": until < kept,
            }

    def digest(self, language: Language) -> JsonObject:
        """What the model reads: the header, five rows, and the number of rows."""
        few = Table(self.columns[:_DIGEST_COLUMNS], self.rows)
        seen = few.page(0, DIGEST_ROWS)
        rows = [[_shorten_cell(cell) for cell in row] for row in seen if isinstance(row, list)]
        titled = {"title": self.title} if self.title else {}
        headings = [one.heading for one in few.columns]
        return {**titled, "columns": headings, "rows": rows, "note": self._note(len(rows), language)}

    def _note(self, shown: int, language: Language) -> str:
        total, hidden = len(self.rows), len(self.columns) - _DIGEST_COLUMNS
        code = "table_rows_cut" if shown < total else "table_rows"
        note = render_sentence(code, language, total=total, shown=shown)
        return note + (render_sentence("table_columns_cut", language, hidden=hidden) if hidden > 0 else "")

    def _cells(self, row: JsonValue) -> list[JsonValue]:
        if isinstance(row, Mapping):
            return [row.get(column.key) for column in self.columns]
        cells = list(cast("Sequence[JsonValue]", row))[: len(self.columns)]
        return cells + [None] * (len(self.columns) - len(cells))


def extract_tables(data: JsonValue, call: str, language: Language) -> Extraction | None:
    """Extract the tables of a result: digests in their place, and events with their pages."""
    if _is_row_list(data):
        data = {"table": {"rows": data}}
    if not isinstance(data, Mapping) or not any(key in data for key in TABLE_KEYS):
        return None
    found: list[Table] = []
    made = replace_each(data, TABLE_KEYS, lambda value, where: _digest_table(value, where, found, language))
    return Extraction(made, _table_events(found, call))


def read_table(value: JsonValue, where: str = "table") -> Table:
    """Read a table from JSON; `InvalidInput` names the invalid field."""
    if not isinstance(value, Mapping):
        raise _invalid(where, "is no object", "give it 'columns' and 'rows'")
    rows = value.get("rows")
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        raise _invalid(f"{where}.rows", "is no list", "one object or list per row")
    title = value.get("title") or ""
    if not isinstance(title, str):
        raise _invalid(f"{where}.title", "is no text", "")
    declared = _read_columns(value.get("columns"), rows, where)
    _check_rows(rows, len(declared), where)
    return Table(_infer_types(declared, rows), rows, title[:_MAX_LABEL_CHARS])


def _digest_table(value: JsonValue, where: str, found: list[Table], language: Language) -> JsonValue:
    """Digest of one table. An invalid table fails alone, and the model is told why."""
    try:
        table = read_table(value, where)
    except InvalidInput as error:
        return {"error": error.message, "hint": error.hint}
    found.append(table)
    return table.digest(language)


def _table_events(tables: Sequence[Table], call: str) -> Iterator[EventDraft]:
    for number, table in enumerate(tables, 1):
        for page in table.pages():
            yield EventDraft("table", {"table": f"{call}-table-{number}", "call": call, **page})


def _is_row_list(data: JsonValue) -> bool:
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) < _MIN_LISTED_ROWS:
        return False
    return all(isinstance(row, Mapping) and row and all(map(_is_flat, row.values())) for row in data)


def _is_flat(value: JsonValue) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _read_columns(given: JsonValue, rows: Sequence[JsonValue], where: str) -> tuple[Column, ...]:
    if given is None:
        keys = dict.fromkeys(str(key) for row in rows if isinstance(row, Mapping) for key in row)
        columns = tuple(Column(key, type=_UNKNOWN) for key in keys)
        if not columns and rows:
            raise _invalid(f"{where}.columns", "is missing", "rows that are lists need named columns")
    elif isinstance(given, Sequence) and not isinstance(given, str):
        columns = tuple(_read_column(one, f"{where}.columns[{at}]") for at, one in enumerate(given))
    else:
        raise _invalid(f"{where}.columns", "is no list", "name the columns in their order")
    if len(columns) > MAX_COLUMNS:
        raise _invalid(f"{where}.columns", f"has {len(columns)} items", f"the most is {MAX_COLUMNS}")
    if len({column.key for column in columns}) != len(columns):
        raise _invalid(f"{where}.columns", "names a key twice", "every key once")
    return columns


def _read_column(given: JsonValue, where: str) -> Column:
    if isinstance(given, str):
        return Column(given, type=_UNKNOWN)
    if not isinstance(given, Mapping) or not isinstance(given.get("key"), str):
        raise _invalid(where, "has no key", 'write {"key": "rsrp", "title": "RSRP", "type": "number", "unit": "dBm"}')
    kind = given.get("type", _UNKNOWN)
    if kind not in (*_TYPES, _UNKNOWN):
        raise _invalid(f"{where}.type", f"is {str(kind)[:40]!r}", f"one of {', '.join(_TYPES)}")
    title, unit = (str(given.get(name) or "")[:_MAX_LABEL_CHARS] for name in ("title", "unit"))
    return Column(str(given["key"]), title, cast("ColumnType", kind), unit)


def _check_rows(rows: Sequence[JsonValue], width: int, where: str) -> None:
    for at, row in enumerate(rows):
        if isinstance(row, Mapping):
            cells: Iterable[JsonValue] = row.values()
        elif isinstance(row, Sequence) and not isinstance(row, str | bytes):
            if len(row) > width:
                raise _invalid(f"{where}.rows[{at}]", f"has {len(row)} values", f"there are {width} columns")
            cells = row
        else:
            raise _invalid(f"{where}.rows[{at}]", "is neither an object nor a list", "")
        if any(isinstance(cell, float) and not math.isfinite(cell) for cell in cells):
            raise _invalid(f"{where}.rows[{at}]", "holds NaN or Infinity", "a missing number is null")


def _infer_types(columns: tuple[Column, ...], rows: Sequence[JsonValue]) -> tuple[Column, ...]:
    """Infer the type of columns without one from the first rows."""
    sample = [row for row in Table(columns, rows).page(0, _SAMPLE_ROWS) if isinstance(row, list)]
    return tuple(
        column if column.type in _TYPES else replace(column, type=_infer_type(row[at] for row in sample))
        for at, column in enumerate(columns)
    )


def _infer_type(values: Iterable[JsonValue]) -> ColumnType:
    seen = list(islice((value for value in values if value is not None), _SAMPLE_ROWS))
    if not seen:
        return "text"
    if all(isinstance(value, bool) for value in seen):
        return "boolean"
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in seen):
        return "number"
    return "text" if all(map(_is_flat, seen)) else "json"


def _shorten_cell(value: JsonValue) -> JsonValue:
    """Shorten a cell for the prompt; numbers and short texts stay as they are."""
    if isinstance(value, str) and len(value) > _MAX_DIGEST_CELL_CHARS:
        return f"{value[:_MAX_DIGEST_CELL_CHARS]}…"
    return _shorten_cell(json_line(value)) if isinstance(value, Mapping | list | tuple) else value


def _invalid(where: str, what: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{where} {what}", hint=hint)
