"""References to cells when rows or columns come or go, or a sheet is renamed: in formulas, names, charts and rules."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Final

from lxml import etree
from openpyxl.formula.tokenizer import Token, Tokenizer

from metier.packs.office._column_letters import column_letters
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.sheets._addresses import (
    MAX_COLUMNS,
    MAX_ROWS,
    BadAddress,
    CellArea,
    column_number,
    parse_area,
    split_sheet,
)
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import WorkbookParts

__all__ = ["LineShift", "loses_reference", "map_references", "rename_in_references", "shift_references"]

_CHART: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_EXCEL: Final = "{http://schemas.microsoft.com/office/excel/2006/main}"
_SHEET_PARTS: Final = (
    *("conditionalFormatting", "dataValidation", "hyperlink", "autoFilter", "mergeCell", "sortState"),
    *("protectedRange", "ignoredError"),
)
_LOST: Final = "#REF!"
_PARTS: Final = re.compile(r"(\$?)([A-Za-z]{1,3})?(\$?)(\d{1,7})?")


@dataclass(frozen=True, slots=True)
class LineShift:
    """Rows (or columns) of a sheet that come before number `at`, or those that go.

    With `extends`, ranges over several lines that end right before the new ones take them in. `gone` are the lines that
    go, in their order: many of them at once, because every shift reads all formulas of the workbook.
    """

    sheet: str
    is_rows: bool
    at: int
    count: int
    extends: bool = False
    gone: tuple[int, ...] = ()

    @classmethod
    def remove(cls, sheet: str, lines: Iterable[int], *, is_rows: bool) -> "LineShift":
        """Shift that takes lines out, wherever they stand."""
        gone = tuple(sorted(set(lines)))
        return cls(sheet, is_rows, gone[0], -len(gone), gone=gone)

    def move_line(self, line: int) -> int:
        """Where a line is afterwards; for one that is gone the place of the next that stays."""
        if self.count > 0:
            return line + self.count if line >= self.at else line
        return line - bisect_left(self.gone, line)

    def move_span(self, first: int, last: int) -> tuple[int, int] | None:
        """Where a span of lines is afterwards; None if all of it is gone."""
        limit = MAX_ROWS if self.is_rows else MAX_COLUMNS
        if first == 1 and last >= limit:
            return first, last
        if self.count > 0:
            grows = self.extends and last == self.at - 1 and last > first
            moved_last = last + self.count if last >= self.at or grows else last
            return (first + self.count if first >= self.at else first), min(moved_last, limit)
        new_first, new_last = self.move_line(first), last - bisect_right(self.gone, last)
        return (new_first, new_last) if new_first <= new_last else None

    def move_area(self, area: CellArea) -> CellArea | None:
        """Where a range is afterwards; None if it is gone."""
        if self.is_rows:
            span = self.move_span(area.top, area.bottom)
            return None if span is None else CellArea(span[0], area.left, span[1], area.right)
        span = self.move_span(area.left, area.right)
        return None if span is None else CellArea(area.top, span[0], area.bottom, span[1])

    def move_text(self, text: str) -> str:
        """A reference without its sheet, with its dollar signs kept."""
        first, colon, last = text.partition(":")
        ends = [_PARTS.fullmatch(one) for one in (first, last or first)]
        if ends[0] is None or ends[1] is None:
            return text
        group = 4 if self.is_rows else 2
        numbers = [_line_number(end[group]) for end in ends if end is not None]
        if None in numbers:
            return text
        span = self.move_span(numbers[0] or 0, numbers[1] or 0)
        if span is None:
            return _LOST
        moved = [self._replace_line(end, line) for end, line in zip(ends, span, strict=True) if end is not None]
        return f"{moved[0]}:{moved[1]}" if colon else moved[0]

    def _replace_line(self, end: re.Match[str], line: int) -> str:
        column = end[2] or "" if self.is_rows else column_letters(line)
        row = str(line) if self.is_rows else end[4] or ""
        return f"{end[1]}{column}{end[3]}{row}"


def _line_number(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if text.isdigit() else column_number(text)


def map_references(formula: str, change: Callable[[str | None, str], str]) -> str:
    """The formula with each reference replaced by `change(sheet or None, reference without sheet)`."""
    try:
        tokens = Tokenizer(f"={formula}").items
    except (IndexError, ValueError):
        return formula
    made = []
    for token in tokens:
        text = str(token.value)
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            made.append(change(*_split(text)))
        else:
            made.append(text)
    return "".join(made)


def _split(text: str) -> tuple[str | None, str]:
    sheet, rest = split_sheet(text)
    return sheet, rest if sheet is not None else text


def _with_sheet(sheet: str | None, rest: str) -> str:
    return rest if sheet is None else f"{quote_sheet(sheet)}!{rest}"


def shift_references(book: WorkbookParts, shift: LineShift) -> None:
    """Move all references of the workbook to lines of one sheet."""

    def _change_in(own: str) -> Callable[[str | None, str], str]:
        def _change(sheet: str | None, rest: str) -> str:
            if (sheet or own).lower() != shift.sheet.lower():
                return _with_sheet(sheet, rest)
            return _with_sheet(sheet, shift.move_text(rest))

        return _change

    for own, holder in _formula_texts(book):
        holder.text = map_references(holder.text or "", _change_in(own))
    _shift_pivot_sources(book, shift)
    root = book.sheet(shift.sheet).root
    for element in list(root.iter(*(f"{MAIN}{name}" for name in _SHEET_PARTS))):
        _shift_attribute(element, "sqref" if "sqref" in element.attrib else "ref", shift)
    for element in list(root.iter(f"{_EXCEL}sqref")):
        element.text = _shift_list(element.text or "", shift)
    merged = root.find(f"{MAIN}mergeCells")
    if merged is not None:
        merged.set("count", str(len(merged)))
        if not len(merged):
            root.remove(merged)


def _pivot_sources(book: WorkbookParts) -> Iterator[etree._Element]:
    """Where the pivot tables of the workbook have their data from."""
    for cache in book.parts.list_related(book.part, "pivotCacheDefinition"):
        if book.parts.has(cache.target):
            yield from book.parts.xml(cache.target).iter(f"{MAIN}worksheetSource")


def _shift_pivot_sources(book: WorkbookParts, shift: LineShift) -> None:
    for source in _pivot_sources(book):
        area = str(source.get("ref") or "")
        if area and str(source.get("sheet") or "").lower() == shift.sheet.lower():
            source.set("ref", _shift_list(area, shift) or area)


def loses_reference(formula: str, own: str, sheet: str, gone: Set[int], *, is_rows: bool) -> bool:
    """Whether a formula on the sheet `own` has a reference of which all rows (or columns) are among those that go."""
    lost = False

    def _look(name: str | None, rest: str) -> str:
        nonlocal lost
        first, _, last = rest.partition(":")
        ends = [_PARTS.fullmatch(one) for one in (first, last or first)]
        lines = [_line_number(end[4 if is_rows else 2]) for end in ends if end is not None]
        if (name or own).lower() == sheet.lower() and len(lines) == 2 and lines[0] and lines[1]:
            lost |= all(line in gone for line in range(lines[0], lines[1] + 1))
        return rest

    map_references(formula, _look)
    return lost


def _shift_attribute(element: etree._Element, name: str, shift: LineShift) -> None:
    text = _shift_list(str(element.get(name) or ""), shift)
    is_single = element.tag == f"{MAIN}mergeCell" and ":" not in text
    if text and not is_single:
        element.set(name, text)
    elif element.getparent() is not None:
        element.getparent().remove(element)


def _shift_list(text: str, shift: LineShift) -> str:
    moved = []
    for one in text.split():
        try:
            area = shift.move_area(parse_area(one))
        except BadAddress:
            moved.append(one)
            continue
        if area is not None:
            moved.append(area.text)
    return " ".join(moved)


def rename_in_references(book: WorkbookParts, old: str, new: str) -> None:
    """Name a sheet anew in all formulas, names, charts and links."""

    def _change(sheet: str | None, rest: str) -> str:
        return _with_sheet(new if sheet is not None and sheet.lower() == old.lower() else sheet, rest)

    for _, holder in _formula_texts(book):
        holder.text = map_references(holder.text or "", _change)
    for source in _pivot_sources(book):
        if str(source.get("sheet") or "").lower() == old.lower():
            source.set("sheet", new)
    for sheet in book.sheets():
        for link in sheet.root.iter(f"{MAIN}hyperlink"):
            if link.get("location"):
                link.set("location", _change(*_split(str(link.get("location")))))


def rename_in_tables(book: WorkbookParts, table: str, old: str, new: str) -> None:
    """Name a column of a table anew in all formulas that read it; without the table's name only in its own cells."""
    before, after = (re.sub(r"([\[\]#'@])", r"'\1", one) for one in (old, new))
    column = re.compile(rf"(?<=\[)(@?){re.escape(before)}(?=\])", re.IGNORECASE)
    owner = next((one for one in book.tables() if one.name == table), None)
    for sheet, holder in _formula_texts(book):
        text = holder.text or ""
        if "[" not in text or before.lower() not in text.lower():
            continue
        is_own = owner is not None and sheet == owner.sheet
        named = re.compile(
            rf"(?<![\w.]){re.escape(table)}(?=\[)" + (r"|(?<![\w.\]])(?=\[)" if is_own else ""), re.IGNORECASE
        )
        holder.text = _in_brackets(text, named, column, after)


