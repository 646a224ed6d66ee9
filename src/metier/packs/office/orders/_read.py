"""Reads a message as orders: each clause must be understood to its last word, else it is asked about."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office._request_text import PlainQuotes, RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._about import join_topic
from metier.packs.office.orders._around import AROUND_RULES
from metier.packs.office.orders._asked import asks_about_change
from metier.packs.office.orders._assurances import keeps_promises, split_promises
from metier.packs.office.orders._clauses import (
    count_clauses,
    find_next_orders,
    has_order_verb,
    is_reason,
    list_divisions,
    list_subjects,
)
from metier.packs.office.orders._context import DEFAULT_SCOPE, OrderContext, OrderRule
from metier.packs.office.orders._days import find_impossible_day
from metier.packs.office.orders._joined import join_orders
from metier.packs.office.orders._leftovers import find_rest, is_chatter, strip_courtesy
from metier.packs.office.orders._pages import PAGE_RULES
from metier.packs.office.orders._phrases import lower_places, repeat_verb, rephrase, simplify
from metier.packs.office.orders._unclear import OrderNote, OrderUnclear
from metier.packs.office.orders.decks import DECK_RULES
from metier.packs.office.orders.decks.ordinary import read_deck_orders
from metier.packs.office.orders.documents import DOCUMENT_RULES, OTHER_RULES
from metier.packs.office.orders.edits import check_deletions, check_pieces, check_written, read_edits
from metier.packs.office.orders.grounded import (
    asks,
    check_values,
    correct_steps,
    find_correction,
    find_scope,
    read_grounded,
    settle_kinds,
    wishes,
)
from metier.packs.office.orders.workbooks import WORKBOOK_RULES, check_new_sheet
from metier.packs.office.orders.workbooks.ordinary import adds_column, names_new_sheet, overwrites, read_sheet_orders
from metier.packs.office.plan import MAX_ACTIONS, OPERATIONS, HostApp, load_plan

__all__ = ["ReadOrders", "read_orders"]

_RULES: Final[Mapping[str, tuple[OrderRule, ...]]] = MappingProxyType(
    {
        "docx": (*OTHER_RULES, *AROUND_RULES, *PAGE_RULES, *DOCUMENT_RULES),
        "text": (*OTHER_RULES, *AROUND_RULES, *PAGE_RULES, *DOCUMENT_RULES),
        "xlsx": (*AROUND_RULES, *PAGE_RULES, *WORKBOOK_RULES, *OTHER_RULES),
        "pptx": (*AROUND_RULES, *DECK_RULES, *OTHER_RULES),
    }
)
_HOSTS: Final[Mapping[str, HostApp]] = MappingProxyType({"docx": "wps", "text": "wps", "xlsx": "et", "pptx": "wpp"})
_MAX_CHARS: Final = 2_000
_MAX_MESSAGE_CHARS: Final = 4_000
_MAX_CLAUSES: Final = 60
# Questions that name what is wrong: they come before words that were not understood.
_DEFINITE: Final = frozenset(
    {"no_notes", "no_split_place", "bad_size", "name_or_value", "no_row", "twin_columns", "which_number"}
    | {"mixed_units", "no_duplicates", "which_sheet", "which_theme", "who_signs"}
)
# Questions about the value itself: another reading does not make it clearer.
_OF_VALUE: Final = frozenset({"which_number", "mixed_units"})
_SURE: Final = 110
_NAMES_SHEET: Final = frozenset({"ensure_sheet", "copy_sheet", "rename_sheet"})
_LOOKS: Final = frozenset(
    {"apply_paragraph_style", "apply_text_style_to_matches", "set_cell_style", "set_slide_text_style"}
)


@dataclass(frozen=True, slots=True)
class ReadOrders:
    """Steps of a plan, or what is unclear: `note` says what; `is_order` whether the message is an order at all."""

    actions: tuple[JsonObject, ...] = ()
    note: OrderNote | None = None

    @property
    def is_order(self) -> bool:
        return bool(self.actions) or self.note is not None

    def restore(self, quotes: PlainQuotes) -> "ReadOrders":
        """The same with quotations in texts as the user wrote them."""
        if not quotes.written:
            return self
        actions = tuple({name: quotes.restore(value) for name, value in one.items()} for one in self.actions)
        note = self.note
        if note is not None:
            words = {name: str(quotes.restore(one)) for name, one in note.values.items() if isinstance(one, str)}
            note = replace(note, values={**note.values, **words})
        return ReadOrders(actions, note)


def read_orders(message: str, reading: Reading, *, language: Language) -> ReadOrders:
    """Steps that the message orders for the document, only if all of it was understood."""
    if len(message) > _MAX_MESSAGE_CHARS:
        return ReadOrders()
    quotes = PlainQuotes.of(lower_places(message), _list_texts(reading))
    return _read_plain(quotes.text, reading, language).restore(quotes)


def _read_plain(message: str, reading: Reading, language: Language) -> ReadOrders:
    """Steps of a message whose quotations stand in the usual signs."""
    texts = _list_texts(reading)
    said = strip_courtesy(rephrase(simplify(message, texts)))
    if not said or len(said) > _MAX_CHARS or reading.kind not in _RULES or asks_about_change(message):
        return ReadOrders()
    if count_clauses(said) > _MAX_CLAUSES:
        return ReadOrders(note=OrderNote.of("too_many_clauses", limit=_MAX_CLAUSES))
    said = repeat_verb(join_topic(said, reading), texts)
    context = OrderContext(reading, language)
    notes: list[tuple[int, OrderNote]] = []
    try:
        steps = _read_any(context, said, message, notes)
    except OrderUnclear as unclear:
        return ReadOrders(note=unclear.note)
    if steps is None and names_new_sheet(message, (one.name for one in reading.sheets)):
        return ReadOrders()  # a question about the columns that are there would not help
    if steps is None:
        best = max(notes, key=lambda one: one[0], default=None)
        return ReadOrders(note=best[1] if best is not None else None)
    if (day := find_impossible_day(message)) and not any(day in one for one in texts):
        return ReadOrders(note=OrderNote.of("no_such_day", text=day))
    try:
        check_written(said, steps, texts)
        check_pieces(message, steps)
        check_new_sheet(message, steps, reading)
        check_deletions(message, steps, reading)
        return _make_plan(settle_kinds(said, reading, steps), reading, language)
    except OrderUnclear as unclear:
        return ReadOrders(note=unclear.note)


def _read_any(
    context: OrderContext, said: str, message: str, notes: list[tuple[int, OrderNote]]
) -> list[JsonObject] | None:
    """Steps of a message by the rules, else as ordinary orders about the document that is open."""
    is_first = context.reading.kind == "xlsx" and adds_column(message)
    steps = _read_ordinary(context, message, notes, is_own=True) if is_first else None
    if steps is not None:
        return steps
    try:
        steps = _read_bound(context, said, message, notes)
    except OrderUnclear:
        steps = _read_ordinary(context, message, notes)
        if steps is None:
            raise
    if steps is not None and is_first and overwrites(steps, context.reading):
        raise OrderUnclear("one_by_one")  # the values may be those of the new column
    return _read_ordinary(context, message, notes) if steps is None else steps


def _read_ordinary(
    context: OrderContext, message: str, notes: list[tuple[int, OrderNote]], *, is_own: bool = False
) -> list[JsonObject] | None:
    """Steps of a message that edits lines of a document, or the open sheet or deck; None if it is none.

    With `is_own` no clause of it is read by the other rules.
    """
    plain = simplify(message, _list_texts(context.reading)).strip()
    said = re.sub('"\ue000+"', "", RequestText(plain).mask).partition(":")[0]
    if asks(said) or wishes(said):
        return None
    if context.reading.kind == "xlsx":
        return read_sheet_orders(
            context, plain, lambda part, at: None if is_own else _read_clause(at, strip_courtesy(rephrase(part)), [])
        )
    if context.reading.kind == "pptx":
        return read_deck_orders(context, plain)
    if find_scope(plain, context.reading) is not None:
        return None
    return read_edits(context, plain, lambda part: _read_clause(context, strip_courtesy(rephrase(part)), []), notes)


def _read_bound(
    context: OrderContext, said: str, message: str, notes: list[tuple[int, OrderNote]]
) -> list[JsonObject] | None:
    """Steps of a message, all of them in the part of the document that it names."""
    steps = _read_corrected(context, said, message, notes)
    scope = find_scope(said, context.reading) if steps is not None else None
    if steps is None or scope is None or scope.holds(steps, context.reading):
        return steps
    narrowed = replace(context, reading=scope.narrow(context.reading))
    for words in (scope.said, said):
        made = _read_corrected(narrowed, words, message, [])
        if made is not None and scope.holds(bound := scope.bind(made, narrowed.reading), context.reading):
            return bound
    raise OrderUnclear("no_place")


def _read_corrected(
    context: OrderContext, said: str, message: str, notes: list[tuple[int, OrderNote]]
) -> list[JsonObject] | None:
    """Steps of a message; of one that names the old value beside the new one, those that change that value."""
    steps = _read_steps(context, said, message, notes)
    if steps is None and (correction := find_correction(said, _list_values(context.reading))) is not None:
        made = _read_steps(context, correction.said, message, [])
        return made and correct_steps(made, correction, context.reading)
    return steps


def _read_steps(
    context: OrderContext, said: str, message: str, notes: list[tuple[int, OrderNote]]
) -> list[JsonObject] | None:
    """Steps of a message by the rules, else by what the document holds."""
    rest, promises = split_promises(said)
    steps = _read_message(context, strip_courtesy(rest), notes) if promises else None
    if steps is not None and not keeps_promises(steps, promises):
        steps = None
    if steps is None:
        steps = _read_message(context, said, notes)
    is_asked = any(note.code in _OF_VALUE for _, note in notes)
    if steps is None and not is_asked and not asks(message) and not wishes(message):
        steps = _read_by_contents(context, said, notes)
    return steps


def _make_plan(steps: list[JsonObject], reading: Reading, language: Language) -> ReadOrders:
    """The steps in the order in which they work, if together they are a plan."""
    if sum(one["op"] == "filter_range" for one in steps) > 1:
        return ReadOrders(note=OrderNote.of("one_filter"))  # the second would replace the first
    # Rows are sorted before some of them are hidden by a filter.
    if any(one["op"] == "sort_range" for one in steps):
        steps = sorted(steps, key=lambda one: one["op"] == "filter_range")
    if len(steps) > MAX_ACTIONS:
        return ReadOrders(note=OrderNote.of("too_many_steps", count=len(steps), limit=MAX_ACTIONS))
    actions = tuple(_finish(one, at, language) for at, one in enumerate(steps, 1))
    plan: JsonObject = {
        "schema_version": "ah32.plan.v1",
        "host_app": _HOSTS[reading.kind],
        "meta": {},
        "actions": list[JsonValue](actions),
    }
    return ReadOrders(actions) if not load_plan(plan, host=_HOSTS[reading.kind]).problems else ReadOrders()


def _list_texts(reading: Reading) -> list[str]:
    """Texts of the document, to see in which script it is written."""
    cells = [str(cell.value) for sheet in reading.sheets for cell in sheet.cells if isinstance(cell.value, str)]
    slides = [line for slide in reading.slides for line in (slide.title, *slide.texts)]
    return [*(one.line for one in reading.pieces), *cells, *slides]


def _list_values(reading: Reading) -> list[str]:
    """Texts and numbers of the document."""
    numbers = [cell.value for sheet in reading.sheets for cell in sheet.cells if isinstance(cell.value, float | int)]
    return [*_list_texts(reading), *(f"{one:.10g}" for one in numbers)]


def _finish(made: JsonObject, number: int, language: Language) -> JsonObject:
    title = OPERATIONS[str(made["op"])].title.text(language)
    return {"id": f"s{number}", "title": title, **{key: value for key, value in made.items() if key != DEFAULT_SCOPE}}


def _read_clause(context: OrderContext, said: str, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of one clause by the first rule that understands all of it."""
    if following := find_next_orders(RequestText(said).mask):
        notes.append((50, OrderNote.of("part", part=said[following[0].end() :][:60])))
        return None
    for rule in _RULES[context.reading.kind]:
        text = RequestText(said)
        try:
            made = rule(context, text)
        except OrderUnclear as unclear:
            notes.append((_SURE if unclear.note.code in _DEFINITE else 50, unclear.note))
            continue
        if made is None:
            continue
        try:
            check_values(said, context.reading, made)
            check_written(said, made, _list_texts(context.reading))
        except OrderUnclear as unclear:
            notes.append((50, unclear.note))
            continue
        rest = find_rest(text, is_table=context.reading.kind == "xlsx")
        if not rest:
            return made
        understood = 100 * (len(said) - len(rest)) // len(said)
        notes.append((understood, OrderNote.of("part", part=rest[:60])))
    return None


