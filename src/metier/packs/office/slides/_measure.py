"""How much room a text takes, by cautious widths: a text that fits here fits in the programs."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

EMU_PER_POINT: Final = 12_700
_LINE_HEIGHT: Final = 1.25
_NARROW: Final = frozenset("iIl.,;:'|!()[]{}`j ftr-")
_WIDE: Final = frozenset("mwMW@%&ABCDEFGHKNOPQRSTUVXYZ")


@dataclass(frozen=True, slots=True)
class Spacing:
    """Room between paragraphs, in points and as a share of the font size, and height of a line beside the usual one."""

    points: float = 0.0
    share: float = 0.0
    lines: float = 1.0

    def gap(self, size_pt: float) -> float:
        """Points between two paragraphs; never less than what is usual."""
        return max(_USUAL_GAP * size_pt, self.points + self.share * size_pt)


_USUAL_GAP: Final = 0.3
_USUAL: Final = Spacing()


@lru_cache(maxsize=4096)  # a deck asks for the same few characters a million times
def char_width(char: str) -> float:
    """Width of a character in units of the font size."""
    if unicodedata.east_asian_width(char) in "WFA":
        return 1.0
    if char in _NARROW:
        return 0.36
    return 0.78 if char in _WIDE else 0.58


def text_width(text: str) -> float:
    """Width of a line in units of the font size."""
    return sum(map(char_width, text))


def wrap_text(text: str, width: float) -> list[str]:
    """Lines of a paragraph in a width given in units of the font size; Latin words stay whole if they can."""
    lines, line, used = [], "", 0.0
    for word in _words(text):
        size, shown = text_width(word), word.rstrip()
        if used + (size if shown == word else text_width(shown)) <= width:
            line, used = line + word, used + size
            continue
        if line:
            lines.append(line)
            line, used = "", 0.0
        for char in word:
            step = char_width(char)
            if used + step > width and line:
                lines.append(line)
                line, used = "", 0.0
            line, used = line + char, used + step
    return [*lines, line]


def _words(text: str) -> list[str]:
    words: list[str] = []
    for char in text:
        is_letter = char.isascii() and not char.isspace()
        if (words and is_letter and words[-1][-1].isascii() and not words[-1][-1].isspace()) or (words and char == " "):
            words[-1] += char
        else:
            words.append(char)
    return words


def text_height(paragraphs: list[str], width_emu: float, size_pt: float, spacing: Spacing = _USUAL) -> float:
    """Height of paragraphs in EMU."""
    width = max(width_emu / EMU_PER_POINT / size_pt, 1.0)
    lines = sum(len(wrap_text(one, width)) for one in paragraphs)
    gaps = max(len(paragraphs) - 1, 0) * spacing.gap(size_pt)
    return (lines * _LINE_HEIGHT * spacing.lines * size_pt + gaps) * EMU_PER_POINT


def fit_size(
    paragraphs: list[str], box: tuple[float, float], size_pt: float, least_pt: float, spacing: Spacing = _USUAL
) -> float | None:
    """Largest font size, at most the wanted one, at which the text fits; None if not even the least one does."""
    size = size_pt
    while size >= least_pt:
        if text_height(paragraphs, box[0], size, spacing) <= box[1]:
            return size
        size -= 1 if size <= 28 else 2
    return least_pt if text_height(paragraphs, box[0], least_pt, spacing) <= box[1] else None


def split_to_fit(
    paragraphs: list[str], box: tuple[float, float], size_pt: float, spacing: Spacing = _USUAL
) -> tuple[list[str], list[str]]:
    """Paragraphs that fit, and the rest; at least something fits, a long paragraph is cut between lines."""
    kept: list[str] = []
    for at, one in enumerate(paragraphs):
        if text_height([*kept, one], box[0], size_pt, spacing) <= box[1]:
            kept.append(one)
            continue
        if kept:
            return kept, paragraphs[at:]
        lines = wrap_text(one, box[0] / EMU_PER_POINT / size_pt)
        count = max(int(box[1] / (size_pt * EMU_PER_POINT * _LINE_HEIGHT * spacing.lines)), 1)
        head, tail = "".join(lines[:count]), "".join(lines[count:])
        return [head], [*([tail] if tail else []), *paragraphs[at + 1 :]]
    return kept, []
