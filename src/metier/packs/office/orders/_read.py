"""Reads a message as orders: each clause must be understood to its last word, else it is asked about."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._around import AROUND_RULES
from metier.packs.office.orders._context import OrderContext, OrderRule
from metier.packs.office.orders._leftovers import find_rest, is_chatter, strip_courtesy
from metier.packs.office.orders._unclear import OrderNote, OrderUnclear
from metier.packs.office.orders.decks import DECK_RULES
from metier.packs.office.orders.documents import DOCUMENT_RULES
from metier.packs.office.orders.workbooks import WORKBOOK_RULES
from metier.packs.office.plan import OPERATIONS, HostApp, load_plan
from metier.textsearch import to_simplified

__all__ = ["ReadOrders", "read_orders"]

_RULES: Final[Mapping[str, tuple[OrderRule, ...]]] = MappingProxyType(
    {
        "docx": (*AROUND_RULES, *DOCUMENT_RULES),
        "text": (*AROUND_RULES, *DOCUMENT_RULES),
        "xlsx": (*AROUND_RULES, *WORKBOOK_RULES),
        "pptx": (*AROUND_RULES, *DECK_RULES),
    }
)
_HOSTS: Final[Mapping[str, HostApp]] = MappingProxyType({"docx": "wps", "text": "wps", "xlsx": "et", "pptx": "wpp"})
_MAX_CHARS: Final = 2_000
_MAX_CLAUSES: Final = 6
_BREAK: Final = re.compile(
    r"[,，;；。\n]+\s*(?:然后|接着|再|并且|并|同时|另外|还有|最后|and then|then|and also|and|also)?\s*"
    r"|然后|接着|并且|同时|并(?!列|排)|再(?!次)|\s+(?:and then|then|and also|and)\s+",
    re.IGNORECASE,
)
_MAX_SUBJECT: Final = 24


@dataclass(frozen=True, slots=True)
class ReadOrders:
    """Steps of a plan, or what is unclear: `note` says what; `is_order` whether the message is an order at all."""

    actions: tuple[JsonObject, ...] = ()
    note: OrderNote | None = None

    @property
    def is_order(self) -> bool:
        return bool(self.actions) or self.note is not None


def read_orders(message: str, reading: Reading, *, language: Language) -> ReadOrders:
    """Steps that the message orders for the document, only if all of it was understood."""
    said = strip_courtesy(_simplify(message))
    if not said or len(said) > _MAX_CHARS or reading.kind not in _RULES:
        return ReadOrders()
    context = OrderContext(reading, language)
    notes: list[tuple[int, OrderNote]] = []
    steps = _read_clause(context, said, notes)
    if steps is None:
        steps = _read_clauses(context, said, notes)
    if steps is None:
        best = max(notes, key=lambda one: one[0], default=None)
        return ReadOrders(note=best[1] if best is not None else None)
    actions = tuple(_finish(one, at, language) for at, one in enumerate(steps, 1))
    plan: JsonObject = {
        "schema_version": "ah32.plan.v1",
        "host_app": _HOSTS[reading.kind],
        "meta": {},
        "actions": list[JsonValue](actions),
    }
    return ReadOrders(actions) if not load_plan(plan, host=_HOSTS[reading.kind]).problems else ReadOrders()


def _simplify(message: str) -> str:
    """The order in simplified characters; texts in quotes and after a colon stay as they are written."""
    plain = to_simplified(message)
    if plain == message or len(plain) != len(message):
        return message
    mask = RequestText(message).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    return "".join(
        new if at < limit and not "\ue000" <= mask[at] <= "\uf8ff" else old
        for at, (old, new) in enumerate(zip(message, plain, strict=True))
    )


def _finish(made: JsonObject, number: int, language: Language) -> JsonObject:
    title = OPERATIONS[str(made["op"])].title.text(language)
    return {"id": f"s{number}", "title": title, **made}


def _read_clause(context: OrderContext, said: str, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of one clause by the first rule that understands all of it."""
    for rule in _RULES[context.reading.kind]:
        text = RequestText(said)
        try:
            made = rule(context, text)
        except OrderUnclear as unclear:
            notes.append((50, unclear.note))
            continue
        if made is None:
            continue
        rest = find_rest(text)
        if not rest:
            return made
        understood = 100 * (len(said) - len(rest)) // len(said)
        notes.append((understood, OrderNote.of("part", part=rest[:60])))
    return None


def _read_clauses(context: OrderContext, said: str, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of several clauses, if the message divides into clauses that are each understood."""
    for parts in _divide(said):
        steps: list[JsonObject] = []
        orders = [part for part in parts if not is_chatter(part)]
        for part in orders:
            own: list[tuple[int, OrderNote]] = []
            made = _read_clause(context, strip_courtesy(part), own) or _read_with_subject(context, orders, part)
            if made is None:
                notes += [(min(score, 40), note) for score, note in own]
                steps = []
                break
            steps += made
        if steps:
            return steps
    return None


def _read_with_subject(context: OrderContext, orders: list[str], part: str) -> list[JsonObject] | None:
    """A second clause without a place of its own: that of the first is meant (单价列右对齐，保留一位小数)."""
    if len(orders) < 2 or part is not orders[1]:
        return None
    first = strip_courtesy(orders[0])
    for end in range(min(len(first) - 1, _MAX_SUBJECT), 1, -1):
        if made := _read_clause(context, f"{first[:end]}{strip_courtesy(part)}", []):
            return made
    return None


def _divide(said: str) -> Iterator[list[str]]:
    """Ways to divide a message, those with few parts first; quotations and what follows a colon stay whole."""
    mask = RequestText(said).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    cuts = [found.span() for found in _BREAK.finditer(mask) if 0 < found.start() < limit and found.end() < len(mask)]
    cuts = cuts[:_MAX_CLAUSES]
    for number in range(1, 2 ** len(cuts)):
        chosen = [cut for at, cut in enumerate(cuts) if number >> at & 1]
        parts, start = [], 0
        for begin, end in chosen:
            parts.append(said[start:begin])
            start = end
        parts.append(said[start:])
        if all(part.strip() for part in parts):
            yield parts
