"""Whether the bounds of an order hold for all of it: the tilt of A and the power of B are no cells × parameters."""

import re
from itertools import groupby, pairwise
from typing import Final, Literal

from metier.packs.telecom.changes import _words
from metier.packs.telecom.changes._marks import MARK, Item, MarkedText
from metier.patterns import compile_later

_Kind = Literal["cells", "rank", "parameter"]

_APPLIES: Final = compile_later(_words.APPLIES, re.IGNORECASE)
_CLAUSE_ENDS: Final = compile_later(r"[，,；;。.!！?？\n]+|\bbut\b|但是?|不过")
_MARK: Final = compile_later(MARK)
_OF: Final = r"\s*\b(?:of|for|at|on|in|from)\s+(?:the\s+)?(?:cells?\s+|sites?\s+)?"
_OF_BEFORE: Final = compile_later(rf"{MARK}{_OF}$", re.IGNORECASE)
_OF_BEHIND: Final = compile_later(rf"^{_OF}{MARK}", re.IGNORECASE)
_OTHERS: Final = compile_later(
    rf"(?:其[他它余]|别的|另外|剩下|剩余|\b(?:rest|others?|remaining|else)\b)(?:(?!除|\bexcept\b)[^，,。.;；])*{MARK}",
    re.IGNORECASE,
)
_ADDS: Final = compile_later(r"[，,、；;。和与及跟加或]|\b(?:and|or|plus)\b", re.IGNORECASE)


def fits_whole_order(marked: MarkedText, text: str) -> bool:
    """Whether every bound in the text is one of the whole order.

    False for parts that have bounds of their own (the tilt of A, the power of B), for what is said of the others, and
    for ranked cells with others beside them: the three worst and A are no three of A.
    """
    if _OTHERS.search(text):
        return False
    places = [(found.span(), _name_kind(item)) for found in _MARK.finditer(text) for item in marked.list_in(found[0])]
    sides = [key for key, _ in groupby("what" if kind == "parameter" else "where" for _, kind in places)]
    if len(sides) > 2:
        return False
    where = [(span, kind) for span, kind in places if kind != "parameter"]
    return not any(
        one != other and _ADDS.search(text, end, begin) for (((_, end), one), ((begin, _), other)) in pairwise(where)
    )


def is_left_out_everywhere(marked: MarkedText, left_out: str, before: str, behind: str) -> bool:
    """Whether what is left out is so in the whole order: “but not the power of A” is about A alone."""
    kinds = {_name_side(item) for item in marked.list_in(left_out)}
    if len(kinds) > 1 or _OF_BEFORE.search(before) or _OF_BEHIND.search(behind):
        return False
    clause = _CLAUSE_ENDS.split(before)[-1] + _CLAUSE_ENDS.split(behind)[0]
    beside = {_name_side(item) for item in marked.list_in(clause)}
    return beside <= kinds or _APPLIES.search(clause) is not None


def _name_side(item: Item) -> str:
    return "what" if _name_kind(item) == "parameter" else "where"


def _name_kind(item: Item) -> _Kind:
    if item.parameter is not None:
        return "parameter"
    return "rank" if item.rank is not None else "cells"
