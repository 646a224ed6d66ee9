"""Cuts a message into its pieces, each from the words that lead to it to where the next one begins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.composition._words import BOUNDARY, PIECE, STRONG, WRITES, skip_leads

__all__ = ["ComposedPart", "cut_parts"]

# Kinds of things that stand beside text; each is drafted like a message of its own.
_THINGS: Final = ("table", "quotation", "gantt", "budget", "chart", "picture", "word_art", "points")
_MODIFIER: Final = r"[^,，。;:!?\n\"]{0,24}?"
_NAMED: Final = re.compile(PIECE, re.IGNORECASE)
# A text in quotation marks, or behind a colon, is a piece whatever leads to it.
_SAYS: Final = re.compile(r"[^\S\n]*(?:[:\"]|(?:that )?(?:says|reads|saying|reading)\b)")
_QUOTES: Final = re.compile(r"[^\S\n]*(?:(?:that )?(?:says|reads|saying|reading)\b)?\s*:?\s*\"")
# “and a table with columns Item, Cost: …”: its columns say that it is a piece.
_HAS_COLUMNS: Final = re.compile(
    r"[^\S\n]*,?[^\S\n]*(?:with|has|having) (?:the |these )?(?:columns|headers|headings)\b|"
    r"[^\S\n]*[,，]?[^\S\n]*(?:表头|列名?|字段)(?:分别)?(?:是|为|有|:)",
    re.IGNORECASE,
)
_EDGE: Final = re.compile(r"[\s:,，。;.]*")
_SENTENCE_ENDS: Final = re.compile(r"(?:^|[。;!?\n.])\s*$")


@dataclass(frozen=True, slots=True)
class ComposedPart:
    """A piece: its name, where its words begin behind what leads to it, and where they end. No name: a thing."""

    start: int
    end: int
    name: "re.Match[str] | None"


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a piece begins: with what leads to it, and with its words."""

    start: int
    words: int
    end: int
    name: "re.Match[str] | None"


def cut_parts(text: RequestText) -> tuple[ComposedPart, ...]:
    """The pieces of a message, in order; none unless it begins with one and has a text or a table among them."""
    found = list(_find_starts(text.mask))
    if not found or _EDGE.fullmatch(text.mask[: found[0].start]) is None or all(one.name is None for one in found):
        return ()
    edges = [*(one.start for one in found[1:]), len(text.mask)]
    is_next_heading = len(found) > 1 and found[1].name is not None and found[1].name["heading"] is not None
    if is_next_heading and found[0].name is None and _EDGE.fullmatch(text.mask, found[0].end, edges[0]):
        del found[0], edges[0]  # 做一份报价单：标题…，下面一个表格…: it only says what the pieces are together
    return tuple(ComposedPart(one.words, end, one.name) for one, end in zip(found, edges, strict=True))


def _find_starts(mask: str) -> Iterator[_Start]:
    done, is_behind_thing = 0, False
    edge = _EDGE.match(mask)
    first = edge.end() if edge else 0
    for at in (first, *(one.start() for one in BOUNDARY.finditer(mask) if one.start() > first)):
        if at < done or (met := _match_piece(mask, at)) is None:
            continue
        found, lead = met, mask[at : met.start()]
        is_named = found.re is _NAMED
        is_text = is_named and found["text"] is not None
        is_bare = is_named and found["bare"] is not None
        leads = WRITES if is_bare else STRONG
        # 说明：由各部门填写 behind a table may be about its column of that name.
        opens = not is_text and not (is_behind_thing and is_named and _is_title(found))
        is_first = not is_bare and (at == first or (opens and _SENTENCE_ENDS.search(mask[:at]) is not None))
        says = _QUOTES if is_text else _SAYS
        is_said = is_named and not is_bare and not _is_title(found) and says.match(mask, found.end()) is not None
        is_said = is_said or (
            is_named and found["table"] is not None and _HAS_COLUMNS.match(mask, found.end()) is not None
        )
        if is_first or is_said or leads.search(lead):
            yield _Start(at, found.start(), found.end(), found if is_named else None)
            done, is_behind_thing = found.end(), not is_named or found["table"] is not None


def _is_title(found: "re.Match[str]") -> bool:
    """Whether a heading has no level: behind a table or a chart 标题“…” is what that is called."""
    levels = ("level", "number", "nth", "behind", "tag", "bracket", "sub", "small", "some")
    return found["heading"] is not None and not any(found[one] for one in levels)


def _match_piece(mask: str, at: int) -> "re.Match[str] | None":
    """The name of a piece behind as many leading words as there are."""
    ends = skip_leads(mask, at)
    named = (_NAMED.match(mask, end) for end in ends)
    return next((one for one in named if one is not None), None) or _compile_things().match(mask, ends[0])


@cache
def _compile_things() -> "re.Pattern[str]":
    names = "|".join(one.pattern.pattern for one in list_topics() if one.kind in _THINGS)
    return re.compile(rf"{_MODIFIER}(?:{names})", re.IGNORECASE)
