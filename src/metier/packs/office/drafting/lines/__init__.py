"""Drafts of a single line: a banner, the name of an appendix, and the caption under a place for a picture."""

from metier.packs.office.drafting.lines._appendix import name_appendix
from metier.packs.office.drafting.lines._banner import draft_banner, write_banner
from metier.packs.office.drafting.lines._picture import draft_picture, write_picture
from metier.packs.office.drafting.lines._points import write_points

__all__ = ["draft_banner", "draft_picture", "name_appendix", "write_banner", "write_picture", "write_points"]
