"""Dashes between blanks: what they open is a list, and what they close is one too."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["open_dashes"]

_DASH: Final = re.compile(r"(?<=[^\s\d])\s+[-–—]{1,2}\s+(?=\S)|(?<=[\u4e00-\u9fff])——(?=\S)")
_SIGN: Final = re.compile(r"[,，、]")
# Signs behind which the next pair begins: a request with a dash in each of them has pairs.
_PAIRED: Final = re.compile(r"[;；\n]")
_GOES_ON: Final = re.compile(
    r"(?:with|and|plus|leave|please|in|at|no|all|each|then|make|header|title|so|thanks|for|bold|the|"
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|a few) )",
    re.IGNORECASE,
)


def open_dashes(request: str) -> str:
    """A request whose single dash, or pair of dashes around a list, is a colon or a semicolon instead."""
    mask = RequestText(request).mask
    found = list(_DASH.finditer(mask))
    if not found or len(found) > 2 or _PAIRED.search(mask):
        return request
    first, last = found[0], found[-1]
    if len(found) == 2 and (
        len(_SIGN.findall(mask[first.end() : last.start()])) < 2 or not _GOES_ON.match(mask, last.end())
    ):
        return request
    before, after = mask[: first.start()], mask[first.end() : last.start() if len(found) == 2 else len(mask)]
    is_list_after = _SIGN.search(after) is not None and ":" not in mask
    is_list_before = len(_SIGN.findall(re.split(r"[:.。]", before)[-1])) > 1
    if len(found) == 1 and is_list_before:
        return f"{request[: first.start()]}; {request[first.end() :]}" if _GOES_ON.match(mask, first.end()) else request
    if not is_list_after:
        return request
    opened = f"{request[: first.start()]}: {request[first.end() : first.end() + len(after)]}"
    return opened if len(found) == 1 else f"{opened}; {request[last.end() :]}"
