"""A written xlsx file, read again without the code that wrote it."""

from functools import cached_property
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from metier.packs.office.planbench._package_charts import PackageChart, read_charts

__all__ = ["ReopenedXlsx"]


class ReopenedXlsx:
    """Sheets of a workbook with formulas and with the values that were stored for them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._formulas = load_workbook(path)
        self._values = load_workbook(path, data_only=True)

    @cached_property
    def sheets(self) -> list[str]:
        return list(self._formulas.sheetnames)

    @cached_property
    def charts(self) -> list[PackageChart]:
        return read_charts(self.path)

    @cached_property
    def rows(self) -> list[list[object]]:
        """Rows of all sheets with the stored values."""
        return [list(row) for sheet in self._sheets() for row in sheet.iter_rows(values_only=True)]

    @cached_property
    def formula_values(self) -> list[object]:
        """Stored values of the cells that hold a formula."""
        return [
            self._values[sheet.title][cell.coordinate].value
            for sheet in self._formulas.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        ]

    @cached_property
    def number_formats(self) -> set[str]:
        """Number formats of the cells with a value, other than the general one."""
        return {
            cell.number_format
            for sheet in self._formulas.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None and cell.number_format != "General"
        }

    @cached_property
    def conditional_formats(self) -> int:
        return sum(len(sheet.conditional_formatting) for sheet in self._formulas.worksheets)

    def size_of(self, sheet: str) -> tuple[int, int]:
        """Rows and columns that are in use."""
        one = self._values[sheet]
        return one.max_row, one.max_column

    def header_of(self, sheet: str) -> list[object]:
        return [cell.value for cell in next(iter(self._values[sheet].iter_rows()), ())]

    def _sheets(self) -> list[Worksheet]:
        return list(self._values.worksheets)
