"""Rows of a table that a message has itself: on lines of their own, or said in one sentence."""

from metier.packs.office.drafting.rows._grid import SaidGrid, read_grid, read_pairs, split_cells
from metier.packs.office.drafting.rows._lines import RowBlock, find_pasted, find_rows, is_number, split_header

__all__ = [
    "RowBlock",
    "SaidGrid",
    "find_pasted",
    "find_rows",
    "is_number",
    "read_grid",
    "read_pairs",
    "split_cells",
    "split_header",
]
