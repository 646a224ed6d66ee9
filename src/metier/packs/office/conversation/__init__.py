"""Tools of a conversation about documents: find them, propose changes, write them with approval, undo."""

from metier.packs.office.conversation._change_words import speaks_of_document
from metier.packs.office.conversation._orders import find_ordered, tells_new
from metier.packs.office.conversation._tools import build_tools
from metier.packs.office.conversation._wished import find_patterned, find_wished

__all__ = ["build_tools", "find_ordered", "find_patterned", "find_wished", "speaks_of_document", "tells_new"]
