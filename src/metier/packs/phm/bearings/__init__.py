"""Rolling bearings: geometry, fault frequencies, and a table of bearings by name."""

from metier.packs.phm.bearings._geometry import FAULTS, Fault, RollingBearing
from metier.packs.phm.bearings._table import find_bearing, is_bearing, list_bearings, read_bearing

__all__ = ["FAULTS", "Fault", "RollingBearing", "find_bearing", "is_bearing", "list_bearings", "read_bearing"]
