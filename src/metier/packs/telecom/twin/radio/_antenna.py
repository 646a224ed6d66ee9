"""Gain of a sector antenna towards a direction.

One element has the pattern of TR 38.901 Table 7.3-1. A column of elements with an electrical tilt sharpens it
vertically (the composite array of TR 37.840 §5.4.4); a mechanical tilt rotates the whole panel (TR 38.901 §7.1.3,
downtilt β).
"""

from dataclasses import dataclass
from math import cos, pi, radians, sin

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.scenario import Antenna, Cell

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Bearing:
    """Unit vectors from a site to the points: east, north and up."""

    east: Floats
    north: Floats
    up: Floats


def element_db(antenna: Antenna, theta_deg: Floats, phi_deg: Floats) -> Floats:
    """Element pattern of Table 7.3-1 without its gain: 0 dB ahead (θ = 90°, φ = 0°), never below −A_max."""
    vertical = np.minimum(
        12 * np.square((theta_deg - 90) / np.float32(antenna.beamwidth_v_deg)), np.float32(antenna.side_lobe_db)
    )
    horizontal = np.minimum(
        12 * np.square(phi_deg / np.float32(antenna.beamwidth_h_deg)), np.float32(antenna.front_back_db)
    )
    return np.asarray(-np.minimum(vertical + horizontal, np.float32(antenna.front_back_db)), np.float32)


def column_db(antenna: Antenna, cos_theta: Floats, tilt_deg: float) -> Floats:
    """Gain of a column of N elements: 10 log10 N on its axis, at most `side_lobe_db` less off it.

    |sin(Nψ/2) / sin(ψ/2)|² / N with ψ = 2π d (cos θ + sin tilt); the floor models the null filling of real panels.
    """
    rows = antenna.rows
    if rows == 1:
        return np.zeros_like(cos_theta)
    half = np.float32(pi * antenna.row_spacing) * (cos_theta + np.float32(sin(radians(tilt_deg))))
    below = np.sin(half)
    flat = np.abs(below) < np.float32(1e-4)
    ratio = np.sin(rows * half) / np.where(flat, np.float32(1), below)
    power = np.where(flat, np.float32(rows), np.square(ratio) / np.float32(rows))
    floor = np.float32(rows * 10 ** (-antenna.side_lobe_db / 10))
    return np.asarray(10 * np.log10(np.maximum(power, floor)), np.float32)


def gain_dbi(antenna: Antenna, cell: Cell, bearing: Bearing) -> Floats:
    """Gain of the whole antenna towards every point."""
    azimuth, beta = radians(cell.azimuth_deg), radians(cell.mechanical_tilt_deg)
    ahead = bearing.north * np.float32(cos(azimuth)) + bearing.east * np.float32(sin(azimuth))
    aside = bearing.east * np.float32(cos(azimuth)) - bearing.north * np.float32(sin(azimuth))
    cos_theta, front = bearing.up, ahead
    if beta:
        cos_theta = ahead * np.float32(sin(beta)) + bearing.up * np.float32(cos(beta))
        front = ahead * np.float32(cos(beta)) - bearing.up * np.float32(sin(beta))
    degrees = np.float32(180 / pi)
    theta = np.arccos(np.clip(cos_theta, -1, 1)) * degrees
    phi = np.arctan2(aside, front) * degrees
    constant = np.float32(antenna.element_gain_dbi + antenna.array_gain_db)
    return np.asarray(
        constant + element_db(antenna, theta, phi) + column_db(antenna, cos_theta, cell.electrical_tilt_deg), np.float32
    )
