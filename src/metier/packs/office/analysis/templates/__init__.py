"""Templates: places that wait for a value, and the rows of a sheet that fill them, one file each."""

from metier.packs.office.analysis.templates._places import TemplatePlace, find_places, propose_filled

__all__ = ["TemplatePlace", "find_places", "propose_filled"]
