"""Gear diagnosis: synchronous average of one shaft, and the figures that show a damaged tooth."""

from metier.packs.phm.gears._analyse import GearDiagnosis, analyse_gear, describe_gear

__all__ = ["GearDiagnosis", "analyse_gear", "describe_gear"]
