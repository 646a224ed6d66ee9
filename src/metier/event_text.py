"""Events as text, for terminals and for clients that display nothing else: tables, charts and questions."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, language_of
from metier.visible_text import visible_text

__all__ = [
    "count_decimals",
    "render_calls",
    "render_chart",
    "render_map",
    "render_number",
    "render_pause",
    "render_shown",
    "render_table",
]

_MAX_ROWS: Final = 20
_CHARTS: Final = Sentences(
    {
        "grouped_bar": ("{title} (bar chart)", "{title}（柱状图）"),
        "stacked_bar": ("{title} (stacked bar chart)", "{title}（堆叠柱状图）"),
        "line": ("{title} (line chart)", "{title}（折线图）"),
        "scatter": ("{title} (scatter chart)", "{title}（散点图）"),
        "heatmap": ("{title} (heat map)", "{title}（热力图）"),
    }
)
_MAX_PREVIEW_ROWS: Final = 100
_MAX_COLUMNS: Final = 10
_MAX_DECIMALS: Final = 6
_CELL_ESCAPES: Final = str.maketrans({"|": "\\|", "\n": " ", "\r": " "})


def render_table(data: JsonObject, max_rows: int = _MAX_ROWS) -> str:
    """Render the first page of a `table` event as Markdown, the remaining rows counted; empty for later pages."""
    if data.get("offset"):
        return ""
    title = str(data.get("title") or "")
    return _render_markdown(title, data.get("columns"), data.get("rows"), data.get("total"), max_rows)


def count_decimals(values: Iterable[JsonValue]) -> int:
    """How many digits after the point the numbers of a column need: all of them show as many."""
    parts = (f"{value:.{_MAX_DECIMALS}f}".rstrip("0").partition(".")[2] for value in values if isinstance(value, float))
    return max(map(len, parts), default=0)


def render_number(value: float, decimals: int) -> str:
    """A number with so many digits after the point; one that would be zero with ten significant digits."""
    is_tiny = value != 0 and abs(value) < 10**-_MAX_DECIMALS
    return f"{value:.10g}" if is_tiny or not math.isfinite(value) else f"{value:.{decimals}f}"


def render_chart(data: JsonObject, max_rows: int = _MAX_ROWS) -> str:
    """Render a `chart` event as a table of its data; a heatmap only by its title."""
    spec = data.get("spec")
    chart: Mapping[str, JsonValue] = spec if isinstance(spec, Mapping) else {}
    kind, rows = str(chart.get("kind")), _as_sequence(chart.get("rows"))
    title = str(chart.get("title") or "")
    if kind in _CHARTS:
        title = _CHARTS.render(kind, language_of(title), title=title)
    if kind == "heatmap":
        return f"**{title}** ({len(rows)})"
    note = str(chart.get("note") or "")
    text = _render_markdown(title, chart.get("columns"), rows, len(rows), max_rows)
    return f"{text}\n\n{note}" if note else text


def render_map(data: JsonObject) -> str:
    """Render a `map` event by its title, size and bands: a terminal draws no map."""
    spec = data.get("spec")
    found: Mapping[str, JsonValue] = spec if isinstance(spec, Mapping) else {}
    bands = [str(one.get("title")) for one in _as_sequence(found.get("bands")) if isinstance(one, Mapping)]
    lines = [f"**{found.get('title')}** ({found.get('columns')} × {found.get('rows')})", " | ".join(bands)]
    return "\n\n".join(line for line in (*lines, str(found.get("note") or "")) if line)


def render_pause(data: JsonObject) -> str:
    """Render a question with the calls that wait for it and its numbered choices."""
    choices = [one for one in _as_sequence(data.get("choices")) if isinstance(one, Mapping)]
    numbered = (f"{number}. {one.get('text')}" for number, one in enumerate(choices, 1))
    lines = [str(data.get("text", "")), *render_calls(data), render_shown(data.get("show")), *numbered]
    return "\n".join(line for line in lines if line)


def render_shown(value: JsonValue) -> str:
    """Render what a question shows: a text as it is, rows as a table, other values by their names; never as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    rows = _find_rows(value)
    if rows:
        names = list(rows[0])
        return _render_markdown("", names, [[row.get(name) for name in names] for row in rows], None, _MAX_ROWS)
    if isinstance(value, Mapping):
        return "\n".join(f"- {name}: {_render_cell(one)}" for name, one in value.items())
    return "\n".join(f"- {_render_cell(one)}" for one in _as_sequence(value)) or _render_cell(value)


