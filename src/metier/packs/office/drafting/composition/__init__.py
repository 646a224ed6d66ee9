"""Messages that give several pieces: headings, texts, lists and tables; a sheet with rows, formulas and a chart."""

from metier.packs.office.drafting.composition._compose import DraftThing, compose_blocks
from metier.packs.office.drafting.composition._sheets import OrderOnSheet, compose_sheet
from metier.packs.office.drafting.composition._slides import compose_slides

__all__ = ["DraftThing", "OrderOnSheet", "compose_blocks", "compose_sheet", "compose_slides"]
