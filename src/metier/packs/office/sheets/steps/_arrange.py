"""Rows in another order, and rows as columns."""

import re
from collections.abc import Callable
from typing import Final

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import (
    MAX_ROWS,
    BadAddress,
    CellArea,
    cell_name,
    column_number,
    parse_cell,
    split_sheet,
)
from metier.packs.office.sheets._cell_values import NewValue
from metier.packs.office.sheets._cell_xml import translate_formula
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._references import map_references
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets.formulas import CellError, CellValue

MAX_SORTED_CELLS: Final = 1_000_000
_ROW: Final = re.compile(r"\$?[A-Za-z]{1,3}(\$?)(\d{1,7})")
_LETTERS: Final = re.compile(r"\$?[A-Za-z]{1,3}")


def sort_range(session: SheetSession, action: OfficeAction) -> None:
    """Sort rows by one column: numbers, then texts (Chinese by pronunciation), then blanks."""
    sheet, area = session.find(action.text("range"), "range")
    used = sheet.used_area()
    if used is None or not used.meets(area):
        raise session.fail("no_data", "range", text=area.text)
    if area.bottom == MAX_ROWS:
        area = CellArea(max(area.top, used.top), area.left, used.bottom, area.right)
    session.check_writable(sheet, area, "range", limit=MAX_SORTED_CELLS)
    for merged in sheet.list_merged():
        if merged.meets(area):
            raise session.fail("merged_area", "range", text=area.text, area=merged.text)
    key, has_header = _key_column(session, sheet, area, action)
    body = CellArea(area.top + 1, area.left, area.bottom, area.right) if has_header else area
    if body.height < 2:
        return
    if any(sheet.is_row_hidden(row) for row in range(body.top, body.bottom + 1)):
        raise session.fail("hidden_rows", "range", text=body.text)
    order = _sorted_rows(sheet, body, key, is_descending=action.text("order", "asc") == "desc")
    if order == list(range(body.top, body.bottom + 1)):
        return
    if readers := [
        cell_name(*key) for key in sorted(sheet.formulas) if body.has(*key) and _reads_other_row(sheet, key, body)
    ]:
        raise session.fail("reads_rows", "range", text=body.text, cells=readers[:5])
    before = session.texts(sheet, body)
    after = _show_order(session, sheet, body, order[:200])
    address = session.address(sheet, body)
    if session.offer(action, address, say("sort", text=address), (before, after)):
        _reorder(session, sheet, body, order)


def _key_column(session: SheetSession, sheet: SheetPart, area: CellArea, action: OfficeAction) -> tuple[int, bool]:
    """Column to sort by, and whether the first row is a head: `B`, `B2`, a heading, or a number."""
    key, has_header = action.text("key").strip(), action.flag("has_header")
    heads = [show_value(sheet.value(area.top, column)).strip() for column in range(area.left, area.right + 1)]
    if key in heads:
        return area.left + heads.index(key), True
    column = None
    plain = split_sheet(key)[1].partition(":")[0]
    try:
        if _LETTERS.fullmatch(plain):
            column = column_number(plain.replace("$", ""))
        elif plain.isdigit() and 1 <= int(plain) <= area.width:
            column = area.left + int(plain) - 1
        else:
            column = parse_cell(plain)[1]
    except BadAddress:
        column = None
    if column is None or not area.left <= column <= area.right:
        raise session.fail("bad_key", "key", key=key, text=area.text)
    return column, has_header


def _reads_other_row(sheet: SheetPart, key: tuple[int, int], body: CellArea) -> bool:
    """Whether a formula of the rows to be sorted would calculate something else in another row."""
    found = False

    def _look(name: str | None, rest: str) -> str:
        nonlocal found
        ends = [_ROW.fullmatch(one) for one in (rest.split(":") if rest.count(":") == 1 else [rest, rest])]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            return rest
        is_here = name is None or name.lower() == sheet.name.lower()
        top, bottom = int(ends[0][2]), int(ends[1][2])
        if ends[0][1] and ends[1][1]:
            is_apart = bottom < body.top or top > body.bottom
            found |= is_here and not is_apart and not (top <= body.top and bottom >= body.bottom)
        else:
            found |= not (is_here and top == bottom == key[0])
        return rest

    map_references(sheet.formula(*key), _look)
    return found


