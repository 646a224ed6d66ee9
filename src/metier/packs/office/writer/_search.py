"""Finds text in a document: across split runs, with tolerance for spaces and for marks of another width."""

import re
from collections.abc import Iterable
from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import PlacedText, StepRefused, WriterSession

__all__ = ["find_anchor", "find_one", "find_spans"]

_SPACES: Final = re.compile(r"[\s\u00a0\u3000\u200b\ufeff]+")
_WIDTHS: Final = str.maketrans("（）：；，！？“”‘’％", "():;,!?\"\"''%")
_MAX_SHOWN: Final = 60


def find_spans(
    session: WriterSession,
    wanted: str,
    *,
    is_case_sensitive: bool = True,
    is_whole_word: bool = False,
    within: Iterable[XmlElement] | None = None,
    everywhere: bool = False,
) -> list[PlacedText]:
    """All places of a text within single paragraphs, in reading order; with `everywhere` in headers and notes too."""
    pattern = re.escape(wanted)
    if is_whole_word:
        pattern = rf"(?<![A-Za-z0-9_]){pattern}(?![A-Za-z0-9_])"
    search = re.compile(pattern, 0 if is_case_sensitive else re.IGNORECASE)
    inside = None if within is None else set(within)
    found: list[PlacedText] = []
    for placed in session.everywhere() if everywhere else session.paragraphs:
        if inside is None or placed.element in inside:
            text = session.text(placed.element)
            if is_case_sensitive and wanted not in text:
                continue
            found += [PlacedText(placed, one.start(), one.end()) for one in search.finditer(text)]
    return found


def find_anchor(session: WriterSession, anchor: str, within: Iterable[XmlElement] | None = None) -> list[PlacedText]:
    """Places of an anchor: as written, else with spaces and widths folded, else over several paragraphs."""
    elements = None if within is None else list(within)
    wanted = anchor.strip("\n")
    found = find_spans(session, wanted, within=elements)
    if not found and "\n" not in wanted:
        found = _find_folded(session, wanted, elements)
    if not found and "\n" in wanted:
        found = _find_lines(session, [line.strip() for line in wanted.split("\n") if line.strip()])
    return found


def find_one(
    session: WriterSession, anchor: str, *, occurrence: int | None = None, within: Iterable[XmlElement] | None = None
) -> PlacedText:
    """The place of an anchor; refused if there is none, or several and none is asked for."""
    found = find_anchor(session, anchor, within)
    shown = anchor if len(anchor) <= _MAX_SHOWN else f"{anchor[:_MAX_SHOWN]}…"
    if not found:
        raise StepRefused("anchor_missing", anchor=shown)
    if occurrence is None:
        if len(found) > 1:
            raise StepRefused("anchor_ambiguous", anchor=shown, count=len(found))
        return found[0]
    if occurrence > len(found):
        raise StepRefused("occurrence_missing", anchor=shown, count=len(found))
    return found[occurrence - 1]


def _fold(text: str) -> tuple[str, list[int]]:
    """The text without spaces and with narrow marks, and where each of its characters was."""
    places = [at for at, char in enumerate(text) if not _SPACES.match(char)]
    return "".join(text[at] for at in places).translate(_WIDTHS), places


def _find_folded(session: WriterSession, wanted: str, within: list[XmlElement] | None) -> list[PlacedText]:
    folded, _ = _fold(wanted)
    if not folded:
        return []
    inside = None if within is None else set(within)
    found: list[PlacedText] = []
    for placed in session.paragraphs:
        if inside is not None and placed.element not in inside:
            continue
        text, places = _fold(session.text(placed.element))
        at = text.find(folded)
        while at >= 0:
            found.append(PlacedText(placed, places[at], places[at + len(folded) - 1] + 1))
            at = text.find(folded, at + len(folded))
    return found


def _find_lines(session: WriterSession, lines: list[str]) -> list[PlacedText]:
    """Paragraphs that follow each other and have these lines; the span is that of the last one."""
    filled = [placed for placed in session.paragraphs if session.text(placed.element).strip()]
    found: list[PlacedText] = []
    for at in range(len(filled) - len(lines) + 1):
        texts = [session.text(placed.element) for placed in filled[at : at + len(lines)]]
        is_first = texts[0].rstrip().endswith(lines[0])
        is_middle = all(text.strip() == line for text, line in zip(texts[1:-1], lines[1:-1], strict=True))
        start = texts[-1].find(lines[-1])
        if is_first and is_middle and start >= 0 and not texts[-1][:start].strip():
            found.append(PlacedText(filled[at + len(lines) - 1], start, start + len(lines[-1])))
    return found
