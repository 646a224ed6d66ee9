"""One sheet of a workbook: cells are found by row and column and changed in place."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from lxml import etree

from metier.packs.office.sheets._addresses import BadAddress, CellArea, cell_name, column_number, parse_area
from metier.packs.office.sheets._cell_xml import put_value, read_value, translate_formula
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import CellValue

_CELL: Final = f"{MAIN}c"
_FORMULA: Final = f"{MAIN}f"
_DIGITS: Final = "0123456789"
# Children of a worksheet in the order that programs insist on.
_ORDER: Final = (
    *("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr"),
    *("sheetProtection", "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate"),
    *("customSheetViews", "mergeCells", "phoneticPr", "conditionalFormatting", "dataValidations"),
    *("hyperlinks", "printOptions", "pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks"),
    *("customProperties", "cellWatches", "ignoredErrors", "smartTags", "drawing", "legacyDrawing"),
    *("legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems", "tableParts"),
    *("extLst",),
)


class SheetPart:
    """Cells and settings of one sheet."""

    def __init__(self, name: str, part: str, root: etree._Element, strings: Callable[[int], str]) -> None:
        self.name = name
        self.part = part
        self.root = root
        self._strings = strings
        self.read_again()

    def read_again(self) -> None:
        """Read the cells from the XML, as after rows were moved."""
        self.data = self.child("sheetData")
        self._rows: dict[int, etree._Element] = {}
        self._numbers: list[int] = []
        self._cells: dict[tuple[int, int], etree._Element] = {}
        self._shared: dict[str, tuple[str, int, int]] = {}
        self.formulas: set[tuple[int, int]] = set()
        self._used: CellArea | None = None
        self._is_measured = False
        self._has_unnamed = False
        self._index()

    def _index(self) -> None:
        row_number = 0
        for row in self.data.iterchildren(f"{MAIN}row"):
            row_number = int(row.get("r") or row_number + 1)
            self._rows[row_number] = row
            self._has_unnamed |= row.get("r") is None
            column = 0
            for cell in row.iterchildren(_CELL):
                reference = cell.get("r")
                self._has_unnamed |= reference is None
                column = column_number(reference.rstrip(_DIGITS)) if reference else column + 1
                self._cells[row_number, column] = cell
                if len(cell) and cell[0].tag == _FORMULA:
                    self._note_formula(row_number, column, cell[0])
        self._numbers = sorted(self._rows)

    def _note_formula(self, row: int, column: int, formula: etree._Element) -> None:
        self.formulas.add((row, column))
        if formula.get("t") == "shared" and formula.text:
            self._shared[str(formula.get("si"))] = (formula.text, row, column)

    def name_cells(self) -> None:
        """Write the addresses of rows and cells that have none, before elements are added, taken out or moved."""
        if not self._has_unnamed:
            return
        for number, row in self._rows.items():
            row.set("r", str(number))
        for place, cell in self._cells.items():
            cell.set("r", cell_name(*place))
        self._has_unnamed = False

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
        if not self._is_measured:
            places = [key for key, cell in self._cells.items() if len(cell)]
            rows, columns = [row for row, _ in places], [column for _, column in places]
            self._used = CellArea(min(rows), min(columns), max(rows), max(columns)) if places else None
            self._is_measured = True
        return self._used

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

    def is_one_cell_array(self, row: int, column: int) -> bool:
        cell = self._cells.get((row, column))
        found = None if cell is None else cell.find(f"{MAIN}f")
        return found is not None and found.get("t") == "array" and ":" not in str(found.get("ref", ""))

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

    def set_formula(self, row: int, column: int, formula: str, *, metadata: int = 0) -> None:
        """Write a formula without a value; the calculation adds it. One that spills has metadata of its own."""
        cell = self._cell(row, column)
        old = cell.find(f"{MAIN}f")
        if old is not None and not old.attrib and old.text == formula:
            return
        self._empty(row, column, cell)
        made = etree.SubElement(cell, f"{MAIN}f")
        made.text = formula
        if metadata:
            made.set("t", "array")
            made.set("ref", cell_name(row, column))
            cell.set("cm", str(metadata))
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
        self.name_cells()
        line = self._rows[row]
        line.remove(cell)
        del self._cells[row, column]
        if not len(line) and not set(line.attrib) - {"r", "spans"}:
            self.data.remove(line)
            del self._rows[row]
            self._numbers.remove(row)

    def _empty(self, row: int, column: int, cell: etree._Element) -> None:
        if self._used is None or not len(cell) or self._is_edge(row, column):
            self._is_measured = False
        formula = cell.find(f"{MAIN}f")
        if formula is not None:
            if formula.get("t") == "shared" and formula.text:
                self._unshare(str(formula.get("si")))
            self.formulas.discard((row, column))
        for one in list(cell):
            cell.remove(one)
        for name in ("t", "cm", "vm"):
            cell.attrib.pop(name, None)

    def _is_edge(self, row: int, column: int) -> bool:
        """Whether the used range may change with this cell."""
        used = self._used
        return used is None or not (used.top < row < used.bottom and used.left < column < used.right)

    def _unshare(self, index: str) -> None:
        """Write out the formulas that share one, because the first of them changes."""
        for row, column in list(self.formulas):
            formula = self._cells[row, column].find(f"{MAIN}f")
            if formula is not None and formula.get("t") == "shared" and formula.get("si") == index:
                formula.text = self.formula(row, column)
                for name in ("t", "si", "ref"):
                    formula.attrib.pop(name, None)
        del self._shared[index]

    def reorder(self, body: CellArea, order: list[int]) -> None:
        """Move the cells of rows within a range; formulas read as if they were copied."""
        for index in [one for one, (_, row, column) in self._shared.items() if body.has(row, column)]:
            self._unshare(index)
        self.name_cells()
        columns = range(body.left, body.right + 1)
        lifted: dict[int, list[tuple[int, etree._Element]]] = {}
        for row in order:
            lifted[row] = [
                (column, self._cells.pop((row, column))) for column in columns if (row, column) in self._cells
            ]
            for _, cell in lifted[row]:
                cell.getparent().remove(cell)
        moved = {key for key in self.formulas if body.has(*key)}
        self.formulas -= moved
        for target, source in zip(range(body.top, body.bottom + 1), order, strict=True):
            for column, cell in lifted[source]:
                name = cell_name(target, column)
                if (source, column) in moved:
                    formula = cell[0]
                    if formula.get("t") == "shared":
                        formula.text = self._spell_out(str(formula.get("si")), source, column)
                        formula.attrib.clear()
                    formula.text = translate_formula(formula.text or "", cell_name(source, column), name)
                    self.formulas.add((target, column))
                cell.set("r", name)
                self._insert(target, column, cell)

    def row(self, number: int) -> etree._Element:
        """Element of a row, put in its place if it is missing."""
        if number not in self._rows:
            self.name_cells()
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
            self.name_cells()
            style = self.style(row, column)
            line = self.row(row)
            line.attrib.pop("spans", None)
            made = etree.Element(f"{MAIN}c", r=cell_name(row, column))
            if style:
                made.set("s", str(style))
            self._insert(row, column, made)
        return self._cells[row, column]

    def _insert(self, row: int, column: int, cell: etree._Element) -> None:
        """Put a cell element into its row, behind the cells to its left."""
        line = self.row(row)
        after = None
        for one in reversed(line):
            if one.tag == _CELL and column_number(str(one.get("r", "A1")).rstrip(_DIGITS)) < column:
                after = one
                break
        if after is None:
            line.insert(0, cell)
        else:
            after.addnext(cell)
        self._cells[row, column] = cell

    def spell_out_formulas(self) -> None:
        """Write every shared formula out, so that each can be changed by itself."""
        for index in list(self._shared):
            self._unshare(index)

    def list_merged(self) -> list[CellArea]:
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
