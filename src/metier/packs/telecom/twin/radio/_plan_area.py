"""Planned service area of each cell, and how the cell compares to it."""

from dataclasses import dataclass
from math import hypot, inf, radians, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._bands import Band, Integers
from metier.packs.telecom.twin.radio._ground import to_plane
from metier.packs.telecom.twin.radio._radio import Floats, Radio
from metier.packs.telecom.twin.scenario import Cell, Scenario

_USER_M: Final = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class PlannedAreas:
    """Planned area per cell of a band: the owner of each point, points per cell, and planned radius."""

    owner: Integers
    points: NDArray[np.float64]
    radius_m: NDArray[np.float64]


def plan_band(scenario: Scenario, radio: Radio, band: Band) -> PlannedAreas:
    """Assign every point to the nearest site of the carrier, there to the sector that faces it best."""
    cells = [scenario.cells[row] for row in band.rows]
    places = {cell.site: to_plane(scenario.area, cell.longitude, cell.latitude) for cell in cells}
    ids = sorted(places)
    nearest = np.argmin([radio.flat_m[id] for id in ids], axis=0)
    owner = np.zeros(band.best.size, np.intp)
    for number, id in enumerate(ids):
        own = np.flatnonzero(nearest == number)
        sectors = [row for row, cell in enumerate(cells) if cell.site == id]
        bearing = radio.bearings[id]
        ahead = np.stack([_forward_component(cells[row], bearing.east[own], bearing.north[own]) for row in sectors])
        owner[own] = np.array(sectors, np.intp)[ahead.argmax(axis=0)]
    radius = np.array([_planned_radius_m(cell, places) for cell in cells])
    return PlannedAreas(owner, np.bincount(owner, minlength=len(cells)).astype(np.float64), radius)


def landing_m(cell: Cell) -> float:
    """Distance at which the beam axis meets the ground."""
    tilt = cell.mechanical_tilt_deg + cell.electrical_tilt_deg
    return (cell.height_m - _USER_M) / tan(radians(tilt)) if tilt > 0 else inf


def _forward_component(cell: Cell, east: Floats, north: Floats) -> Floats:
    azimuth = radians(cell.azimuth_deg)
    return np.asarray(north * np.float32(np.cos(azimuth)) + east * np.float32(np.sin(azimuth)), np.float32)


def _planned_radius_m(cell: Cell, places: dict[str, tuple[float, float]]) -> float:
    """Two thirds of the distance to the nearest other site ahead: the corner of a hexagon."""
    x_m, y_m = places[cell.site]
    azimuth = radians(cell.azimuth_deg)
    away = []
    for id, (other_x, other_y) in places.items():
        distance = hypot(other_x - x_m, other_y - y_m)
        forward = (other_x - x_m) * np.sin(azimuth) + (other_y - y_m) * np.cos(azimuth)
        if id != cell.site and forward > 0.5 * distance:
            away.append(distance)
    return 2 / 3 * min(away) if away else inf
