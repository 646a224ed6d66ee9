"""The spreads: one card, three cards (also as past, present, future), the Celtic cross."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language

_FILE: Final = Path(__file__).with_name("positions.txt")
_COLUMNS: Final = 7


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a spread: its title, and what it makes of a card that lies there upright or reversed."""

    title: BilingualText
    upright: BilingualText
    reversed: BilingualText

    def frame_card(self, language: Language, *, is_reversed: bool) -> str:
        """How a card is read in this place."""
        return (self.reversed if is_reversed else self.upright).text(language)


@dataclass(frozen=True, slots=True)
class Spread:
    """A spread: its positions in the order of dealing, and where each lies in the picture (column, row, turned)."""

    id: str
    title: BilingualText
    places: tuple[tuple[float, float, bool], ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions, as many as places."""
        return _load_positions()[self.id]


_ROW: Final = ((0, 0, False), (1, 0, False), (2, 0, False))
SPREADS: Final[Mapping[str, Spread]] = MappingProxyType(
    {
        "single": Spread("single", BilingualText("单张牌", "One card"), ((0, 0, False),)),
        "three": Spread("three", BilingualText("三张牌", "Three cards"), _ROW),
        "time": Spread("time", BilingualText("过去、现在、未来", "Past, present, future"), _ROW),
        "celtic": Spread(
            "celtic",
            BilingualText("凯尔特十字", "Celtic cross"),
            (
                *((1.2, 1.5, False), (1.2, 1.5, True), (1.2, 2.6, False), (0, 1.5, False), (1.2, 0.4, False)),
                *((2.4, 1.5, False), (3.7, 3.0, False), (3.7, 2.0, False), (3.7, 1.0, False), (3.7, 0, False)),
            ),
        ),
    }
)
_CELTIC: Final = re.compile(r"凯尔特|十字牌|十张|celtic|(?:ten|10) (?:tarot )?cards|10张", re.IGNORECASE)
_TIME: Final = re.compile(
    r"(?:过去|从前).{0,12}(?:现在|将来|未来|以后)|(?:现在|当下).{0,8}(?:未来|将来)|\bpast\b.{0,24}\b(?:present|future|now)\b",
    re.IGNORECASE,
)
_SINGLE: Final = re.compile(
    r"一张|单张|1张|每日|今日|今天.*(?:牌|塔罗)"
    r"|(?:one|a|another|one more|a new|a different) (?:tarot )?card\b|single|card of the day|daily",
    re.IGNORECASE,
)


def match_spread(said: str) -> tuple[Spread, bool]:
    """Spread that a message names, and whether it names one; three cards if it names none."""
    if _CELTIC.search(said):
        return SPREADS["celtic"], True
    if _TIME.search(said):
        return SPREADS["time"], True
    if _SINGLE.search(said):
        return SPREADS["single"], True
    return SPREADS["three"], bool(re.search(r"三张|3张|three", said, re.IGNORECASE))


@cache
def _load_positions() -> Mapping[str, tuple[Position, ...]]:
    rows = [line.split(" | ") for line in _FILE.read_text("utf-8").splitlines() if not line.startswith("#")]
    listed: dict[str, list[Position]] = {}
    for spread, *texts in (row for row in rows if len(row) == _COLUMNS):
        listed.setdefault(spread, []).append(Position(*(BilingualText(*texts[at : at + 2]) for at in (0, 2, 4))))
    return MappingProxyType({spread: tuple(found) for spread, found in listed.items()})
