"""Shipped samples: records of known truth, made from a seed, and a measured record of a damaged bearing."""

from metier.packs.phm.samples._shipped import (
    Sample,
    list_samples,
    load_sample,
    make_gear_record,
    make_history,
    make_trend,
)
from metier.packs.phm.samples._synthetic import Recipe, make_fault, make_healthy, make_record

__all__ = [
    "Recipe",
    "Sample",
    "list_samples",
    "load_sample",
    "make_fault",
    "make_gear_record",
    "make_healthy",
    "make_history",
    "make_record",
    "make_trend",
]
