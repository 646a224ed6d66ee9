"""Which function carries out which operation."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets.steps._arrange import sort_range, transform_range
from metier.packs.office.sheets.steps._cells import set_cell_formula, set_cells, set_number_format, set_selection
from metier.packs.office.sheets.steps._comments import add_comment
from metier.packs.office.sheets.steps._drawings import insert_chart, insert_image
from metier.packs.office.sheets.steps._filter import filter_range
from metier.packs.office.sheets.steps._insert import ensure_sheet, insert_table, insert_text
from metier.packs.office.sheets.steps._lines import delete_lines, hide_lines, insert_lines
from metier.packs.office.sheets.steps._look import (
    clear_filter,
    freeze_panes,
    merge_cells,
    set_cell_style,
    set_line_size,
)
from metier.packs.office.sheets.steps._page import (
    set_footer,
    set_header,
    set_page_numbers,
    set_page_setup,
)
from metier.packs.office.sheets.steps._protection import set_protection
from metier.packs.office.sheets.steps._rules import set_conditional_format, set_data_validation
from metier.packs.office.sheets.steps._summary import create_summary
from metier.packs.office.sheets.steps._tabs import copy_sheet, delete_sheet, rename_sheet, set_tab_color
from metier.packs.office.sheets.steps._texts import fill_template, replace_text

StepFunction = Callable[[SheetSession, OfficeAction], None]
STEPS: Final[Mapping[str, StepFunction]] = MappingProxyType(
    {
        "set_cells": set_cells,
        "set_cell_formula": set_cell_formula,
        "set_number_format": set_number_format,
        "set_selection": set_selection,
        "set_conditional_format": set_conditional_format,
        "set_data_validation": set_data_validation,
        "sort_range": sort_range,
        "filter_range": filter_range,
        "transform_range": transform_range,
        "create_pivot_table": create_summary,
        "ensure_sheet": ensure_sheet,
        "insert_table": insert_table,
        "insert_text": insert_text,
        "insert_image": insert_image,
        "insert_chart_from_selection": insert_chart,
        "replace_text": replace_text,
        "fill_template": fill_template,
        "add_comment": add_comment,
        "set_header": set_header,
        "set_footer": set_footer,
        "set_page_numbers": set_page_numbers,
        "set_page_setup": set_page_setup,
        "set_protection": set_protection,
        "set_cell_style": set_cell_style,
        "set_line_size": set_line_size,
        "freeze_panes": freeze_panes,
        "merge_cells": merge_cells,
        "clear_filter": clear_filter,
        "insert_lines": insert_lines,
        "delete_lines": delete_lines,
        "hide_lines": hide_lines,
        "rename_sheet": rename_sheet,
        "delete_sheet": delete_sheet,
        "copy_sheet": copy_sheet,
        "set_tab_color": set_tab_color,
    }
)