def _read_message(context: OrderContext, said: str, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of a message: as several orders that each stand alone, as one, or as clauses that lean on each other."""
    known: dict[str, list[JsonObject] | None] = {}

    def _read(clause: str, own: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
        if clause not in known:
            known[clause] = _read_clause(context, clause, own)
        return known[clause]

    divisions = list(list_divisions(said))
    whole = _read(said, notes)
    if whole is not None and not all(one["op"] in _LOOKS for one in whole):
        return whole
    # Looks join into one step: two of them may be meant for two places.
    for parts in reversed(divisions):
        if (steps := _read_alone(parts, _read)) is not None:
            return steps
    if whole is not None:
        return whole
    for parts in divisions:
        if (steps := _read_parts(parts, _read, notes)) is not None:
            return steps
    return None


def _read_by_contents(context: OrderContext, said: str, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of a message that says what stands in the document, in whatever words."""
    try:
        groups = read_grounded(said, context.reading, lambda part: _read_clause(context, strip_courtesy(part), []))
    except OrderUnclear as unclear:
        notes.append((_SURE, unclear.note))
        return None
    return None if groups is None else join_orders(groups)


_Reader: TypeAlias = "Callable[[str, list[tuple[int, OrderNote]]], list[JsonObject] | None]"


def _read_alone(parts: list[str], read: _Reader) -> list[JsonObject] | None:
    """Steps of clauses each of which is an order of its own; None if there are not at least two."""
    made = [read(strip_courtesy(part), []) for part in parts if not is_chatter(part)]
    if len(made) < 2:
        return None
    if any(one is None for one in made):
        return None
    steps = join_orders([one for one in made if one is not None])
    if steps is None:
        return None
    looks = [one for one in steps if one["op"] in _LOOKS]
    placed = next((at for at, one in enumerate(looks) if DEFAULT_SCOPE not in one), len(looks))
    if any(DEFAULT_SCOPE in one for one in looks[placed:]):
        return None  # the place of one look is that of the one before it
    return steps


def _read_parts(parts: list[str], read: _Reader, notes: list[tuple[int, OrderNote]]) -> list[JsonObject] | None:
    """Steps of these clauses; None if one of them is not understood, or a reason hides a wish."""
    steps: list[JsonObject] = []
    groups: list[list[JsonObject]] = []
    used: set[str] = set()
    reasons: list[str] = []
    for at, part in enumerate(parts):
        own: list[tuple[int, OrderNote]] = []
        if is_chatter(part):
            continue
        made = read(strip_courtesy(part), own)
        if made is None:
            made, about = _read_about(parts[:at], part, steps, read)
            used.add(about)
        if made is not None:
            groups.append(made)
            steps += [one for one in made if one not in steps]
        elif is_reason(part):
            reasons.append(part)
        else:
            notes += [(min(score, 40), note) for score, note in own]
            return None
    if not steps or not all(one in used or not has_order_verb(one) for one in reasons):
        return None
    joined = join_orders(groups)
    if joined is None:
        notes.append((_SURE, OrderNote.of("one_by_one")))
    return joined


def _read_about(
    earlier: list[str], part: str, steps: list[JsonObject], read: _Reader
) -> tuple[list[JsonObject] | None, str]:
    """Steps of a clause with what an earlier clause is about, and that clause."""
    for text, clause in list_subjects(earlier, part, steps):
        made = read(text, [])
        if made is not None and not any(one["op"] in _NAMES_SHEET for one in made):
            return made, clause  # words of two clauses are never one name
    return None, ""
