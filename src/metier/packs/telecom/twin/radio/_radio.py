"""Radio field of a scenario: the signal of every cell at every grid point.

Everything that tuning cannot change (distances, path loss, shadowing, walls) is computed once per scenario; a cell's
layer then only needs its antenna gain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10, sqrt
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._antenna import Bearing, gain_dbi
from metier.packs.telecom.twin.radio._fields import correlate, draw_normals, normal_cdf
from metier.packs.telecom.twin.radio._ground import Ground, build_ground, ground_loss_db, to_plane
from metier.packs.telecom.twin.radio._propagation import (
    LOS_M,
    SHADOW_DB,
    SHADOW_M,
    los_probability,
    path_loss_los,
    path_loss_nlos,
)
from metier.packs.telecom.twin.scenario import Antenna, Carrier, Cell, Scenario, Site

Floats = NDArray[np.float32]

# Shadowing of two sites at one point is correlated by 0.5, of two sectors of a site by 1 (TR 36.942 §4.5).
_SITE_CORRELATION: Final = 0.5


def element_power_dbm(cell: Cell, carrier: Carrier) -> float:
    """Power of one resource element: the cell's power spread evenly over its resource blocks."""
    return cell.power_dbm - 10 * log10(12 * carrier.resource_blocks)


@dataclass(frozen=True, slots=True, eq=False)
class Radio:
    """The part of the radio field that does not change during tuning."""

    ground: Ground
    carriers: Mapping[str, Carrier]
    antennas: Mapping[str, Antenna]
    bearings: Mapping[str, Bearing]
    flat_m: Mapping[str, Floats]
    losses: Mapping[tuple[str, str], Floats]

    def compute_layer(self, cell: Cell) -> Floats:
        """RSRP of one cell at every point, in dBm."""
        power = np.float32(element_power_dbm(cell, self.carriers[cell.carrier]))
        gain = gain_dbi(self.antennas[cell.antenna], cell, self.bearings[cell.site])
        return np.asarray(power + gain - self.losses[cell.site, cell.carrier], np.float32)

    def compute_layers(self, cells: Sequence[Cell]) -> Floats:
        """RSRP of every cell, one row each."""
        found = np.empty((len(cells), self.ground.points), np.float32)
        for row, cell in enumerate(cells):
            found[row] = self.compute_layer(cell)
        return found


def compute_radio(scenario: Scenario) -> Radio:
    """Compute everything that tuning cannot change."""
    ground = build_ground(scenario)
    carriers = {carrier.name: carrier for carrier in scenario.carriers}
    used = sorted({(cell.site, cell.carrier) for cell in scenario.cells})
    walls = {
        name: ground_loss_db(scenario, ground, carriers[name].frequency_mhz / 1000)
        for name in {pair[1] for pair in used}
    }
    shadows = _Shadows.draw(scenario)
    bearings: dict[str, Bearing] = {}
    flats: dict[str, Floats] = {}
    losses: dict[tuple[str, str], Floats] = {}
    for number, site in enumerate(scenario.sites):
        names = [name for id, name in used if id == site.id]
        if not names:
            continue
        flats[site.id], bearings[site.id] = _compute_bearings(scenario, ground, site)
        sight, faded = shadows.sample_site(number, los_probability(scenario.propagation, flats[site.id], ground.user_m))
        for name in names:
            lost = _path_loss(scenario, ground, site, carriers[name], flats[site.id], sight=sight)
            losses[site.id, name] = lost + faded + walls[name]
    return Radio(
        ground,
        MappingProxyType(carriers),
        MappingProxyType({antenna.name: antenna for antenna in scenario.antennas}),
        MappingProxyType(bearings),
        MappingProxyType(flats),
        MappingProxyType(losses),
    )


def _compute_bearings(scenario: Scenario, ground: Ground, site: Site) -> tuple[Floats, Bearing]:
    x_m, y_m = to_plane(scenario.area, site.longitude, site.latitude)
    east, north = ground.x_m - np.float32(x_m), ground.y_m - np.float32(y_m)
    flat = np.hypot(east, north)
    up = ground.user_m - np.float32(site.height_m)
    away = np.maximum(np.hypot(flat, up), np.float32(1e-3))
    return flat, Bearing(east / away, north / away, up / away)


def _path_loss(
    scenario: Scenario, ground: Ground, site: Site, carrier: Carrier, flat: Floats, *, sight: NDArray[np.bool_]
) -> Floats:
    ghz, height = carrier.frequency_mhz / 1000, np.float32(site.height_m)
    heights = np.broadcast_to(height, flat.shape)
    seen = path_loss_los(scenario.propagation, ghz, flat, heights, ground.user_m)
    hidden = path_loss_nlos(scenario.propagation, ghz, flat, heights, ground.user_m)
    return np.asarray(np.where(sight, seen, hidden), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Shadows:
    """Unit fields of every site: one decides line of sight, two give the fading with and without it."""

    views: Floats
    seen: Floats
    hidden: Floats
    sigma: tuple[float, float]

    @classmethod
    def draw(cls, scenario: Scenario) -> "_Shadows":
        area, count = scenario.area, len(scenario.sites)
        shape = (count + 1, area.rows, area.columns)
        white = np.stack([draw_normals(scenario.seed, site, area.points) for site in range(count + 1)]).reshape(shape)
        mixed = sqrt(_SITE_CORRELATION) * white[:1] + sqrt(1 - _SITE_CORRELATION) * white[1:]
        views = np.stack([draw_normals(scenario.seed, 10_000 + site, area.points) for site in range(count)])
        near_m, far_m = SHADOW_M[scenario.propagation]
        return cls(
            normal_cdf(correlate(views.reshape(count, area.rows, area.columns), area.step_m, LOS_M)).reshape(count, -1),
            correlate(mixed, area.step_m, near_m).reshape(count, -1),
            correlate(mixed, area.step_m, far_m).reshape(count, -1),
            SHADOW_DB[scenario.propagation],
        )

    def sample_site(self, site: int, probability: Floats) -> tuple[NDArray[np.bool_], Floats]:
        """Line of sight to this site, and the fading of each point in dB."""
        sight = self.views[site] < probability
        faded = np.where(sight, self.sigma[0] * self.seen[site], self.sigma[1] * self.hidden[site])
        return sight, np.asarray(faded, np.float32)
