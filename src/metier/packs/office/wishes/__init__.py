"""What a message wants from an attached document, and of what kind a document is: read by rules, with the evidence."""

from metier.packs.office.wishes._kinds import KIND_TITLES, AttachedKind, DocumentKindFound, tell_kind
from metier.packs.office.wishes._names import remove_names
from metier.packs.office.wishes._places import list_place, read_place
from metier.packs.office.wishes._read import (
    DocumentWish,
    asks_value,
    list_asked_terms,
    list_shared_terms,
    measure_told,
    read_wishes,
)
from metier.packs.office.wishes._tables import LOOKUP, find_skill

__all__ = [
    "KIND_TITLES",
    "LOOKUP",
    "AttachedKind",
    "DocumentKindFound",
    "DocumentWish",
    "asks_value",
    "find_skill",
    "list_asked_terms",
    "list_place",
    "list_shared_terms",
    "measure_told",
    "read_place",
    "read_wishes",
    "remove_names",
    "tell_kind",
]
