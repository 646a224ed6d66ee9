"""Sentences, quotes and citation marks of a text in Chinese or English."""

import re
import unicodedata
from typing import Final

from metier.patterns import compile_later

_ENDS: Final = "。！？!?"
_OPENING: Final = "“「『«（(《"
_CLOSING: Final = "”」』»）)》"
_AFTER_END: Final = "”」』»）)》\"'"
_ABBREVIATION: Final = compile_later(r"(?:\b[A-Za-z]|\b(?:Mr|Mrs|Ms|Dr|No|vs|etc|e\.g|i\.e|approx|Inc|Ltd|Co))$")
_MARK: Final = compile_later(r"\s*[\[【［]\s*(\d{1,4}(?:\s*[,，、;；]\s*\d{1,4})*)\s*[\]】］]")
_LEADING_MARKS: Final = compile_later(r"(?:\s*[\[【［]\s*\d{1,4}(?:\s*[,，、;；]\s*\d{1,4})*\s*[\]】］])+")
_QUOTES: Final = compile_later(r"“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|«([^«»]*)»|\"([^\"]*)\"")
_ANY_QUOTE: Final = compile_later('[“”「」『』«»"]')
_SPACE: Final = compile_later(r"\s+")


def split_sentences(text: str) -> tuple[str, ...]:
    """Sentences in order, with their end marks and the citation marks after them; a line end ends a sentence too.

    A sentence does not end inside of quotes or brackets, at a decimal point or after an abbreviation.
    """
    return tuple(sentence for line in text.splitlines() for sentence in _split_line(line))


def split_paragraph(text: str) -> tuple[str, ...]:
    """Sentences of a paragraph whose lines are broken at the page's width: they may run over line ends."""
    return tuple(_split_line(text))


def _split_line(line: str) -> list[str]:
    found: list[str] = []
    start = at = depth = 0
    while at < len(line):
        char = line[at]
        depth += (char in _OPENING) - (char in _CLOSING and depth > 0)
        at += 1
        if depth or not _is_end(line, at - 1):
            continue
        while at < len(line) and line[at] in _AFTER_END:
            at += 1
        if marks := _LEADING_MARKS.match(line, at):
            at = marks.end()
        found.append(line[start:at].strip())
        start = at
    found.append(line[start:].strip())
    return [one for one in found if one]


def _is_end(line: str, at: int) -> bool:
    char = line[at]
    if char in _ENDS:
        return True
    if char != ".":
        return False
    rest = line[at + 1 : at + 2]
    return (not rest or rest.isspace() or rest in '[【［"”') and _ABBREVIATION.search(line[max(0, at - 8) : at]) is None


def read_marks(text: str) -> tuple[int, ...]:
    """Numbers that the text cites, `[1]` or `[1, 2]`, each once and in order."""
    return tuple(dict.fromkeys(int(one) for found in _MARK.finditer(text) for one in re.split(r"\D+", found[1]) if one))


def remove_marks(text: str) -> str:
    """The text without its citation marks."""
    return _MARK.sub("", text).strip()


def find_quotes(text: str) -> tuple[str, ...]:
    """What stands between quotation marks."""
    return tuple(part for found in _QUOTES.finditer(text) for part in found.groups() if part and part.strip())


def has_open_quote(text: str) -> bool:
    """Whether a quotation mark has no partner: what it quotes cannot be checked."""
    return _ANY_QUOTE.search(_QUOTES.sub("", text)) is not None


def contains_verbatim(quote: str, passage: str) -> bool:
    """Whether a passage has these words character for character; how lines are broken and spaced does not count."""
    wanted = _fold_space(quote)
    return bool(wanted) and wanted in _fold_space(passage)


def _fold_space(text: str) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFC", text))
