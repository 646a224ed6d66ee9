"""Events as text, for clients that display nothing else."""

from collections.abc import Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue

_MAX_ROWS: Final = 20
_CELL_ESCAPES: Final = str.maketrans({"|": "\\|", "\n": " ", "\r": " "})


def render_table(told: JsonObject) -> str:
    """Render a `table` event as a Markdown table of its first rows; empty for its later pages."""
    columns, rows = told.get("columns"), told.get("rows")
    if not isinstance(columns, Sequence) or not isinstance(rows, Sequence) or told.get("offset", 0) != 0:
        return ""
    heads = [_render_heading(one) for one in columns if isinstance(one, Mapping)]
    lines = [f"**{told['title']}**", ""] if told.get("title") else []
    lines += [_render_row(heads), _render_row(["---"] * len(heads))]
    shown = [row for row in rows[:_MAX_ROWS] if isinstance(row, Sequence)]
    lines += [_render_row([_render_cell(value) for value in row]) for row in shown]
    total = told.get("total")
    if isinstance(total, int) and total > len(shown):
        lines += ["", f"({len(shown)} / {total})"]
    return "\n".join(lines)


def render_chart(told: JsonObject) -> str:
    """Render a `chart` event as one line of text."""
    spec = told.get("spec")
    if not isinstance(spec, Mapping):
        return ""
    measures = spec.get("y")
    named = ", ".join(map(str, measures)) if isinstance(measures, Sequence) and not isinstance(measures, str) else ""
    return f"[{spec.get('kind', 'chart')}] {spec.get('title', '')}" + (f": {named}" if named else "")


def render_pause(told: JsonObject) -> str:
    """Render a question with its numbered choices."""
    choices = told.get("choices")
    texts = [str(one.get("text")) for one in choices if isinstance(one, Mapping)] if isinstance(choices, list) else []
    lines = [str(told.get("text", ""))] + [f"{number}. {text}" for number, text in enumerate(texts, 1)]
    return "\n".join(line for line in lines if line)


def _render_heading(column: Mapping[str, JsonValue]) -> str:
    name, unit = column.get("title") or column.get("key"), column.get("unit")
    return _render_cell(f"{name} ({unit})" if unit else str(name))


def _render_cell(value: JsonValue) -> str:
    if value is None:
        return ""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.translate(_CELL_ESCAPES)


def _render_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
