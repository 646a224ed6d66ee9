"""Checks of a drafted plan against its request: it says all of it, nothing else, and nothing is left unread."""

from metier.packs.office.drafting.checks._fit import (
    check_fields,
    check_fit,
    find_lost_header,
    list_texts,
)
from metier.packs.office.drafting.checks._leftovers import check_leftovers
from metier.packs.office.drafting.checks._lost_content import loses_content
from metier.packs.office.drafting.checks._support import check_support

__all__ = [
    "check_fields",
    "check_fit",
    "check_leftovers",
    "check_support",
    "find_lost_header",
    "list_texts",
    "loses_content",
]
