"""Functions that look at their arguments one by one: IF, CHOOSE, OFFSET and their kin."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._dates import to_serial
from metier.packs.office.sheets.formulas._parse import Node
from metier.packs.office.sheets.formulas._values import (
    BAD_REFERENCE,
    BAD_VALUE,
    NOT_AVAILABLE,
    CellError,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    as_bool,
    as_number,
    as_text,
    compare,
)
from metier.packs.office.sheets.formulas.functions import (
    find_offset,
    parse_reference,
)

if TYPE_CHECKING:
    from metier.packs.office.sheets.formulas._evaluate import Evaluator

__all__ = ["BRANCHES"]

Branch: TypeAlias = Callable[["Evaluator", Sequence[Node]], Operand]


def _if(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    condition = evaluator.evaluate(nodes[0])
    if isinstance(condition, Grid) and evaluator.in_array:
        branches = [evaluator.evaluate(one) for one in nodes[1:]]
        otherwise = branches[1] if len(branches) > 1 else False
        return evaluator.each(
            lambda flag, yes, no: yes if as_bool(flag) else no, [condition, branches[0], otherwise], sees_errors=True
        )
    if as_bool(evaluator.single(condition)):
        return evaluator.evaluate(nodes[1])
    return evaluator.evaluate(nodes[2]) if len(nodes) > 2 else False


def _if_error(only_missing: bool) -> Branch:
    def _apply(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
        try:
            value = evaluator.evaluate(nodes[0])
            value = value if evaluator.in_array else evaluator.single(value)
        except ErrorResult as failed:
            value = failed.error
        if isinstance(value, CellError) and (not only_missing or value == NOT_AVAILABLE):
            return evaluator.evaluate(nodes[1])
        return value

    return _apply


def _ifs(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    for at in range(0, len(nodes) - 1, 2):
        if as_bool(evaluator.single(evaluator.evaluate(nodes[at]))):
            return evaluator.evaluate(nodes[at + 1])
    return NOT_AVAILABLE


def _switch(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    wanted = evaluator.single(evaluator.evaluate(nodes[0]))
    for at in range(1, len(nodes) - 1, 2):
        if compare(wanted, evaluator.single(evaluator.evaluate(nodes[at]))) == 0:
            return evaluator.evaluate(nodes[at + 1])
    return evaluator.evaluate(nodes[-1]) if len(nodes) % 2 == 0 else NOT_AVAILABLE


def _choose(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    place = int(as_number(evaluator.single(evaluator.evaluate(nodes[0]))))
    return evaluator.evaluate(nodes[place]) if 1 <= place < len(nodes) else BAD_VALUE


def _position(is_row: bool) -> Branch:
    def _apply(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
        if not nodes:
            return float(evaluator.key[1 if is_row else 2])
        if nodes[0][0] != "range":
            raise Uncomputable("ROW or COLUMN of this")
        area = nodes[0][2]
        assert isinstance(area, CellArea)
        if evaluator.in_array and area.height * area.width > 1:
            if is_row:
                return Grid([[float(row)] for row in range(area.top, area.bottom + 1)])
            return Grid([[float(column) for column in range(area.left, area.right + 1)]])
        return float(area.top if is_row else area.left)

    return _apply


def _today(evaluator: "Evaluator", _: Sequence[Node]) -> Operand:
    return float(math.floor(to_serial(evaluator.book.now, is_1904=evaluator.book.is_1904)))


def _now(evaluator: "Evaluator", _: Sequence[Node]) -> Operand:
    return to_serial(evaluator.book.now, is_1904=evaluator.book.is_1904)


def _offset(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    values = [evaluator.single(evaluator.evaluate(one)) for one in nodes[1:]]
    for value in values:
        if isinstance(value, CellError):
            return value
    numbers = [
        None if one[0] == "missing" else int(as_number(value)) for one, value in zip(nodes[1:], values, strict=True)
    ]
    return evaluator.book.grid(*find_offset(evaluator.evaluate(nodes[0]), numbers))


def _indirect(evaluator: "Evaluator", nodes: Sequence[Node]) -> Operand:
    text = evaluator.single(evaluator.evaluate(nodes[0]))
    if isinstance(text, CellError):
        return text
    if len(nodes) > 1 and not as_bool(evaluator.single(evaluator.evaluate(nodes[1]))):
        raise Uncomputable("the function INDIRECT")
    found = parse_reference(as_text(text), evaluator.key[0], evaluator.book.source.sheet)
    if found is not None:
        return evaluator.book.grid(*found)
    if evaluator.book.name(as_text(text), evaluator.key[0]) is None:
        return BAD_REFERENCE
    return evaluator.resolve_name(as_text(text), is_table=False)


BRANCHES: Final[Mapping[str, Branch]] = MappingProxyType(
    {
        "IF": _if,
        "IFERROR": _if_error(only_missing=False),
        "IFNA": _if_error(only_missing=True),
        "IFS": _ifs,
        "SWITCH": _switch,
        "CHOOSE": _choose,
        "ROW": _position(is_row=True),
        "COLUMN": _position(is_row=False),
        "OFFSET": _offset,
        "INDIRECT": _indirect,
        "TODAY": _today,
        "NOW": _now,
    }
)
