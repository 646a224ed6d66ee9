"""A text that a snapshot owns but nobody may ever ask for."""

import zlib
from typing import Final

_WORTH_PACKING_CHARS: Final = 1024


class Text:
    """Packed when the digest was taken, unpacked at each use.

    Reading the file again at first use instead would let a pinned snapshot see an edit that came after it; keeping
    every body unpacked would cost three times the memory for texts of which a turn reads one.
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
