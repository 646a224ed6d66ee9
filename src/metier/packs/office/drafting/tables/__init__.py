"""A message that asks for a table and nothing else, read to its last word into slots and said again in plain words."""

from metier.packs.office.drafting.tables._restate import restate_table

__all__ = ["restate_table"]
