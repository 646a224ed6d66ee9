"""A word that a column of a table knows, given to one row; two cells that change places."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._change import NO_WORDS, YES_WORDS, Target, describe_row, find_row
from metier.packs.office.orders.grounded._doubt import check_accounted, check_ordered
from metier.packs.office.orders.grounded._facts import TableGrid
from metier.packs.office.orders.grounded._said import SaidClause, has_limit, has_other_verb
from metier.packs.office.orders.grounded._values import find_values, is_same
from metier.packs.office.orders.grounded._words import count_shared, stem, words_of

__all__ = ["assign_word", "gives_word", "swap_cells"]

_GIVES: Final = re.compile(
    r"改|换|变|标|设|填|写|记|顶|替|接|算|该|成|现在|已经?|了$|\b(?:put|mark|set|is|are|as|now|to|make|becomes?|"
    r"should be|"
    r"has been|have been|was|were|goes|call|change|switch|has|does|doing|takes|gets)\b",
    re.IGNORECASE,
)
_REFUSED: Final = re.compile(r"\b(?:not|isn't|hasn't|haven't|no longer|un)\b|n't\b|没|未|不", re.IGNORECASE)


def assign_word(clauses: Sequence[SaidClause], at: int, grids: Sequence[TableGrid]) -> list[JsonObject] | None:
    """Step that gives a row a word of one of its columns; None if the clause does not say so."""
    text = clauses[at].text
    if not _GIVES.search(text) or has_limit(text) or has_other_verb(re.sub(r"标[成为]?|\bmark\b", "", text)):
        return None
    found = _find_words(clauses, at, grids)
    if len(found) > 1:
        raise OrderUnclear("which_of", first=found[0].name, second=found[1].name)
    if found:
        check_ordered(clauses, at, [found[0].step], found[0].text)
        check_accounted(clauses[at].subject, f"{found[0].text}\n{found[0].place}")
        for value in clauses[at].new:  # a number beside the word is no part of it unless the row has it
            held = [one for line in found[0].text.split("\n") for one in find_values(line)]
            if value.kind != "name" and not any(is_same(value, one) for one in held):
                raise OrderUnclear("part", part=value.text)
    return [one.step for one in found] or None


def gives_word(clauses: Sequence[SaidClause], at: int, grids: Sequence[TableGrid]) -> bool:
    """Whether a clause that was not read as an order may still give a row a word: then it is no mere reason."""
    return any(one.place.split("\n")[0] not in one.text.split("\n") for one in _find_words(clauses, at, grids))


def _find_words(clauses: Sequence[SaidClause], at: int, grids: Sequence[TableGrid]) -> list[Target]:
    text = clauses[at].text
    earlier = [one.text for one in reversed(clauses[:at])][:2]
    found: dict[str, Target] = {}
    named: set[str] = set()
    for grid in grids:
        for column in range(len(grid.head)):
            for word, said in _words_for(grid, column, text):
                rest = text.replace(said, " ", 1)
                row = find_row(grid, rest)
                if row is None:
                    row = find_row(grid, " ".join([rest, *earlier]))
                if _names_more(grid, column, rest):
                    return []  # two words for one cell
                if row is None or (row[0], column) in grid.fixed:
                    continue
                held = next(cells for number, cells in grid.rows if number == row[0])[column].strip()
                if held != word:
                    name = f"{grid.head[column]}: {word} ({' | '.join(row[1][:3])})"
                    key = f"{grid.key}.{row[0]}.{column}"
                    step = grid.write(row[0], column, word)
                    found[key] = Target(row[2], step, name, f"{word}\n{said}", describe_row(grid, row[1]))
                    named |= {key} if _is_in(grid.head[column], rest) else set()
    found = {key: one for key, one in found.items() if key in named or not named}
    return list(found.values())


def _names_more(grid: TableGrid, column: int, rest: str) -> bool:
    """Whether a clause has a further word of the column, beside what the row has now."""
    if re.search(r"\b(?:as well|also|too|both|plus|or|either)\b|以及|还有|或|也", rest, re.IGNORECASE):
        return True
    named = find_row(grid, rest)
    held = named[1][column].strip() if named else ""
    return any(_is_in(one, rest) for one in set(grid.column(column)) - {"", held})


def _words_for(grid: TableGrid, column: int, text: str) -> list[tuple[str, str]]:
    """Words of a column that a clause gives, each with how it is said."""
    cells = [one for one in grid.column(column) if one]
    known = list(dict.fromkeys(cells))
    if not known or any(re.fullmatch(r"[\d.,:%/-]+", one) for one in known):
        return []
    rest = text
    for one in known:
        rest = rest.replace(_said_as(one, text) or "\0", " ")
    is_named = count_shared(rest, grid.head[column]) > 0 or _is_in(grid.head[column], rest)
    states = {one.lower() for one in known}
    if states <= (YES_WORDS | NO_WORDS) and states:
        head = stem(grid.head[column].split()[0]) if grid.head[column].isascii() else grid.head[column]
        said = next((one for one in re.findall(r"[A-Za-z]+", text) if stem(one) == head), "")
        said = said or (head if not head.isascii() and head.removeprefix("是否").removeprefix("已") in text else "")
        literal = [(one, one) for one in known if _is_in(one, text)]
        if literal or not said:
            return literal
        wanted = NO_WORDS if _REFUSED.search(text) else YES_WORDS
        return [(one, said) for one in known if one.lower() in wanted]
    if not is_named and len(known) == len(cells):
        return []
    return [(one, _said_as(one, text)) for one in known if _is_in(one, text)]


def _is_in(word: str, text: str) -> bool:
    return bool(_said_as(word, text))


def _said_as(word: str, text: str) -> str:
    form = rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])" if word.isascii() else re.escape(word)
    found = re.search(form, text, re.IGNORECASE) if len(word) > 1 or not word.isascii() else None
    return found[0] if found else ""


_SWAP: Final = re.compile(r"对调|互换|调换|交换|换一?下班|\b(?:swap|exchange|switch)(?:ped)?\b", re.IGNORECASE)
_AND: Final = re.compile(r"\s*(?:和|与|跟|同|、|\band\b|\bwith\b|\bfor\b)\s*", re.IGNORECASE)


def swap_cells(clauses: Sequence[SaidClause], number: int, grids: Sequence[TableGrid]) -> list[JsonObject] | None:
    """Steps that let two rows change what they have in one column: 周二和周五的夜班对调."""
    text = clauses[number].text
    if not _SWAP.search(text) or has_limit(text):
        return None
    parts = _AND.split(_SWAP.sub(" ", text), maxsplit=1)
    found = []
    for grid in grids if len(parts) == 2 else ():
        columns = [at for at, head in enumerate(grid.head) if at and (head.strip() in text or _covers(head, text))]
        rows = [find_row(grid, part) for part in parts]
        if len(columns) != 1 or rows[0] is None or rows[1] is None or rows[0][0] == rows[1][0]:
            continue
        at = columns[0]
        if any((row[0], at) in grid.fixed for row in rows if row):
            continue
        steps = [grid.write(rows[0][0], at, rows[1][1][at]), grid.write(rows[1][0], at, rows[0][1][at])]
        found.append((steps, "\n".join(describe_row(grid, row[1]) for row in rows if row)))
    if len(found) != 1:
        return None
    check_ordered(clauses, number, found[0][0], found[0][1])
    check_accounted(text, found[0][1])
    return found[0][0]


def _covers(head: str, text: str) -> bool:
    return head.isascii() and bool(words_of(head)) and words_of(head) <= words_of(text)
