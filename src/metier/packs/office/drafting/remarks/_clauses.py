"""Where the clauses of a request stand, those behind a quotation and behind `and` too."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["EDGES", "list_spans"]

_SIGNS: Final = (
    r"[,，。;；!！?？:：\n]+\s*|(?<=[a-z\d\"])\.(?:\s+|$)|\s+[-–—]+\s+|(?<=\")\s*(?=[\u4e00-\u9fffA-Z])|"
    r"(?<=\S)(?=(?:并且?(?![列排行])|同时|顺便|顺带|顺手|另外|然后)[\u4e00-\u9fff])"
)
_BY_SIGN: Final = re.compile(_SIGNS, re.IGNORECASE)
_BY_WORD: Final = re.compile(rf"{_SIGNS}|\s+(?=(?:and|with|but|then|also|plus) )", re.IGNORECASE)
EDGES: Final = " \t,，。.;；:：!！?？\n"


def list_spans(request: str, *, by_word: bool = True) -> Iterator[tuple[int, int, str]]:
    """Start and end of each clause with its signs, and the clause without them; quoted text is hidden in it.

    `by_word`: a word that joins two clauses (and, with) begins one too.
    """
    mask = RequestText(request).mask
    cut = _BY_WORD if by_word else _BY_SIGN
    edges = [0, *(found.end() for found in cut.finditer(mask)), len(mask)]
    for start, end in pairwise(edges):
        if start < end:
            yield start, end, mask[start:end].strip(EDGES)
