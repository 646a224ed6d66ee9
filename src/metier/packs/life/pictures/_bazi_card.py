"""The bazi card as a drawing: pillars with ten gods, hidden stems and more, and the luck periods below."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import Final

from metier.exports import BoxShape, Drawing, LabelShape, PathShape, Shape
from metier.language import Language, Sentences, choose
from metier.packs.life.bazi import BaziChart, Luck, Pillar, element_of_branch, element_of_stem
from metier.packs.life.readings import melody_of, name_of

_WIDTH: Final = 640.0
_LEFT: Final = 112.0
_TOP: Final = 64.0
_INK: Final = "#1f2937"
_SOFT: Final = "#6b7280"
_LINE: Final = "#d1d5db"
_COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {"wood": "#15803d", "fire": "#b91c1c", "earth": "#92400e", "metal": "#a16207", "water": "#1d4ed8"}
)
_MAX_PERIODS: Final = 8
_PERIODS_A_ROW: Final = 4
_PERIOD_HEIGHT: Final = 70.0
# On a phone the card is about half as wide as it is drawn.
_SMALL: Final = 15.0
_LINE_ZH: Final = 40
_LINE_EN: Final = 72
_TEXTS: Final = Sentences(
    {
        "title": ("Bazi chart: {pillars}", "八字命盘：{pillars}"),
        "god": ("Ten god", "十神"),
        "pillar": ("Pillar", "干支"),
        "hidden": ("Hidden stems", "藏干"),
        "melody": ("Melody", "纳音"),
        "stage": ("Stage", "星运"),
        "void": ("Void", "旬空"),
        "self": ("self", "日主"),
        "unknown": ("time unknown", "时间未知"),
        "luck": ("Luck periods ({sex}, {direction}), from {begins}", "大运（{sex}命{direction}），{begins}起运"),
    }
)


def draw_bazi(chart: BaziChart, language: Language, notes: Sequence[str] = ()) -> Drawing:
    """Draw the card with its notes below; a chart without a time has an empty fourth column."""
    pillars = " ".join(name_of(one.pillar, language) for one in chart.pillars)
    shapes = [*_draw_head(language), *_draw_rows(language)]
    step = (_WIDTH - _LEFT - 16) / 4
    for number, pillar in enumerate(chart.pillars):
        shapes += _draw_pillar(pillar, _LEFT + step * (number + 0.5), language)
    if len(chart.pillars) == 3:
        shapes.append(
            LabelShape(_LEFT + step * 3.5, _TOP + 90, _TEXTS.render("unknown", language), _SMALL, "middle", _SOFT)
        )
    top = _TOP + 326
    for luck in chart.luck:
        shapes += _draw_luck(luck, top, language)
        top += 34 + _PERIOD_HEIGHT * -(-min(len(luck.periods), _MAX_PERIODS) // _PERIODS_A_ROW)
    for line in (part for note in notes for part in _wrap(note, language)):
        shapes.append(LabelShape(10, top, line, _SMALL, "start", _SOFT))
        top += 23
    return Drawing(_WIDTH, top + 6, tuple(shapes), _TEXTS.render("title", language, pillars=pillars))


def _wrap(note: str, language: Language) -> Sequence[str]:
    """Lines of a note that fit the card."""
    return wrap(f"· {note}", choose(language, zh=_LINE_ZH, en=_LINE_EN))


def _draw_head(language: Language) -> Iterator[Shape]:
    step = (_WIDTH - _LEFT - 16) / 4
    yield BoxShape(0, 0, _WIDTH, _TOP - 26, "#fef3c7")
    for number, name in enumerate(("year", "month", "day", "hour")):
        yield LabelShape(_LEFT + step * (number + 0.5), 25, name_of(name, language), 18, "middle", _INK)
        at = _LEFT + step * number
        yield PathShape(((at, _TOP - 26), (at, _TOP + 298)), _LINE)


def _draw_rows(language: Language) -> Iterator[Shape]:
    rows = (("god", 0), ("pillar", 60), ("hidden", 134), ("melody", 222), ("stage", 254), ("void", 286))
    for code, down in rows:
        yield LabelShape(10, _TOP + down, _TEXTS.render(code, language), _SMALL, "start", _SOFT)
    yield PathShape(((0, _TOP + 298), (_WIDTH, _TOP + 298)), _LINE)


def _draw_pillar(one: Pillar, x: float, language: Language) -> Iterator[Shape]:
    god = name_of(one.god, language) if one.god else _TEXTS.render("self", language)
    yield LabelShape(x, _TOP, god, 16, "middle", _INK)
    stem, branch = one.pillar[0], one.pillar[1]
    yield LabelShape(x, _TOP + 46, stem, 34, "middle", _COLOURS[element_of_stem(stem)])
    yield LabelShape(x, _TOP + 90, branch, 34, "middle", _COLOURS[element_of_branch(branch)])
    if name_of(one.pillar, language) != one.pillar:
        yield LabelShape(x, _TOP + 110, name_of(one.pillar, language), _SMALL, "middle", _SOFT)
    for number, (hidden, hidden_god) in enumerate(one.hidden):
        text = f"{hidden} {name_of(hidden_god, language)}"
        yield LabelShape(x, _TOP + 136 + 25 * number, text, _SMALL, "middle", _COLOURS[element_of_stem(hidden)])
    yield LabelShape(x, _TOP + 222, melody_of(one.melody, language), _SMALL, "middle", _INK)
    yield LabelShape(x, _TOP + 254, name_of(one.stage, language), _SMALL, "middle", _INK)
    yield LabelShape(x, _TOP + 286, name_of(one.void, language), _SMALL, "middle", _INK)


def _draw_luck(luck: Luck, top: float, language: Language) -> Iterator[Shape]:
    begins = luck.begins.isoformat()
    begins = begins if luck.latest == luck.begins else f"{begins} – {luck.latest.isoformat()}"
    sex, way = name_of(luck.sex, language), name_of(luck.direction, language)
    yield LabelShape(10, top, _TEXTS.render("luck", language, sex=sex, direction=way, begins=begins), 16, "start", _INK)
    step = (_WIDTH - 20) / _PERIODS_A_ROW
    for number, period in enumerate(luck.periods[:_MAX_PERIODS]):
        row, column = divmod(number, _PERIODS_A_ROW)
        x, y = 10 + step * (column + 0.5), top + 28 + _PERIOD_HEIGHT * row
        yield LabelShape(x, y, period.pillar, 20, "middle", _COLOURS[element_of_stem(period.pillar[0])])
        yield LabelShape(x, y + 20, name_of(period.god, language), _SMALL, "middle", _SOFT)
        yield LabelShape(x, y + 38, f"{period.begins.year} · {period.age}", _SMALL, "middle", _SOFT)
