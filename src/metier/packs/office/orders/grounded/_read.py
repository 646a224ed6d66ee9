"""Reads a message by what the document holds: values that are given where old ones stand, rows by their values."""

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Final, TypeAlias

from metier.json_values import JsonObject
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._assign import assign_word, gives_word, swap_cells
from metier.packs.office.orders.grounded._change import Target, find_target, raise_value
from metier.packs.office.orders.grounded._doubt import check_accounted, check_ordered
from metier.packs.office.orders.grounded._facts import TableGrid, TextFact, list_facts, list_grids
from metier.packs.office.orders.grounded._rows import add_row, remove_item
from metier.packs.office.orders.grounded._said import (
    SaidClause,
    asks,
    has_limit,
    has_other_verb,
    is_aside,
    split_clauses,
    stays,
)
from metier.packs.office.orders.grounded._values import TextValue, find_values, is_same
from metier.packs.office.orders.grounded._words import count_shared, has_strange_name
from metier.textsearch import has_cjk

__all__ = ["ClauseReader", "names_contents", "read_grounded"]

ClauseReader: TypeAlias = Callable[[str], "list[JsonObject] | None"]
_MAX_CLAUSES: Final = 8
_NAMED: Final = 2.0


def read_grounded(said: str, reading: Reading, read: ClauseReader) -> list[list[JsonObject]] | None:
    """Steps of each clause that gives a value or that `read` understands; None if one may ask for something else."""
    facts, grids = list_facts(reading), list_grids(reading)
    if (row := add_row(said, grids)) is not None:
        return [row]
    clauses = split_clauses(said)
    if not 0 < len(clauses) <= _MAX_CLAUSES:
        return None
    groups: list[list[JsonObject]] = []
    kept: list[str] = []
    by_grammar = 0
    for at, clause in enumerate(clauses):
        made = (
            swap_cells(clauses, at, grids)
            or _read_values(clauses, at, facts, grids)
            or (assign_word(clauses, at, grids) if all(_stands(one, facts, grids) for one in clause.new) else None)
            or remove_item(clauses, at, facts, grids)
        )
        if made is None and (made := read(clause.text)) is not None:
            by_grammar += 1
        if made is not None:
            _check_row(groups, made, clause.text, grids)
            groups.append(made)
        elif stays(clause.text):
            kept.append(clause.text)
        elif not _says_nothing_new(clause, facts, grids) or gives_word(clauses, at, grids):
            return None
    steps = [one for group in groups for one in group]
    if _collide(steps) or (len(clauses) > 1 and _strays(steps, said, grids)):
        return None
    if kept and by_grammar:
        return None  # what must stay is only sure beside single values
    return groups if any(groups) else None


def _check_row(groups: list[list[JsonObject]], made: list[JsonObject], said: str, grids: list[TableGrid]) -> None:
    """Ask if a clause before wrote to a row and this one names a column, but would write elsewhere."""
    is_after = any("cell" in str(one["op"]) for group in groups for one in group)
    if is_after and any(one["op"] == "replace_text" for one in made) and _names_head(said, grids):
        raise OrderUnclear("part", part=said[:60])


def _collide(steps: list[JsonObject]) -> bool:
    """Whether two values would be written to the same place."""
    names = ("op", "address", "find_text", "row", "col", "table_index", "slide_index")
    places = [tuple(str(one.get(name)) for name in names) for one in steps if one["op"] != "set_cells"]
    cells = [one["cells"] for one in steps if one["op"] == "set_cells"]
    places += [
        (str(cell.get("cell")),) for one in cells if isinstance(one, list) for cell in one if isinstance(cell, dict)
    ]
    return len(set(places)) < len(places)


def _strays(steps: list[JsonObject], said: str, grids: list[TableGrid]) -> bool:
    """Whether a cell would be written in a row that nothing but numbers names: 康先生那单改成待发货，数量12."""
    rows = {f"{grid.name}!{number}": cells for grid in grids for number, cells in grid.rows}
    listed = [cells for one in steps if isinstance(cells := one.get("cells"), list)]
    written = {str(one["cell"]): str(one["value"]) for cells in listed for one in cells if isinstance(one, dict)}
    for place in written:
        row = rows.get(re.sub(r"![A-Z]+", "!", place), ())
        if row and row[0] not in said and not any(_is_named(one, said) for one in row if one not in written.values()):
            return True
    return False


def _is_named(text: str, said: str) -> bool:
    """Whether words name a cell that is no number: Chinese ones whole, 邹先生 does not name 康先生."""
    if re.search(r"[^\W\d]{2}", text) is None:
        return False
    return text in said if has_cjk(text) else count_shared(said, text) >= 1


def names_contents(said: str, reading: Reading) -> bool:
    """Whether a message that asks nothing has several words of one sentence or one row of the document."""
    if asks(said):
        return False
    rows = [f"{' '.join(grid.head)} {' '.join(cells)}" for grid in list_grids(reading) for _, cells in grid.rows]
    return any(count_shared(said, one) >= _NAMED for one in (*(fact.text for fact in list_facts(reading)), *rows))


