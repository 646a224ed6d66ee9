"""The grid: position, clutter and users of its points."""

from dataclasses import dataclass
from math import cos, radians
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._propagation import building_loss_db
from metier.packs.telecom.twin.scenario import LAT_M, LON_M, Area, Scenario

Floats = NDArray[np.float32]
# An indoor user stands the lesser of two even draws from 0 to 25 m behind the wall (TR 38.901 §7.4.3.1): a third of
# 25 m on average.
INDOOR_DEPTH_M: Final = 25 / 3


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Flat arrays over the grid points, row by row from the south-west corner."""

    x_m: Floats
    y_m: Floats
    longitude: NDArray[np.float64]
    latitude: NDArray[np.float64]
    clutter: NDArray[np.uint8]
    user_m: Floats
    users: NDArray[np.float64]

    @property
    def points(self) -> int:
        return int(self.x_m.size)


def to_plane(area: Area, longitude: float, latitude: float) -> tuple[float, float]:
    """Metres east and north of the south-west corner."""
    x_m = (longitude - area.longitude) * LON_M * cos(radians(area.latitude))
    return x_m, (latitude - area.latitude) * LAT_M


def locate(scenario: Scenario, longitude: float, latitude: float) -> tuple[float, float]:
    """Metres east and north of the scenario's south-west corner."""
    return to_plane(scenario.area, longitude, latitude)


def build_ground(scenario: Scenario) -> Ground:
    """Build the grid: paint the clutter patches and distribute the users."""
    area = scenario.area
    across = (np.arange(area.columns) + 0.5) * area.step_m
    up = (np.arange(area.rows) + 0.5) * area.step_m
    grid_x, grid_y = (axis.ravel() for axis in np.meshgrid(across, up))
    classes = _paint_clutter(scenario).ravel()
    heights = np.array([clutter.height_m for clutter in scenario.clutter], np.float32)
    return Ground(
        x_m=grid_x.astype(np.float32),
        y_m=grid_y.astype(np.float32),
        longitude=area.longitude + grid_x / (LON_M * cos(radians(area.latitude))),
        latitude=area.latitude + grid_y / LAT_M,
        clutter=classes,
        user_m=heights[classes],
        users=_spread_users(scenario, classes, grid_x, grid_y),
    )


def ground_loss_db(scenario: Scenario, ground: Ground, ghz: float) -> Floats:
    """Loss of every signal of this frequency through clutter and building walls."""
    losses = [clutter.loss_db + building_loss_db(clutter.indoor, ghz, INDOOR_DEPTH_M) for clutter in scenario.clutter]
    return np.array(losses, np.float32)[ground.clutter]


def _paint_clutter(scenario: Scenario) -> NDArray[np.uint8]:
    names = [clutter.name for clutter in scenario.clutter]
    area = scenario.area
    grid = np.full((area.rows, area.columns), names.index(scenario.ground), np.uint8)
    for patch in scenario.patches:
        left, right = round(patch.x_m / area.step_m), round((patch.x_m + patch.width_m) / area.step_m)
        low, high = round(patch.y_m / area.step_m), round((patch.y_m + patch.height_m) / area.step_m)
        grid[low:high, left:right] = names.index(patch.clutter)
    return grid


def _spread_users(
    scenario: Scenario, classes: NDArray[np.uint8], x_m: NDArray[np.float64], y_m: NDArray[np.float64]
) -> NDArray[np.float64]:
    traffic = scenario.traffic
    density = np.array([clutter.density for clutter in scenario.clutter])[classes]
    users = _distribute(density, traffic.users)
    for spot in traffic.hotspots:
        away = (np.square(x_m - spot.x_m) + np.square(y_m - spot.y_m)) / (2 * spot.radius_m**2)
        # Limited by density, so that no crowd stands on water.
        users += _distribute(np.exp(-away) * np.minimum(density, 1), spot.users)
    return users


def _distribute(weights: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    whole = weights.sum()
    return weights * (total / whole) if whole > 0 else np.full_like(weights, total / weights.size)
