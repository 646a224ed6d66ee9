"""Words that lead to the first, the next and the last one of an enumeration, and the items between them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from metier.packs.office._request_text import CHINESE, RequestText, TextSpan
from metier.packs.office.drafting._asides import begins_with_order
from metier.packs.office.drafting.sequences._words import (
    BARE_VERB,
    MARK_EN,
    MARK_ZH,
    NTH_EN,
    ONE_ZH,
    OPENS_EN,
    OPENS_ZH,
    ORDINALS_EN,
)

__all__ = ["SaidSequence", "StepMark", "find_marks", "find_sequence"]

StepKind = Literal["first", "next", "last"]

_STOP_ZH: Final = re.compile(r"[,，。;!?\n]|$")
_STOP_EN: Final = re.compile(r"[,;!?\n]|\.(?=\s|$)|$")
_SENTENCE: Final = re.compile(r"[。;!?\n]|(?<=[a-z\d\")])\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class StepMark:
    """A word of an enumeration; `says` is whether it can lead to nothing but an item, as 然后是 does."""

    kind: StepKind
    start: int
    end: int
    says: bool
    verb: str = ""  # of a word without 是: 写 of 然后写


@dataclass(frozen=True, slots=True)
class SaidSequence:
    """Stretches of an enumeration between its words, and where it begins and ends."""

    start: int
    end: int
    stretches: tuple[TextSpan, ...]
    is_chinese: bool
    has_ordinals: bool  # 第一行是…，第二行是…: signs inside of an item are its own


def find_marks(request: RequestText) -> list[StepMark]:
    """Words of an enumeration, in order."""
    is_chinese = CHINESE.search(request.mask) is not None
    found: list[StepMark] = []
    for one in (MARK_ZH if is_chinese else MARK_EN).finditer(request.mask):
        kind: StepKind = "first" if one["first"] else "last" if one["last"] else "next"
        start, end = one.span(kind)
        says = re.search(r"[是为]$", one[kind]) is not None if is_chinese else kind == "first"
        bare = BARE_VERB.search(one[kind]) if is_chinese and not says else None
        found.append(StepMark(kind, start, end, says, bare[0] if bare else ""))
    return list(_check_verbs(request.mask, found))


def _check_verbs(mask: str, marks: Sequence[StepMark]) -> Iterator[StepMark]:
    """A verb that is not that of the first one, or a 写 of a column, begins the item; an order is none."""
    first = next((one.verb for one in marks if one.kind == "first"), "")
    for one in marks:
        is_own = one.verb and one.kind != "first" and one.verb != first
        is_written = one.verb == "写" and re.search(r"一[列栏项个块格条]写$", mask[one.start : one.end])
        mark = replace(one, end=one.end - len(one.verb), verb="") if is_own and not is_written else one
        after = mask[mark.end :].lstrip()
        if mark.says or mark.verb or re.match(r"[A-Z]", after) or not begins_with_order(after):
            yield mark


def find_sequence(request: RequestText) -> SaidSequence | None:
    """The only enumeration of a request; None if there is none, or more than one."""
    is_chinese = CHINESE.search(request.mask) is not None
    marks = find_marks(request)
    chain = _mix(request.mask, _find_parallel(request.mask, is_chinese=is_chinese), marks)
    chain = chain or _find_chain(request.mask, marks, is_chinese=is_chinese)
    if not chain:
        return None
    edges = [*(one.start for one in chain[1:]), _find_end(request.mask, chain, is_chinese=is_chinese)]
    spans = (_strip(request.mask, one.end, end) for one, end in zip(chain, edges, strict=True))
    stretches = tuple(TextSpan(start, end, request.raw[start:end]) for start, end in spans)
    has_ordinals = re.match(r"第|一|the\b", request.mask[chain[0].start :], re.IGNORECASE) is not None
    return SaidSequence(chain[0].start, stretches[-1].end, stretches, is_chinese, has_ordinals)


def _find_parallel(mask: str, *, is_chinese: bool) -> list[StepMark]:
    """Words that come again before each item: the same 一块是, or ordinals that count from one."""
    found = list((ONE_ZH if is_chinese else NTH_EN).finditer(mask))
    if is_chinese:
        is_run = len({one["unit"] for one in found}) == 1
    else:
        said = [one["nth"].lower() for one in found]
        is_run = tuple(said) == ORDINALS_EN[: len(said)] or (
            said[-1:] == ["last"] and tuple(said[:-1]) == ORDINALS_EN[: len(said) - 1]
        )
    if len(found) < 2 or not is_run or _SENTENCE.search(mask[found[0].end() : found[-1].start()].rstrip(" 。;.")):
        return []
    middle: list[StepKind] = ["next"] * (len(found) - 2)
    kinds: list[StepKind] = ["first", *middle, "last"]
    return [StepMark(kind, *one.span(), True) for kind, one in zip(kinds, found, strict=True)]


def _mix(mask: str, parallel: list[StepMark], marks: Sequence[StepMark]) -> list[StepMark]:
    """The words that come again, with 然后是 and 最后是 between and behind them: 一列是甲，一列是乙，然后是丙和丁."""
    if not parallel:
        return parallel
    chain = list(parallel)
    for one in marks:
        is_beside = all(one.end <= other.start or one.start >= other.end for other in parallel)
        is_inside = chain[0].start < one.start and not _SENTENCE.search(
            mask[chain[0].end : one.start].rstrip(" 。;.,，")
        )
        if one.says and one.kind != "first" and is_beside and is_inside:
            chain.append(one)
    return sorted(chain, key=lambda one: one.start)


def _find_chain(mask: str, marks: Sequence[StepMark], *, is_chinese: bool) -> list[StepMark]:
    """The only run of words from the first to the last item."""
    if marks and all(one.kind != "first" for one in marks):
        opened = _find_opening(mask, marks[0], is_chinese=is_chinese)
        marks = [opened, *marks] if opened else []
    chains = [_follow(mask, marks[at:]) for at, one in enumerate(marks) if one.kind == "first"]
    chains = [one for one in chains if len(one) > 1]
    if len(chains) != 1:
        return []
    chain = chains[0]
    if chain[0].verb and all(not one.says and one.verb != chain[0].verb for one in chain[1:]):
        return []  # 先写标题，然后加表
    if is_chinese:
        is_open = len(chain) == 2 and not chain[1].says
    else:
        is_open = chain[-1].kind != "last" and (len(chain) < 3 or not _begin_alike(mask, chain))
    return [] if is_open else chain


def _begin_alike(mask: str, chain: Sequence[StepMark]) -> bool:
    return all(re.match(r"\s*[A-Z]", mask[one.end :]) for one in chain)


def _find_opening(mask: str, mark: StepMark, *, is_chinese: bool) -> StepMark | None:
    """What stands before the first item, where the second one is the first with a word."""
    form = OPENS_ZH if is_chinese else OPENS_EN
    found = [one for one in form.finditer(mask, 0, mark.start) if not _SENTENCE.search(mask, one.end(), mark.start - 1)]
    return StepMark("first", found[-1].start(), found[-1].end(), True) if found else None


def _follow(mask: str, marks: Sequence[StepMark]) -> list[StepMark]:
    """The words of one enumeration from the first mark on, until another sentence stands between two of them."""
    chain: list[StepMark] = []
    for one in marks:
        if chain and (chain[-1].kind == "last" or one.kind == "first"):
            break
        if chain and _SENTENCE.search(mask[chain[-1].end : one.start].rstrip(" 。;.,，")):
            break
        chain.append(one)
    return chain


def _find_end(mask: str, chain: Sequence[StepMark], *, is_chinese: bool) -> int:
    """Where the last item ends: at the next sign, after as many commas as the items before it have, if all have one."""
    form = _STOP_ZH if is_chinese else _STOP_EN
    commas = {
        len(re.findall(r"[,，]", mask[one.end : other.start].rstrip(" ,，。;."))) for one, other in pairwise(chain)
    }
    at, more = chain[-1].end, min(commas) if len(commas) == 1 and is_chinese else 0
    while True:
        stop = form.search(mask, at)
        at = stop.start() if stop else len(mask)
        if not more or mask[at : at + 1] not in (",", "，"):
            return at
        at, more = at + 1, more - 1


def _strip(mask: str, start: int, end: int) -> tuple[int, int]:
    while start < end and mask[start] in " ,，、:":
        start += 1
    while end > start and mask[end - 1] in " ,，、。;.":
        end -= 1
    return start, end
