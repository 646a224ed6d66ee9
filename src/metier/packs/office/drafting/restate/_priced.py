"""Positions of an English quotation as people say them: “12 rose bushes at 18 each, 3 bags of bark mulch at 9 each”."""

import re
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["restate_priced"]

_ABOUT: Final = re.compile(r"\b(?:quotation|quote|price list|estimate|offer)\b", re.IGNORECASE)
_POSITION: Final = re.compile(
    r"(?P<count>\d{1,5}) (?P<name>(?!(?:at|for|of|each)\b)[a-zA-Z][a-zA-Z'’-]*(?: (?!(?:at|for|each|and|"
    r"with)\b)[a-zA-Z][a-zA-Z'’-]*){0,5})"
    r",? (?:at|@) (?P<price>\d+(?:\.\d+)?) (?:each|apiece|a piece|per (?:unit|piece|item))\b"
)
_BETWEEN: Final = re.compile(r"\s*[,;]?\s*(?:(?:and|plus|then|then there are|and finally)\s+)?")
# The usual columns of a quotation, in their order.
_USUAL: Final = re.compile(
    r",? (?:with|showing|listing|stating|giving) (?:the )?(?=item|quantity|"
    r"unit price)(?:items?)?(?:,? (?:and )?)?(?:quantity)?"
    r"(?:,? (?:and )?)?(?:unit price)?(?:,? (?:and )?)?(?:amount)?(?=\s*:)",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\bof\b")
_HIDDEN: Final = "ofq"  # the rules read a name up to this word


def restate_priced(request: str) -> tuple[str, dict[str, str]]:
    """The request with name, quantity and price of each position between semicolons, and names that are covered."""
    mask = RequestText(request).mask
    found = list(_POSITION.finditer(mask)) if _ABOUT.search(mask) else []
    if len(found) < 2 or any(
        _BETWEEN.fullmatch(mask[one.end() : other.start()]) is None for one, other in pairwise(found)
    ):
        return request, {}
    names = {one["name"]: _OF.sub(_HIDDEN, one["name"]) for one in found}
    said = "; ".join(f"{names[one['name']]}, {one['count']}, {one['price']}" for one in found)
    before = request[: found[0].start()].rstrip(" ,:")
    usual = _USUAL.search(f"{before}:")
    before = before[: usual.start()] if usual else re.sub(r"\s+(?:for|with|of|listing)$", "", before)
    hidden = {cover: name for name, cover in names.items() if cover != name}
    return f"{before}: {said}{request[found[-1].end() :]}", hidden
