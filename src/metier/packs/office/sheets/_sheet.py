"""One sheet of a workbook: cells are found by row and column and changed in place."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError

from metier.packs.office.sheets._addresses import BadAddress, CellArea, cell_name, parse_area, parse_cell
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import CellError, CellValue

XML_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
# Children of a worksheet in the order that programs insist on.
_ORDER: Final = (
    "sheetPr",
    "dimension",
    "sheetViews",
    "sheetFormatPr",
    "cols",
    "sheetData",
    "sheetCalcPr",
    "sheetProtection",
    "protectedRanges",
    "scenarios",
    "autoFilter",
    "sortState",
    "dataConsolidate",
    "customSheetViews",
    "mergeCells",
    "phoneticPr",
    "conditionalFormatting",
    "dataValidations",
    "hyperlinks",
    "printOptions",
    "pageMargins",
    "pageSetup",
    "headerFooter",
    "rowBreaks",
    "colBreaks",
    "customProperties",
    "cellWatches",
    "ignoredErrors",
    "smartTags",
    "drawing",
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
)


class SheetPart:
    """Cells and settings of one sheet."""

    def __init__(self, name: str, part: str, root: etree._Element, strings: Callable[[int], str]) -> None:
        self.name = name
        self.part = part
        self.root = root
        self._strings = strings
        self.data = self.child("sheetData")
        self._rows: dict[int, etree._Element] = {}
        self._numbers: list[int] = []
        self._cells: dict[tuple[int, int], etree._Element] = {}
        self._shared: dict[str, tuple[str, int, int]] = {}
        self.formulas: set[tuple[int, int]] = set()
        self._index()

    def _index(self) -> None:
        row_number = 0
        for row in self.data.iterchildren(f"{MAIN}row"):
            row_number = int(row.get("r") or row_number + 1)
            self._rows[row_number] = row
            column = 0
            for cell in row.iterchildren(f"{MAIN}c"):
                reference = cell.get("r")
                column = parse_cell(reference)[1] if reference else column + 1
                self._cells[row_number, column] = cell
                formula = cell.find(f"{MAIN}f")
                if formula is not None:
                    self._note_formula(row_number, column, formula)
        self._numbers = sorted(self._rows)

    def _note_formula(self, row: int, column: int, formula: etree._Element) -> None:
        self.formulas.add((row, column))
        if formula.get("t") == "shared" and formula.text:
            self._shared[str(formula.get("si"))] = (formula.text, row, column)

    def child(self, name: str) -> etree._Element:
        """Child of the worksheet, put in its place if it is missing."""
        found = self.root.find(f"{MAIN}{name}")
        if found is not None:
            return found
        made = etree.Element(f"{MAIN}{name}")
        self.insert_child(made)
        return made

    def insert_child(self, made: etree._Element) -> None:
        """Put a child where the order of a worksheet wants it, after others of its kind."""
        name = etree.QName(made).localname
        later = {f"{MAIN}{one}" for one in _ORDER[_ORDER.index(name) + 1 :]}
        # Alternate content stands between the known children; it belongs to what comes after.
        place = next((at for at, one in enumerate(self.root) if one.tag in later), len(self.root))
        self.root.insert(place, made)

    def drop_child(self, name: str) -> None:
        for one in self.root.findall(f"{MAIN}{name}"):
            self.root.remove(one)

    def cells(self) -> Iterator[tuple[int, int]]:
        """Places of cells that have an element."""
        return iter(self._cells)

    def used_area(self) -> CellArea | None:
        """Smallest range with all cells that have a value or formula."""
        places = [key for key, cell in self._cells.items() if len(cell)]
        if not places:
            return None
        rows = [row for row, _ in places]
        columns = [column for _, column in places]
        return CellArea(min(rows), min(columns), max(rows), max(columns))

    def is_blank(self, row: int, column: int) -> bool:
        cell = self._cells.get((row, column))
        return cell is None or not len(cell)

    def style(self, row: int, column: int) -> int:
        """Style of a cell; of its row or column if it has no element."""
        cell = self._cells.get((row, column))
        if cell is not None:
            return int(cell.get("s", "0"))
        line = self._rows.get(row)
        if line is not None and line.get("customFormat") in ("1", "true"):
            return int(line.get("s", "0"))
        for one in self.root.iterfind(f"{MAIN}cols/{MAIN}col"):
            if int(one.get("min", "0")) <= column <= int(one.get("max", "0")):
                return int(one.get("style", "0"))
        return 0

    def value(self, row: int, column: int) -> CellValue:
        """Value of a cell as the file keeps it."""
        cell = self._cells.get((row, column))
        return None if cell is None else read_value(cell, self._strings)

    def formula(self, row: int, column: int) -> str:
        """Formula without `=`; shared formulas are spelled out; empty if there is none."""
        cell = self._cells.get((row, column))
        found = None if cell is None else cell.find(f"{MAIN}f")
        if found is None:
            return ""
        if found.get("t") == "shared" and not found.text:
            return self._spell_out(str(found.get("si")), row, column)
        return found.text or ""

    def _spell_out(self, index: str, row: int, column: int) -> str:
        if index not in self._shared:
            return ""
        text, first_row, first_column = self._shared[index]
        return translate_formula(text, cell_name(first_row, first_column), cell_name(row, column))

    def is_array(self, row: int, column: int) -> bool:
        cell = self._cells.get((row, column))
        found = None if cell is None else cell.find(f"{MAIN}f")
        return found is not None and found.get("t") in ("array", "dataTable")

    def has_value(self, row: int, column: int) -> bool:
        cell = self._cells.get((row, column))
        found = None if cell is None else cell.find(f"{MAIN}v")
        # A formula may give an empty text; without that, an empty value is none.
        return cell is not None and found is not None and (bool(found.text) or cell.get("t") == "str")

    def set_value(self, row: int, column: int, value: CellValue) -> None:
        """Write a value; formula and old value go, the style stays."""
        cell = self._cell(row, column) if value is not None else self._cells.get((row, column))
        if cell is None:
            return
        self._empty(row, column, cell)
        if value is None:
            if not cell.get("s"):
                self._remove(row, column, cell)
            return
        put_value(cell, value)

    def set_formula(self, row: int, column: int, formula: str) -> None:
        """Write a formula without a value; the calculation adds it."""
        cell = self._cell(row, column)
        old = cell.find(f"{MAIN}f")
        if old is not None and not old.attrib and old.text == formula:
            return
        self._empty(row, column, cell)
        etree.SubElement(cell, f"{MAIN}f").text = formula
        self.formulas.add((row, column))

    def set_cached(self, row: int, column: int, value: CellValue) -> None:
        """Write the calculated value of a formula; None removes it."""
        cell = self._cells[row, column]
        for old in cell.findall(f"{MAIN}v") + cell.findall(f"{MAIN}is"):
            cell.remove(old)
        cell.attrib.pop("t", None)
        if value is not None:
            put_value(cell, value, is_cached=True)

    def set_style(self, row: int, column: int, style: int) -> None:
        if self.style(row, column) == style and (style == 0 or (row, column) in self._cells):
            return
        cell = self._cell(row, column)
        if style:
            cell.set("s", str(style))
        else:
            cell.attrib.pop("s", None)

    def remove_cell(self, row: int, column: int) -> None:
        """Remove value, formula and style."""
        cell = self._cells.get((row, column))
        if cell is not None:
            self._empty(row, column, cell)
            self._remove(row, column, cell)

    def _remove(self, row: int, column: int, cell: etree._Element) -> None:
        line = self._rows[row]
        line.remove(cell)
        del self._cells[row, column]
        if not len(line) and not set(line.attrib) - {"r", "spans"}:
            self.data.remove(line)
            del self._rows[row]
            self._numbers.remove(row)

    def _empty(self, row: int, column: int, cell: etree._Element) -> None:
        formula = cell.find(f"{MAIN}f")
        if formula is not None:
            if formula.get("t") == "shared" and formula.text:
                self._unshare(str(formula.get("si")))
            self.formulas.discard((row, column))
        for one in list(cell):
            cell.remove(one)
        for name in ("t", "cm", "vm"):
            cell.attrib.pop(name, None)

    def _unshare(self, index: str) -> None:
        """Write out the formulas that share one, because the first of them changes."""
        for row, column in list(self.formulas):
            formula = self._cells[row, column].find(f"{MAIN}f")
            if formula is not None and formula.get("t") == "shared" and formula.get("si") == index:
                formula.text = self.formula(row, column)
                for name in ("t", "si", "ref"):
                    formula.attrib.pop(name, None)
        del self._shared[index]

    def row(self, number: int) -> etree._Element:
        """Element of a row, put in its place if it is missing."""
        if number not in self._rows:
            made = etree.Element(f"{MAIN}row", r=str(number))
            place = bisect_left(self._numbers, number)
            if place < len(self._numbers):
                self._rows[self._numbers[place]].addprevious(made)
            else:
                self.data.append(made)
            self._numbers.insert(place, number)
            self._rows[number] = made
        return self._rows[number]

    def find_row(self, number: int) -> etree._Element | None:
        return self._rows.get(number)

    def is_row_hidden(self, number: int) -> bool:
        row = self._rows.get(number)
        return row is not None and row.get("hidden") in ("1", "true")

    def _cell(self, row: int, column: int) -> etree._Element:
        if (row, column) not in self._cells:
            style = self.style(row, column)
            line = self.row(row)
            line.attrib.pop("spans", None)
            made = etree.Element(f"{MAIN}c", r=cell_name(row, column))
            if style:
                made.set("s", str(style))
            after = None
            for one in reversed(line):
                if one.tag == f"{MAIN}c" and parse_cell(one.get("r", "A1"))[1] < column:
                    after = one
                    break
            if after is None:
                line.insert(0, made)
            else:
                after.addnext(made)
            self._cells[row, column] = made
        return self._cells[row, column]

    def merged(self) -> list[CellArea]:
        areas = []
        for one in self.root.iterfind(f"{MAIN}mergeCells/{MAIN}mergeCell"):
            try:
                areas.append(parse_area(str(one.get("ref"))))
            except BadAddress:
                continue
        return areas

    def update_dimension(self) -> None:
        """Set the range of used cells that the sheet names, if it names one."""
        found = self.root.find(f"{MAIN}dimension")
        used = self.used_area()
        if found is None or used is None:
            return
        try:
            named = parse_area(str(found.get("ref")))
        except BadAddress:
            named = used
        if not named.contains(used):
            found.set("ref", used.text)

    def widen_column(self, column: int, width: float) -> None:
        """Make a column at least so wide, in characters."""
        columns = self.child("cols")
        for one in columns:
            first, last = int(one.get("min", "0")), int(one.get("max", "0"))
            if first <= column <= last:
                if first != last or float(one.get("width", "8.43")) >= width:
                    return
                one.set("width", f"{width:g}")
                one.set("customWidth", "1")
                return
        if width <= 9:
            if not len(columns):
                self.root.remove(columns)
            return
        made = etree.Element(f"{MAIN}col", min=str(column), max=str(column), width=f"{width:g}", customWidth="1")
        place = next((at for at, one in enumerate(columns) if int(one.get("min", "0")) > column), len(columns))
        columns.insert(place, made)


def read_value(cell: etree._Element, strings: Callable[[int], str]) -> CellValue:
    """Value of a cell element."""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(one.text or "" for one in cell.iterfind(f"{MAIN}is//{MAIN}t"))
    found = cell.find(f"{MAIN}v")
    text: str | None = None if found is None else found.text
    if text is None:
        return "" if kind == "str" and found is not None else None
    if kind == "s":
        return strings(int(text))
    if kind == "b":
        return text.strip() in ("1", "true")
    if kind == "e":
        return CellError(text)
    if kind == "n":
        try:
            return float(text)
        except ValueError:
            return text
    return text


def put_value(cell: etree._Element, value: CellValue, *, is_cached: bool = False) -> None:
    """Write a value into an empty cell element."""
    if isinstance(value, str) and not is_cached:
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t")
        text.text = value
        if value != value.strip() or "\n" in value:
            text.set(XML_SPACE, "preserve")
        return
    made = etree.SubElement(cell, f"{MAIN}v")
    if isinstance(value, bool):
        cell.set("t", "b")
        made.text = "1" if value else "0"
    elif isinstance(value, str):
        cell.set("t", "str")
        made.text = value
    elif isinstance(value, CellError):
        cell.set("t", "e")
        made.text = value.code
    else:
        made.text = number_xml(float(value or 0))


def number_xml(number: float) -> str:
    """Number as files keep it: shortest text that gives the same number."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def translate_formula(formula: str, origin: str, destination: str) -> str:
    """Formula as it reads when it is copied from one cell to another."""
    try:
        return str(Translator(f"={formula}", origin=origin).translate_formula(destination))[1:]
    except TranslatorError:
        return formula
