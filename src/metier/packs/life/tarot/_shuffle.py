"""Shuffle of the deck from a seed: Fisher-Yates over a keyed hash stream, the same on every Python.

Definition (`metier-tarot-1`): block n of the stream is SHA-256(seed ‖ "metier-tarot-1" ‖ n as 8 bytes, big end first);
the stream is read as 32-bit numbers, big end first. A number below k is the next number x with x < ⌊2³²/k⌋·k, modulo
k; larger ones are skipped, so that no outcome is favoured. For i from 77 down to 1 card i is exchanged with a card
below i + 1. Then one number below 2 for each card, in the new order, says whether it is reversed (1).
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from metier.packs.life.tarot._deck import DrawnCard, load_deck

ALGORITHM: Final = "metier-tarot-1"
_WORDS: Final = 2**32
_WORD_BYTES: Final = 4


def shuffle_cards(seed: bytes) -> tuple[DrawnCard, ...]:
    """All cards in the order that this seed gives, each upright or reversed."""
    stream = _iter_words(seed)
    cards = list(load_deck())
    for last in range(len(cards) - 1, 0, -1):
        at = _pick_below(last + 1, stream)
        cards[last], cards[at] = cards[at], cards[last]
    return tuple(DrawnCard(card, _pick_below(2, stream) == 1) for card in cards)


def _iter_words(seed: bytes) -> Iterator[int]:
    number = 0
    while True:
        block = sha256(seed + ALGORITHM.encode() + number.to_bytes(8, "big")).digest()
        for at in range(0, len(block), _WORD_BYTES):
            yield int.from_bytes(block[at : at + _WORD_BYTES], "big")
        number += 1


def _pick_below(limit: int, stream: Iterator[int]) -> int:
    fair = _WORDS - _WORDS % limit
    return next(word for word in stream if word < fair) % limit
