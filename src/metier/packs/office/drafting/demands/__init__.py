"""Demands beside the content of an order: each is met by the plan or asked about."""

from metier.packs.office.drafting.demands._check import check_demands

__all__ = ["check_demands"]
