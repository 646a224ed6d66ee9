"""Ordinal numbers in orders: 第3, 第三, third."""

from typing import Final

from metier.packs.office._counts import read_count
from metier.patterns import ENGLISH_ORDINALS, read_english_number

__all__ = ["EN_ORDINAL", "ORDINAL", "read_ordinal"]

ORDINAL: Final = r"(?:\d{1,6}|[一二两三四五六七八九十百]{1,4})"
EN_ORDINAL: Final = rf"(?:{'|'.join(ENGLISH_ORDINALS[1:])})"


def read_ordinal(text: str) -> int | None:
    """Number of `3`, `三`, `third`."""
    return read_english_number(text) or read_count(text)
