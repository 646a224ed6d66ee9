"""Cuts a message into its pieces, each from the words that lead to it to where the next one begins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.composition._words import BOUNDARY, LEAD, PIECE, STRONG

__all__ = ["ComposedPart", "cut_parts"]

# Kinds of things that stand beside text; each is drafted like a message of its own.
_THINGS: Final = ("table", "quotation", "gantt", "budget", "chart", "picture", "word_art", "points")
_MODIFIER: Final = r"[^,，。;:!?\n\"]{0,24}?"
_NAMED: Final = re.compile(rf"(?P<lead>{LEAD})(?:{PIECE})", re.IGNORECASE)
_SENTENCE_ENDS: Final = re.compile(r"(?:^|[。;!?\n.])\s*$")


@dataclass(frozen=True, slots=True)
class ComposedPart:
    """A piece: its name, where its words begin behind what leads to it, and where they end. No name: a thing."""

    start: int
    end: int
    name: "re.Match[str] | None"


def cut_parts(text: RequestText) -> tuple[ComposedPart, ...]:
    """The pieces of a message, in order; none unless it begins with one and has a text among them."""
    found = list(_find_starts(text.mask))
    if not found or text.mask[: found[0].start].strip() or all(one.name is None for one in found):
        return ()
    edges = [*(one.start for one in found[1:]), len(text.mask)]
    return tuple(ComposedPart(one.words, end, one.name) for one, end in zip(found, edges, strict=True))


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a piece begins: with what leads to it, and with its words."""

    start: int
    words: int
    name: "re.Match[str] | None"


def _find_starts(mask: str) -> Iterator[_Start]:
    done = 0
    for boundary in BOUNDARY.finditer(mask):
        at = boundary.start()
        found = _NAMED.match(mask, at) or _find_thing().match(mask, at)
        if at < done or found is None:
            continue
        if STRONG.search(found["lead"]) or _SENTENCE_ENDS.search(mask[:at]):
            yield _Start(at, found.end("lead"), found if found.re is _NAMED else None)
            done = found.end()


@cache
def _find_thing() -> "re.Pattern[str]":
    names = "|".join(one.pattern.pattern for one in list_topics() if one.kind in _THINGS)
    return re.compile(rf"(?P<lead>{LEAD}){_MODIFIER}(?:{names})", re.IGNORECASE)
