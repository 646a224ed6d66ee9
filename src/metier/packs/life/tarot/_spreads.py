"""The spreads: one card, three cards, the Celtic cross."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText


@dataclass(frozen=True, slots=True)
class Spread:
    """A spread: its positions in the order of dealing, and where each lies in the picture (column, row, turned)."""

    id: str
    title: BilingualText
    positions: tuple[BilingualText, ...]
    places: tuple[tuple[float, float, bool], ...]


SPREADS: Final[Mapping[str, Spread]] = MappingProxyType(
    {
        "single": Spread(
            "single",
            BilingualText("单张牌", "One card"),
            (BilingualText("此刻的提示", "A hint for now"),),
            ((0, 0, False),),
        ),
        "three": Spread(
            "three",
            BilingualText("三张牌", "Three cards"),
            (
                BilingualText("处境", "Situation"),
                BilingualText("阻力", "What stands in the way"),
                BilingualText("可以试的方向", "A direction to try"),
            ),
            ((0, 0, False), (1, 0, False), (2, 0, False)),
        ),
        "celtic": Spread(
            "celtic",
            BilingualText("凯尔特十字", "Celtic cross"),
            (
                BilingualText("现状", "The present"),
                BilingualText("交叉的挑战", "What crosses it"),
                BilingualText("根基", "The root"),
                BilingualText("刚过去的", "What is passing"),
                BilingualText("心里的目标", "What is aimed at"),
                BilingualText("正在靠近的", "What draws near"),
                BilingualText("你自己", "Yourself"),
                BilingualText("周围的人", "Those around you"),
                BilingualText("希望与担心", "Hopes and worries"),
                BilingualText("走向", "Where it tends"),
            ),
            (
                *((1.2, 1.5, False), (1.2, 1.5, True), (1.2, 2.6, False), (0, 1.5, False), (1.2, 0.4, False)),
                *((2.4, 1.5, False), (3.7, 3.0, False), (3.7, 2.0, False), (3.7, 1.0, False), (3.7, 0, False)),
            ),
        ),
    }
)
_CELTIC: Final = re.compile(r"凯尔特|十字牌|十张|celtic|(?:ten|10) (?:tarot )?cards|10张", re.IGNORECASE)
_SINGLE: Final = re.compile(
    r"一张|单张|1张|每日|今日|今天.*(?:牌|塔罗)"
    r"|(?:one|a) (?:tarot )?card|single|card of the day|daily",
    re.IGNORECASE,
)


def match_spread(said: str) -> tuple[Spread, bool]:
    """Spread that a message names, and whether it names one; three cards if it names none."""
    if _CELTIC.search(said):
        return SPREADS["celtic"], True
    if _SINGLE.search(said):
        return SPREADS["single"], True
    return SPREADS["three"], bool(re.search(r"三张|3张|three", said, re.IGNORECASE))