def _find_rows(value: JsonValue) -> list[JsonObject]:
    """Rows of a value that is a list of objects, or that has one under a name."""
    for found in (value, *(value.values() if isinstance(value, Mapping) else ())):
        rows = _as_sequence(found)
        if rows and all(isinstance(one, Mapping) for one in rows):
            return [one for one in rows if isinstance(one, Mapping)]
    return []


def render_calls(pause: JsonObject, max_rows: int = _MAX_PREVIEW_ROWS) -> list[str]:
    """Calls that wait for a person, each as a block: title, arguments in words, and the table of what it would do."""
    language = language_of(str(pause.get("text", "")))
    listed = (one for one in _as_sequence(pause.get("calls")) if isinstance(one, Mapping))
    return [visible_text(_render_call(one, language, max_rows)) for one in listed]


def _render_call(call: JsonObject, language: Language, max_rows: int) -> str:
    details = [one for one in _as_sequence(call.get("details")) if isinstance(one, Mapping)]
    raw = [{"title": name, "value": value} for name, value in _as_mapping(call.get("args")).items()]
    named = details if "details" in call else raw  # hidden arguments stay hidden
    told = "; ".join(f"{one.get('title')}: {one.get('value')}" for one in named)
    lines = [f"**{call.get('title') or call.get('name')}**{f' ({told})' if told else ''}"]
    if call.get("preview_problem"):
        lines.append(f"⚠ {call['preview_problem']}")
    preview = call.get("preview")
    if not isinstance(preview, Mapping):
        return "\n".join(lines)
    columns = [one for one in _as_sequence(preview.get("columns")) if isinstance(one, Mapping)]
    rows: list[JsonValue] = [
        [number, *(_localize(_as_mapping(row.get("values")).get(str(one.get("key"))), language) for one in columns)]
        for number, row in enumerate(_as_sequence(preview.get("rows")), 1)
        if isinstance(row, Mapping)
    ]
    heads: list[JsonValue] = ["#", *({**one, "title": _localize(one.get("title"), language)} for one in columns)]
    totals = (one for one in _as_sequence(preview.get("totals")) if isinstance(one, Mapping))
    lines += [str(_localize(preview.get("sentence"), language)), *(_render_total(one, language) for one in totals)]
    if rows:
        lines += ["", _render_markdown("", heads, rows, len(rows), max_rows, max_columns=len(heads))]
    return "\n".join(lines)


def _render_total(total: JsonObject, language: Language) -> str:
    title, value = (_localize(total.get(key), language) for key in ("title", "value"))
    return f"{title}: {_render_cell(value)} {total.get('unit', '')}".rstrip()


def _localize(value: JsonValue, language: Language) -> JsonValue:
    return value.get(language, value.get("en")) if isinstance(value, Mapping) else value


def _as_mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _render_markdown(
    title: str,
    columns: JsonValue,
    rows: JsonValue,
    total: JsonValue,
    max_rows: int,
    *,
    max_columns: int = _MAX_COLUMNS,
) -> str:
    heads = [_render_heading(column) for column in _as_sequence(columns)[:max_columns]]
    listed = _as_sequence(rows)
    count = total if isinstance(total, int) else len(listed)
    lines = [f"**{title}** ({count})", ""] if title else []
    lines += [_render_row(heads), "|" + "---|" * len(heads)]
    shown = [_as_sequence(row)[:max_columns] for row in listed[:max_rows]]
    digits = [count_decimals(row[at] for row in shown if at < len(row)) for at in range(max_columns)]
    lines += [_render_row([_render_cell(value, digits[at]) for at, value in enumerate(row)]) for row in shown]
    left = count - min(len(listed), max_rows)
    note = f"… {count - left} / {count}"
    return "\n".join([*lines, "", note] if left > 0 else lines)


def _render_heading(column: JsonValue) -> str:
    if not isinstance(column, Mapping):
        return _render_cell(column)
    name, unit = str(column.get("title") or column.get("key")), column.get("unit")
    return _render_cell(f"{name} ({unit})" if unit else name)


def _render_cell(value: JsonValue, decimals: int | None = None) -> str:
    if value is None:
        return "–"
    text = str(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = render_number(value, count_decimals([value]) if decimals is None else decimals)
    return text.translate(_CELL_ESCAPES)


def _render_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_sequence(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else []
