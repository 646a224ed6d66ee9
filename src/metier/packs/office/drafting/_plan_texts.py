"""What a drafted plan writes: its steps, and the rows, lines and texts of each. All comparisons read plans here."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.textsearch import fold

__all__ = [
    "NUMBERING",
    "TEXT_FIELDS",
    "gives_texts",
    "list_groups",
    "list_lines",
    "list_rows",
    "list_steps",
    "list_tables",
    "list_texts",
    "list_values",
    "list_written",
    "strip_mark",
]

TEXT_FIELDS: Final = ("text", "title", "content", "note", "caption")
# A heading with its number, or a point with its own.
NUMBERING: Final = re.compile(
    r"^(?:#+ (?:[一二三四五六七八九十]+、|[(（][一二三四五六七八九十\d]+[)）]|\d+(?:\.\d+)* )?|\d+\. )"
)
_MARK: Final = re.compile(r"^(?:#+|\d+\.|[-•*])\s")
_MIN_TOLD: Final = 2
_QUOTED: Final = re.compile(r"[“「《\"]([^“”「」《》\"]+)[”」》\"]")
_BESIDE: Final = ("text", "content", "replace_text")
_TITLED: Final = frozenset({"insert_chart_from_selection", "add_slide"})  # the title of another step names it


def list_steps(plan: JsonObject) -> list[JsonObject]:
    """Steps of a plan, those of its blocks with them."""
    return list(_walk(plan.get("actions")))


def _walk(actions: JsonValue) -> Iterator[JsonObject]:
    for one in actions if isinstance(actions, list) else []:
        if isinstance(one, dict):
            yield one
            yield from _walk(one.get("actions"))


def list_rows(step: JsonObject) -> list[list[str]]:
    """Rows of the table of a step, its header first; none if it has no table or an empty one."""
    data = step.get("data")
    rows = data if isinstance(data, list) else []
    return [["" if cell is None else str(cell) for cell in row] for row in rows if isinstance(row, list)]


def list_tables(steps: Iterable[JsonObject]) -> list[list[list[str]]]:
    """The tables of some steps, empty ones with them."""
    return [list_rows(one) for one in steps if isinstance(one.get("data"), list)]


def list_lines(step: JsonObject, fields: Sequence[str] = ("text", "content")) -> list[str]:
    """Lines of the first of these fields that the step has."""
    return next((said.splitlines() for name in fields if (said := str(step.get(name) or ""))), [])


def strip_mark(line: str) -> str:
    """A line without the mark of a heading or a point."""
    return _MARK.sub("", line)


def list_texts(steps: Sequence[JsonObject]) -> list[str]:
    """Every text that steps write: cells, lines, titles."""
    cells = [cell for table in list_tables(steps) for row in table for cell in row]
    return [*cells, *(strip_mark(line) for one in steps for name in TEXT_FIELDS for line in list_lines(one, (name,)))]


def list_values(steps: Sequence[JsonObject]) -> list[str]:
    """Texts that steps put in the place of others: values of cells, and new words for old ones."""
    listed = [one.get("cells") for one in steps]
    cells = [cell for given in listed if isinstance(given, list) for cell in given]
    values = [cell.get("value") for cell in cells if isinstance(cell, dict)] + [
        one.get("replace_text") for one in steps
    ]
    return [value for value in values if isinstance(value, str) and value]


def gives_texts(words: str, plan: JsonObject) -> bool:
    """Whether two different texts that a plan writes stand in these words, or one in quotation marks."""
    told, texts = fold(words), {fold(one) for one in list_texts(list_steps(plan))}
    if any(fold(one) in texts for one in _QUOTED.findall(words)):
        return True
    return sum(bool(one) and one in told for one in texts) >= _MIN_TOLD


def list_written(plan: JsonObject) -> list[str]:
    """Every text of a plan in its order, without the names that the plan gives to its steps."""
    found: list[str] = []
    for step in list_steps(plan):
        names = [name for name in TEXT_FIELDS if name != "title" or step.get("op") in _TITLED]
        found += [line for name in names for line in list_lines(step, (name,))]
        found += [cell for row in list_rows(step) for cell in row]
    return found


def list_groups(step: JsonObject) -> Iterator[list[str]]:
    """The texts of a step that stand beside or under each other: lines of a text, cells of a row."""
    for name in _BESIDE:
        if lines := list_lines(step, (name,)):
            yield [strip_mark(one) for one in lines]
    for row in list_rows(step):
        yield ["", *row]
