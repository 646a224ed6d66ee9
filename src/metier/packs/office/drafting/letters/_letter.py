"""A message without the people and the courtesy around its order."""

import re
from dataclasses import dataclass
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import asks
from metier.packs.office.drafting._wording import is_manner
from metier.packs.office.drafting.letters._closings import find_closing
from metier.packs.office.drafting.letters._openings import find_opening, list_called

__all__ = ["Letter", "read_letter"]

_EDGES: Final = " \t\n,，。.;；:：!！~～?？-–—"
_MAX_CHARS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Letter:
    """The order of a message, and what was left out around it."""

    text: str
    left_out: tuple[str, ...] = ()


def read_letter(request: str) -> Letter:
    """The order alone; the message as it is where nothing stands around the order, or where nothing would be left."""
    if len(request) > _MAX_CHARS:
        return Letter(request)
    start = find_opening(RequestText(request).mask)
    body = request[start:]
    end = find_closing(RequestText(body).mask)
    left_out = [request[:start], body[end:]]
    body = body[:end].rstrip(" \t\n,，;；—–-") if end < len(body) else body
    for first, last in list_called(RequestText(body).mask):
        left_out.append(body[first:last])
        body = body[:first] + body[last:]
    told = [one.strip(_EDGES) for one in left_out]
    if not any(told) or not asks(RequestText(body).mask):
        return Letter(request)
    return Letter(re.sub(r"^[,，:：\s]+", "", body), tuple(one for one in told if one and not is_manner(one)))
