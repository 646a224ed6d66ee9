"""Words and character sequences of a message as numbers: learned inputs of the task-type model beside its meaning."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from metier.patterns import compile_later

PIECE_COUNT: Final = 8_192
_CJK: Final = compile_later(r"[㐀-鿿]+")
_WORD: Final = compile_later(r"[a-z_]+|\d+")
_LENGTHS: Final = (2, 3)


def compute_pieces(message: str) -> NDArray[np.float64]:
    """Vector of length 1 over hashed pieces: words and pairs of words, two and three Chinese characters in a row."""
    found = np.zeros(PIECE_COUNT)
    for piece in set(_list_pieces(message.lower())):
        found[crc32(piece.encode()) % PIECE_COUNT] = 1.0
    return found / max(1.0, float(np.linalg.norm(found)))


def _list_pieces(message: str) -> Iterator[str]:
    for run in _CJK.findall(message):
        marked = f"^{run}$"
        yield from (marked[at : at + size] for size in _LENGTHS for at in range(len(marked) - size + 1))
    words = _WORD.findall(message)
    yield from words
    yield from (f"{one} {other}" for one, other in pairwise(words))
