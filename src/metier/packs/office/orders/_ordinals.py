"""Ordinal numbers in orders: 第3, 第三, third."""

from typing import Final

from metier.packs.office._counts import read_count

__all__ = ["EN_ORDINAL", "ORDINAL", "read_ordinal"]

ORDINAL: Final = r"(?:\d{1,6}|[一二两三四五六七八九十百]{1,4})"
_EN_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
EN_ORDINAL: Final = rf"(?:{'|'.join(_EN_ORDINALS)})"


def read_ordinal(text: str) -> int | None:
    """Number of `3`, `三`, `third`."""
    if text.lower() in _EN_ORDINALS:
        return _EN_ORDINALS.index(text.lower()) + 1
    return read_count(text)
