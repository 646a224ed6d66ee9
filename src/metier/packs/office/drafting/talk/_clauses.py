"""Clauses of a request, and which stretches of it are text of the user's own and no words about it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import opens_list
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.talk._background import is_background

__all__ = ["CUT", "FREE", "RequestClause", "list_clauses", "list_content"]

CUT: Final = re.compile(r"[,，。;；!！?？\n]+\s*|(?<=[a-z\d\"”])\.(?:\s+|$)|\s+[-–—]+\s+|[:：]\s*(?=\D)")
# Free sentences are announced: what follows is theirs.
FREE: Final = re.compile(
    rf"(?:{COUNT})\s*(?:行|句|段)(?:文字|正文|话)|(?:{COUNT})\s+(?:short )?"
    r"(?:lines|sentences|paragraphs|points|bullets)\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[。!?\n]|(?<=[a-z\d\"])\.(?=\s|$)")
_SIGN: Final = re.compile(r"[、/|]")


@dataclass(frozen=True, slots=True)
class RequestClause:
    """A clause without its last sign, and the stretch with it."""

    text: str
    start: int
    end: int


def list_clauses(request: RequestText) -> Iterator[RequestClause]:
    """Clauses of a request in order; quoted text is hidden in them."""
    edges = [0, *(found.end() for found in CUT.finditer(request.mask)), len(request.mask)]
    for start, end in pairwise(edges):
        if bare := CUT.sub("", f"{request.mask[start:end]} ").strip(" .:："):
            yield RequestClause(bare, start, end)


def list_content(request: RequestText) -> Iterator[tuple[int, int]]:
    """Stretches that are written as they stand: behind a colon, and behind the word for points or free sentences."""
    mask = request.mask
    free = [
        mask.find(":", found.end()) + 1 or _after_background(mask, found.start(), found.end())
        for topic in list_topics()
        if topic.kind == "points"
        for found in topic.pattern.finditer(mask)
    ]
    free += [found.end() for found in FREE.finditer(mask)]
    for start in free:
        yield start, _end_of_list(mask, start, len(mask))
    for colon in re.finditer(":", mask):
        if not opens_list(mask, colon.start()):
            continue
        stop = _SENTENCE_END.search(mask, colon.end())
        is_open = ";" in mask[colon.end() :] or any(one < colon.start() for one in free) or stop is None
        end = len(mask) if is_open or stop is None else stop.start()
        yield colon.end(), _end_of_list(mask, colon.end(), end)


def _after_background(mask: str, start: int, end: int) -> int:
    """Where content may begin behind a thing: behind its sentence, if that only tells that it is missing or wanted."""
    before = re.split(r"[,，。;!?\n]", mask[:start])[-1]
    after = re.split(r"[,，。;!?\n]", mask[end:])[0]
    stop = _SENTENCE_END.search(mask, end)
    return stop.end() if stop and is_background(f"{before}{mask[start:end]}{after}".strip()) else end


def _end_of_list(mask: str, start: int, end: int) -> int:
    """Where a list with signs of its own ends: with the last clause that has one; else with the stretch."""
    parts = [found.span() for found in re.compile(r"[^,，。\n]+").finditer(mask, start, end)]
    listed = [stop for begin, stop in parts if _SIGN.search(mask, begin, stop)]
    return listed[-1] if listed and ";" not in mask[start:end] else end
