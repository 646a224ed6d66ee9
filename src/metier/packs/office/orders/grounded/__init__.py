"""Messages understood by what the document holds, whatever their words, for all kinds of files."""

from metier.packs.office.orders.grounded._agreement import keep_year, settle_kinds
from metier.packs.office.orders.grounded._corrected import check_values, correct_steps, find_correction
from metier.packs.office.orders.grounded._read import names_contents, read_grounded
from metier.packs.office.orders.grounded._said import asks, is_aside, wishes
from metier.packs.office.orders.grounded._scope import find_scope
from metier.packs.office.orders.grounded._values import TextValue, find_values, fit_value, is_same
from metier.packs.office.orders.grounded._words import content_words, words_of
from metier.packs.office.orders.grounded._written import list_changed_lines

__all__ = [
    "TextValue",
    "asks",
    "check_values",
    "content_words",
    "correct_steps",
    "find_correction",
    "find_scope",
    "find_values",
    "fit_value",
    "is_aside",
    "is_same",
    "keep_year",
    "list_changed_lines",
    "names_contents",
    "read_grounded",
    "settle_kinds",
    "wishes",
    "words_of",
]
