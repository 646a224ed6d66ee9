"""What a line of a meeting looks like, in words and groups of words, beside its neighbours: the inputs of the judge."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.packs.office.analysis.meetings._names import NICKNAME, SURNAMES

__all__ = ["SpokenLine", "describe_lines"]

_WORDS: Final = Path(__file__).with_name("words.toml")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_TOKEN: Final = re.compile(r"<day>|<name>|[\u4e00-\u9fff]|[a-z]+(?:'[a-z]+)?|\d+|[^\s\w]")
_DAY: Final = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天末]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(
    r"\d+|[一二两三四五六七八九十百千万]+(?=[个月号日天点块万台人份箱次条年周])|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand)\b"
)
_DATED: Final = re.compile(
    r"<day>|0[月号日点]|[明后今]天|今晚|月底|"
    r"\b(?:tomorrow|today|tonight|next week|this week|weekend|morning|afternoon)\b"
)
_QUESTION: Final = re.compile(
    r"[?？]\s*$|[吗呢]$|^(?:what|who|how|when|do|does|can|could|should|is|are|which|where|why)\b"
)
_YES: Final = re.compile(
    r"(?:好|行|嗯|成|可以|没问题|收到|同意|中|得嘞|对|没意见|(?:ok|okay|sure|yes|yep|yeah|fine|agreed|got it|"
    r"right|good|works for me|will do|no problem|noted|perfect|lovely|great)\b)"
)
# People who need not speak: with a capital within a line, or a nickname; and somebody at the head who does something.
_CAPITAL: Final = re.compile(r"(?<=[a-z,;] )(?!I\b)[A-Z][a-z]+\b")
_NICKNAMED: Final = re.compile(rf"{NICKNAME}|[{SURNAMES}](?:姐|哥|工|总|师傅|老师|主任|经理)")
_DOES: Final = re.compile(
    r"^(?!(?:It|This|That|There|He|She|What|Let|Who|Thanks|Yes|Always|Perhaps|His|As|Is|Was|Does|Has)\b)"
    r"[A-Z][a-z]*(?: [A-Z][a-z]+)? (?:to [a-z]|(?:and [A-Z][a-z]+ )?(?:[a-z]+s\b|will\b))"
)
_LENGTHS: Final = (4, 8, 12, 16, 24, 32)
_SHORT: Final = 7  # tokens
_WORDS_SHARE, _GROUP_SHARE, _NEAR_SHARE, _LENGTH_SHARE = 3.0, 0.7, 0.4, 0.5
_NEIGHBOURS: Final = ((-3, "p3"), (-2, "p2"), (-1, "p1"), (1, "n1"), (2, "n2"))
_NEAR: Final = 2
_EARLY, _LATE = 3, 0.85


class SpokenLine(NamedTuple):
    """What one person says in a line; `speaker` is empty where nobody knows."""

    speaker: str
    text: str


class _Look(NamedTuple):
    """A line by itself: what neighbours need of it is read once."""

    plain: str
    tokens: tuple[str, ...]
    groups: tuple[str, ...]
    is_question: bool
    is_yes: bool


@cache
def _read_groups(language: str) -> Mapping[str, re.Pattern[str]]:
    groups = tomllib.loads(_WORDS.read_text("utf-8"))
    return MappingProxyType({name: re.compile(own[language]) for name, own in groups.items() if language in own})


def _read(line: SpokenLine, names: re.Pattern[str]) -> _Look:
    text = _DAY.sub("<day>", line.text.replace("’", "'").strip())
    language = "zh" if _CHINESE.search(text) else "en"
    bare = names.sub("<name>", text).lower()
    groups = tuple(name for name, words in _read_groups(language).items() if words.search(bare))
    groups += ("does",) if _DOES.match(line.text) else ()
    plain, text = _NUMBER.sub("0", bare), text.lower()
    return _Look(plain, tuple(_TOKEN.findall(plain)), groups, bool(_QUESTION.search(text)), bool(_YES.match(text)))


def describe_lines(lines: Sequence[SpokenLine]) -> list[Mapping[str, float]]:
    """Inputs of the judge for every line of a talk."""
    turns = Counter(one.speaker for one in lines if one.speaker)
    known = sorted({part for name in turns for part in (name, *name.split()) if len(part) > 1}, key=len, reverse=True)
    known += sorted({name for one in lines for name in _CAPITAL.findall(one.text)} - set(known))
    names = re.compile("|".join([_NICKNAMED.pattern, *map(re.escape, known)]))
    looks = [_read(one, names) for one in lines]
    return [
        {
            **_describe_words(looks[at]),
            **dict(_describe_neighbours(lines, looks, at)),
            **_describe_place(lines, turns, at),
        }
        for at in range(len(lines))
    ]


def _describe_words(look: _Look) -> dict[str, float]:
    edged = ("^", *look.tokens, "$")
    said = {*look.tokens, *(f"{one} {other}" for one, other in pairwise(edged))}
    worth = _WORDS_SHARE / sqrt(max(1, len(said)))
    found = {f"w {one}": worth for one in said} | {f"g {one}": _GROUP_SHARE for one in look.groups}
    found |= {f"longer {one}": _LENGTH_SHARE for one in _LENGTHS if len(look.tokens) > one}
    marks = {
        "question": look.is_question,
        "dated": _DATED.search(look.plain),
        "number": "0" in look.plain,
        "name": "<name>" in look.plain,
        "name first": look.plain.startswith("<name>"),
    }
    return found | {name: 1.0 for name, is_so in marks.items() if is_so}


def _describe_neighbours(lines: Sequence[SpokenLine], looks: Sequence[_Look], at: int) -> Iterator[tuple[str, float]]:
    for step, place in _NEIGHBOURS:
        if not 0 <= at + step < len(lines):
            yield f"{place} edge", 1.0
            continue
        look = looks[at + step]
        if abs(step) <= _NEAR:
            yield from ((f"{place} g {name}", _NEAR_SHARE) for name in look.groups)
        is_same = bool(lines[at].speaker) and lines[at + step].speaker == lines[at].speaker
        marks = (look.is_question, len(look.tokens) < _SHORT, look.is_yes, is_same)
        for name, is_so in zip(("question", "short", "yes", "same"), marks, strict=True):
            if is_so:
                yield f"{place} {name}", 1.0


def _describe_place(lines: Sequence[SpokenLine], turns: Counter[str], at: int) -> dict[str, float]:
    speaker = lines[at].speaker
    found = {"place": at / len(lines)}
    marks = {"early": at < _EARLY, "late": at > _LATE * len(lines), "nobody": not speaker}
    if speaker:
        found["share"] = turns[speaker] / len(lines)
        marks["opens"] = lines[0].speaker == speaker
        marks["closes"] = lines[-1].speaker == speaker
        marks["most"] = turns[speaker] == max(turns.values())
    return found | {name: 1.0 for name, is_so in marks.items() if is_so}