def _show_order(session: SheetSession, sheet: SheetPart, body: CellArea, order: list[int]) -> str:
    """Rows as they will stand, with formulas as they will read there."""
    lines = []
    for target, source in enumerate(order, body.top):
        values = [
            f"={translate_formula(sheet.formula(source, column), cell_name(source, column), cell_name(target, column))}"
            if (source, column) in sheet.formulas
            else session.show(sheet, source, column)
            for column in range(body.left, min(body.right, body.left + 50) + 1)
        ]
        lines.append("\t".join(values).rstrip("\t"))
    return "\n".join(lines).rstrip("\n")


def _sorted_rows(sheet: SheetPart, body: CellArea, column: int, *, is_descending: bool) -> list[int]:
    rows = list(range(body.top, body.bottom + 1))
    filled = [row for row in rows if sheet.value(row, column) not in (None, "")]
    blank = [row for row in rows if sheet.value(row, column) in (None, "")]
    filled.sort(key=lambda row: sort_key(sheet.value(row, column)), reverse=is_descending)
    if is_descending:
        # Equal rows keep their order, as in spreadsheet programs.
        filled = _stable_descending(filled, lambda row: sort_key(sheet.value(row, column)))
    return filled + blank


def _stable_descending(rows: list[int], key: Callable[[int], object]) -> list[int]:
    groups: dict[object, list[int]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return [row for group in groups.values() for row in sorted(group)]


def sort_key(value: CellValue) -> tuple[int, float, bytes]:
    """Order of values: numbers, texts, truth values, errors. GBK orders common Chinese by pronunciation."""
    if isinstance(value, bool):
        return 2, float(value), b""
    if isinstance(value, int | float):
        return 0, float(value), b""
    if isinstance(value, CellError):
        return 3, 0.0, value.code.encode()
    return 1, 0.0, str(value or "").lower().encode("gb18030")


def _reorder(session: SheetSession, sheet: SheetPart, body: CellArea, order: list[int]) -> None:
    """Move cells with their styles; what reads them is calculated again."""
    session.formulas_changed |= any(body.has(*key) for key in sheet.formulas)
    sheet.reorder(body, order)
    for target, source in zip(range(body.top, body.bottom + 1), order, strict=True):
        if target != source:
            for column in range(body.left, body.right + 1):
                session.note(sheet, target, column)


def transform_range(session: SheetSession, action: OfficeAction) -> None:
    """Write rows as columns elsewhere. Formulas become their values, because their references would not fit."""
    source_sheet, source = session.find(action.text("source_range"), "source_range")
    sheet, place = session.find(action.text("destination"), "destination")
    used = source_sheet.used_area()
    if used is None or not used.meets(source):
        raise session.fail("no_data", "source_range", text=source.text)
    source = CellArea(
        source.top,
        source.left,
        min(source.bottom, max(used.bottom, source.top)),
        min(source.right, max(used.right, source.left)),
    )
    area = CellArea(place.top, place.left, place.top + source.width - 1, place.left + source.height - 1)
    if sheet.name == source_sheet.name and area.meets(source):
        raise session.fail("overlap", "destination", text=area.text, other=source.text)
    session.check_writable(sheet, area, "destination")
    if not action.flag("clear_existing", True) and not _is_same_or_blank(source_sheet, source, sheet, area):
        raise session.fail("occupied", "destination", text=area.text)
    session.remember(sheet, area)
    values = {key: source_sheet.value(*key) for key in source.cells()}
    if _is_transposed(source_sheet, source, sheet, area):
        return
    address = session.address(sheet, area)
    after = "\n".join(
        "\t".join(session.show(source_sheet, row, column) for row in range(source.top, source.bottom + 1))
        for column in range(source.left, source.right + 1)
    )
    title = say("transpose", text=address, other=session.address(source_sheet, source))
    if session.offer(action, address, title, (session.texts(sheet, area), after)):
        for (row, column), value in values.items():
            target = (area.top + column - source.left, area.left + row - source.top)
            session.put(sheet, *target, NewValue(value))
            sheet.set_style(*target, source_sheet.style(row, column))


def _is_transposed(source_sheet: SheetPart, source: CellArea, sheet: SheetPart, area: CellArea) -> bool:
    for row, column in source.cells():
        target = (area.top + column - source.left, area.left + row - source.top)
        if target in sheet.formulas or sheet.value(*target) != source_sheet.value(row, column):
            return False
    return True


def _is_same_or_blank(source_sheet: SheetPart, source: CellArea, sheet: SheetPart, area: CellArea) -> bool:
    return all(sheet.is_blank(*key) for key in area.cells()) or _is_transposed(source_sheet, source, sheet, area)
