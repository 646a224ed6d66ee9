"""Tables and charts on a terminal: the first rows as Markdown, the rest counted."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue

_MAX_ROWS: Final = 6
_MAX_COLUMNS: Final = 10


def render_table(data: "JsonObject") -> str:
    """Render the first page of a table; empty for later pages."""
    if data.get("offset"):
        return ""
    return _render_markdown_table(
        str(data.get("title") or ""), data.get("columns"), data.get("rows"), data.get("total")
    )


def render_chart(data: "JsonObject") -> str:
    """Render a chart as a table of its data; a heatmap only by its title."""
    spec = data.get("spec")
    chart: Mapping[str, JsonValue] = spec if isinstance(spec, Mapping) else {}
    kind, rows = str(chart.get("kind")), _as_sequence(chart.get("rows"))
    title = f"{chart.get('title')} [{kind}]"
    if kind == "heatmap":
        return f"**{title}** ({len(rows)})"
    return _render_markdown_table(title, chart.get("columns"), rows, len(rows))


def _render_markdown_table(title: str, columns: "JsonValue", rows: "JsonValue", total: "JsonValue") -> str:
    heads = [_render_heading(column) for column in _as_sequence(columns)[:_MAX_COLUMNS]]
    listed = _as_sequence(rows)
    count = total if isinstance(total, int) else len(listed)
    lines = [f"**{title}** ({count})", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [
        f"| {' | '.join(_render_cell(cell) for cell in _as_sequence(row)[:_MAX_COLUMNS])} |"
        for row in listed[:_MAX_ROWS]
    ]
    left = count - min(len(listed), _MAX_ROWS)
    return "\n".join([*lines, f"… +{left}"] if left > 0 else lines)


def _render_heading(column: "JsonValue") -> str:
    if not isinstance(column, Mapping):
        return str(column)
    name, unit = str(column.get("title") or column.get("key")), column.get("unit")
    return f"{name} ({unit})" if unit else name


def _render_cell(value: "JsonValue") -> str:
    return "–" if value is None else str(value).replace("|", "\\|").replace("\n", " ")


def _as_sequence(value: "JsonValue") -> "Sequence[JsonValue]":
    return value if isinstance(value, Sequence) and not isinstance(value, str) else []
