"""A long document as sections, cut by its structure: headings first, then paragraphs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject

MAX_SECTION_CHARS: Final = 1600
_MAX_TITLE_CHARS: Final = 80
_MIN_SECTION_CHARS: Final = 400
_MAX_OUTLINE_LINES: Final = 60
_HEADING: Final = re.compile(
    r"#{1,6}[ \t]+\S.{0,200}"
    r"|第[一二三四五六七八九十百零\d]{1,6}[章节条部分篇][^\n]{0,60}"
    r"|[一二三四五六七八九十]{1,3}、[^\n。；]{1,40}"
    r"|[（(][一二三四五六七八九十]{1,3}[）)][^\n。；]{1,40}"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}[ \t]+[^\n。]{1,60}"
)


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A piece of a document: its number from 1, its heading or first words, and its text."""

    number: int
    title: str
    text: str


def split_document(text: str) -> tuple[DocumentSection, ...]:
    """Cut a document at its headings, and what is still long at its paragraphs; joined, the texts are the document."""
    pieces = [part for block in _iter_blocks(text) for part in _split_long(block)]
    joined: list[str] = []
    for piece in pieces:
        if joined and len(joined[-1]) < _MIN_SECTION_CHARS and len(joined[-1]) + len(piece) <= MAX_SECTION_CHARS:
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(DocumentSection(number, _find_title(piece), piece) for number, piece in enumerate(joined, 1))


def outline_sections(sections: Sequence[DocumentSection]) -> str:
    """One line per section: number, title, length; the middle of a very long list is left out."""
    lines = [f"{one.number}. {one.title} ({len(one.text)})" for one in sections]
    if len(lines) <= _MAX_OUTLINE_LINES:
        return "\n".join(lines)
    half = _MAX_OUTLINE_LINES // 2
    return "\n".join([*lines[:half], f"… {len(lines) - 2 * half} …", *lines[-half:]])


def find_section(sections: Sequence[DocumentSection], wanted: str) -> DocumentSection | None:
    """The section of this number or title; None if there is none."""
    asked = wanted.strip().lstrip("#").strip().casefold()
    number = re.match(r"\d{1,6}", asked)
    if number is not None and 1 <= int(number[0]) <= len(sections) and number[0] == asked.rstrip(".、 "):
        return sections[int(number[0]) - 1]
    if not asked:
        return None
    titles = [(one.title.casefold(), one) for one in sections]
    exact = [one for title, one in titles if title == asked]
    return next(iter(exact or [one for title, one in titles if asked in title]), None)


def section_to_json(sections: Sequence[DocumentSection], one: DocumentSection) -> JsonObject:
    """A section as the answer to a tool."""
    return {"section": one.number, "of": len(sections), "title": one.title, "text": one.text}


def _iter_blocks(text: str) -> Iterator[str]:
    held: list[str] = []
    for line in text.splitlines(keepends=True):
        if held and _HEADING.fullmatch(line.strip()[:300]):
            yield "".join(held)
            held = []
        held.append(line)
    if held:
        yield "".join(held)


def _split_long(block: str) -> Iterator[str]:
    """Cut at the last blank line, line end, sentence end or blank before the limit."""
    while len(block) > MAX_SECTION_CHARS:
        least = MAX_SECTION_CHARS // 2
        ends = (block.rfind(end, least, MAX_SECTION_CHARS) + len(end) for end in ("\n\n", "\n", "。", ". ", " "))
        cut = next((at for at in ends if at > least), MAX_SECTION_CHARS)
        yield block[:cut]
        block = block[cut:]
    if block:
        yield block


def _find_title(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    plain = line.lstrip("#").strip()
    return plain if len(plain) <= _MAX_TITLE_CHARS else plain[: _MAX_TITLE_CHARS - 1] + "…"
