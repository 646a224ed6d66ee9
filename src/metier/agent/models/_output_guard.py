"""Protection against endless output: detects repetition, and cuts replies and texts that are too long."""

import re
import zlib
from dataclasses import dataclass
from typing import Final, Literal

from metier.agent.adapters import MAX_OUTPUT_CHARS, render_sentence
from metier.language import Language

_WINDOW_CHARS: Final = 4000
_MIN_LOOP_CHARS: Final = 1000
_MIN_LOOP_ROUNDS: Final = 10
_KEPT_ROUNDS: Final = 2
_NEAR_WINDOW_CHARS: Final = 8000
_MONOTONOUS_SHARE: Final = 0.03
_WORDS_SHARE: Final = 0.3
_MIN_PARTS: Final = 50
_DISTINCT_SHARE: Final = 0.05
_SENTENCE_ENDS: Final = re.compile(r"[\n。！？.!?]+")
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Cut:
    """Text after cutting, the reason, and the number of characters removed."""

    text: str
    reason: Literal["", "loop", "length"] = ""
    lost_chars: int = 0


def find_loop(text: str) -> tuple[int, int] | None:
    """Start of an endless repetition at the end of the text, and the length of one round; None if there is none.

    At least ten rounds and a thousand characters: a ruled line or a wide table does not reach that. Linear, by the
    border table of the last 4000 characters read backwards.
    """
    tail = text[-_WINDOW_CHARS:][::-1]
    period = _find_period(tail) if len(tail) >= _MIN_LOOP_CHARS else None
    if period is None:
        return None
    start = len(text) - period
    while start > 0 and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return start, period


def is_monotonous(text: str) -> bool:
    """Whether the last 8000 characters say nearly the same thing over and over, with other numbers or in other order.

    Numbers do not count: sentences that only count up are a repetition. A table of nothing but figures is none. Prose
    compresses to a third, a table with names to a tenth, repetitions to a fiftieth.
    """
    if len(text) < _NEAR_WINDOW_CHARS:
        return False
    plain = _DIGITS.sub("0", text[-_NEAR_WINDOW_CHARS:])
    if sum(map(str.isalpha, plain)) < len(plain) * _WORDS_SHARE:
        return False
    parts = [part for part in _SENTENCE_ENDS.split(plain) if part.strip()]
    if len(parts) >= _MIN_PARTS and len(set(parts)) <= len(parts) * _DISTINCT_SHARE:
        return True
    raw = plain.encode()
    return len(zlib.compress(raw, 6)) < len(raw) * _MONOTONOUS_SHARE


def _find_period(tail: str) -> int | None:
    borders = [0] * len(tail)
    found = None
    for at in range(1, len(tail)):
        border = borders[at - 1]
        while border and tail[at] != tail[border]:
            border = borders[border - 1]
        borders[at] = border + (tail[at] == tail[border])
        period = at + 1 - borders[at]
        if at + 1 >= _MIN_LOOP_CHARS and (at + 1) // period >= _MIN_LOOP_ROUNDS:
            found = period
    return found


def cut_text(text: str, max_chars: int = MAX_OUTPUT_CHARS) -> Cut:
    """Cut the text where it starts to repeat itself, or at the limit."""
    loop = find_loop(text[:max_chars])
    if loop is not None:
        start, period = loop
        kept = text[: start + _KEPT_ROUNDS * period]
        return Cut(kept, "loop", len(text) - len(kept))
    if len(text) > max_chars:
        return Cut(text[:max_chars], "length", len(text) - max_chars)
    return Cut(text)


def cut_note(cut: Cut, language: Language) -> str:
    """Note that replaces the removed text."""
    return render_sentence("cut_loop" if cut.reason == "loop" else "cut_length", language, chars=cut.lost_chars)


def shorten(text: str, language: Language) -> str:
    """Shorten a model's text that repeats itself or is too long, with a note where it was cut."""
    cut = cut_text(text)
    return cut.text + cut_note(cut, language) if cut.reason else text


class OutputGuard:
    """Watches a streamed reply for endless output. `reason` says why reading should stop.

    With `near`, text that repeats itself with other numbers or in another order is endless too.
    """

    def __init__(self, max_chars: int = MAX_OUTPUT_CHARS, *, near: bool = True) -> None:
        self._max_chars = max_chars
        self._near = near
        self._tail = ""
        self._chars = 0
        self._checked_chars = 0
        self.reason: Literal["", "loop", "length"] = ""

    def admit(self, piece: str) -> str:
        """Add a piece and return what may be passed on of it; a piece that is a whole reply is cut like one."""
        if len(piece) > _NEAR_WINDOW_CHARS:
            cut = cut_text(piece, self._max_chars - self._chars)
            piece, self.reason = cut.text, cut.reason
        elif self._chars + len(piece) > self._max_chars:
            piece, self.reason = piece[: self._max_chars - self._chars], "length"
        self._tail = (self._tail + piece)[-_NEAR_WINDOW_CHARS:]
        self._chars += len(piece)
        if not self.reason and self._chars - self._checked_chars >= _MIN_LOOP_CHARS:
            self._checked_chars = self._chars
            if find_loop(self._tail) is not None or (self._near and is_monotonous(self._tail)):
                self.reason = "loop"
        return piece
