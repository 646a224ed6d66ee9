"""A value that a message gives, put where the document has its old one: the only place that all of it fits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, TypeAlias

from metier.json_values import JsonObject
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._doubt import check_accounted, check_ordered
from metier.packs.office.orders.grounded._facts import TableGrid, TextFact
from metier.packs.office.orders.grounded._said import SaidClause
from metier.packs.office.orders.grounded._values import TextValue, find_values, fit_value, is_same
from metier.packs.office.orders.grounded._words import (
    content_words,
    count_shared,
    has_strange_name,
    is_covered,
    words_of,
)

__all__ = ["NO_WORDS", "YES_WORDS", "Target", "describe_row", "find_row", "find_target", "raise_value"]

YES_WORDS: Final = frozenset(("yes", "y", "true", "done", "是", "√", "✓", "已"))
NO_WORDS: Final = frozenset(("no", "n", "false", "否", "×", "✗", "未"))
_MIN_SCORE: Final = 1.0
_CLEAR: Final = 0.9
_OLD_FOUND: Final = 4.0


@dataclass(frozen=True, slots=True)
class Target:
    """A place for a new value: how well it fits, the step, and how a person would call it."""

    score: float
    step: JsonObject
    name: str
    place: str
    text: str = ""  # all words of the place


def find_target(
    new: TextValue, old: TextValue | None, said: Sequence[str], facts: Sequence[TextFact], grids: Sequence[TableGrid]
) -> Target | None:
    """The only place for a value. `said` are the words about it, the nearest first; None if nothing fits.

    Asked with the readings if two places fit alike.
    """
    for end in range(1, len(said) + 1):
        words = " ".join(said[:end])
        found = [
            *_in_texts(new, old, words, facts, nearest=_find_topic(said)),
            *_in_grids(new, old, words, grids, _find_topic(said)),
        ]
        best = max((one.score for one in found), default=0.0)
        top = [one for one in found if one.score > best - _CLEAR]
        if best < _MIN_SCORE:
            continue
        if len({one.place for one in top}) > 1:
            raise OrderUnclear("which_of", first=top[0].name, second=top[1].name)
        return max(top, key=lambda one: one.score)
    return _only_one(new, old, " ".join(said), facts, grids)


def _find_topic(said: Sequence[str]) -> str:
    """The nearest words that name something."""
    return next((one for one in said if content_words(one) or re.search(r"[\u4e00-\u9fff]{2}", one)), "")


def _only_one(
    new: TextValue, old: TextValue | None, words: str, facts: Sequence[TextFact], grids: Sequence[TableGrid]
) -> Target | None:
    """The only value of its kind in the document, if the words are about the document at all."""
    if new.kind == "number" and old is None:
        return None
    texts = [fact.text for fact in facts]
    is_about = old is not None or any(count_shared(words, one) >= 1 for one in texts)
    if not is_about or has_strange_name(words, texts):
        return None
    found = [target for fact in facts for target in _in_texts(new, old, "", [fact], side=words, least=-1.0)]
    found = [replace(one, text=f"{one.text}\n{texts[0]}") for one in found]  # the title is about all of it
    if old is None and len(found) == 1 and count_shared(words, found[0].text) < 1:
        return None
    if any(
        value.kind == new.kind
        for grid in grids
        for _, cells in grid.rows
        for cell in cells
        for value in find_values(cell)
    ):
        return None
    return found[0] if len(found) == 1 else None


def _in_texts(
    new: TextValue,
    old: TextValue | None,
    words: str,
    facts: Sequence[TextFact],
    *,
    nearest: str = "",
    side: str = "",
    least: float = 0.0,
) -> Iterator[Target]:
    for fact in facts:
        values = [one for one in find_values(fact.text) if _holds(one, old) and not is_same(one, new)]
        spans = [(one, span) for one in values if (span := fit_value(one, new)) is not None]
        spans = [(one, span) for one, span in spans if _has_side(fact.text, one, side or nearest)]
        if not _holds_for(fact.text, new):
            continue
        own, whole = count_shared(words, fact.text), f"{fact.text}\n{fact.context}"
        score = own + 0.7 * count_shared(words, fact.context) + (_OLD_FOUND if old is not None else 0)
        if new.kind == "name" and spans:
            name = spans[0][0].text
            yield Target(score + 2, fact.replace_all(name, new.text), name, f"name {name}", whole)
            continue
        if score <= least:
            continue
        if old is None and not is_covered(nearest, whole):
            continue
        for value, (start, end, text) in _choose_part(fact.text, spans, f"{words} {nearest}"):
            name = fact.text[:60] if len(spans) == 1 else f"{value.text} ({fact.text[:50]})"
            yield Target(score, fact.change(start, end, text), name, f"{fact.text}@{value.start}", whole)


_Span: TypeAlias = tuple[TextValue, tuple[int, int, str]]
_PARTS: Final = re.compile(r"[,，;；、]|\band\b|\bbut\b", re.IGNORECASE)


def _choose_part(text: str, spans: Sequence[_Span], words: str) -> Sequence[_Span]:
    """The value whose part of the sentence the words name; all of them if that is not clear."""
    if len(spans) < 2:
        return spans
    scores = []
    for value, _ in spans:
        start = max((one.end() for one in _PARTS.finditer(text, 0, value.start)), default=0)
        end = next((one.start() for one in _PARTS.finditer(text, value.end)), len(text))
        scores.append(count_shared(words, text[start:end]))
    best = max(scores)
    top = [one for one, score in zip(spans, scores, strict=True) if score == best]
    return top if best > 0 and len(top) == 1 else spans


_STARTS: Final = re.compile(r"\b(?:from|since|starting|starts?)\b|自|起", re.IGNORECASE)
_ENDS: Final = re.compile(r"\b(?:until|till|ends?|ending|expires?|through|valid to|up to)\b|至|止", re.IGNORECASE)


def _has_side(text: str, value: TextValue, said: str) -> bool:
    """Whether a day or a time begins or ends something, as the one that is said: from, until."""
    if value.kind not in ("date", "month", "time"):
        return True
    near = f"{text[max(value.start - 12, 0) : value.start]} {text[value.end : value.end + 1]}"
    if _STARTS.search(said) and not _ENDS.search(said):
        return not _ENDS.search(near) or _STARTS.search(near) is not None
    if _ENDS.search(said) and not _STARTS.search(said):
        return not _STARTS.search(near) or _ENDS.search(near) is not None
    return True


def _holds_for(text: str, new: TextValue) -> bool:
    """Whether a text says for how long its amount holds, as the new one does: a month, monthly."""
    return new.kind != "money" or not new.unit or new.unit.lower() in text.lower()


def _holds(value: TextValue, old: TextValue | None) -> bool:
    if old is None or is_same(value, old):
        return True
    return value.text.endswith(old.text) and value.text[: -len(old.text)][-1:] in (" ", "-")


def _in_grids(
    new: TextValue, old: TextValue | None, words: str, grids: Sequence[TableGrid], topic: str
) -> Iterator[Target]:
    for grid in grids:
        row = find_row(grid, words, old)
        if row is None or not _holds_for(" ".join((*row[1], *grid.head)), new):
            continue
        number, cells, score = row
        if old is None and not is_covered(topic, " ".join((grid.name, *grid.head, *cells))):
            continue
        columns = [
            at
            for at in range(len(cells))
            if (number, at) not in grid.fixed and _fits(grid, cells, at, (new, old, words))
        ]
        named = [at for at in columns if count_shared(words, grid.head[at]) > 0 and at]
        columns = named or columns
        if len(columns) != 1:
            continue
        at = columns[0]
        _check_states(grid, at, words)
        name = f"{grid.head[at]}: {cells[at]} ({' | '.join(cells[:3])})"
        score += count_shared(words, grid.head[at]) + (_OLD_FOUND if old is not None else 0)
        text = _write(cells[at], new)
        yield Target(score, grid.write(number, at, text), name, f"{grid.key}.{number}.{at}", describe_row(grid, cells))


def _check_states(grid: TableGrid, written: int, words: str) -> None:
    """Ask if a clause that gives a value says of another column that it holds: F15 is ready and is 18 sqm."""
    for at, head in enumerate(grid.head):
        states = {one.lower() for one in grid.column(at) if one}
        if at != written and states and states <= YES_WORDS | NO_WORDS and count_shared(words, head) >= 1:
            raise OrderUnclear("part", part=head)


def describe_row(grid: TableGrid, cells: Sequence[str]) -> str:
    """All words by which a row can be named."""
    return "\n".join((grid.name, *grid.head, *cells))


def _write(cell: str, new: TextValue) -> str:
    """The value as the cell has its own: without the unit that stands elsewhere."""
    values = find_values(cell)
    if len(values) == 1 and new.kind != "name" and (span := fit_value(values[0], new)) is not None:
        return f"{cell[: span[0]]}{span[2]}{cell[span[1] :]}"
    return new.text


def _fits(grid: TableGrid, cells: tuple[str, ...], at: int, said: tuple[TextValue, TextValue | None, str]) -> bool:
    """Whether a column is one for the value: the cell holds such a one, and what it counts is named the same."""
    new, old, words = said
    values = find_values(cells[at])
    if new.kind == "name":
        return len(values) == 1 and values[0].kind == "name" and values[0].text == cells[at].strip() != new.text
    if (
        len(values) != 1
        or is_same(values[0], new)
        or fit_value(values[0], new) is None
        or (old is not None and not _holds(values[0], old))
    ):
        return False
    if values[0].kind == "number" and values[0].text != cells[at].strip() and not values[0].unit:
        return False  # a number inside of words
    if new.kind == "number" and old is None:
        unit = new.unit
        is_counted = bool(unit) and (any(cell.strip() == unit for cell in cells) or unit in grid.head[at])
        return is_counted or _is_named(grid.head[at], new) or count_shared(words, grid.head[at]) > 0
    return True


def _is_named(head: str, new: TextValue) -> bool:
    return True if not new.unit else new.unit in head.lower()


_JOINS: Final = re.compile(r"[和与及跟、都]|\b(?:and|both|all|plus)\b", re.IGNORECASE)


def _check_single(grid: TableGrid, words: str) -> None:
    """Ask which row is meant if words join the names of two."""
    left, named = words, []
    names = {cell.strip() for _, cells in grid.rows for cell in cells if re.search(r"[A-Za-z\u4e00-\u9fff]{2}", cell)}
    for name in sorted(names, key=len, reverse=True):
        form = rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])" if name.isascii() else re.escape(name)
        rows = [cells for _, cells in grid.rows if name in [cell.strip() for cell in cells]]
        if len(rows) == 1 and re.search(form, left, re.IGNORECASE):
            left = re.sub(form, " ", left, flags=re.IGNORECASE)
            named.append(rows[0])
    if len(set(named)) > 1:
        raise OrderUnclear("which_of", first=" | ".join(named[0][:3]), second=" | ".join(named[1][:3]))


def find_row(grid: TableGrid, words: str, old: TextValue | None = None) -> tuple[int, tuple[str, ...], float] | None:
    """The only row whose cells the words name; None if none or several fit."""
    if _JOINS.search(words):
        _check_single(grid, words)
    scored = []
    for number, cells in grid.rows:
        score = 0.0
        for at, cell in enumerate(cells):
            if old is not None and cell.strip() == old.text:
                continue
            score += _score_name(cell, grid.head[at], words)
        scored.append((score, number, cells))
    best = max((one[0] for one in scored), default=0.0)
    top = [one for one in scored if one[0] >= best - 0.4]
    if best <= 0 or len(top) != 1:
        if old is None:
            return None
        held = [one for one in scored if any(cell.strip() == old.text for cell in one[2])]
        top = [one for one in top if one in held] if best > 0 else held
        if len(top) != 1:
            return None
    score, number, cells = top[0]
    strange = has_strange_name(words, [*grid.head, grid.name, *(cell for _, row in grid.rows for cell in row)])
    return None if strange and not old else (number, cells, score)


def _score_name(cell: str, head: str, words: str) -> float:
    """How well words name a cell: its whole text counts more than a part of it."""
    text = cell.strip()
    if not text or re.fullmatch(r"[\d.,%-]+", text):
        is_key = (
            re.search(rf"{re.escape(head.strip())}\s*{re.escape(text)}(?![\d.])", words, re.IGNORECASE)
            if text
            else None
        )
        return 1.5 if is_key and head.strip() else 0.0
    if text.isascii():
        whole = re.search(rf"(?<![A-Za-z0-9]){re.escape(text)}(?:'s)?(?![A-Za-z0-9])", words, re.IGNORECASE)
        if whole:
            return len(content_words(text)) + 0.5
        own = words_of(text)
        return float(sum(1 for one in set(content_words(words)) if one in own or _is_short(one, own)))
    if text in words:
        return len(text) / 2 + 0.5
    return count_shared(words, text)


def _is_short(word: str, own: set[str]) -> bool:
    return len(word) >= 4 and any(one.startswith(word) for one in own)


def raise_value(
    clauses: Sequence[SaidClause], number: int, words: str, grids: Sequence[TableGrid]
) -> list[JsonObject] | None:
    """Steps that add to a number of a table: 短视频又来了3个人; None if the row or the column is not clear."""
    made, places, clause = [], [], clauses[number]
    for sign, value in clause.more:
        if not sign:
            return None
        found = []
        for grid in grids:
            row = find_row(grid, words)
            if row is None:
                continue
            line, cells, _ = row
            columns = [
                at
                for at in range(len(cells))
                if (line, at) not in grid.fixed
                and re.fullmatch(r"-?\d+(?:\.\d+)?", cells[at].strip())
                and ((value.unit and value.unit in grid.head[at]) or count_shared(words, grid.head[at]) >= 1)
            ]
            counts = [
                at
                for at in columns
                if re.search(r"数|量|\b(?:number|count|quantity|stock)\b", grid.head[at], re.IGNORECASE)
            ]
            columns = counts if len(columns) > 1 else columns
            if len(columns) == 1:
                total = Decimal(cells[columns[0]]) + sign * Decimal(re.sub(r"[^\d.]", "", value.text) or "0")
                found.append(grid.write(line, columns[0], f"{total:f}"))
                places.append(describe_row(grid, cells))
        if len(found) != 1 or not re.search(r"\d", value.text):
            return None
        made += found
    if made:
        check_ordered(clauses, number, made, "\n".join(places))
        check_accounted(clause.subject, "\n".join(places))
    return made or None
