"""A formula that a request gives a column of its new table and that no cell of the plan has."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText

__all__ = ["find_lost_formula"]

_MAKES: Final = frozenset({"insert_table", "add_table"})
_CLAUSE: Final = re.compile(r"[^,，。;；\n(（)）]+")
_OPERATOR: Final = re.compile(r"[-+*/×÷xX]|[加减乘除]|\b(?:plus|minus|times|divided by|less)\b", re.IGNORECASE)
_IS: Final = re.compile(r"\s*(?:=|＝|等于|就?是|为|\bis\b|\bequals?\b)\s*", re.IGNORECASE)


def find_lost_formula(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """金额=数量*单价 beside a table whose column 金额 has typed numbers, or none, and is no product of the others."""
    tables = [one for one in steps if one["op"] in _MAKES]
    if not tables or any(one["op"] == "set_cell_formula" or "formula" in str(one.get("cells", "")) for one in steps):
        return ""
    for clause in _CLAUSE.finditer(text.mask):
        sign = _IS.search(clause[0])
        if sign is None:
            continue
        name, said = clause[0][: sign.start()].strip(), clause[0][sign.end() :]
        for header, rows in map(_read_table, tables):
            if any(one and name.endswith(one) for one in header) and _OPERATOR.search(said):
                at = next(at for at, one in enumerate(header) if one and name.endswith(one))
                others = [one for one in header if one and one != header[at] and one in said]
                if others and not _is_computed(rows, at, [header.index(one) for one in others]):
                    return text.raw[slice(*clause.span())].strip()
    return ""


def _read_table(step: JsonObject) -> tuple[list[str], list[list[str]]]:
    data = step.get("data")
    rows = (
        [[str(cell or "") for cell in row] for row in data if isinstance(row, list)] if isinstance(data, list) else []
    )
    return (rows[0], rows[1:]) if rows else ([], [])


def _is_computed(rows: Sequence[Sequence[str]], at: int, others: Sequence[int]) -> bool:
    """Whether the cells of a column hold what the formula may give: the rows that have its inputs have a value."""
    filled = [row for row in rows if all(len(row) > one and re.search(r"\d", row[one]) for one in (at, *others))]
    return bool(rows) and len(filled) >= len(rows) - 1  # but for a line with the total
