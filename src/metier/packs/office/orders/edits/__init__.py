"""Ordinary edits of a document: lines that go, come, change places or looks, and facts that changed."""

from metier.packs.office.orders.edits._deletions import check_deletions
from metier.packs.office.orders.edits._read import read_edits
from metier.packs.office.orders.edits._written import check_pieces, check_written

__all__ = ["check_deletions", "check_pieces", "check_written", "read_edits"]
