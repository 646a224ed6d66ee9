"""How the parts of a document look: their roles, looks of roles as steps of a plan, and the look of a sample."""

from metier.packs.office.analysis.formats._like_sample import propose_like_sample
from metier.packs.office.analysis.formats._looks import dress_roles
from metier.packs.office.analysis.formats._official import cut_annexes, renumber, tell_left
from metier.packs.office.analysis.formats._punctuation import find_half_width
from metier.packs.office.analysis.formats._roles import ParagraphRole, list_roles

__all__ = [
    "ParagraphRole",
    "cut_annexes",
    "dress_roles",
    "find_half_width",
    "list_roles",
    "propose_like_sample",
    "renumber",
    "tell_left",
]
