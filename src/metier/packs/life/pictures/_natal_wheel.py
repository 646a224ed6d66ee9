"""The natal wheel as a drawing: signs, houses, bodies and aspects; the ascendant is on the left."""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.exports import DotShape, Drawing, LabelShape, PathShape, Shape
from metier.language import BilingualText, Language, Sentences
from metier.packs.life.readings import name_of
from metier.packs.life.zodiac import SIGNS, NatalChart

_SIZE: Final = 560.0
_MIDDLE: Final = _SIZE / 2
_OUTER: Final = 262.0
_SIGN_INNER: Final = 222.0
_BODY: Final = 190.0
_HOUSE: Final = 122.0
_ASPECT: Final = 112.0
_INK: Final = "#1f2937"
_SOFT: Final = "#6b7280"
_LINE: Final = "#cbd5e1"
_ANGLE: Final = _SIGN_INNER - 24
_ROOM: Final = 22.0  # between the middles of two labels
_INWARD: Final = (0.0, 22.0, 44.0)
_ASIDE: Final = (0.0, 7.0, -7.0, 14.0, -14.0)  # degrees
_SIGN_COLOURS: Final = ("#b91c1c", "#92400e", "#a16207", "#1d4ed8")
_ASPECT_COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {"conjunction": "#6b7280", "sextile": "#0e7490", "square": "#b91c1c", "trine": "#15803d", "opposition": "#c2410c"}
)
_SHORT: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "sun": BilingualText("日", "Su"),
        "moon": BilingualText("月", "Mo"),
        "mercury": BilingualText("水", "Me"),
        "venus": BilingualText("金", "Ve"),
        "mars": BilingualText("火", "Ma"),
        "jupiter": BilingualText("木", "Ju"),
        "saturn": BilingualText("土", "Sa"),
        "uranus": BilingualText("天", "Ur"),
        "neptune": BilingualText("海", "Ne"),
        "pluto": BilingualText("冥", "Pl"),
    }
)
_TEXTS: Final = Sentences(
    {
        "title": ("Natal wheel: Sun in {sun}, Moon in {moon}", "星盘：太阳{sun}，月亮{moon}"),
        "ascendant": ("Asc", "上升"),
        "midheaven": ("MC", "天顶"),
        "or": (" or ", "或"),
    }
)


def draw_natal(chart: NatalChart, language: Language) -> Drawing:
    """Draw the wheel; without a time it begins with Aries on the left and has no houses."""
    turn = chart.ascendant if chart.ascendant is not None else 0.0
    shapes = [*_draw_rings(), *_draw_signs(turn, language), *_draw_houses(chart, turn, language)]
    shapes += [*_draw_aspects(chart, turn), *_draw_bodies(chart, turn, language)]
    either = _TEXTS.render("or", language)
    sun, moon = (either.join(name_of(one, language) for one in chart.signs_of(body)) for body in ("sun", "moon"))
    return Drawing(_SIZE, _SIZE, tuple(shapes), _TEXTS.render("title", language, sun=sun, moon=moon))


def _at(longitude: float, turn: float, radius: float) -> tuple[float, float]:
    """Point of the wheel: the ascendant on the left, the signs against the clock."""
    angle = math.radians(180 + longitude - turn)
    return _MIDDLE + radius * math.cos(angle), _MIDDLE - radius * math.sin(angle)


def _draw_rings() -> Iterator[Shape]:
    for radius in (_OUTER, _SIGN_INNER, _HOUSE):
        points = tuple(_at(degree, 0.0, radius) for degree in range(0, 363, 3))
        yield PathShape(points, _LINE, 1.2)


def _draw_signs(turn: float, language: Language) -> Iterator[Shape]:
    for number, sign in enumerate(SIGNS):
        yield PathShape((_at(30 * number, turn, _SIGN_INNER), _at(30 * number, turn, _OUTER)), _LINE)
        x, y = _at(30 * number + 15, turn, (_OUTER + _SIGN_INNER) / 2)
        yield LabelShape(x, y + 4, name_of(sign, language), 10.5, "middle", _SIGN_COLOURS[number % 4])


def _draw_houses(chart: NatalChart, turn: float, language: Language) -> Iterator[Shape]:
    for number, cusp in enumerate(chart.houses, 1):
        is_angle = number in (1, 4, 7, 10) and chart.system == "placidus"
        ends = _at(cusp, turn, _HOUSE), _at(cusp, turn, _SIGN_INNER)
        yield PathShape(ends, _SOFT if is_angle else _LINE, 1.6 if is_angle else 0.8)
        width = (chart.houses[number % 12] - cusp) % 360
        x, y = _at(cusp + width / 2, turn, _HOUSE + 12)
        yield LabelShape(x, y + 4, str(number), 10, "middle", _SOFT)
    for name, longitude in (("ascendant", chart.ascendant), ("midheaven", chart.midheaven)):
        if longitude is None:
            continue
        x, y = _at(longitude, turn, _ANGLE)
        yield DotShape(*_at(longitude, turn, _SIGN_INNER), 3.5, _INK)
        yield LabelShape(x, y - 4, _TEXTS.render(name, language), 11, "middle", _INK)


def _draw_aspects(chart: NatalChart, turn: float) -> Iterator[Shape]:
    where = {one.body: one.longitude for one in chart.bodies}
    for aspect in chart.aspects:
        ends = _at(where[aspect.first], turn, _ASPECT), _at(where[aspect.second], turn, _ASPECT)
        yield PathShape(ends, _ASPECT_COLOURS[aspect.name], 1.0)


def _draw_bodies(chart: NatalChart, turn: float, language: Language) -> Iterator[Shape]:
    angles = [one for one in (chart.ascendant, chart.midheaven) if one is not None]
    taken = [_at(angle, turn, _ANGLE) for angle in angles]
    for one in sorted(chart.bodies, key=lambda body: body.longitude):
        x, y = _find_room(one.longitude, turn, taken)
        taken.append((x, y))
        yield DotShape(*_at(one.longitude, turn, _SIGN_INNER - 3), 2.2, _INK)
        mark = "R" if one.is_retrograde else ""
        yield LabelShape(x, y, f"{_SHORT[one.body].text(language)}{mark}", 13, "middle", _INK)
        yield LabelShape(x, y + 11, f"{one.longitude % 30:.0f}°", 9, "middle", _SOFT)


def _find_room(longitude: float, turn: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where a name covers no other: further inward if bodies are close together, then beside its place."""
    places = [_at(longitude + aside, turn, _BODY - inward) for aside in _ASIDE for inward in _INWARD]
    free = (at for at in places if all(math.dist(at, other) >= _ROOM for other in taken))
    return next(free, places[0])
