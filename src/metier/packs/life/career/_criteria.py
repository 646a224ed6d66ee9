"""Aspects of a decision and their weights, as numbers, shares, in words or by their order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metier.language import Language, choose
from metier.packs.life.career._importance import find_name, find_unread, read_clauses, read_comparison, trim_clause

MAX_WEIGHT: Final = 10.0
_MIN_WEIGHT: Final = 0.01
_TOP: Final = 5
_EQUAL: Final = 3.0
_MAX_CRITERIA: Final = 8
_CRITERION: Final = re.compile(r"([^\d,，;；、:：=\n]+?)\s*[:：=]?\s*(\d+(?:\.\d+)?)(?=$|[,，;；、\s])")
_INTRODUCED: Final = re.compile(r"^[^,，;；:：\d]{0,16}(?:权重|weights?)[^,，;；:：\d]{0,8}[:：]\s*", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"[,，、;；。\n]+|\.\s|\b(?:and|but)\b|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])", re.IGNORECASE
)
_BETWEEN_NUMBERS: Final = re.compile(
    r"(?:(?<=[\d%％])|(?<=\d[成分])|(?<=[一二三四五六七八九]成))\s+(?![\d%％/]|[成分](?:\s|$)|per|points?\b)|(?<=[%％])(?=[\u4e00-\u9fff])"
)
_NUMBER: Final = r"(?P<number>\d+(?:\.\d+)?|[一二两三四五六七八九十]+)"
_PLAIN: Final = re.compile(
    r"(?P<name>.+?)\s*[:：=]?\s*(?P<number>\d+(?:\.\d+)?)\s*(?:分|points?|/\s*10)?", re.IGNORECASE
)
_SHARES: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<name>.+?)\s*(?:占比?|是|为|[:：=]|is|gets)?\s*{_NUMBER}\s*(?P<unit>%|％|成|percent|per cent)",
        r"(?P<name>.+?)\s*占?百分之(?P<number>\d+|[一二三四五六七八九十]+)(?P<unit>)",
        rf"{_NUMBER}\s*(?P<unit>%|％|成|percent|per cent)\s*(?:for |on |of )?(?:给|是|看)?(?P<name>.+)",
    )
)
_HALF: Final = re.compile(r"(?P<name>.+?)\s*占?(?P<number>一半)")
_DIGITS: Final = "零一二三四五六七八九"
_ORDERED: Final = re.compile(r"\s*(?:>+|＞+|大于|重于)\s*")
_SAME: Final = re.compile(r"\s*[=＝]+\s*")


@dataclass(frozen=True, slots=True)
class Criterion:
    """An aspect with its weight."""

    name: str
    weight: float


def read_criteria(said: str, language: Language) -> tuple[tuple[Criterion, ...], bool]:
    """Aspects with weights, and whether every word was understood; four common ones of equal weight if not."""
    said = _INTRODUCED.sub("", said.strip())
    clauses = _split(said, _BETWEEN)
    found = fit_scale(_read_numbers(said)) or _read_order(clauses) or _read_words(clauses)
    if found and len(found) <= _MAX_CRITERIA:
        return found, True
    common = choose(language, zh=("收入", "成长", "稳定", "生活"), en=("income", "growth", "stability", "daily life"))
    single = read_single(said)
    others = [one for one in common if single is None or (one not in single.name and single.name not in one)]
    return (*filter(None, [single]), *(Criterion(name, _EQUAL) for name in others)), False


def read_single(said: str) -> Criterion | None:
    """The only aspect that was said, if it was said how important it is: 收入最重要."""
    found = read_clauses(_split(_INTRODUCED.sub("", said.strip()), _BETWEEN))
    return Criterion(found[0][0], found[0][1]) if len(found) == 1 and found[0][1] is not None else None


def list_unread(said: str) -> tuple[str, ...]:
    """The parts of what was said of the weights that are not understood."""
    return find_unread(_split(_INTRODUCED.sub("", said.strip()), _BETWEEN))


def exceeds_scale(said: str) -> bool:
    """Whether a number beyond the scale was given, so that all are made smaller in proportion."""
    return any(one.weight > MAX_WEIGHT for one in _read_numbers(_INTRODUCED.sub("", said.strip())))


def reweigh(said: str, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The same aspects with new weights if a message gives weights of them in place of scores; else nothing."""
    read = _read_numbers(said) or [Criterion(name.strip(), float(value)) for name, value in _CRITERION.findall(said)]
    given = {one.name: one.weight for one in fit_scale(read)}
    new = [next((value for name, value in given.items() if name and name in one.name), None) for one in criteria]
    if len(given) != len(criteria) or any(not value for value in new):
        return ()
    return tuple(Criterion(one.name, value or one.weight) for one, value in zip(criteria, new, strict=True))


