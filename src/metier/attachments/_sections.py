"""A long document as sections, cut by its structure: headings first, then paragraphs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.language import shorten_text
from metier.patterns import compile_later

MAX_SECTION_CHARS: Final = 1600
_MAX_TITLE_CHARS: Final = 80
_MIN_SECTION_CHARS: Final = 400
_MAX_OUTLINE_LINES: Final = 60
_MAX_OUTLINE_CHARS: Final = 1500
_MIN_TITLE_CHARS: Final = 12
_HEADING: Final = compile_later(
    r"#{1,6}[ \t]+\S.{0,200}"
    r"|第[一二三四五六七八九十百零\d]{1,6}[章节条部分篇][^\n]{0,60}"
    r"|[一二三四五六七八九十]{1,3}、[^\n。；]{1,40}"
    r"|[（(][一二三四五六七八九十]{1,3}[）)][^\n。；]{1,40}"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}[ \t]+[^\n。]{1,60}"
)
_NUMBER: Final = compile_later(r"(?:section|part|第)?\s*(\d{1,6})(?!\d|\.\d)")


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A piece of a document: its number from 1, its heading or first words, and its text."""

    number: int
    title: str
    text: str


def split_document(text: str, max_chars: int | None = None) -> tuple[DocumentSection, ...]:
    """Cut a document at its headings, and what is still long at its paragraphs; joined, the texts are the document.

    A reader who sees at most `max_chars` gets sections that are no longer, as far as they still say something.
    """
    limit = MAX_SECTION_CHARS if max_chars is None else max(_MIN_SECTION_CHARS, min(MAX_SECTION_CHARS, max_chars))
    pieces = [part for block in _iter_blocks(text) for part in _split_long(block, limit)]
    joined: list[str] = []
    for piece in pieces:
        if joined and len(joined[-1]) < _MIN_SECTION_CHARS and len(joined[-1]) + len(piece) <= limit:
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(DocumentSection(number, _find_title(piece), piece) for number, piece in enumerate(joined, 1))


def outline_sections(sections: Sequence[DocumentSection], *, is_short: bool = False) -> str:
    """One line per section: number, title, length.

    A short outline has at most about 2,000 characters, so that a prompt has room for it: long titles are cut, and the
    middle of a long list is left out.
    """
    shown = min(len(sections), _MAX_OUTLINE_LINES)
    width = max(_MIN_TITLE_CHARS, _MAX_OUTLINE_CHARS // max(1, shown)) if is_short else _MAX_TITLE_CHARS
    lines = [f"{one.number}. {shorten_text(one.title, width)} ({len(one.text)})" for one in sections]
    if not is_short or len(lines) <= _MAX_OUTLINE_LINES:
        return "\n".join(lines)
    half = _MAX_OUTLINE_LINES // 2
    return "\n".join([*lines[:half], f"… {len(lines) - 2 * half} …", *lines[-half:]])


def find_section(sections: Sequence[DocumentSection], wanted: str) -> DocumentSection | None:
    """The section of this number or title; None if there is none."""
    asked = wanted.strip().lstrip("#").rstrip("….、 ").strip().casefold()
    if not asked:
        return None
    titles = [(one.title.casefold(), one) for one in sections]
    exact = [one for title, one in titles if title == asked and not asked.isdecimal()]
    near = [one for title, one in titles if asked in title and not asked.isdecimal()]
    number = _NUMBER.match(asked)  # 8, "section 8", or a line of the outline
    by_number = [one for one in sections if number is not None and one.number == int(number[1])]
    return next(iter(exact or near or by_number), None)


def _iter_blocks(text: str) -> Iterator[str]:
    held: list[str] = []
    for line in text.splitlines(keepends=True):
        if held and _HEADING.fullmatch(line.strip()[:300]):
            yield "".join(held)
            held = []
        held.append(line)
    if held:
        yield "".join(held)


def _split_long(block: str, limit: int) -> Iterator[str]:
    """Cut at the last blank line, line end, sentence end or blank before the limit."""
    while len(block) > limit:
        least = limit // 2
        ends = (block.rfind(end, least, limit) + len(end) for end in ("\n\n", "\n", "。", ". ", " "))
        cut = next((at for at in ends if at > least), limit)
        yield block[:cut]
        block = block[cut:]
    if block:
        yield block


def _find_title(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return shorten_text(line.lstrip("#").strip(), _MAX_TITLE_CHARS)
