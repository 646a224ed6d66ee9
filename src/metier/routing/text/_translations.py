"""English words for the Chinese words of a message: what it says of skills that are described in English."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

_SIZES: Final = (4, 3, 2)  # of the words of the list
_MAX_CHARS: Final = 600


class Translated(NamedTuple):
    """Chinese word of a message, and English words that may say the same."""

    word: str
    english: Sequence[str]


def translate_words(folded: str, known: Mapping[str, str]) -> tuple[Translated, ...]:
    """Known words of a folded message, the longest at each place, with their translations."""
    return tuple(Translated(word, known[word].split()) for word in dict.fromkeys(_iter_known(folded, known)))


def _iter_known(folded: str, known: Mapping[str, str]) -> Iterator[str]:
    at, end = 0, min(len(folded), _MAX_CHARS)
    while at < end:
        for size in _SIZES:
            if (word := folded[at : at + size]) in known:
                yield word
                at += len(word)
                break
        else:
            at += 1