def _says_nothing_new(clause: SaidClause, facts: list[TextFact], grids: list[TableGrid]) -> bool:
    """Whether a clause only says why, what was, or what stands there anyway."""
    if clause.more or any(not _is_told(one, clause, facts, grids) for one in clause.new):
        return False
    if has_strange_name(clause.text, _list_texts(facts, grids)) or _names_head(clause.text, grids):
        return False
    if _says_who(clause.text, facts):
        return False
    return is_aside(clause.text) or (bool(clause.old) and not has_other_verb(clause.text))


def _says_who(said: str, facts: list[TextFact]) -> bool:
    """Whether a clause says who or what stands behind the name of a line: Mia is the contact now."""
    names = {fact.context.rpartition("\n")[2].strip(" :：").lower() for fact in facts} - {""}
    found = re.search(r"\b(?:is|are|becomes|will be) (?:now )?(?:the|our) (?:new )?(?P<it>[\w ]+)", said, re.IGNORECASE)
    return found is not None and any(re.match(rf"{re.escape(one)}\b", found["it"].lower()) for one in names)


def _is_told(value: TextValue, clause: SaidClause, facts: list[TextFact], grids: list[TableGrid]) -> bool:
    """Whether a value stands where the clause says it does: the same number elsewhere in the document is another."""
    rows = [" ".join((*grid.head, *cells)) for grid in grids for _, cells in grid.rows]
    texts = [text for text in (*(one.text for one in facts), *rows) if count_shared(clause.subject, text) >= 1]
    return any(is_same(value, one) for text in texts for one in find_values(text))


def _names_head(said: str, grids: list[TableGrid]) -> bool:
    """Whether a clause names a column: it may say what is to stand there, as in "and have 14 stops"."""
    heads = [head.strip().lower() for grid in grids for head in grid.head if len(head.strip()) > 1]
    return any(re.search(rf"(?<![a-z]){re.escape(head)}(?![a-z])", said.lower()) for head in heads)


def _read_values(
    clauses: list[SaidClause], at: int, facts: list[TextFact], grids: list[TableGrid]
) -> list[JsonObject] | None:
    """Steps for the values of one clause; None if one of them has no place."""
    clause = clauses[at]
    if (
        not (clause.new or clause.more)
        or re.search(r"[“”\"「」『』]|[:：]\s*[^\d\s]{4}", clause.text)
        or re.search(r"(?<![A-Za-z0-9）)])[-−+<>≥≤~]\s?[£$€¥￥]?\d|[=＝]|\d\s*[+*×÷]\s*\d", clause.text)
        or has_other_verb(clause.text)
        or has_limit(clause.text)
    ):
        return None
    before = [one.subject for one in reversed(clauses[:at]) if not (one.new or one.more)][:2]
    after = [one.subject for one in clauses[at + 1 : at + 2] if not (one.new or one.more)]
    said = [clause.subject, *before, *after]
    if clause.more:
        return None if clause.new else raise_value(clauses, at, " ".join(said), grids)
    olds = [
        *clause.old,
        *(
            value
            for one in (*_list_following(clauses, at), *clauses[max(at - 1, 0) : at])
            if not one.new
            for value in one.old
        ),
    ]
    made: list[Target] = []
    settled: list[TextValue | None] = []
    for new in clause.new:
        if _stands(new, facts, grids):
            said = [f"{said[0]} {new.text}", *said[1:]]
    for new in clause.new:
        old = next((one for one in olds if _is_like(one, new)), None)
        target = find_target(new, old, said, facts, grids)
        if target is not None:
            made.append(target)
            settled.append(old)
        elif not _stands(new, facts, grids):
            return None
    if made:
        place, is_corrected = "\n".join(one.text for one in made), None not in settled
        check_ordered(clauses, at, [one.step for one in made], place, is_corrected=is_corrected)
        if not is_corrected:
            check_accounted(clause.subject, place)
    return [one.step for one in made] or None


def _list_following(clauses: list[SaidClause], at: int) -> list[SaidClause]:
    """Clauses after this one up to the next that gives a value."""
    return list(takewhile(lambda one: not (one.new or one.more), clauses[at + 1 : at + 4]))


def _is_like(old: TextValue, new: TextValue) -> bool:
    return old.kind == new.kind or {old.kind, new.kind} <= {"number", "phone"}


def _stands(value: TextValue, facts: list[TextFact], grids: list[TableGrid]) -> bool:
    """Whether the document has the value already: it is said to stay, or names a row."""
    return any(is_same(value, one) for text in _list_texts(facts, grids) for one in find_values(text))


def _list_texts(facts: list[TextFact], grids: list[TableGrid]) -> list[str]:
    return [one.text for one in facts] + [cell for grid in grids for _, cells in grid.rows for cell in cells]
