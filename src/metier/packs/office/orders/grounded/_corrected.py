"""Corrections that name the old value beside the new one: 应该是1014不是1004, Harlow, not Brandt."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._context import has_order_inside
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._written import Written, list_written

__all__ = ["OrderCorrection", "check_values", "correct_steps", "find_correction"]

_NOT: Final = r"(?:(?:而|并)?不(?:应该|应)?是|并非|而非)|(?<![A-Za-z])(?:not|rather than|instead of)(?![A-Za-z])"
_OLD: Final = re.compile(
    rf"(?P<cut>\s*[,，]?\s*(?:and |but )?(?:{_NOT})\s*(?P<old>[^,，。;；!！]{{1,40}}?))\s*(?=[,，。;；!！]|\.(?!\d)|$)",
    re.IGNORECASE,
)
_GIVES: Final = re.compile(r"[改换设填写调]|[是为成]|\b(?:to|be|is|are|as|with|into)\b", re.IGNORECASE)
_SWALLOWED: Final = re.compile(rf"\S\s*[,，]?\s*(?P<it>(?:{_NOT})\s*\S.*)", re.IGNORECASE)
_TAIL: Final = re.compile(
    r"的?(?:尾号|末尾(?=\d)|[后末]\s*[\d一二三四五六七八]\s*位(?:数字?)?)|"
    r"\b(?:the )?(?:last|final) (?:\w+ )?digits?(?: of)?(?: the)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OrderCorrection:
    """A message without the old value that it names, that value, and whether only the last digits change."""

    said: str
    old: str = ""
    is_tail: bool = False


def find_correction(said: str, texts: Iterable[str]) -> OrderCorrection | None:
    """The old value that a message rules out, if the document has it; None if the message corrects nothing."""
    plain, old = said, ""
    known = "\n".join(texts).lower()
    mask = RequestText(said).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    for found in _OLD.finditer(mask, 0, limit):
        words = RequestText(said).text_of(*found.span("old"))
        words = re.sub(r"^(?:the|an?)\s+(?=\S)", "", words, flags=re.IGNORECASE)
        before = re.split(r"[;；。]", mask[: found.start()])[-1]
        if words and words.lower() in known and _GIVES.search(before):
            plain, old = said[: found.start("cut")] + said[found.end("cut") :], words
            break
    is_tail = _TAIL.search(plain) is not None
    plain = _complete(_TAIL.sub("", plain), old, known) if is_tail else plain
    return OrderCorrection(plain.strip(), old, is_tail) if old or is_tail else None


def _complete(said: str, old: str, known: str) -> str:
    """The order with the whole new number, if only one number of the document has the old digits at its end."""
    whole = {one for one in re.findall(r"\d+", known) if old.isdigit() and one.endswith(old) and one != old}
    digits = re.findall(rf"(?<!\d)\d{{{len(old)}}}(?!\d)", said) if len(whole) == 1 else []
    if len(digits) != 1:
        return said
    return said.replace(digits[0], f"{whole.pop()[: -len(old)]}{digits[0]}")


def correct_steps(steps: Sequence[JsonObject], correction: OrderCorrection, reading: Reading) -> list[JsonObject]:
    """The steps, which change the old value only; asked about where something else stands."""
    for one in list_written(steps, reading):
        if correction.old and not _holds(one.held, correction.old):
            raise OrderUnclear("which_of", first=correction.old, second=one.held[:60])
    return [_correct_step(one, correction, reading) for one in steps]


def _correct_step(step: JsonObject, correction: OrderCorrection, reading: Reading) -> JsonObject:
    written = list_written([step], reading)
    cells = step.get("cells")
    if step["op"] == "set_cells" and isinstance(cells, list):
        made: list[JsonValue] = [
            {**cell, "value": _fit(old, cell.get("value"), correction)} if isinstance(cell, dict) else cell
            for cell, old in zip(cells, written, strict=True)
        ]
        return {**step, "cells": made}
    name = "replace_text" if step["op"] == "replace_text" else "text"
    if not written or name not in step or (name == "replace_text" and not correction.is_tail):
        return step
    return {**step, name: _fit(written[0], step[name], correction)}


def _fit(written: Written, value: JsonValue, correction: OrderCorrection) -> JsonValue:
    """The new value in the place of the old one: the last digits of a number, one of several names of a cell."""
    held, new, old = written.held, written.new, correction.old
    is_part = re.fullmatch(r"\d+", old) is not None and re.search(rf"(?<!\d){old}(?!\d)", held) is None
    if correction.is_tail and re.fullmatch(r"\d+", held) and held[: -len(old)] == new[: -len(old)] and old:
        return value  # the whole number was completed
    if correction.is_tail or is_part:
        size = len(old) or len(new)
        if not re.fullmatch(rf"\d{{{size}}}", new) or not re.search(rf"\d{{{size + 1}}}$", held):
            raise OrderUnclear("no_value")
        if old and not held.endswith(old):
            raise OrderUnclear("no_value")
        return f"{held[:-size]}{new}"
    before, found, after = held.partition(old)
    is_whole = new.startswith(before) and new.endswith(after)
    return value if not found or is_whole or not isinstance(value, str) else f"{before}{new}{after}"


def _holds(held: str, old: str) -> bool:
    plain = [re.sub(r"[\s,£$€¥￥]", "", one).lower() for one in (held, old)]
    return plain[1] in plain[0]


def _is_quoted(request: RequestText, at: int) -> bool:
    return any(one.start <= at < one.end for one in request.quotes)


def check_values(said: str, reading: Reading, steps: Sequence[JsonObject]) -> None:
    """Ask where a value has swallowed what it is not, or another order: Harlow, not Brandt; News and make it bold."""
    request = RequestText(said)
    limit = request.mask.find(":") if ":" in request.mask else len(said)
    for one in list_written(steps, reading):
        found = _SWALLOWED.search(one.new)
        at = said.find(one.new) if found or has_order_inside(one.new) else -1
        if one.new and has_order_inside(one.new) and 0 <= at < limit and not _is_quoted(request, at):
            raise OrderUnclear("part", part=one.new[:60])
        if found is None or not 0 <= at < limit or _is_quoted(request, at):
            continue
        if not re.search(_NOT, one.held, re.IGNORECASE):
            raise OrderUnclear("part", part=found["it"][:60])
