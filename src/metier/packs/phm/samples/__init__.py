"""Shipped samples: records of known truth, made from a seed, and a measured record of a damaged bearing."""

from metier.packs.phm.samples._synthetic import Recipe, make_fault, make_healthy, make_record

__all__ = ["Recipe", "make_fault", "make_healthy", "make_record"]
