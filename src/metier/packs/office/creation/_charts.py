"""Charts of results as rows of a native chart, where Office has such a chart."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.creation._cells import is_number

ChartRows = tuple[tuple[JsonValue, ...], ...]
_KINDS: Final[Mapping[str, Literal["column", "line"]]] = MappingProxyType({"grouped_bar": "column", "line": "line"})


def chart_rows(spec: JsonObject) -> tuple[Literal["column", "line", "scatter"], ChartRows] | None:
    """Kind and rows (heads first); None if the chart is drawn instead: limits, stacks, heat maps, scattered points."""
    kind = _KINDS.get(str(spec.get("kind")))
    x, y = spec.get("x"), _texts(spec.get("y"))
    if (
        kind is None
        or any(spec.get(key) for key in ("thresholds", "range", "cursors"))
        or not isinstance(x, str)
        or not y
    ):
        return None
    titles = chart_columns(spec)
    keys = list(titles)
    rows = [_as_mapping(row, keys) for row in _items(spec.get("rows"))]
    group = spec.get("group")
    found: dict[str, dict[str, JsonValue]] = {}
    series: dict[str, None] = {}
    for row in rows:
        place = found.setdefault(str(row.get(x)), {})
        for key in y:
            name = titles.get(key, key)
            if isinstance(group, str) and group:
                name = str(row.get(group)) if len(y) == 1 else f"{row.get(group)} · {name}"
            series.setdefault(name)
            value = row.get(key)
            place[name] = value if is_number(value) else None
    if not any(value is not None for place in found.values() for value in place.values()):
        return None
    head: tuple[JsonValue, ...] = (titles.get(x, x), *series)
    return kind, (head, *((name, *(place.get(one) for one in series)) for name, place in found.items()))


def chart_columns(spec: JsonObject) -> dict[str, str]:
    """Titles of a chart's columns by their keys; without columns, the keys of its rows, or its axes."""
    columns = [one for one in _items(spec.get("columns")) if isinstance(one, Mapping)]
    if columns:
        return {str(one.get("key")): str(one.get("title") or one.get("key")) for one in columns}
    rows = _items(spec.get("rows"))
    keys = dict.fromkeys(key for row in rows if isinstance(row, Mapping) for key in row)
    if not keys:
        axes = [*_texts(spec.get("x")), *_texts(spec.get("y")), *_texts(spec.get("group"))]
        width = max((len(_items(row)) for row in rows), default=0)
        keys = dict.fromkeys([*axes, *(str(at) for at in range(len(axes) + 1, width + 1))][:width])
    return {key: key for key in keys}


def _as_mapping(row: JsonValue, keys: list[str]) -> Mapping[str, JsonValue]:
    return row if isinstance(row, Mapping) else dict(zip(keys, _items(row), strict=False))


def _items(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, list | tuple) else []


def _texts(value: JsonValue) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in _items(value) if isinstance(one, str)]
