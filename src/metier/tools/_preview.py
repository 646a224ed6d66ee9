"""Previews: what a call that needs approval would do, as a table of rows that a person can choose and edit."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, runtime_checkable

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText
from metier.tools._calls import ToolContext, ToolError
from metier.tools.schema import ArgumentProblem, argument_problems

MAX_PREVIEW_ROWS: Final = 2_000
ROW_ID: Final = "id"
ColumnRole = Literal["", "old", "new"]


@dataclass(frozen=True, slots=True)
class PreviewColumn:
    """Column of a preview; `role` marks the values before and after the call."""

    key: str
    title: BilingualText
    unit: str = ""
    role: ColumnRole = ""


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One change: `values` by column, and the JSON Schema of each value that a person may edit.

    A value is a number, a text, or a text in both languages (`{"zh": …, "en": …}`).
    """

    id: str
    values: JsonObject
    edit: Mapping[str, JsonObject] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PreviewTotal:
    """A figure about all rows."""

    title: BilingualText
    value: JsonValue
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do. `chosen_as` names the argument that takes the rows a person chose; empty: all or none."""

    sentence: BilingualText
    columns: tuple[PreviewColumn, ...] = ()
    rows: tuple[PreviewRow, ...] = ()
    totals: tuple[PreviewTotal, ...] = ()
    chosen_as: str = ""

    def to_json(self) -> JsonObject:
        """JSON of the question, also the form in which a script returns a preview."""
        return {
            "sentence": self.sentence.to_json(),
            "columns": [
                {"key": one.key, "title": one.title.to_json(), "unit": one.unit, "role": one.role}
                for one in self.columns
            ],
            "rows": [{"id": one.id, "values": dict(one.values), "edit": dict(one.edit)} for one in self.rows],
            "totals": [{"title": one.title.to_json(), "value": one.value, "unit": one.unit} for one in self.totals],
            "chosen_as": self.chosen_as,
        }

    @property
    def digest(self) -> str:
        """SHA-256 of all that a person sees."""
        text = json.dumps(self.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=dict)
        return hashlib.sha256(text.encode()).hexdigest()

    def find_problems(self, chosen: Sequence[JsonObject]) -> tuple[ArgumentProblem, ...]:
        """What is wrong with rows that a person chose and edited: the row, the column and what it allows."""
        known = {row.id: row for row in self.rows}
        columns = {column.key: column for column in self.columns}
        found = (problem for at, one in enumerate(chosen) for problem in _row_problems(known, columns, chosen, at))
        return tuple(found)

    def select(self, chosen: Sequence[JsonObject]) -> "Preview":
        """The preview of the chosen rows only, with the edited values."""
        known = {row.id: row for row in self.rows}
        rows = tuple(_edit_row(known[str(one[ROW_ID])], one) for one in chosen if one.get(ROW_ID) in known)
        return Preview(self.sentence, self.columns, rows, (), self.chosen_as)


@runtime_checkable
class PreviewableTool(Protocol):
    """Tool that can tell what a call would do, without doing it. `ToolError`: the call cannot be made at all."""

    async def preview(self, arguments: JsonObject, context: ToolContext) -> Preview | None: ...


def preview_from_json(value: object) -> Preview:
    """Read a preview that a function or a script returned; raises `ToolError` if it is none."""
    try:
        found = value if isinstance(value, Preview) else _parse(value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ToolError(
            f"the preview cannot be read: {type(error).__name__}: {error}",
            code="bad_preview",
            hint="it has `sentence`, `columns` and `rows`, each row with `id` and `values`",
        ) from error
    if len(found.rows) > MAX_PREVIEW_ROWS or len({row.id for row in found.rows}) < len(found.rows):
        raise ToolError(f"a preview has at most {MAX_PREVIEW_ROWS} rows, each with its own id", code="bad_preview")
    return found


def _parse(value: Any) -> Preview:
    columns = (
        PreviewColumn(str(one["key"]), _bilingual(one["title"]), str(one.get("unit", "")), _role(one.get("role", "")))
        for one in value.get("columns", ())
    )
    rows = (PreviewRow(str(one["id"]), dict(one["values"]), dict(one.get("edit", {}))) for one in value.get("rows", ()))
    totals = (
        PreviewTotal(_bilingual(one["title"]), one["value"], str(one.get("unit", "")))
        for one in value.get("totals", ())
    )
    chosen_as = str(value.get("chosen_as", ""))
    return Preview(_bilingual(value["sentence"]), tuple(columns), tuple(rows), tuple(totals), chosen_as)


def _bilingual(value: Any) -> BilingualText:
    """A text in both languages; a script that knows one only may give a plain text."""
    return BilingualText(value, value) if isinstance(value, str) else BilingualText(str(value["zh"]), str(value["en"]))


def _role(value: Any) -> ColumnRole:
    if value not in ("", "old", "new"):
        raise ValueError(f"role {value!r} is neither 'old' nor 'new'")
    role: ColumnRole = value
    return role


def _row_problems(
    known: Mapping[str, PreviewRow], columns: Mapping[str, PreviewColumn], chosen: Sequence[JsonObject], at: int
) -> Iterator[ArgumentProblem]:
    one, path = chosen[at], f"rows[{at}]"
    row = known.get(str(one.get(ROW_ID)))
    if row is None or any(other.get(ROW_ID) == row.id for other in chosen[:at]):
        why = "is not a row of this question" if row is None else "is chosen twice"
        yield ArgumentProblem(f"{path}.{ROW_ID}", f"{one.get(ROW_ID)!r} {why}")
        return
    for key, value in one.items():
        if key == ROW_ID:
            continue
        column = columns.get(key)
        place = f"row {_name_row(row, columns)}, {column.title.en if column else key}"
        if key not in row.edit:
            yield ArgumentProblem(place, "cannot be edited")
            continue
        schema: JsonObject = {"type": "object", "properties": {key: row.edit[key]}}
        for problem in argument_problems(schema, {key: value}):
            yield ArgumentProblem(place, _describe_range(row.edit[key], column, value) or problem.reason)


def _name_row(row: PreviewRow, columns: Mapping[str, PreviewColumn]) -> str:
    """What the row is about: its texts that are neither old nor new values; its id if it has none."""
    shown = [row.values.get(key) for key, one in columns.items() if not one.role]
    texts = [one.get("en") if isinstance(one, Mapping) else one for one in shown]
    return " ".join(one for one in texts if isinstance(one, str)) or row.id


def _describe_range(schema: JsonObject, column: PreviewColumn | None, value: JsonValue) -> str:
    low, high, unit = schema.get("minimum"), schema.get("maximum"), column.unit if column else ""
    if low is None or high is None:
        return ""
    return f"must be from {low} to {high}{f' {unit}' if unit else ''}, not {value}"


def _edit_row(row: PreviewRow, given: JsonObject) -> PreviewRow:
    edited = {key: value for key, value in given.items() if key in row.edit}
    return PreviewRow(row.id, {**row.values, **edited}, row.edit)