def fit_scale(found: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The aspects that count, in the proportion that was given, none of them beyond the scale."""
    by = max(1.0, max((one.weight for one in found), default=0.0) / MAX_WEIGHT)
    return tuple(
        Criterion(one.name, max(round(one.weight / by, 2), _MIN_WEIGHT) if by > 1 else one.weight)
        for one in found
        if one.weight > 0
    )


def _split(said: str, between: re.Pattern[str]) -> list[str]:
    return [clause for part in between.split(said) if (clause := trim_clause(part))]


def _read_numbers(said: str) -> list[Criterion]:
    """Aspects that have all a number, or all a share (60 % is 6 of 10); empty if anything else is said."""
    parts = _split(said, _BETWEEN)
    if not said[:1].isdigit():
        parts = [clause for part in parts for clause in _split(part, _BETWEEN_NUMBERS)]
    for read in (_read_number, _read_share):
        found = [one for part in parts if (one := read(part)) is not None]
        if found and len(found) == len(parts) == len({one.name for one in found}):
            return found
    return []


def _read_number(part: str) -> Criterion | None:
    match = _PLAIN.fullmatch(part)
    name = find_name(match["name"]) if match else ""
    return Criterion(name, float(match["number"])) if match and name else None


def _read_share(part: str) -> Criterion | None:
    for form in (*_SHARES, _HALF):
        match = form.fullmatch(part)
        if match and (name := find_name(match["name"])):
            value = 50.0 if form is _HALF else _to_number(match["number"])
            return Criterion(name, value if form is not _HALF and match["unit"] == "成" else value / 10)
    return None


def _to_number(said: str) -> float:
    """A number in digits or in Chinese below a hundred."""
    if said[0].isdigit():
        return float(said)
    tens, ten, ones = said.replace("两", "二").rpartition("十")
    count = _DIGITS.find(tens) if tens else 1
    return float((10 * count if ten else 0) + (_DIGITS.find(ones) if ones else 0))


def _read_order(clauses: Sequence[str]) -> tuple[Criterion, ...]:
    """Aspects in the order that is said of them: A > B = C; pay matters more than growth. Empty if not all of them."""
    pairs: list[tuple[str, str]] = []
    same: dict[str, str] = {}
    names: list[str] = []
    for clause in clauses:
        levels = [[find_name(name) for name in _SAME.split(level)] for level in _ORDERED.split(clause)]
        if len(levels) == 1 and (compared := read_comparison(clause)):
            levels = [[name] for name in compared]
        if not all(name for level in levels for name in level) or (len(levels) == 1 and len(levels[0]) == 1):
            return ()
        for level in levels:
            names += level
            alike = {same.get(name, name) for name in level}
            same |= {name: level[0] for name in (*same, *level) if name in level or same[name] in alike}
        pairs += [(one[0], other[0]) for one, other in pairwise(levels)]
    edges = {(same[one], same[other]) for one, other in pairs}
    depth = dict.fromkeys(same.values(), 0)
    for _ in depth:
        for one, other in edges:
            depth[other] = max(depth[other], depth[one] + 1)
    if not edges or max(depth.values()) >= len(depth):  # a circle
        return ()
    top = max(_TOP, max(depth.values()) + 1)
    return tuple(Criterion(name, float(top - depth[same[name]])) for name in dict.fromkeys(names))


def _read_words(clauses: Sequence[str]) -> tuple[Criterion, ...]:
    """Aspects whose weights are said in words (收入最重要，其次成长), or two and more without any."""
    found = read_clauses(clauses)
    return tuple(Criterion(name, weight or _EQUAL) for name, weight in found) if len(found) > 1 else ()
