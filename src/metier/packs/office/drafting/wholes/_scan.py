"""Reads a message from left to right by the tokens of a grammar, a clause at a time."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import read_count
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._asides import begins_with_order, holds_anyway
from metier.packs.office.drafting.remarks import may_remark
from metier.packs.office.drafting.talk import (
    is_background,
    is_cause,
    is_demand,
    is_joined_order,
    is_reason,
    is_talk,
    is_told,
)
from metier.packs.office.drafting.wholes._lists import ListReader
from metier.packs.office.drafting.wholes._slots import ToldSlots, UnreadWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Grammar", "scan"]

_SIGN: Final = re.compile(
    rf"(?:[\s,，。;；:.!?、()\[\]{CONSUMED}]|[-–—](?=[-–—\s\u4e00-\u9fff])|(?<=[-–—\s\u4e00-\u9fff])[-–—])++"
)
_CLAUSE_ENDS: Final = re.compile(r"[,，。;:!?\n()]|\.(?=\s|$)|\s[-–—]+\s|——")


@dataclass(frozen=True, slots=True)
class Grammar:
    """Tokens of one kind of text in one language, in the order in which they are tried.

    A named group is a slot (`title`), a count (`count…`), levels (`levels…`) or a flag (`is_…`).
    """

    kind: str
    tokens: "Sequence[re.Pattern[str]]"
    needs: frozenset[str]  # flags without which the message is about something else
    list_cue: "re.Pattern[str] | None" = None  # what a list stands behind
    read_list: ListReader | None = None
    list_needs: frozenset[str] = frozenset()  # slots that are said before the list


def scan(text: RequestText, grammar: Grammar) -> ToldSlots | None:
    """The slots of a message of which each word is read; None for any other message."""
    slots, at, start, before = ToldSlots(), 0, 0, ToldSlots()
    mask = text.mask
    while at < len(mask):
        if (sign := _SIGN.match(mask, at)) is not None:
            ends_clause = _CLAUSE_ENDS.search(mask, at, sign.end()) is not None or CONSUMED in sign[0]
            at = sign.end()
            if ends_clause:
                start, before = at, slots.copy()
            continue
        try:
            end = _read_token(text, at, grammar, slots, is_clause_start=at == start)
        except UnreadWords:
            end = at
        if end > at:
            at = end
            continue
        slots = before.copy()
        at = _set_clause_aside(text, start, slots, is_first=before.is_empty)
        if at == start:
            return None
        before = slots.copy()
    return slots if grammar.needs <= slots.flags else None


def _read_token(text: RequestText, at: int, grammar: Grammar, slots: ToldSlots, *, is_clause_start: bool) -> int:
    """Where the token at a place ends; the place itself if there is none."""
    mask = text.mask
    may_list = not slots.items and grammar.list_needs <= slots.texts.keys()
    if may_list and grammar.read_list is not None and grammar.list_cue is not None:
        cues = list(_list_cues(mask, at, grammar.list_cue))
        if cues and (end := _read_items(text, cues[-1].end(), grammar, slots)) > cues[-1].end():
            for cue in cues:
                _fill(text, cue, slots)
            return end
        if is_clause_start and (end := _read_items(text, at, grammar, slots, is_bare=True)) > at:
            return end
    for token in grammar.tokens:
        found = token.match(mask, at)
        if found is not None and found.end() > at:
            _fill(text, found, slots)
            return found.end()
    return at


def _list_cues(mask: str, at: int, cue: "re.Pattern[str]") -> "Iterator[re.Match[str]]":
    """The words one behind the other that lead to a list."""
    while (found := cue.match(mask, at)) is not None and found.end() > at:
        yield found
        at = found.end()


def _read_items(text: RequestText, at: int, grammar: Grammar, slots: ToldSlots, *, is_bare: bool = False) -> int:
    assert grammar.read_list is not None
    read = grammar.read_list(text, at, is_bare)
    if read is None:
        return at
    slots.put_items(read.items)
    return read.end


def _fill(text: RequestText, found: "re.Match[str]", slots: ToldSlots) -> None:
    for group, said in found.groupdict().items():
        if said is None:
            continue
        name = group.rstrip("0123456789")
        if name.startswith("is_"):
            slots.flags.add(name)
        elif name in ("count", "levels"):
            if (count := read_count(said)) is None:
                raise UnreadWords(said)
            if name == "count":
                slots.counts.add(count)
            elif slots.levels not in (None, count):
                raise UnreadWords(said)
            else:
                slots.levels = count
        else:
            slots.put(name, text.text_of(*found.span(group)))


def _set_clause_aside(text: RequestText, start: int, slots: ToldSlots, *, is_first: bool) -> int:
    """Where a clause ends that says what holds anyway or is talk; its start if it may be a demand."""
    stop = _CLAUSE_ENDS.search(text.mask, start)
    end = stop.start() if stop else len(text.mask)
    clause = text.mask[start:end].strip(f" {CONSUMED}")
    said = text.raw[start:end].strip()
    if '"' in clause or CONSUMED in clause:
        return start
    if may_remark(clause):
        slots.remarks.append(clause)
        return end
    if holds_anyway(clause):
        return end
    if _is_talk(clause, is_first=is_first):
        slots.left_out.append(said)
        return end
    return start


def _is_talk(clause: str, *, is_first: bool) -> bool:
    """Whether a clause is no part of the order: to the reader, a cause, or before the order why it is given."""
    if begins_with_order(clause) or is_joined_order(clause) or is_demand(clause):
        return False
    if is_talk(clause) or is_told(clause, is_first=is_first) or is_cause(clause):
        return True
    return is_first and (is_background(clause) or is_reason(clause))
