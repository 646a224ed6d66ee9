"""Maps of a conversation drawn as shapes: per layer the stages side by side on one scale, with sectors and legend."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from metier.exports._drawing import BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._sentences import SENTENCES
from metier.json_values import JsonObject, JsonValue, list_items, list_objects
from metier.language import Language

_WIDTH: Final = 640.0
_GAP: Final = 12.0
_TOP: Final = 24.0
_LEVELS: Final = ("#a50026", "#f46d43", "#fee090", "#74add1", "#313695")
_CHANGES: Final = ("#8c510a", "#d8b365", "#f6e8c3", "#e4e4e4", "#c7eae5", "#5ab4ac", "#01665e")
_MAX_SECTORS: Final = 600


def draw_maps(spec: JsonObject, language: Language) -> Iterator[tuple[str, Drawing]]:
    """A title and a drawing for each layer of a map."""
    for layer in list_objects(spec.get("layers")):
        stages = [one for one in list_objects(layer.get("stages")) if list_items(one.get("values"))]
        if stages:
            title = f"{spec.get('title')} · {layer.get('title')}"
            yield title, _draw_layer(spec, str(layer.get("id")), stages, language)


def _draw_layer(spec: JsonObject, layer: str, stages: Sequence[JsonObject], language: Language) -> Drawing:
    wide = (_WIDTH - _GAP * (len(stages) - 1)) / max(2, len(stages))
    share = wide / (_number(spec.get("width_m")) or 1.0)
    high = min((_number(spec.get("height_m")) or 1.0) * share, 1000.0)
    shapes: list[Shape] = []
    for at, one in enumerate(stages):
        left, stage = at * (wide + _GAP), str(one.get("stage"))
        bands = list_objects(spec.get("difference_bands" if stage == "difference" else "bands"))
        unit = spec.get("difference_unit" if stage == "difference" else "unit")
        name = SENTENCES.render(f"stage_{stage}", language)
        shapes.append(LabelShape(left, 16, f"{name} · {spec.get('measure')} ({unit})", 10))
        shapes += _draw_squares(
            spec, list_items(one.get("values")), bands, _colours(len(bands), stage), (left, wide, high)
        )
        shapes += _draw_sectors(spec, layer, stage, (left, share, high))
        shapes += _draw_legend(bands, _colours(len(bands), stage), left, _TOP + high + 8)
    rows = max(len(list_objects(spec.get("bands"))), len(list_objects(spec.get("difference_bands"))))
    return Drawing(_WIDTH, _TOP + high + 16 + 13 * rows, tuple(shapes), str(spec.get("title", "")))


def _draw_squares(
    spec: JsonObject,
    values: Sequence[JsonValue],
    bands: Sequence[JsonObject],
    colours: Sequence[str],
    place: tuple[float, float, float],
) -> Iterator[Shape]:
    """Squares of a row with the same colour are one box: a map has ten thousand of them."""
    left, wide, high = place
    columns, rows = int(_number(spec.get("columns")) or 1), int(_number(spec.get("rows")) or 1)
    step, rise = wide / columns, high / rows
    for row in range(rows):
        line = [_colour_of(value, bands, colours) for value in values[row * columns : (row + 1) * columns]]
        start = 0
        for at in range(1, len(line) + 1):
            if at == len(line) or line[at] != line[start]:
                top = _TOP + high - (row + 1) * rise
                yield BoxShape(left + start * step, top, (at - start) * step + 0.2, rise + 0.2, line[start])
                start = at


def _colour_of(value: JsonValue, bands: Sequence[JsonObject], colours: Sequence[str]) -> str:
    number = _number(value)
    if number is None or not colours:
        return "#f3f3f3"
    for band, colour in zip(bands, colours, strict=True):
        low, high = _number(band.get("low")), _number(band.get("high"))
        if (low is None or number >= low) and (high is None or number < high):
            return colour
    return colours[-1]


def _draw_sectors(spec: JsonObject, layer: str, stage: str, place: tuple[float, float, float]) -> Iterator[Shape]:
    left, share, high = place
    sites = {str(one.get("id")): one for one in list_objects(spec.get("sites"))}
    for sector in list_objects(spec.get("sectors"))[:_MAX_SECTORS]:
        site = sites.get(str(sector.get("site")))
        if site is None or sector.get("layer") != layer:
            continue
        x, y = left + (_number(site.get("x_m")) or 0.0) * share, _TOP + high - (_number(site.get("y_m")) or 0.0) * share
        after = _number(sector.get("azimuth_after_deg")) if stage != "before" else None
        angle = math.radians(after if after is not None else _number(sector.get("azimuth_deg")) or 0.0)
        end = (x + 7 * math.sin(angle), y - 7 * math.cos(angle))
        yield PathShape(((x, y), end), "#000000" if sector.get("changes") else "#555555", 1.4)
        yield DotShape(x, y, 1.6, "#000000")


def _draw_legend(bands: Sequence[JsonObject], colours: Sequence[str], left: float, top: float) -> Iterator[Shape]:
    for at, (band, colour) in enumerate(zip(bands, colours, strict=True)):
        yield BoxShape(left, top + at * 13, 9, 9, colour)
        yield LabelShape(left + 14, top + at * 13 + 8, str(band.get("title", "")), 9)


def _colours(count: int, stage: str) -> list[str]:
    whole = _CHANGES if stage == "difference" else _LEVELS
    if count == len(whole):
        return list(whole)
    return [whole[round(at * (len(whole) - 1) / max(1, count - 1))] for at in range(count)]


def _number(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
