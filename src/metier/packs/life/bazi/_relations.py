"""Relations between the stems and branches of a chart: combinations and clashes, as facts for readings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.json_values import JsonObject

_STEM_PAIRS: Final = ("甲己", "乙庚", "丙辛", "丁壬", "戊癸")
_SIX_COMBINATIONS: Final = ("子丑", "寅亥", "卯戌", "辰酉", "巳申", "午未")
_CLASHES: Final = ("子午", "丑未", "寅申", "卯酉", "辰戌", "巳亥")
_HARMS: Final = ("子未", "丑午", "寅巳", "卯辰", "申亥", "酉戌")
# Branches that punish themselves: 自刑.
_SELF_PUNISHING: Final = "辰午酉亥"
_TRIPLES: Final[Mapping[str, str]] = MappingProxyType({"申子辰": "水", "亥卯未": "木", "寅午戌": "火", "巳酉丑": "金"})


class Relation(NamedTuple):
    """A relation: its kind, the characters, and the pillars they stand in."""

    kind: str
    letters: str
    pillars: tuple[str, ...]

    def to_json(self) -> JsonObject:
        return {"kind": self.kind, "letters": self.letters, "pillars": list(self.pillars)}


def list_relations(pillars: Mapping[str, str]) -> tuple[Relation, ...]:
    """All relations among the pillars, by name of pillar."""
    return (*_pairs(pillars), *_triples(pillars))


def relate(branch: str, others: Mapping[str, str], name: str) -> tuple[Relation, ...]:
    """Relations of one more branch, such as that of a year, to those of the chart."""
    found = []
    for pillar, other in others.items():
        kind = _pair_kind(branch, other)
        found += [Relation(kind, branch + other, (name, pillar))] if kind else []
    return tuple(found)


def is_stem_pair(one: str, two: str) -> bool:
    """Whether two stems combine, such as those of a year and a day."""
    return _is_pair(one, two, _STEM_PAIRS)


def is_self_punished(branch: str, others: Iterable[str]) -> bool:
    """Whether one more branch, such as that of a year, stands beside its like and the two punish each other."""
    return branch in _SELF_PUNISHING and branch in others


def _pairs(pillars: Mapping[str, str]) -> Iterator[Relation]:
    for (one, first), (two, second) in combinations(pillars.items(), 2):
        if is_stem_pair(first[0], second[0]):
            yield Relation("stem_combination", first[0] + second[0], (one, two))
        if kind := _pair_kind(first[1], second[1]):
            yield Relation(kind, first[1] + second[1], (one, two))


def _triples(pillars: Mapping[str, str]) -> Iterator[Relation]:
    branches = [pillar[1] for pillar in pillars.values()]
    for letters, element in _TRIPLES.items():
        if all(letter in branches for letter in letters):
            where = tuple(name for name, pillar in pillars.items() if pillar[1] in letters)
            yield Relation("triple_combination", letters + element, where)


def _pair_kind(one: str, two: str) -> str:
    for kind, pairs in (("clash", _CLASHES), ("six_combination", _SIX_COMBINATIONS), ("harm", _HARMS)):
        if _is_pair(one, two, pairs):
            return kind
    return ""


def _is_pair(one: str, two: str, pairs: Sequence[str]) -> bool:
    return one + two in pairs or two + one in pairs
