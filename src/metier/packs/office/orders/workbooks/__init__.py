"""Orders for workbooks."""

from typing import Final

from metier.packs.office.orders.workbooks._arrange import ARRANGE_RULES
from metier.packs.office.orders.workbooks._cells import CELL_RULES
from metier.packs.office.orders.workbooks._charts import CHART_RULES
from metier.packs.office.orders.workbooks._figures import FIGURE_RULES
from metier.packs.office.orders.workbooks._fill import FILL_RULES
from metier.packs.office.orders.workbooks._groups import GROUP_RULES
from metier.packs.office.orders.workbooks._lines import LINE_RULES

__all__ = ["WORKBOOK_RULES"]

WORKBOOK_RULES: Final = (
    *CHART_RULES,
    *GROUP_RULES,
    *FIGURE_RULES,
    *ARRANGE_RULES,
    *LINE_RULES,
    *FILL_RULES,
    *CELL_RULES,
)
