"""Messages understood by what the document holds, whatever their words, for all kinds of files."""

from metier.packs.office.orders.grounded._agreement import settle_kinds
from metier.packs.office.orders.grounded._read import names_contents, read_grounded
from metier.packs.office.orders.grounded._said import asks, wishes

__all__ = ["asks", "names_contents", "read_grounded", "settle_kinds", "wishes"]
