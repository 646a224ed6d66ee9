"""Orders for text documents."""

from typing import Final

from metier.packs.office.orders.documents._comments import COMMENT_RULES
from metier.packs.office.orders.documents._deletions import DELETE_RULES
from metier.packs.office.orders.documents._edits import EDIT_RULES
from metier.packs.office.orders.documents._looks import LOOK_RULES
from metier.packs.office.orders.documents._moves import MOVE_RULES, move_span, read_parties, swap_spans, take_place
from metier.packs.office.orders.documents._pictures import OTHER_RULES
from metier.packs.office.orders.documents._places import take_span
from metier.packs.office.orders.documents._reshaped import RESHAPE_RULES
from metier.packs.office.orders.documents._signatures import take_closing, take_signatures
from metier.packs.office.orders.documents._table_view import DocTable, find_total_row, read_grids
from metier.packs.office.orders.documents._tables import TABLE_RULES
from metier.packs.office.orders.documents._view import DocumentView, PieceSpan, strip_number

__all__ = [
    "DOCUMENT_RULES",
    "OTHER_RULES",
    "DocTable",
    "DocumentView",
    "PieceSpan",
    "find_total_row",
    "move_span",
    "read_grids",
    "read_parties",
    "strip_number",
    "swap_spans",
    "take_closing",
    "take_place",
    "take_signatures",
    "take_span",
]

DOCUMENT_RULES: Final = (
    *RESHAPE_RULES,
    *MOVE_RULES,
    *COMMENT_RULES,
    *EDIT_RULES,
    *TABLE_RULES,
    *DELETE_RULES,
    *LOOK_RULES,
)
