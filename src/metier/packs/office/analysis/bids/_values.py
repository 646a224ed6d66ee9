"""Values of a requirement against those of the answer: which belongs to which, and values that are added up."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from metier.packs.office.analysis.bids._marks import cut_marks
from metier.packs.office.analysis.bids._quantities import (
    BidQuantity,
    Verdict,
    compare_quantities,
    find_quantities,
    is_comparable,
)
from metier.packs.office.analysis.bids._units import find_rate
from metier.packs.office.analysis.bids._words import CLAUSES, list_answer_pairs, list_pairs

__all__ = ["compare_values", "list_dimensions"]

# `原厂1年+延保2年`, `1年，另赠2年`, `one year plus two years extended`.
_ADDS: Final = re.compile(
    r"[^。；;\d]{0,12}?(?:[+＋]|加|另|再|外|延保|延长|续保|赠|送|额外|"
    r"\b(?:plus|and another|additional|extended|extra)\b)[^。；;\d]{0,12}",
    re.IGNORECASE,
)
# `1+2年`: the unit of the second number is the first one's too.
_BARE_ADDEND: Final = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*[+＋]\s*$")


def list_dimensions(text: str) -> frozenset[str]:
    """Dimensions of the quantities of a text, those that turn into one another as one."""
    return frozenset(find_rate(one.dimension).base for one in find_quantities(cut_marks(text)))


def compare_values(asked: str, said: str) -> tuple[Verdict | None, str]:
    """Every quantity that is asked for against those of the answer; and values that only together decide, in words."""
    plain, answer = cut_marks(asked), cut_marks(said)
    offered = find_quantities(answer)
    verdicts: list[Verdict] = []
    added = ""
    for one in find_quantities(plain):
        subject = _cut_subject(plain, one)
        kin = _list_kin(one, offered)
        total, words = _add_up(kin, answer)
        if total is not None:
            verdict = compare_quantities(one, total, subject)
            added = added or ("" if verdict == "fails" and _all_fail(one, kin, subject) else words)
            verdicts.append("fails" if not added else "unsure")
            continue
        kin = _choose_near(kin, plain, answer, one)
        found = {compare_quantities(one, other, subject) for other in kin}
        is_elsewhere = any(_is_of_another(subject, _cut_subject(answer, other), answer) for other in kin)
        verdicts.append(found.pop() if len(found) == 1 and not is_elsewhere else "unsure")
    if not verdicts:
        return None, ""
    return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "meets", added


def _list_kin(one: BidQuantity, offered: Sequence[BidQuantity]) -> list[BidQuantity]:
    same = [other for other in offered if other.dimension == one.dimension]
    return same or [other for other in offered if is_comparable(one, other)]


def _all_fail(one: BidQuantity, kin: Sequence[BidQuantity], subject: str) -> bool:
    return all(compare_quantities(one, other, subject) == "fails" for other in kin)


def _add_up(kin: Sequence[BidQuantity], said: str) -> tuple[BidQuantity | None, str]:
    """The sum of values that the answer adds up, and the words that say so; None where it adds nothing."""
    if not kin:
        return None, ""
    first = kin[0]
    if bare := _BARE_ADDEND.search(said, 0, first.start):
        factor = _find_factor(first, said)
        return _widen(first, Decimal(bare[1]) * factor), said[bare.start() : first.end].strip()
    for before, behind in pairwise(kin):
        if _ADDS.fullmatch(said, before.end, behind.start) and behind.dimension == before.dimension:
            value = behind.high if behind.high is not None else behind.low
            return _widen(before, value or Decimal(0)), said[before.start : behind.end].strip()
    return None, ""


def _find_factor(one: BidQuantity, said: str) -> Decimal:
    value = one.high if one.high is not None else one.low
    figure = re.match(r"\d+(?:\.\d+)?", said[one.start : one.end])
    return value / Decimal(figure[0]) if value and figure and Decimal(figure[0]) else Decimal(1)


def _widen(one: BidQuantity, by: Decimal) -> BidQuantity:
    low, high = (None if side is None else side + by for side in (one.low, one.high))
    return replace(one, low=low, high=high)


def _is_of_another(asked: str, clause: str, said: str) -> bool:
    """Whether the value of a clause is another thing's: words that are asked for stand in the answer, but not here."""
    pairs = list_pairs(asked)
    apart = [pair for pair in pairs if pair in said and not set(pair) & set(clause)]
    return bool(apart) and len(apart) >= len(pairs & list_answer_pairs(clause))


def _cut_subject(text: str, quantity: BidQuantity) -> str:
    """The clause in which a quantity stands."""
    start = max((match.end() for match in CLAUSES.finditer(text, 0, quantity.start)), default=0)
    end = next((match.start() for match in CLAUSES.finditer(text, quantity.end)), len(text))
    return text[start:end]


def _choose_near(found: list[BidQuantity], asked: str, said: str, wanted: BidQuantity) -> list[BidQuantity]:
    """Of several values of a kind those in the clause that shares the most words with the requirement's."""
    if len(found) < 2:
        return found
    pairs = list_pairs(_cut_subject(asked, wanted))
    shared = {at: len(pairs & list_answer_pairs(_cut_subject(said, one))) for at, one in enumerate(found)}
    most = max(shared.values())
    return [one for at, one in enumerate(found) if shared[at] == most]
