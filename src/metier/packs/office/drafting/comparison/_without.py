"""A request without a part that cannot be done: what is left, where the part is a clause or several by itself."""

import re
from typing import Final

__all__ = ["leave_out"]

_BEFORE: Final = (
    r"(?P<sign>[,，。;；!！?？\n]|(?<=[^\d])\.(?=\s))\s*"
    r"(?:(?:and|but|then|also|plus|并且?|而且|同时|另外|还要?|再)\s*)?"
)
_AFTER: Final = r"\s*(?:[,，。;；!！?？\n]+|\.(?=\s|$)|$)"
# A part between a list's name and its colon: 加一个列表，用方块符号：苹果、梨.
_LABEL_AFTER: Final = r"\s*(?P<colon>[:：])"
# A part of an English clause: `a 3x2 table with wide columns`.
_PHRASE: Final = re.compile(r"(?:with|in|using|without|on) ", re.IGNORECASE)
_EDGES: Final = " \t,，。.;；!！?？\n"


def leave_out(request: str, part: str) -> str:
    """The request without these clauses; empty if the part is no whole clause, or stands at the very beginning."""
    wanted = part.strip(_EDGES)
    found = re.search(rf"{_BEFORE}{re.escape(wanted)}{_AFTER}", request, re.IGNORECASE) if wanted else None
    if found is None:
        return _leave_out_inside(request, wanted)
    before, after = request[: found.start()].rstrip(_EDGES), request[found.end() :].strip()
    sign = f"{found['sign']} " if found["sign"].isascii() else found["sign"]
    return f"{before}{sign}{after}" if after else before


def _leave_out_inside(request: str, wanted: str) -> str:
    """The request without a part that stands before a colon, or a phrase that ends a clause."""
    if not wanted:
        return ""
    if found := re.search(rf"{_BEFORE}{re.escape(wanted)}{_LABEL_AFTER}", request, re.IGNORECASE):
        return request[: found.start()].rstrip(_EDGES) + request[found.start("colon") :]
    if _PHRASE.match(wanted) and (found := re.search(rf"\s+{re.escape(wanted)}(?=\s*(?:[,.;:]|$))", request)):
        return (request[: found.start()] + request[found.end() :]).rstrip(_EDGES)
    return ""
