"""Messages understood by what the document holds, whatever their words, for all kinds of files."""

from metier.packs.office.orders.grounded._agreement import settle_kinds
from metier.packs.office.orders.grounded._corrected import check_values, correct_steps, find_correction
from metier.packs.office.orders.grounded._read import names_contents, read_grounded
from metier.packs.office.orders.grounded._said import asks, wishes
from metier.packs.office.orders.grounded._scope import find_scope

__all__ = [
    "asks",
    "check_values",
    "correct_steps",
    "find_correction",
    "find_scope",
    "names_contents",
    "read_grounded",
    "settle_kinds",
    "wishes",
]
