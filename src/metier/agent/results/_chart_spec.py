"""Chart specification: a table, and which of its columns go where. Data and nothing else.

There is no place for a function, a template or HTML: every field is a known keyword, the key of a column, or a value
that a front end draws as text. So any chart can also be shown as a table or as another kind of chart.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from metier.agent.adapters import render_sentence
from metier.agent.results._tables import Table, read_table
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.names import suggest

ChartKind = Literal["grouped_bar", "line", "stacked_bar", "scatter", "heatmap", "table"]

CHART_KINDS: Final[tuple[ChartKind, ...]] = get_args(ChartKind)
MAX_POINTS: Final = 20_000
_MAX_TITLE_CHARS: Final = 200
_MAX_MEASURES: Final = 20
_MAX_THRESHOLDS: Final = 10
_MAX_CURSORS: Final = 12
_MAX_PLACES: Final = 40
_KEYS: Final = ("kind", "title", "columns", "rows", "x", "y", "group", "range", "thresholds", "cursors", "note")
_KIND_ALIASES: Final[Mapping[str, ChartKind]] = MappingProxyType(
    {
        "grouped_bar_chart": "grouped_bar",
        "bar": "grouped_bar",
        "bar_chart": "grouped_bar",
        "line_chart": "line",
        "stacked_bar_chart": "stacked_bar",
        "scatter_plot": "scatter",
    }
)
_NAMES_ZH: Final[Mapping[ChartKind, str]] = MappingProxyType(
    {
        "grouped_bar": "分组柱状图",
        "line": "折线图",
        "stacked_bar": "堆叠柱状图",
        "scatter": "散点图",
        "heatmap": "热力图",
        "table": "表格",
    }
)

CHART_SCHEMA: Final[JsonObject] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "kind": {"enum": list(CHART_KINDS), "description": "table shows exact figures"},
            "title": {"type": "string"},
            "columns": {
                "type": "array",
                "description": "key, title, type and unit of each column; may be left out",
                "items": {
                    "type": "object",
                    "properties": {name: {"type": "string"} for name in ("key", "title", "type", "unit")},
                    "required": ["key"],
                },
            },
            "rows": {"type": "array", "description": "one object per point, keys as in columns", "items": {}},
            "x": {"type": "string", "description": "key of the column along the bottom"},
            "y": {
                "type": "array",
                "items": {"type": "string"},
                "description": "keys of the columns with numbers; exactly one for a heatmap",
            },
            "group": {
                "type": "string",
                "description": "key of the column that splits series; the other axis of a heatmap",
            },
            "range": {
                "type": "array",
                "items": {"type": "number"},
                "minItems": 2,
                "maxItems": 2,
                "description": "lowest and highest value of the scale: of the colours of a heatmap, so that two of "
                "them compare, or of the value axis; bars then grow from its lower end",
            },
            "thresholds": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"value": {"type": "number"}, "title": {"type": "string"}},
                    "required": ["value", "title"],
                },
                "description": "limits to draw as lines",
            },
            "cursors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"},
                        "at": {"type": "array", "items": {"type": "number"}},
                        "sides": {"type": "array", "items": {"type": "number"}},
                    },
                    "required": ["title", "at"],
                },
                "description": "upright lines over an x of numbers: a place with its multiples, and side bands",
            },
            "note": {"type": "string", "description": "a line below the chart, such as how many rows are drawn"},
        },
        "required": ["kind", "title", "rows"],
        "additionalProperties": False,
    }
)


@dataclass(frozen=True, slots=True)
class ThresholdLine:
    """Limit drawn into a chart."""

    value: float
    title: str


@dataclass(frozen=True, slots=True)
class CursorLines:
    """Upright lines of one title: a place along the bottom with its multiples, and the side bands beside them."""

    title: str
    at: tuple[float, ...]
    sides: tuple[float, ...] = ()

    def to_json(self) -> JsonObject:
        return {"title": self.title, "at": list(self.at), **({"sides": list(self.sides)} if self.sides else {})}


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """Validated chart, made by `read_chart`."""

    kind: ChartKind
    title: str
    table: Table
    x: str = ""
    y: tuple[str, ...] = ()
    group: str = ""
    range: tuple[float, float] | None = None
    thresholds: tuple[ThresholdLine, ...] = ()
    cursors: tuple[CursorLines, ...] = ()
    note: str = ""

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "title": self.title,
            "columns": [column.to_json() for column in self.table.columns],
            "rows": self.table.page(0, len(self.table.rows)),
            "x": self.x,
            "y": list(self.y),
            "group": self.group,
            **({} if self.range is None else {"range": list(self.range)}),
            **({"thresholds": [_line_to_json(one) for one in self.thresholds]} if self.thresholds else {}),
            **({"cursors": [one.to_json() for one in self.cursors]} if self.cursors else {}),
            **({"note": self.note} if self.note else {}),
        }

    def digest(self, language: Language) -> str:
        """The chart in one line, for the model."""
        points, measures = len(self.table.rows), ", ".join(self.y) or "-"
        kind = choose(language, en=str(self.kind), zh=_NAMES_ZH[self.kind])
        return render_sentence("chart_shown", language, kind=kind, title=self.title, points=points, measures=measures)


def read_chart(value: JsonValue, where: str = "chart") -> ChartSpec:
    """Read a chart from JSON; `InvalidInput` names the invalid field."""
    if not isinstance(value, Mapping):
        raise _invalid(where, "is no object", f"it has {', '.join(_KEYS)}")
    for key in value:
        if key not in _KEYS:
            hint = suggest(str(key), _KEYS, f"known: {', '.join(_KEYS)}; a chart is data, without options")
            raise _invalid(f"{where}.{str(key)[:40]}", "is not a field of a chart", hint)
    kind = _read_kind(value.get("kind"), where)
    title, note = (_read_line(value.get(key, ""), f"{where}.{key}") for key in ("title", "note"))
    table = read_table({key: value[key] for key in ("columns", "rows") if key in value}, where)
    y = _read_keys(value.get("y", ()), f"{where}.y")
    colours = _read_range(value.get("range"), f"{where}.range")
    lines = _read_thresholds(value.get("thresholds", ()), f"{where}.thresholds")
    cursors = _read_cursors(value.get("cursors", ()), f"{where}.cursors")
    x, group = (_read_key(value, key, where) for key in ("x", "group"))
    spec = ChartSpec(kind, title, table, x, y, group, colours, lines, cursors, note)
    _check_size(spec, where)
    _check_axes(spec, where)
    return spec


def _read_kind(given: JsonValue, where: str) -> ChartKind:
    kind = _KIND_ALIASES.get(given, given) if isinstance(given, str) else given
    if kind not in CHART_KINDS:
        raise _invalid(f"{where}.kind", f"is {str(given)[:40]!r}", f"one of {', '.join(CHART_KINDS)}")
    return kind


def _read_key(value: JsonObject, key: str, where: str) -> str:
    found = value.get(key) or ""
    if not isinstance(found, str):
        raise _invalid(f"{where}.{key}", "is not the key of a column", "a text")
    return found


def _read_keys(given: JsonValue, where: str) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, Sequence) or not all(isinstance(one, str) for one in listed):
        raise _invalid(where, "is no list of keys of columns", "")
    if len(listed) > _MAX_MEASURES or len(set(listed)) != len(listed):
        raise _invalid(where, f"must be at most {_MAX_MEASURES} different keys", "")
    return tuple(str(one) for one in listed)


def _read_range(given: JsonValue, where: str) -> tuple[float, float] | None:
    if given is None:
        return None
    ends = [one for one in given if _is_number(one)] if isinstance(given, Sequence) else []
    if len(ends) != 2 or len(given) != 2 or not ends[0] < ends[1]:  # type: ignore[arg-type,operator]  # `_is_number` has checked them
        raise _invalid(where, "is no pair of numbers, the lower first", "for example [-120, -50]")
    return float(ends[0]), float(ends[1])  # type: ignore[arg-type]  # `_is_number` has checked them


def _read_thresholds(given: JsonValue, where: str) -> tuple[ThresholdLine, ...]:
    listed = _read_list(given, where, _MAX_THRESHOLDS)
    return tuple(_read_threshold(one, f"{where}[{at}]") for at, one in enumerate(listed))


def _read_cursors(given: JsonValue, where: str) -> tuple[CursorLines, ...]:
    listed = _read_list(given, where, _MAX_CURSORS)
    return tuple(_read_cursor(one, f"{where}[{at}]") for at, one in enumerate(listed))


def _read_cursor(given: JsonValue, where: str) -> CursorLines:
    if not isinstance(given, Mapping):
        raise _invalid(where, "is no object", 'for example {"title": "BPFO", "at": [3.58, 7.17]}')
    at, sides = (_read_places(given.get(key, ()), f"{where}.{key}") for key in ("at", "sides"))
    if not at:
        raise _invalid(f"{where}.at", "is empty", "at least one place along the bottom")
    return CursorLines(_read_line(given.get("title", ""), f"{where}.title"), at, sides)


def _read_places(given: JsonValue, where: str) -> tuple[float, ...]:
    listed = _read_list(given, where, _MAX_PLACES)
    if not all(_is_number(one) for one in listed):
        raise _invalid(where, "has something that is no number", "")
    return tuple(float(str(one)) for one in listed)


def _read_list(given: JsonValue, where: str, most: int) -> Sequence[JsonValue]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > most:
        raise _invalid(where, f"is no list of at most {most}", "")
    return given


def _read_threshold(given: JsonValue, where: str) -> ThresholdLine:
    value = given.get("value") if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or not _is_number(value):
        raise _invalid(where, "has no number", 'for example {"value": -110, "title": "weak"}')
    return ThresholdLine(float(str(value)), _read_line(given.get("title", ""), f"{where}.title"))


def _read_line(given: JsonValue, where: str) -> str:
    if not isinstance(given, str) or len(given) > _MAX_TITLE_CHARS:
        raise _invalid(where, f"is no text of at most {_MAX_TITLE_CHARS} characters", "")
    return given


def _line_to_json(line: ThresholdLine) -> JsonObject:
    return {"value": line.value, "title": line.title}


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and _is_drawable(value)


def _check_size(spec: ChartSpec, where: str) -> None:
    points = len(spec.table.rows) * max(1, len(spec.y))
    if points > MAX_POINTS:
        hint = f"the most is {MAX_POINTS}: sum up, take a sample, or give the rows as a table"
        raise _invalid(f"{where}.rows", f"makes {points} points", hint)
    if not spec.table.rows:
        raise _invalid(f"{where}.rows", "is empty", "a chart needs data")


def _check_axes(spec: ChartSpec, where: str) -> None:
    keys = [column.key for column in spec.table.columns]
    for field, key in (("x", spec.x), ("group", spec.group), *(("y", one) for one in spec.y)):
        if key and key not in keys:
            hint = suggest(key, keys, f"columns: {', '.join(keys[:20])}")
            raise _invalid(f"{where}.{field}", f"names no column: {key[:40]!r}", hint)
    if spec.kind == "table":
        return
    if not spec.x or not spec.y:
        raise _invalid(f"{where}.{'y' if spec.x else 'x'}", "is missing", f"a {spec.kind} chart needs x and y")
    if spec.kind == "heatmap" and (len(spec.y) != 1 or not spec.group):
        raise _invalid(f"{where}.y", "and 'group' do not make a heatmap", "it needs x, group and exactly one y")
    numbers = (*spec.y, spec.x) if spec.kind == "scatter" else spec.y
    _check_numbers(spec.table, numbers, where)


def _check_numbers(table: Table, keys: Sequence[str], where: str) -> None:
    places = [(at, column.key) for at, column in enumerate(table.columns) if column.key in keys]
    for number, row in enumerate(table.page(0, len(table.rows))):
        for at, key in places:
            value = row[at] if isinstance(row, list) else None
            if value is None or _is_number(value):
                continue
            raise _invalid(f"{where}.rows[{number}].{key}", f"is no number: {str(value)[:40]!r}", "null for a gap")


def _is_drawable(value: float) -> bool:
    """Whether every front end can draw the number; an integer beyond a double cannot be drawn."""
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _invalid(where: str, what: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{where} {what}", hint=hint)
