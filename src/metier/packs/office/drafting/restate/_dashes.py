"""Dashes between blanks: what they open is a list, and what they close is one too."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["open_dashes"]

_DASH: Final = re.compile(
    r"(?<=\S)\s+[-–—]{1,2}\s+(?=[^\s\d])|(?<=[^\s\d])\s+[-–—]{1,2}\s+(?=\d)|(?<=[\u4e00-\u9fff])——(?=\S)"
)
_SIGN: Final = re.compile(r"[,，、]")
# Signs behind which the next pair begins: a request with a dash in each of them has pairs.
_PAIRED: Final = re.compile(r"[;；\n]")
# A table whose columns are listed before its rows: Budget table - Item, Planned, Spent: Food 600 550.
_HEADED: Final = re.compile(r"\b(?:table|sheet|budget|comparison)\s*$", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"(?:with|and|plus|leave|please|in|at|no|all|each|then|make|header|title|so|thanks|for|bold|the|"
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|a few) )",
    re.IGNORECASE,
)


def open_dashes(request: str) -> str:
    """A request whose single dash, or pair of dashes around a list, is a colon or a full stop instead."""
    mask = RequestText(request).mask
    found = list(_DASH.finditer(mask))
    if not found or len(found) > 2 or _PAIRED.search(mask):
        return request
    first, last = found[0], found[-1]
    inside = mask[first.end() : last.start() if len(found) == 2 else len(mask)]
    if len(found) == 2 and not _is_closed(mask, inside, last.end()):
        return request
    before = re.split(r"[:.。]", mask[: first.start()])[-1]
    if len(found) == 1 and len(_SIGN.findall(before)) > 1:
        return f"{request[: first.start()]}; {request[first.end() :]}" if _GOES_ON.match(mask, first.end()) else request
    listed, _, rest = inside.partition(":")
    if len(found) == 2 and rest and not _SIGN.search(listed):
        start = request[: first.start()]
        return f"{start}，{request[first.end() : last.start()]}{_close(request[last.end() :], mask[last.end() :])}"
    if not _SIGN.search(listed) or ":" in mask[: first.start()]:
        return request
    if rest and not _HEADED.search(mask[: first.start()]):
        return request
    opened = (
        f"{request[: first.start()]}{', columns ' if rest else ': '}{request[first.end() : first.end() + len(inside)]}"
    )
    return opened if len(found) == 1 else f"{opened}{_close(request[last.end() :], mask[last.end() :])}"


def _is_closed(mask: str, inside: str, end: int) -> bool:
    """Whether the second dash of two ends a list."""
    is_list = len(_SIGN.findall(inside)) > 1 or (":" in inside and re.search(r"[\u4e00-\u9fff]", inside) is not None)
    return is_list and (_GOES_ON.match(mask, end) is not None or re.search(r"[\u4e00-\u9fff]", inside) is not None)


def _close(rest: str, mask: str) -> str:
    if re.match(r"[\u4e00-\u9fff]", mask):
        return f"，{rest}"
    if re.match(r"and\b", mask, re.IGNORECASE):
        return f", {rest}"
    return f". {rest[:1].upper()}{rest[1:]}"
