"""Rules for new content: tables, records, charts, figures and slides, from the slots of a request."""

from metier.packs.office.drafting.content._sheets import draft_sheet
from metier.packs.office.drafting.content._slides import draft_slides
from metier.packs.office.drafting.content._writer import draft_writer

__all__ = ["draft_sheet", "draft_slides", "draft_writer"]
