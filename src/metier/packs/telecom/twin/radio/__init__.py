"""Radio physics: antennas, propagation, bands, traffic, quality and the computed state."""

from metier.packs.telecom.twin.radio._antenna import Bearing
from metier.packs.telecom.twin.radio._bands import (
    IDLE_ACTIVITY,
    Band,
    Integers,
    noise_mw,
    pick_rows,
    rerank,
    sum_over_cells,
    to_db,
    to_milliwatts,
)
from metier.packs.telecom.twin.radio._ground import Ground, locate, to_plane
from metier.packs.telecom.twin.radio._indicators import INDICATORS, Indicator, Level, Phase, find_indicators
from metier.packs.telecom.twin.radio._plan_area import PlannedAreas, landing_m, plan_band
from metier.packs.telecom.twin.radio._quality import COVERED_DBM, build_neighbour_matrix, find_border_points
from metier.packs.telecom.twin.radio._radio import Floats, Radio, compute_radio, element_power_dbm
from metier.packs.telecom.twin.radio._state import (
    OVERLAP_DB,
    Heatmap,
    NetworkState,
    TableValue,
    TwinTable,
    assemble,
    build_bands,
    compute,
    shrink_grid,
)
from metier.packs.telecom.twin.radio._traffic import DL_BOUND, Doubles, Loads, solve_loads, spectral_efficiency

__all__ = [
    "COVERED_DBM",
    "DL_BOUND",
    "IDLE_ACTIVITY",
    "INDICATORS",
    "OVERLAP_DB",
    "Band",
    "Bearing",
    "Doubles",
    "Floats",
    "Ground",
    "Heatmap",
    "Indicator",
    "Integers",
    "Level",
    "Loads",
    "NetworkState",
    "Phase",
    "PlannedAreas",
    "Radio",
    "TableValue",
    "TwinTable",
    "assemble",
    "build_bands",
    "build_neighbour_matrix",
    "compute",
    "compute_radio",
    "element_power_dbm",
    "find_border_points",
    "find_indicators",
    "landing_m",
    "locate",
    "noise_mw",
    "pick_rows",
    "plan_band",
    "rerank",
    "shrink_grid",
    "solve_loads",
    "spectral_efficiency",
    "sum_over_cells",
    "to_db",
    "to_milliwatts",
    "to_plane",
]
