"""Messages that ask for several pieces, one below the other: a heading, a paragraph, a list, a table, a chart."""

from metier.packs.office.drafting.composition._compose import DraftThing, compose_blocks

__all__ = ["DraftThing", "compose_blocks"]
