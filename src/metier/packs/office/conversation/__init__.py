"""Tools of a conversation about documents: find them, propose changes, write them with approval, undo."""

from metier.packs.office.conversation._change_words import speaks_of_document
from metier.packs.office.conversation._orders import find_ordered
from metier.packs.office.conversation._tools import build_tools

__all__ = ["build_tools", "find_ordered", "speaks_of_document"]
