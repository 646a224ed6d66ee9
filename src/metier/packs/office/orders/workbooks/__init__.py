"""Orders for workbooks."""

from typing import Final

from metier.packs.office.orders.workbooks._added import ADDED_RULES
from metier.packs.office.orders.workbooks._arrange import ARRANGE_RULES
from metier.packs.office.orders.workbooks._cells import CELL_RULES
from metier.packs.office.orders.workbooks._charts import CHART_RULES
from metier.packs.office.orders.workbooks._choices import CHOICE_RULES
from metier.packs.office.orders.workbooks._derived import DERIVED_RULES
from metier.packs.office.orders.workbooks._figures import FIGURE_RULES
from metier.packs.office.orders.workbooks._fill import FILL_RULES
from metier.packs.office.orders.workbooks._formats import FORMAT_RULES
from metier.packs.office.orders.workbooks._groups import GROUP_RULES
from metier.packs.office.orders.workbooks._lines import LINE_RULES, make_row
from metier.packs.office.orders.workbooks._marked import MARKED_RULES
from metier.packs.office.orders.workbooks._new_sheet import check_new_sheet
from metier.packs.office.orders.workbooks._row_choices import PICKED_RULES
from metier.packs.office.orders.workbooks._tabs import TAB_RULES
from metier.packs.office.orders.workbooks._view import SheetPlace, find_sheet, name_cell
from metier.packs.office.orders.workbooks._view import fit_value as fit_cell

__all__ = ["WORKBOOK_RULES", "SheetPlace", "check_new_sheet", "find_sheet", "fit_cell", "make_row", "name_cell"]

WORKBOOK_RULES: Final = (
    *TAB_RULES,
    *CHOICE_RULES,
    *MARKED_RULES,
    *PICKED_RULES,
    *DERIVED_RULES,
    *ADDED_RULES,
    *CHART_RULES,
    *GROUP_RULES,
    *FIGURE_RULES,
    *FORMAT_RULES,
    *ARRANGE_RULES,
    *LINE_RULES,
    *FILL_RULES,
    *CELL_RULES,
)
