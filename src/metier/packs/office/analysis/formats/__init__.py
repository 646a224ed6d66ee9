"""How the parts of a document look: their roles, looks of roles as steps of a plan, and the look of a sample."""

from metier.packs.office.analysis.formats._like_sample import propose_like_sample
from metier.packs.office.analysis.formats._looks import dress_roles
from metier.packs.office.analysis.formats._roles import ParagraphRole, list_roles

__all__ = ["ParagraphRole", "dress_roles", "list_roles", "propose_like_sample"]
