"""Tables of a composition: their columns and rows stand in the message; amounts and totals are computed."""

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import format_amount, read_amount
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting.composition._parts import ComposedPart
from metier.packs.office.drafting.composition._words import COLUMNS_CUE, EMPHASIS
from metier.packs.office.drafting.rows import SaidGrid, read_grid

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["read_table", "write_table"]

_AMOUNT: Final = re.compile(r"金额|小计|总价|合价|\b(?:amount|line total|total|sum|subtotal)\b", re.IGNORECASE)
_PRICE: Final = re.compile(r"单价|价格|价|\bprice\b|\beach\b|\brate\b", re.IGNORECASE)
_QUANTITY: Final = re.compile(r"数量|件数|台数|\b(?:qty|quantity|number|count|pcs|units|hours)\b", re.IGNORECASE)
# What may stand behind the rows: that the amounts are computed, and a total below them.
_TOTAL: Final = re.compile(
    r"(?:[,，。;.]\s*)*(?:(?:金额|小计|总价)(?:请|要|都)?(?:算好|算出来?|计算)|(?:please )?(?:work out|"
    r"fill(?: in)?|compute|calculate) "
    r"(?:the )?(?:amounts|line totals|totals))?(?:[,，。;.]|\s+and)*\s*"
    r"(?P<total>(?:最后|末尾|底下|下面)?(?:再)?(?:加|要|写)?(?:上)?(?:一?行)?(?P<zh>合计|总计)(?:行)?|"
    r"(?:and )?(?:put|add|with|finish with|end with)? ?(?:an? |the )?(?:last |"
    r"final )?(?:row )?\"?(?P<en>(?:grand )?total)\"?(?: row| line)?)?"
    r"\s*[。.;]?\s*",
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(
    rf"[,，。;.\s]*(?:表头(?:要)?(?:{EMPHASIS})|header (?:row )?(?:in )?bold)?[,，。;.\s]*", re.IGNORECASE
)


def read_table(text: RequestText, part: ComposedPart) -> SaidGrid | None:
    """The table of a piece with all that is computed; None unless its columns and rows stand in the message."""
    assert part.name is not None
    cue = COLUMNS_CUE.match(text.mask, part.name.end(), part.end)
    grid = read_grid(text, cue.end() if cue else part.name.end(), part.end)
    if grid is None:
        return None
    if _CLOSING.fullmatch(text.mask, grid.end, part.end) and grid.is_full:
        return grid
    found = _TOTAL.fullmatch(text.mask, grid.end, part.end)
    return None if found is None else _compute(grid, found["zh"] or found["en"] or "")


def _compute(grid: SaidGrid, total: str) -> SaidGrid | None:
    """The table with its last column computed, where that is the amount of a quantity and a price, and its total."""
    width = len(grid.columns)
    is_open = len(grid.rows[0]) == width - 1 and _AMOUNT.search(grid.columns[-1]) is not None
    roles = [at for form in (_QUANTITY, _PRICE) for at, one in enumerate(grid.columns[:-1]) if form.search(one)]
    if not (is_open and len(roles) == 2) and not (grid.is_full and total and _AMOUNT.search(grid.columns[-1])):
        return None
    try:
        amounts = [
            read_amount(row[roles[0]]) * read_amount(row[roles[1]]) if is_open else read_amount(row[-1])
            for row in grid.rows
        ]
    except (ValueError, InvalidOperation):
        return None
    rows = [(*row[: width - 1], format_amount(one)) for row, one in zip(grid.rows, amounts, strict=True)]
    if total:
        rows.append((total, *("" for _ in grid.columns[2:]), format_amount(sum(amounts, Decimal(0)))))
    return SaidGrid(grid.columns, tuple(rows), grid.end)


def write_table(grid: SaidGrid, language: "Language") -> DraftBlock:
    """The block of a table."""
    block = DraftBlock("table", " ".join(grid.columns), language)
    block.add("insert_table", **draft_table(grid.columns, grid.rows))
    return block
