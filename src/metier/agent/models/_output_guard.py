"""Protection against endless output: detects repetition, and cuts replies and texts that are too long."""

from dataclasses import dataclass
from typing import Final, Literal

from metier.agent.adapters import MAX_OUTPUT_CHARS, render_sentence
from metier.language import Language

_WINDOW_CHARS: Final = 4000
_MIN_LOOP_CHARS: Final = 1000
_MIN_LOOP_ROUNDS: Final = 10
_KEPT_ROUNDS: Final = 2


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
    """Watches a streamed reply for endless output."""

    def __init__(self, max_chars: int = MAX_OUTPUT_CHARS) -> None:
        self._max_chars = max_chars
        self._tail = ""
        self._chars = 0
        self._checked_chars = 0

    def add(self, piece: str) -> bool:
        """Add a piece; True if the reply repeats itself or is too long and reading should stop."""
        self._tail = (self._tail + piece)[-_WINDOW_CHARS:]
        self._chars += len(piece)
        if self._chars > self._max_chars:
            return True
        if self._chars - self._checked_chars < _MIN_LOOP_CHARS:
            return False
        self._checked_chars = self._chars
        return find_loop(self._tail) is not None
