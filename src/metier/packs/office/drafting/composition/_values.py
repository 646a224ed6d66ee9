"""What a piece says: its quotations, or the words behind a colon or a verb of writing."""

import re
from typing import Final

from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import asks, is_aside, is_spoken
from metier.packs.office.drafting.composition._parts import ComposedPart
from metier.packs.office.drafting.composition._words import CLOSING, QUOTES, skip_cue
from metier.packs.office.drafting.lists import split_items

__all__ = ["check_count", "read_items", "read_lines"]

_MAX_HEADING: Final = 40
_SENTENCE: Final = re.compile(r"(?<=[。！？!?;；\n])|(?<=[a-z\d\")]\.)\s+")
_COMMA: Final = re.compile(r"[,，;；]\s*")
_EDGES: Final = " \n\t,，;；"


def read_lines(text: RequestText, part: ComposedPart, *, is_heading: bool) -> tuple[str, ...]:
    """The texts of a piece: one, or as many as it says; empty if they are not to be told from other words."""
    assert part.name is not None
    at = skip_cue(text.mask, part.name.end(), part.end)
    quoted = QUOTES.match(text.mask, at, part.end)
    if quoted is not None:
        quotes = tuple(one.text for one in text.quotes if quoted.start() <= one.start < quoted.end())
        return quotes if CLOSING.fullmatch(text.mask, quoted.end(), part.end) else ()
    value = text.raw[at : part.end].strip(_EDGES)
    if not value or '"' in text.mask[at : part.end] or _orders_more(text.mask[at : part.end]):
        return ()
    is_cued = bool(text.mask[part.name.end() : at].strip())
    if is_heading:
        value = value.rstrip("。.")
        is_name = is_cued or (text.raw[part.name.end() : at].strip() == "" and _is_name(value))
        return (value,) if is_name and len(value) <= _MAX_HEADING and not re.search(r"[,，。;；\n]", value) else ()
    return (value,) if is_cued else ()


def _is_name(value: str) -> bool:
    """Whether words right behind 标题 or “heading” are what it says."""
    return (
        re.match(r"[A-Z\d]|(?!加粗|居中|黑体|红|改|下|后|前|上|的|在|用|要|和|与|里)[\u4e00-\u9fff]", value) is not None
    )


def _orders_more(mask: str) -> bool:
    """Whether a clause of a text without quotation marks orders or tells something else."""
    clauses = [one for sentence in _SENTENCE.split(mask) for one in _COMMA.split(sentence)]
    return any(asks(one) or is_spoken(one) or is_aside(one) for one in clauses[1:] if one.strip())


def read_items(text: RequestText, part: ComposedPart) -> tuple[str, ...]:
    """The items of a list: several quotations, or what stands between signs behind a colon."""
    assert part.name is not None
    at = skip_cue(text.mask, part.name.end(), part.end)
    if quoted := QUOTES.match(text.mask, at, part.end):
        quotes = tuple(one.text for one in text.quotes if quoted.start() <= one.start < quoted.end())
        return quotes if CLOSING.fullmatch(text.mask, quoted.end(), part.end) else ()
    if '"' in text.mask[at : part.end] or re.match(r"[,，]?\s*\w", text.mask[part.name.end() : at] or "x"):
        return ()
    if re.search("、", text.mask[at : part.end]) and re.search(
        r"[,，;；]\s*\S", text.mask[at : part.end].rstrip(_EDGES)
    ):
        return ()  # 甲、乙，其中乙在前: what stands behind the comma is no item
    return tuple(one.rstrip("。.") for one in split_items(text, at, part.end))


def check_count(said: str | None, lines: tuple[str, ...]) -> tuple[str, ...]:
    """As many lines as the piece says it has: quotations, or the sentences of what it says; empty if there are not."""
    count = 1 if said is None else read_count(said)
    if len(lines) == 1 and count not in (1, None):
        sign = r"\s+/\s+" if " / " in lines[0] else _SENTENCE
        lines = tuple(one.strip() for one in re.split(sign, lines[0]) if one.strip())
    return lines if len(lines) == count else ()
