"""A request in the plainer words and signs that the rules read, where they did not understand it as it was written."""

from metier.packs.office.drafting.restate._dashes import open_dashes
from metier.packs.office.drafting.restate._restate import Restated, read_layout, restate
from metier.packs.office.drafting.restate._typos import restate_typos

__all__ = ["Restated", "open_dashes", "read_layout", "restate", "restate_typos"]
