"""Messages understood by what the document holds, whatever their words, for all kinds of files."""

from metier.packs.office.orders.grounded._read import read_grounded

__all__ = ["read_grounded"]
