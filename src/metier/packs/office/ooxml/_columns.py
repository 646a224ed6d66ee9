"""Widths of the columns of a table of texts: by what stands in them, so that no number or short name is broken."""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["count_lines", "fit_columns"]

_TWIPS: Final = 20  # of a point
_MARGINS: Final = 240  # of a cell, left and right
_MIN_SHARE: Final = 6
_MAX_SHARE: Final = 40
_SHORT: Final = 8  # characters of a name that stays in one line; Chinese ones are two
_LONG_WORD: Final = 10  # a longer word may be broken
_CHAR_WIDTH: Final = 0.6  # of the font size; a Chinese character counts as two
_LEAST_SIZE: Final = 7.0
_WORD: Final = re.compile(r"[^\s\u2e80-\uffff]+")


def fit_columns(rows: Sequence[Sequence[str]], total: int, size: float, *, has_head: bool) -> tuple[list[int], float]:
    """Twips of each column in a width, and the font size in points: smaller where many columns share the width."""
    count = max((len(row) for row in rows), default=1)
    columns = [[row[at] for row in rows if len(row) > at] for at in range(count)]
    shares = [max(_MIN_SHARE, min(_MAX_SHARE, max(map(_width_of, one), default=0) + 2)) for one in columns]
    heads = [_width_of(one[0]) if has_head and one else 0 for one in columns]
    words = [
        max(max(map(_longest_word, one), default=0), head if head <= _SHORT else 0, min(share - 2, _MIN_SHARE))
        for one, head, share in zip(columns, heads, shares, strict=True)
    ]
    while size > _LEAST_SIZE and sum(_twips(one, size) for one in words) > total:
        size = max(_LEAST_SIZE, size - 0.5)
    return _share_out(total, shares, [_twips(one, size) for one in words]), size


def count_lines(text: str, width: int, size: float) -> int:
    """Lines that a text takes in a column of this many twips, about."""
    fits = max(1, int(2 * (width - _MARGINS) // (size * _TWIPS)))
    return sum(-(-_width_of(line) // fits) or 1 for line in text.split("\n"))


def _share_out(total: int, shares: Sequence[int], least: Sequence[int]) -> list[int]:
    """The width by shares, but no column below what it needs, as long as there is enough for all."""
    if sum(least) >= total:
        return [total * one // sum(least) for one in least]
    fixed: dict[int, int] = {}
    while True:
        rest, parts = total - sum(fixed.values()), sum(one for at, one in enumerate(shares) if at not in fixed)
        widths = [fixed.get(at, rest * one // max(parts, 1)) for at, one in enumerate(shares)]
        short = [at for at, one in enumerate(widths) if at not in fixed and one < least[at]]
        if not short:
            return widths
        fixed.update((at, least[at]) for at in short)


def _twips(characters: int, size: float) -> int:
    return int(characters * size * _TWIPS * _CHAR_WIDTH) + _MARGINS if characters else 0


def _longest_word(text: str) -> int:
    words = [len(one[0]) for one in _WORD.finditer(text)]
    return max((one if one <= _LONG_WORD else _SHORT for one in words), default=0)


def _width_of(text: str) -> int:
    return max((sum(2 if ord(char) > 0x2E7F else 1 for char in line) for line in text.split("\n")), default=0)