def _in_brackets(formula: str, table: re.Pattern[str], column: re.Pattern[str], name: str) -> str:
    """The formula with a column renamed in the brackets behind each name of its table; texts in quotes stay."""
    made, at = [], 0
    for found in table.finditer(formula):
        end = _find_closing(formula, found.end())
        if found.end() < at or formula[: found.start()].count('"') % 2:
            continue
        inside = column.sub(lambda one: f"{one[1]}{name}", formula[found.end() : end])
        made += [formula[at : found.end()], inside]
        at = end
    return "".join([*made, formula[at:]])


def _find_closing(formula: str, start: int) -> int:
    depth = 0
    for at in range(start, len(formula)):
        if formula[at] in "[]" and formula[at - 1] != "'":
            depth += 1 if formula[at] == "[" else -1
        if not depth:
            return at + 1
    return len(formula)


def _table_formulas(book: WorkbookParts) -> Iterator[tuple[str, etree._Element]]:
    """What tables fill their columns and last rows with."""
    tags = (f"{MAIN}calculatedColumnFormula", f"{MAIN}totalsRowFormula")
    for table in book.tables():
        yield from ((table.sheet, one) for one in book.parts.xml(table.part).iter(*tags))


def _formula_texts(book: WorkbookParts) -> Iterator[tuple[str, etree._Element]]:
    """Elements whose text is a formula, with the sheet that references without one mean."""
    names = [one.name for one in book.entries()]
    yield from _table_formulas(book)
    for sheet in book.sheets():
        for tag in (f"{MAIN}f", f"{MAIN}formula", f"{MAIN}formula1", f"{MAIN}formula2", f"{_EXCEL}f"):
            for element in sheet.root.iter(tag):
                if element.text:
                    yield sheet.name, element
        for drawing in book.parts.list_related(sheet.part, "drawing"):
            for chart in book.parts.list_related(drawing.target, "chart"):
                if book.parts.has(chart.target):
                    yield from ((sheet.name, one) for one in book.parts.xml(chart.target).iter(f"{_CHART}f"))
    for element in book.root.iterfind(f"{MAIN}definedNames/{MAIN}definedName"):
        local = element.get("localSheetId")
        if element.text and not element.text.startswith('"'):
            yield names[int(local)] if local is not None and int(local) < len(names) else "", element
