"""Compressed text, for skill bodies that are kept in memory but rarely read."""

import zlib
from typing import Final

_WORTH_PACKING_CHARS: Final = 1024


class Text:
    """Text that is kept compressed and decompressed by `str()` at each use.

    Reading the file lazily instead would let an old snapshot see a later edit; keeping every body uncompressed would
    cost three times the memory, and a turn reads only one of them.
    """

    __slots__ = ("_kept",)

    def __init__(self, text: str) -> None:
        long = len(text) > _WORTH_PACKING_CHARS
        self._kept: str | bytes = zlib.compress(text.encode(), 1) if long else text

    def __str__(self) -> str:
        return self._kept if isinstance(self._kept, str) else zlib.decompress(self._kept).decode()

    def __repr__(self) -> str:
        return f"Text({str(self)[:40]!r})"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Text) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


EMPTY = Text("")
