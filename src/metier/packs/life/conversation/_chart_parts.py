"""Parts of a chart in words: a pillar, a luck period, a body or a house, with the sentences that speak of it."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from metier.language import Language, Sentences, join_names
from metier.packs.life.bazi import BaziChart
from metier.packs.life.conversation._named_parts import ChartPart
from metier.packs.life.pictures import SHOWN_PERIODS, format_degrees
from metier.packs.life.readings import Sentence, name_of
from metier.packs.life.zodiac import NatalChart, sign_of
from metier.patterns import compile_later

_PILLARS: Final = ("year", "month", "day", "hour")
# What sentences of a reading call a pillar.
_OF_PILLAR: Final = MappingProxyType(
    {
        "year": compile_later(r"年[柱干支]|\byear (?:pillar|stem|branch)", re.IGNORECASE),
        "month": compile_later(r"月[柱干支令]|\bmonth\b", re.IGNORECASE),
        "day": compile_later(r"日[柱主支坐元]|\bday (?:master|pillar|branch|stem)", re.IGNORECASE),
        "hour": compile_later(r"时[柱干支]|\bhour\b", re.IGNORECASE),
    }
)
_TEXTS: Final = Sentences(
    {
        "pillar": (
            "**{name} pillar: {pillar}**. Stem: {god}; hidden in the branch: {hidden}.",
            "**{name} {pillar}**：天干为{god}；地支藏干 {hidden}。",
        ),
        "self": ("the day master, oneself", "日主，代表自己"),
        "hidden": ("{stem} ({god})", "{stem}（{god}）"),
        "luck": (
            "**Luck period {number}: {pillar}** ({god}), from {begins}, at age {age}.",
            "**第{number}步大运 {pillar}**（{god}）：{begins} 起，{age} 岁。",
        ),
        "luck_of": ("For a {sex} chart: ", "{sex}命："),
        "body": ("**{name}**: {position}{house}{motion}.", "**{name}**：{position}{house}{motion}。"),
        "in_house": (", house {house}", "，第{house}宫"),
        "retrograde": (", retrograde", "，逆行"),
        "house": (
            "**House {number}** begins in {sign} ({degrees}). {bodies}",
            "**第{number}宫**：宫头在{sign}（{degrees}）。{bodies}",
        ),
        "bodies_in": ("In it: {names}.", "宫内有{names}。"),
        "empty_house": ("None of the ten bodies is in it.", "十大星体都不在这一宫。"),
        "no_houses": ("Without a time of birth there are no houses.", "没有出生时间，就没有宫位。"),
        "no_part": ("The chart has {count} of them.", "盘里一共 {count} 个。"),
        "no_hour": ("Without a time of birth there is no hour pillar.", "没有出生时间，就没有时柱。"),
        "sentence": ("- {text} [{source}]", "- {text} [{source}]"),
    }
)


def describe_bazi_part(chart: BaziChart, part: ChartPart, sentences: Sequence[Sentence], language: Language) -> str:
    """A pillar or a luck period, with the sentences of the reading that speak of it."""
    if part.kind == "luck":
        return _describe_period(chart, part.number, language)
    at = _PILLARS.index(part.name) if part.name else _find_place(part.number, len(chart.pillars))
    if at is None:
        return _TEXTS.render("no_part", language, count=len(chart.pillars))
    if at >= len(chart.pillars):
        return _TEXTS.render("no_hour", language)
    one = chart.pillars[at]
    hidden = join_names(
        [
            _TEXTS.render("hidden", language, stem=name_of(stem, language), god=name_of(god, language))
            for stem, god in one.hidden
        ],
        language,
    )
    god = name_of(one.god, language) if one.god else _TEXTS.render("self", language)
    head = _TEXTS.render(
        "pillar",
        language,
        name=name_of(one.name, language),
        pillar=name_of(one.pillar, language),
        god=god,
        hidden=hidden,
    )
    about = [given for given in sentences if _OF_PILLAR[one.name].search(given.text)]
    return "\n\n".join([head, *_list_sentences(about, language)])


def describe_natal_part(chart: NatalChart, part: ChartPart, sentences: Sequence[Sentence], language: Language) -> str:
    """A body or a house, with the sentences of the reading that speak of it."""
    if part.kind == "house":
        return _describe_house(chart, part.number, sentences, language)
    place = _find_place(part.number, len(chart.bodies))
    body = part.name or (chart.bodies[place].body if place is not None else "")
    if not body:
        return _TEXTS.render("no_part", language, count=len(chart.bodies))
    one = chart.get(body)
    house = _TEXTS.render("in_house", language, house=one.house) if one.house else ""
    motion = _TEXTS.render("retrograde", language) if one.is_retrograde else ""
    name = name_of(body, language)
    position = format_degrees(one.longitude, language)
    head = _TEXTS.render("body", language, name=name, position=position, house=house, motion=motion)
    about = [given for given in sentences if name in given.text]
    return "\n\n".join([head, *_list_sentences(about, language)])


def _describe_house(chart: NatalChart, number: int, sentences: Sequence[Sentence], language: Language) -> str:
    if not chart.houses:
        return _TEXTS.render("no_houses", language)
    at = _find_place(number, len(chart.houses))
    if at is None:
        return _TEXTS.render("no_part", language, count=len(chart.houses))
    inside = [name_of(one.body, language) for one in chart.bodies if one.house == at + 1]
    code = "bodies_in" if inside else "empty_house"
    bodies = _TEXTS.render(code, language, names=join_names(inside, language))
    cusp = chart.houses[at]
    told = {"sign": name_of(sign_of(cusp), language), "degrees": format_degrees(cusp, language)}
    head = _TEXTS.render("house", language, number=at + 1, bodies=bodies, **told)
    words = re.compile(rf"第{at + 1}宫|\bhouse {at + 1}\b", re.IGNORECASE)
    return "\n\n".join([head, *_list_sentences([one for one in sentences if words.search(one.text)], language)])


def _describe_period(chart: BaziChart, number: int, language: Language) -> str:
    lines = []
    for luck in chart.luck:
        periods = luck.periods[:SHOWN_PERIODS]
        at = _find_place(number, len(periods))
        if at is None:
            return _TEXTS.render("no_part", language, count=len(periods))
        one = periods[at]
        told = _TEXTS.render(
            "luck",
            language,
            number=at + 1,
            pillar=name_of(one.pillar, language),
            god=name_of(one.god, language),
            begins=one.begins.isoformat(),
            age=one.age,
        )
        of = _TEXTS.render("luck_of", language, sex=name_of(luck.sex, language)) if len(chart.luck) > 1 else ""
        lines.append(f"{of}{told}")
    return "\n\n".join(lines)


def _find_place(number: int, total: int) -> int | None:
    """Place from 0 of what is counted from 1, or from the end; None beyond it."""
    place = total + number if number < 0 else number - 1
    return place if 0 <= place < total else None


def _list_sentences(sentences: Sequence[Sentence], language: Language) -> list[str]:
    lines = [_TEXTS.render("sentence", language, text=one.text, source=one.source) for one in sentences]
    return ["\n".join(lines)] if lines else []
