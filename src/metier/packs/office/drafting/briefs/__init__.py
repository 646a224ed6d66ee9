"""Messages that are laid out (fields, points, rows of data), read as one sentence of which no line is lost."""

from metier.packs.office.drafting.briefs._restate import RestatedBrief, restate_brief

__all__ = ["RestatedBrief", "restate_brief"]
