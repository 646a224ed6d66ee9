"""State while a plan is carried out on a workbook: the cursor, the changes, what was written."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from metier.language import BilingualText, Language, NoteValue
from metier.packs.office._hosts import Change, SkippedAction
from metier.packs.office._plan_session import PlanSession
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.plan import StyleSpec
from metier.packs.office.sheets._addresses import (
    MAX_COLUMNS,
    MAX_ROWS,
    BadAddress,
    CellArea,
    cell_name,
    parse_area,
    split_sheet,
)
from metier.packs.office.sheets._cell_values import MAX_TEXT_CHARS, NewValue
from metier.packs.office.sheets._dynamic_arrays import ensure_dynamic_metadata
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._references import rename_in_tables
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import SheetTable, WorkbookParts, parse_areas
from metier.packs.office.sheets.formulas import CellValue, is_spilling

MAX_CELLS_PER_STEP: Final = 200_000


@dataclass(slots=True)
class SheetSession(PlanSession):
    """One run of a plan on a workbook."""

    book: WorkbookParts
    folder: Path
    now: datetime
    language: Language
    chosen: frozenset[str] | None
    author: str
    style: StyleSpec
    sheet_name: str
    cursor: CellArea
    has_selection: bool = False
    block: str = ""
    path: str = "actions"
    last_table: tuple[str, CellArea] | None = None
    changes: list[Change] = field(default_factory=list)
    skipped: list[SkippedAction] = field(default_factory=list)
    warnings: list[BilingualText] = field(default_factory=list)
    changed: set[tuple[str, int, int]] = field(default_factory=set)
    written: list[tuple[str, CellArea]] = field(default_factory=list)
    drawings: int = 0
    own_pages: set[str] = field(default_factory=set)  # sheets that are new or drawn on
    inner: list[tuple[str, BilingualText, tuple[str, str]]] = field(default_factory=list)
    formulas_changed: bool = False
    emptied: list[tuple[SheetPart, str, str]] = field(default_factory=list)  # drawings without anything left
    own_areas: list[tuple[str, CellArea]] = field(default_factory=list)
    _tables: list[SheetTable] | None = None

    def render(self, code: str, **values: NoteValue) -> BilingualText:
        return say(code, **values)

    def sheet(self, name: str = "", place: str = "sheet_name") -> SheetPart:
        """Sheet by name, the current one without; checks that it may be changed."""
        name = name or self.sheet_name
        try:
            return self.book.sheet(name)
        except KeyError:
            known = [one.name for one in self.book.entries()]
            raise self.fail("no_sheet", place, name=name, known=known) from None

    def find(self, text: str, place: str, sheet_name: str = "") -> tuple[SheetPart, CellArea]:
        """Sheet and range of an address, a table or a defined name of the workbook."""
        sheet, rest = split_sheet(text)
        try:
            area = parse_area(rest)
        except BadAddress:
            return self._find_name(text, place)
        return self.sheet(sheet or sheet_name, place), area

    def _find_name(self, text: str, place: str) -> tuple[SheetPart, CellArea]:
        for table in self.book.tables():
            if table.name.lower() == text.strip().lower():
                return self.sheet(table.sheet, place), table.area
        formula = self.book.defined_name(text.strip(), self.sheet_name)
        areas = parse_areas(formula) if formula else []
        if len(areas) != 1:
            raise self.fail("bad_address", place, text=text)
        return self.sheet(areas[0][0], place), areas[0][1]

    def check_writable(self, sheet: SheetPart, area: CellArea, place: str, *, limit: int = MAX_CELLS_PER_STEP) -> None:
        """Refuse a protected sheet, a cell hidden in a merge, part of an array formula, or too many cells."""
        if area.bottom > MAX_ROWS or area.right > MAX_COLUMNS:
            raise self.fail("bad_address", place, text=area.text)
        count = area.height * area.width
        if count > limit:
            raise self.fail("too_many_cells", place, text=area.text, count=count, limit=limit)
        self.check_protection(sheet, area, place)
        for merged in sheet.list_merged():
            if merged.meets(area) and not (area.has(merged.top, merged.left) and area.contains(merged)):
                is_anchor = area.height == area.width == 1 and (area.top, area.left) == (merged.top, merged.left)
                if not is_anchor:
                    raise self.fail("merged", place, text=area.text, area=merged.text)
        for row, column in list(sheet.formulas):
            if sheet.is_array(row, column):
                array = self._array_area(sheet, row, column)
                if array.meets(area) and not area.contains(array):
                    raise self.fail("in_array", place, text=area.text)

    def _array_area(self, sheet: SheetPart, row: int, column: int) -> CellArea:
        cell = sheet.row(row).find(f"{MAIN}c[@r='{cell_name(row, column)}']/{MAIN}f")
        try:
            return parse_area(str(cell.get("ref"))) if cell is not None else CellArea(row, column, row, column)
        except BadAddress:
            return CellArea(row, column, row, column)

    def check_protection(self, sheet: SheetPart, area: CellArea, place: str) -> None:
        protection = sheet.root.find(f"{MAIN}sheetProtection")
        if protection is None or protection.get("sheet") not in ("1", "true"):
            return
        small = area.height * area.width <= 1_000
        if not small or any(self.book.styles.is_locked(sheet.style(*key)) for key in area.cells()):
            raise self.fail("protected", place, name=sheet.name)

    def put(self, sheet: SheetPart, row: int, column: int, new: NewValue) -> None:
        """Write one value with the format it needs."""
        if isinstance(new.value, str) and len(new.value) > MAX_TEXT_CHARS:
            raise self.fail("text_too_long")
        old_style = style = sheet.style(row, column)
        styles = self.book.styles
        if new.number_format and styles.number_format(style) in ("General", "@"):
            style = styles.with_number_format(style, new.number_format)
        if new.is_quoted:
            style = styles.with_quote(style, is_quoted=True)
        if isinstance(new.value, str) and "\n" in new.value:
            style = styles.with_wrap(style)
        is_formula = (row, column) in sheet.formulas
        if is_formula or sheet.value(row, column) != new.value or not _same_kind(sheet.value(row, column), new.value):
            sheet.set_value(row, column, new.value)
            self.note(sheet, row, column)
            self.formulas_changed |= is_formula
        if style != old_style:
            sheet.set_style(row, column, style)
        self._follow_table_head(sheet, row, column)

    def put_formula(self, sheet: SheetPart, row: int, column: int, formula: str) -> None:
        """Write one formula, as files keep it."""
        if sheet.formula(row, column) == formula:
            return
        metadata = ensure_dynamic_metadata(self.book.parts, self.book.part) if is_spilling(formula) else 0
        sheet.set_formula(row, column, formula, metadata=metadata)
        if metadata:
            self.book.calculate_on_load()
            self.warn("spills", cell=f"{quote_sheet(sheet.name)}!{cell_name(row, column)}")
        style = sheet.style(row, column)
        if self.book.styles.number_format(style) == "@":
            sheet.set_style(row, column, self.book.styles.with_number_format(style, "General"))
        self.note(sheet, row, column)
        self.formulas_changed = True

    def clear(self, sheet: SheetPart, area: CellArea) -> None:
        """Remove values and formulas of a range; styles stay."""
        used = sheet.used_area()
        if used is None or not used.meets(area):
            return
        for row, column in [key for key in sheet.cells() if area.has(*key)]:
            if not sheet.is_blank(row, column):
                self.formulas_changed |= (row, column) in sheet.formulas
                sheet.set_value(row, column, None)
                self.note(sheet, row, column)

    def note(self, sheet: SheetPart, row: int, column: int) -> None:
        self.changed.add((sheet.name, row, column))

    def remember(self, sheet: SheetPart, area: CellArea) -> None:
        """Note a range that the current block consists of."""
        self.written = [one for one in self.written if one[0] != sheet.name or not area.contains(one[1])]
        if not any(name == sheet.name and other.contains(area) for name, other in self.written):
            self.written.append((sheet.name, area))

    def _follow_table_head(self, sheet: SheetPart, row: int, column: int) -> None:
        """A table names its columns; a new heading must be there too, or the file counts as damaged."""
        if self._tables is None:
            self._tables = self.book.tables()
        for table in self._tables:
            is_head = table.has_header and table.sheet == sheet.name and row == table.area.top
            if is_head and table.area.left <= column <= table.area.right:
                text = show_value(sheet.value(row, column)) or f"列{column - table.area.left + 1}"
                columns = self.book.parts.xml(table.part).find(f"{MAIN}tableColumns")
                taken = {one.get("name") for at, one in enumerate(columns) if at != column - table.area.left}
                while text in taken:
                    text += "2"
                head = columns[column - table.area.left]
                rename_in_tables(self.book, table.name, str(head.get("name")), text)
                head.set("name", text)

    def address(self, sheet: SheetPart, area: CellArea) -> str:
        return f"{quote_sheet(sheet.name)}!{area.text}"

    def texts(self, sheet: SheetPart, area: CellArea, limit: int = 200) -> str:
        """Values of a range for the preview: rows in lines, cells with tabs between."""
        lines = []
        for row in range(area.top, min(area.bottom, area.top + limit) + 1):
            values = [
                f"={sheet.formula(row, column)}" if (row, column) in sheet.formulas else self.show(sheet, row, column)
                for column in range(area.left, min(area.right, area.left + 50) + 1)
            ]
            lines.append("\t".join(values).rstrip("\t"))
        return "\n".join(lines).rstrip("\n")

    def show(self, sheet: SheetPart, row: int, column: int) -> str:
        """Value of a cell as the sheet shows it."""
        return self.show_as(sheet, row, column, sheet.value(row, column))

    def show_as(self, sheet: SheetPart, row: int, column: int, value: CellValue) -> str:
        """A value as it would be shown in this cell: a date as a date, an amount with its format."""
        code = self.book.styles.number_format(sheet.style(row, column))
        return show_value(value, code, is_1904=self.book.is_1904)

    def free_area(self, sheet: SheetPart, height: int, width: int) -> CellArea:
        """Place for new content: the cursor if it is empty there, else below all content."""
        start = self.cursor
        wanted = CellArea(start.top, start.left, start.top + height - 1, start.left + width - 1)
        if self.has_selection and self.is_free(sheet, wanted):
            return wanted
        used = sheet.used_area()
        own = [area for name, area in self.written if name == sheet.name]
        bottom = max([0 if used is None else used.bottom, *(one.bottom for one in own)])
        left = start.left if self.has_selection else (1 if used is None else used.left)
        top = bottom + 2 if bottom else 1
        found = CellArea(top, left, top + height - 1, left + width - 1)
        if self.has_selection and found != wanted:
            self.warn("moved", text=wanted.text, other=found.text)
        return found

    def is_free(self, sheet: SheetPart, area: CellArea) -> bool:
        """Whether a range is empty, but for what this block wrote before."""
        for row, column in area.cells():
            is_own = any(name == sheet.name and one.has(row, column) for name, one in self.own_areas)
            if not is_own and not sheet.is_blank(row, column):
                return False
        return True


def _same_kind(one: object, other: object) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and isinstance(one, str) == isinstance(other, str)


def block_name(block_id: str) -> str:
    """Defined name of a block: letters and digits of its id, and a mark of the id itself."""
    plain = "".join(char if char.isalnum() or char == "_" else "_" for char in block_id)[:40]
    mark = hashlib.sha256(block_id.encode()).hexdigest()[:6]
    return f"MT_{plain}" if plain == block_id else f"MT_{plain}_{mark}"


def join_areas(areas: Iterable[tuple[str, CellArea]]) -> str:
    """Formula of a defined name over ranges."""
    return ",".join(f"{quote_sheet(sheet)}!{area.absolute}" for sheet, area in areas)
