from dataclasses import replace
from math import cos, log10, radians, sin

import numpy as np
import pytest

from metier.packs.telecom.twin.radio import Bearing, Floats
from metier.packs.telecom.twin.radio._antenna import column_db, element_db, gain_dbi
from metier.packs.telecom.twin.scenario import Antenna
from tests.packs.telecom.twin.support import small

PANEL = Antenna("panel", 8.0, 65.0, 65.0, 30.0, 30.0, 8, 0.8, 0.0, 3.0)


def one(value: float) -> Floats:
    return np.array([value], np.float32)


def towards(azimuth_deg: float, down_deg: float) -> Bearing:
    flat = cos(radians(down_deg))
    azimuth = radians(azimuth_deg)
    return Bearing(one(flat * sin(azimuth)), one(flat * cos(azimuth)), one(-sin(radians(down_deg))))


@pytest.mark.parametrize(
    ("theta", "phi", "gain_db"),
    [
        pytest.param(90, 0, 0.0, id="ahead"),
        pytest.param(90, 32.5, -3.0, id="half the horizontal beam: 12·(32.5/65)²"),
        pytest.param(122.5, 0, -3.0, id="half the vertical beam"),
        pytest.param(155, 0, -12.0, id="a whole beam down: 12·1²"),
        pytest.param(90, 180, -30.0, id="behind: A_max"),
        pytest.param(122.5, 65, -15.0, id="both add up"),
        pytest.param(0, 180, -30.0, id="never below A_max"),
    ],
)
def test_an_element_has_the_pattern_of_the_table(theta: float, phi: float, gain_db: float) -> None:
    assert float(element_db(PANEL, one(theta), one(phi))[0]) == pytest.approx(gain_db, abs=1e-4)


def test_a_column_of_eight_adds_9_db_on_its_axis() -> None:
    assert float(column_db(PANEL, one(-sin(radians(6))), 6.0)[0]) == pytest.approx(10 * log10(8), abs=1e-4)


def test_the_null_of_a_column_is_filled_down_to_the_side_lobe_level() -> None:
    # The first null of 8 elements 0.8 wavelengths apart lies 1 / (8 · 0.8) off the axis.
    assert float(column_db(PANEL, one(-1 / 6.4), 0.0)[0]) == pytest.approx(10 * log10(8) - 30, abs=1e-3)


def test_one_row_is_one_element() -> None:
    assert float(column_db(replace(PANEL, rows=1), one(0.3), 5.0)[0]) == 0


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 215.0])
@pytest.mark.parametrize(("mechanical", "electrical"), [(0.0, 0.0), (0.0, 7.0), (7.0, 0.0), (3.0, 4.0)])
def test_the_beam_points_where_azimuth_and_tilts_say(azimuth: float, mechanical: float, electrical: float) -> None:
    cell = replace(
        small().cells[0], azimuth_deg=azimuth, mechanical_tilt_deg=mechanical, electrical_tilt_deg=electrical
    )
    down = mechanical + electrical
    ahead = float(gain_dbi(PANEL, cell, towards(azimuth, down))[0])
    # 8 dBi of the element and 9.03 dB of the column; an electrical tilt leaves the element a little behind.
    assert ahead == pytest.approx(8 + 10 * log10(8), abs=0.2)
    for side in (-4.0, 4.0):
        assert float(gain_dbi(PANEL, cell, towards(azimuth, down + side))[0]) < ahead - 2
        assert float(gain_dbi(PANEL, cell, towards(azimuth + 8 * side, down))[0]) < ahead - 2
    assert float(gain_dbi(PANEL, cell, towards(azimuth + 180, 0))[0]) < ahead - 25
