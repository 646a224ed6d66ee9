"""Messages that are laid out (fields, points, rows of data), read as one sentence of which no line is lost."""

from metier.packs.office.drafting.briefs._restate import RestatedBrief, restate_brief
from metier.packs.office.drafting.briefs._ticket import Ticket, read_ticket

__all__ = ["RestatedBrief", "Ticket", "read_ticket", "restate_brief"]
