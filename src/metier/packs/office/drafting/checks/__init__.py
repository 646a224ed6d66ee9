"""Checks of a drafted plan against its request: it says all of it, nothing else, and nothing is left unread."""

from metier.packs.office.drafting.checks._cut_names import find_cut_name
from metier.packs.office.drafting.checks._fit import (
    check_fields,
    check_fit,
    find_lost_header,
    has_quotes_and_weight,
    list_texts,
)
from metier.packs.office.drafting.checks._leftovers import check_leftovers, is_unsupported
from metier.packs.office.drafting.checks._support import check_support, list_cut_texts

__all__ = [
    "check_fields",
    "check_fit",
    "check_leftovers",
    "check_support",
    "find_cut_name",
    "find_lost_header",
    "has_quotes_and_weight",
    "is_unsupported",
    "list_cut_texts",
    "list_texts",
]
