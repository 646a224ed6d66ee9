"""Demands beside the content of an order: each is met by the plan or asked about."""

from metier.packs.office.drafting.demands._check import check_demands
from metier.packs.office.drafting.demands._unused import find_unused
from metier.packs.office.drafting.demands._without import leave_out

__all__ = ["check_demands", "find_unused", "leave_out"]
