"""Path loss, line of sight and building loss of 3GPP TR 38.901 (V17), below 6 GHz.

Distances in metres, frequencies in GHz, losses in dB. Every function works on arrays.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.scenario import Propagation

Floats = NDArray[np.float32]

# The standard computes with c = 3.0e8 m/s (note 1 of Table 7.4.1-1).
LIGHT_M_S: Final = 3.0e8
# Table 7.4.1-1 starts at 10 m; nearer points are treated as if at 10 m.
NEAREST_M: Final = 10.0
# Shadow fading σ of Table 7.4.1-1 and its correlation distance of Table 7.5-6: (LOS, NLOS).
SHADOW_DB: Mapping[Propagation, tuple[float, float]] = MappingProxyType({"uma": (4.0, 6.0), "umi": (4.0, 7.82)})
SHADOW_M: Mapping[Propagation, tuple[float, float]] = MappingProxyType({"uma": (37.0, 50.0), "umi": (10.0, 13.0)})
# Correlation distance of the LOS state, Table 7.6.3.1-2.
LOS_M: Final = 50.0
# The environment height of UMi, and of UMa for a terminal below 13 m (note 1 of Table 7.4.1-1).
_ENVIRONMENT_M: Final = 1.0


def breakpoint_m(ghz: float, site_m: Floats, user_m: Floats) -> Floats:
    """Distance from which the ground reflection matters: 4 h'BS h'UT fc / c."""
    return 4 * (site_m - _ENVIRONMENT_M) * (user_m - _ENVIRONMENT_M) * np.float32(ghz * 1e9 / LIGHT_M_S)


def path_loss_los(model: Propagation, ghz: float, flat_m: Floats, site_m: Floats, user_m: Floats) -> Floats:
    """Table 7.4.1-1, LOS: PL1 up to the breakpoint, PL2 beyond."""
    start, near, beyond = (28.0, 22.0, 9.0) if model == "uma" else (32.4, 21.0, 9.5)
    flat = np.maximum(flat_m, np.float32(NEAREST_M))
    rise2 = np.square(site_m - user_m)
    log_d = 0.5 * np.log10(np.square(flat) + rise2)
    base = np.float32(start + 20 * np.log10(ghz))
    bend = breakpoint_m(ghz, site_m, user_m)
    far = 40 * log_d - np.float32(beyond) * np.log10(np.square(bend) + rise2)
    return np.asarray(base + np.where(flat <= bend, np.float32(near) * log_d, far), np.float32)


def path_loss_nlos(model: Propagation, ghz: float, flat_m: Floats, site_m: Floats, user_m: Floats) -> Floats:
    """Table 7.4.1-1, NLOS: never less than LOS at the same place."""
    flat = np.maximum(flat_m, np.float32(NEAREST_M))
    log_d = 0.5 * np.log10(np.square(flat) + np.square(site_m - user_m))
    if model == "uma":
        own = np.float32(13.54 + 20 * np.log10(ghz)) + np.float32(39.08) * log_d - np.float32(0.6) * (user_m - 1.5)
    else:
        own = np.float32(22.4 + 21.3 * np.log10(ghz)) + np.float32(35.3) * log_d - np.float32(0.3) * (user_m - 1.5)
    return np.asarray(np.maximum(own, path_loss_los(model, ghz, flat_m, site_m, user_m)), np.float32)


def los_probability(model: Propagation, flat_m: Floats, user_m: Floats) -> Floats:
    """Table 7.4.2-1: probability of line of sight at this distance."""
    flat = np.maximum(flat_m, np.float32(18.0))
    near = np.float32(18.0) / flat
    chance = near + np.exp(-flat / np.float32(63.0 if model == "uma" else 36.0)) * (1 - near)
    if model == "uma":
        tall = np.power(np.clip((user_m - 13) / 10, 0, None), 1.5)
        chance = chance * (1 + tall * 1.25 * np.power(flat / 100, 3) * np.exp(-flat / 150))
    return np.asarray(np.minimum(chance, 1.0), np.float32)


def building_loss_db(kind: str, ghz: float, inside_m: float = 0.0) -> float:
    """Tables 7.4.3-1 and 7.4.3-2: the wall's loss plus half a dB per metre inside; 0 for `none`."""
    if kind == "none":
        return 0.0
    concrete = 5 + 4 * ghz
    share, glass = (0.3, 2 + 0.2 * ghz) if kind == "low_loss" else (0.7, 23 + 0.3 * ghz)
    through = share * 10 ** (-glass / 10) + (1 - share) * 10 ** (-concrete / 10)
    return float(5 - 10 * np.log10(through) + 0.5 * inside_m)
