"""Rolling bearings: geometry, fault frequencies, and a table of bearings by name."""

from metier.packs.phm.bearings._geometry import FAULTS, Bearing, Fault
from metier.packs.phm.bearings._table import find_bearing, list_bearings, read_bearing

__all__ = ["FAULTS", "Bearing", "Fault", "find_bearing", "list_bearings", "read_bearing"]
