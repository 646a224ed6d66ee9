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
_OUTER: Final = 277.0
_SIGN_INNER: Final = 235.0
_BODY: Final = 205.0
_HOUSE: Final = 104.0
_ASPECT: Final = 80.0
# Readable on a phone, where the wheel is about 340 pixels wide: ten pixels there.
_PRINT: Final = 17.0
_INK: Final = "#1f2937"
_SOFT: Final = "#6b7280"
_LINE: Final = "#cbd5e1"
_ANGLE: Final = _SIGN_INNER - 18
_WIDTH: Final = 36.0  # of a name with its degrees below
_HEIGHT: Final = 33.0
_INWARD: Final = (0.0, 18.0, 36.0, 54.0, 72.0)
_ASIDE: Final = (0.0, 4.0, -4.0, 8.0, -8.0, 12.0, -12.0, 16.0, -16.0, 22.0, -22.0, 28.0, -28.0)  # degrees
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
    for radius in (_OUTER, _SIGN_INNER, _HOUSE, _ASPECT):
        points = tuple(_at(degree, 0.0, radius) for degree in range(0, 363, 3))
        yield PathShape(points, _LINE, 1.2)


def _draw_signs(turn: float, language: Language) -> Iterator[Shape]:
    for number, sign in enumerate(SIGNS):
        yield PathShape((_at(30 * number, turn, _SIGN_INNER), _at(30 * number, turn, _OUTER)), _LINE)
        x, y = _at(30 * number + 15, turn, (_OUTER + _SIGN_INNER) / 2)
        yield LabelShape(x, y + 6, _shorten(name_of(sign, language)), _PRINT, "middle", _SIGN_COLOURS[number % 4])


def _draw_houses(chart: NatalChart, turn: float, language: Language) -> Iterator[Shape]:
    for number, cusp in enumerate(chart.houses, 1):
        is_angle = number in (1, 4, 7, 10) and chart.system == "placidus"
        ends = _at(cusp, turn, _HOUSE), _at(cusp, turn, _SIGN_INNER)
        yield PathShape(ends, _SOFT if is_angle else _LINE, 1.6 if is_angle else 0.8)
        width = (chart.houses[number % 12] - cusp) % 360
        x, y = _at(cusp + width / 2, turn, (_HOUSE + _ASPECT) / 2)
        yield LabelShape(x, y + 6, str(number), _PRINT, "middle", _SOFT)
    for name, longitude in (("ascendant", chart.ascendant), ("midheaven", chart.midheaven)):
        if longitude is None:
            continue
        x, y = _at(longitude, turn, _ANGLE)
        yield DotShape(*_at(longitude, turn, _SIGN_INNER), 3.5, _INK)
        yield LabelShape(x, y + 6, _TEXTS.render(name, language), _PRINT, "middle", _INK)


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
        yield LabelShape(x, y - 1, f"{_SHORT[one.body].text(language)}{mark}", _PRINT, "middle", _INK)
        yield LabelShape(x, y + 15, f"{int(one.longitude % 30)}°", _PRINT, "middle", _SOFT)


def _find_room(longitude: float, turn: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where a name covers no other: further inward if bodies are close together, then beside its place."""
    places = [_at(longitude + aside, turn, _BODY - inward) for aside in _ASIDE for inward in _INWARD]
    return max(places, key=lambda at: min((_measure_room(at, other) for other in taken), default=1.0))


def _measure_room(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How far apart two labels are in their own widths or heights; from 1.0 on they are apart."""
    apart = max(abs(one[0] - other[0]) / _WIDTH, abs(one[1] - other[1]) / _HEIGHT)
    return min(apart, 1.0)


def _shorten(sign: str) -> str:
    """A sign's name in the narrow ring: 白羊, Ari."""
    return sign.removesuffix("座")[:3]
