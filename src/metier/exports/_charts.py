"""Charts of a conversation as shapes: bars, lines, points and heatmaps with axes, thresholds, cursors and legend."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from metier.exports._drawing import BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._scales import SERIES_COLOURS, AxisScale, fit_range, format_number, ramp_colour
from metier.json_values import JsonObject, JsonValue, list_items

_WIDTH: Final = 640.0
_HEIGHT: Final = 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 16.0, 30.0, 44.0
_GRID: Final = "#e3e6ea"
_AXIS: Final = "#7a828c"
_THRESHOLD: Final = "#c0392b"
_MAX_LABELS: Final = 14
_MAX_LABEL_CHARS: Final = 18
_MAX_IN_ONE_ROW: Final = 6
_LABEL_GAP: Final = 4.0
_MAX_SERIES: Final = 8
_LONG: Final = 60  # from so many places on, a line over rising numbers has an axis of numbers


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    points: tuple[tuple[JsonValue, float], ...]


@dataclass(frozen=True, slots=True)
class _Cursor:
    title: str
    at: tuple[float, ...]
    sides: tuple[float, ...]


def draw_chart(spec: JsonObject) -> Drawing | None:
    """Draw a chart; None for a kind that is a table or has nothing to draw."""
    kind = spec.get("kind")
    if kind == "heatmap":
        return _draw_heatmap(spec)
    series = _list_series(spec)
    if not series or kind not in ("grouped_bar", "stacked_bar", "line", "scatter"):
        return None
    stacked = kind == "stacked_bar"
    values = [value for one in series for _, value in one.points]
    if stacked:
        values = [*values, *_sum_by_place(series).values()]
    limits = [value for value, _ in _list_thresholds(spec)]
    low, high = fit_range([*values, *limits], _get_range(spec), with_zero=kind not in ("scatter", "line"))
    y = AxisScale(low, high, _HEIGHT - _BOTTOM, _TOP)
    names = [one.name for one in series]
    if kind == "scatter" or (kind == "line" and _is_long_and_rising(series)):
        x = _scale_places(series, is_tight=kind == "line")
        cursors = _list_cursors(spec)
        body = [*_draw_x_axis(spec, x), *_draw_cursors(cursors, x, len(names)), *_draw_over_numbers(kind, series, x, y)]
        names += [one.title for one in cursors]
    else:
        body = [*_draw_categories(str(kind), series, y)]
    shapes = [*_draw_y_axis(y), *body, *_draw_thresholds(spec, y), *_draw_legend(names, _list_thresholds(spec))]
    return Drawing(_WIDTH, _HEIGHT, tuple(shapes), str(spec.get("title", "")))


def _list_series(spec: JsonObject) -> list[_Series]:
    """One series per measure, or per measure and group."""
    titles, rows = _index_columns(spec), list_items(spec.get("rows"))
    measures = [str(one) for one in list_items(spec.get("y")) if str(one) in titles]
    x, group = str(spec.get("x", "")), str(spec.get("group", ""))
    found: dict[str, list[tuple[JsonValue, float]]] = {}
    for row in map(list_items, rows):
        for measure in measures:
            value = _get_number(_get_cell(row, titles, measure))
            part = str(_get_cell(row, titles, group)) if group in titles else ""
            name = " · ".join(one for one in (part, titles[measure][1] if len(measures) > 1 or not part else "") if one)
            if value is not None:
                found.setdefault(name, []).append((_get_cell(row, titles, x), value))
    return [_Series(name, tuple(points)) for name, points in list(found.items())[:_MAX_SERIES]]


def _draw_categories(kind: str, series: Sequence[_Series], y: AxisScale) -> Iterator[Shape]:
    places = list(dict.fromkeys(str(x) for one in series for x, _ in one.points))
    slot = (_WIDTH - _LEFT - _RIGHT) / max(1, len(places))
    at = {place: _LEFT + slot * number for number, place in enumerate(places)}
    base = y.place(0.0) if y.low <= 0 <= y.high else y.place(y.low)
    stacked: dict[str, float] = {}
    for number, one in enumerate(series):
        colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
        if kind == "line":
            orders = {place: number for number, place in enumerate(places)}
            points = [(orders[str(x)], at[str(x)] + slot / 2, y.place(value)) for x, value in one.points]
            yield from _draw_line(points, colour)
            continue
        wide = slot * 0.8 if kind == "stacked_bar" else slot * 0.8 / len(series)
        for x, value in one.points:
            below = stacked.get(str(x), 0.0) if kind == "stacked_bar" else None
            left = at[str(x)] + slot * 0.1 + (0 if kind == "stacked_bar" else wide * number)
            start, end = (base, y.place(value)) if below is None else (y.place(below), y.place(below + value))
            stacked[str(x)] = (below or 0.0) + value
            yield BoxShape(left, min(start, end), max(wide - 0.5, 0.5), abs(start - end), colour)
    yield from _draw_place_labels(places, at, slot)


def _measure_label(text: str) -> float:
    """About how wide a label of size 9 is."""
    return sum(9.0 if ord(char) > 255 else 5.2 for char in text)


def _draw_place_labels(places: Sequence[str], at: Mapping[str, float], slot: float) -> Iterator[Shape]:
    """Names below the axis, in two rows if they are many: as many of them, whole, as do not run into each other."""
    names = [place if len(place) <= _MAX_LABEL_CHARS else f"…{place[-(_MAX_LABEL_CHARS - 1) :]}" for place in places]
    rows = 2 if len(places) > _MAX_IN_ONE_ROW else 1
    widest = max(map(_measure_label, names), default=0.0)
    every = max(1, -(-len(places) // _MAX_LABELS), ceil((widest + _LABEL_GAP) / (slot * rows)))
    for number, (place, text) in enumerate(zip(places, names, strict=True)):
        if number % every == 0:
            lift = 12 if rows > 1 and (number // every) % 2 else 0
            yield LabelShape(at[place] + slot / 2, _HEIGHT - _BOTTOM + 15 + lift, text, 9, "middle")


def _draw_line(points: Sequence[tuple[int, float, float]], colour: str) -> Iterator[Shape]:
    """A line through points, each with its number along the bottom; where a number is missing there is a gap."""
    part: list[tuple[float, float]] = []
    for at, (number, across, up) in enumerate(points):
        part.append((across, up))
        if at + 1 < len(points) and points[at + 1][0] == number + 1:
            continue
        yield PathShape(tuple(part), colour, 2.0) if len(part) > 1 else DotShape(across, up, 2, colour)
        part = []


def _is_long_and_rising(series: Sequence[_Series]) -> bool:
    places = [_get_number(x) for x in dict.fromkeys(x for one in series for x, _ in one.points)]
    known = [place for place in places if place is not None]
    return len(places) > _LONG and len(known) == len(places) and known == sorted(known)


def _scale_places(series: Sequence[_Series], *, is_tight: bool) -> AxisScale:
    numbers = [value for one in series for x, _ in one.points if (value := _get_number(x)) is not None]
    ends = (min(numbers), max(numbers)) if is_tight and numbers else fit_range(numbers)
    return AxisScale(*ends, _LEFT, _WIDTH - _RIGHT)


def _draw_x_axis(spec: JsonObject, x: AxisScale) -> Iterator[Shape]:
    for tick in x.ticks:
        yield LabelShape(x.place(tick), _HEIGHT - _BOTTOM + 15, format_number(tick), 10, "middle")
    titles = _index_columns(spec)
    name = titles[str(spec.get("x"))][1] if str(spec.get("x")) in titles else ""
    yield LabelShape((_LEFT + _WIDTH) / 2, _HEIGHT - 8, name, 10, "middle")


def _draw_over_numbers(kind: JsonValue, series: Sequence[_Series], x: AxisScale, y: AxisScale) -> Iterator[Shape]:
    orders = {place: number for number, place in enumerate(dict.fromkeys(at for one in series for at, _ in one.points))}
    for number, one in enumerate(series):
        colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
        points = [
            (orders[at], x.place(place), y.place(up)) for at, up in one.points if (place := _get_number(at)) is not None
        ]
        if kind == "line":
            yield from _draw_line(points, colour)
        else:
            yield from (DotShape(across, up, 3, colour) for _, across, up in points)


def _draw_cursors(cursors: Sequence[_Cursor], x: AxisScale, before: int) -> Iterator[Shape]:
    """Upright lines over the scale; the first cursor is what the chart is about and is drawn in full."""
    for row, one in enumerate(cursors):
        colour = SERIES_COLOURS[(before + row) % len(SERIES_COLOURS)]
        for number, at in enumerate(one.at, 1):
            if x.low <= at <= x.high:
                points = ((x.place(at), _TOP), (x.place(at), _HEIGHT - _BOTTOM))
                yield PathShape(points, colour, 1.0 if row == 0 else 0.7, is_dashed=row > 0)
                label = one.title if number == 1 else str(number)
                yield LabelShape(x.place(at) + 1.5, _TOP + 7 + 8 * row, label, 7, "start", colour)
        for at in one.sides:
            if x.low <= at <= x.high:
                yield PathShape(((x.place(at), _TOP), (x.place(at), _HEIGHT - _BOTTOM)), colour, 0.4, is_dashed=True)


def _draw_heatmap(spec: JsonObject) -> Drawing | None:
    titles, rows = _index_columns(spec), [list_items(row) for row in list_items(spec.get("rows"))]
    measure = next((str(one) for one in list_items(spec.get("y")) if str(one) in titles), "")
    keys = (str(spec.get("x", "")), str(spec.get("group", "")))
    cells = [
        (_get_cell(row, titles, keys[0]), _get_cell(row, titles, keys[1]), _get_number(_get_cell(row, titles, measure)))
        for row in rows
    ]
    known = [value for *_, value in cells if value is not None]
    if not known:
        return None
    across, down = (_sort_places([cell[axis] for cell in cells]) for axis in (0, 1))
    scale = AxisScale(*fit_range(known, _get_range(spec)), 0.0, 1.0)
    right = _WIDTH - 90.0
    wide, high = (right - _LEFT) / len(across), (_HEIGHT - _TOP - _BOTTOM) / len(down)
    if all(_get_number(place) is not None for *places, _ in cells for place in places):
        wide = high = min(wide, high)  # a piece of ground: as wide as it is high
        right = _LEFT + wide * len(across)
    shapes: list[Shape] = [
        BoxShape(
            _LEFT + across[_key(x)] * wide,
            _TOP + (len(down) - 1 - down[_key(group)]) * high,
            wide + 0.3,
            high + 0.3,
            "#f0f0f0" if value is None else ramp_colour(scale.place(value)),
        )
        for x, group, value in cells
    ]
    unit = titles[measure][1]
    shapes += [*_draw_colour_scale(scale, right + 20), LabelShape(right + 20, _TOP - 8, unit, 9)]
    return Drawing(_WIDTH, _HEIGHT, tuple(shapes), str(spec.get("title", "")))


def _draw_colour_scale(scale: AxisScale, left: float) -> Iterator[Shape]:
    high = _HEIGHT - _TOP - _BOTTOM
    for number in range(50):
        yield BoxShape(left, _TOP + high * number / 50, 14, high / 50 + 0.3, ramp_colour(1 - number / 49))
    for tick in scale.ticks:
        yield LabelShape(left + 18, _TOP + high * (1 - scale.place(tick)) + 3, format_number(tick), 9)


def _draw_y_axis(y: AxisScale) -> Iterator[Shape]:
    for tick in y.ticks:
        yield PathShape(((_LEFT, y.place(tick)), (_WIDTH - _RIGHT, y.place(tick))), _GRID)
        yield LabelShape(_LEFT - 6, y.place(tick) + 4, format_number(tick), 10, "end")
    yield PathShape(((_LEFT, _TOP), (_LEFT, _HEIGHT - _BOTTOM), (_WIDTH - _RIGHT, _HEIGHT - _BOTTOM)), _AXIS)


def _draw_thresholds(spec: JsonObject, y: AxisScale) -> Iterator[Shape]:
    for value, _ in _list_thresholds(spec):
        yield PathShape(((_LEFT, y.place(value)), (_WIDTH - _RIGHT, y.place(value))), _THRESHOLD, 1.2, is_dashed=True)


def _draw_legend(names: Sequence[str], limits: Sequence[tuple[float, str]]) -> Iterator[Shape]:
    """Names of the series, then of the thresholds: a name beside its line would lie on the bars."""
    left = _LEFT
    for number, name in enumerate(names):
        text = name[:28]
        yield BoxShape(left, 8, 10, 10, SERIES_COLOURS[number % len(SERIES_COLOURS)])
        yield LabelShape(left + 14, 17, text, 10)
        left += 30 + sum(10 if ord(char) > 255 else 6 for char in text)
    for _, title in limits:
        yield PathShape(((left, 13), (left + 14, 13)), _THRESHOLD, 1.2, is_dashed=True)
        yield LabelShape(left + 18, 17, title[:28], 10, "start", _THRESHOLD)
        left += 34 + sum(10 if ord(char) > 255 else 6 for char in title[:28])


def _list_thresholds(spec: JsonObject) -> list[tuple[float, str]]:
    found = []
    for one in list_items(spec.get("thresholds")):
        value = _get_number(one.get("value")) if isinstance(one, Mapping) else None
        if isinstance(one, Mapping) and value is not None:
            found.append((value, str(one.get("title", ""))))
    return found


def _list_cursors(spec: JsonObject) -> list[_Cursor]:
    return [
        _Cursor(str(one.get("title", "")), _list_numbers(one.get("at")), _list_numbers(one.get("sides")))
        for one in list_items(spec.get("cursors"))
        if isinstance(one, Mapping)
    ]


def _list_numbers(value: JsonValue) -> tuple[float, ...]:
    return tuple(number for one in list_items(value) if (number := _get_number(one)) is not None)


def _sum_by_place(series: Sequence[_Series]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for one in series:
        for x, value in one.points:
            totals[str(x)] = totals.get(str(x), 0.0) + value
    return totals


def _sort_places(values: Sequence[JsonValue]) -> dict[str, int]:
    kinds = {_key(value): value for value in values}
    numbers = {key: _get_number(value) for key, value in kinds.items()}
    if all(number is not None for number in numbers.values()):
        ordered = sorted(kinds, key=lambda key: numbers[key] or 0.0)
    else:
        ordered = list(kinds)
    return {key: at for at, key in enumerate(ordered)}


def _key(value: JsonValue) -> str:
    return str(value)


def _index_columns(spec: JsonObject) -> dict[str, tuple[int, str]]:
    """Position and title of each column by its key; the title has the unit."""
    found: dict[str, tuple[int, str]] = {}
    for at, column in enumerate(list_items(spec.get("columns"))):
        if isinstance(column, Mapping):
            title, unit = str(column.get("title") or column.get("key")), str(column.get("unit") or "")
            found[str(column.get("key"))] = (at, f"{title} ({unit})" if unit and unit not in title else title)
    return found


def _get_cell(row: Sequence[JsonValue], titles: Mapping[str, tuple[int, str]], key: str) -> JsonValue:
    at = titles[key][0] if key in titles else len(row)
    return row[at] if at < len(row) else None


def _get_range(spec: JsonObject) -> tuple[float, float] | None:
    ends = [value for one in list_items(spec.get("range")) if (value := _get_number(one)) is not None]
    return (ends[0], ends[1]) if len(ends) == 2 and ends[0] < ends[1] else None


def _get_number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= 1e300:
        return None
    return float(value)
