"""Signs outside of brackets: what stands in a bracket of a name belongs to the name."""

import re

__all__ = ["find_sign", "split_outside"]

_OPENING = "([〈〔{"
_CLOSING = ")]〉〕}"


def _list_depths(mask: str, start: int, end: int) -> list[int]:
    """How many brackets are open at each sign of a stretch."""
    depths, depth = [], 0
    for sign in mask[start:end]:
        is_closing = sign in _CLOSING and depth > 0
        depths.append(depth + (sign in _OPENING))
        depth += (sign in _OPENING) - is_closing
    return depths


def find_sign(form: "re.Pattern[str]", mask: str, start: int, end: int) -> int:
    """Where a sign stands first outside of brackets; the end if it does not."""
    depths = _list_depths(mask, start, end)
    return next((one.start() for one in form.finditer(mask, start, end) if not depths[one.start() - start]), end)


def split_outside(sign: str, mask: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a stretch between a sign that stands outside of brackets; empty ones are left out."""
    depths = _list_depths(mask, start, end)
    pieces, at = [], start
    for found in re.compile(sign, re.IGNORECASE).finditer(mask, start, end):
        if found.start() < end and not depths[min(found.start() - start, len(depths) - 1)]:
            pieces.append((at, found.start()))
            at = found.end()
    pieces.append((at, end))
    return [(a, b) for a, b in pieces if mask[a:b].strip()]
