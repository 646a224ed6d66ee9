"""Formulas of signal and traffic, by hand where a standard gives them, by property where it does not."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.packs.telecom.twin import NetworkState, ParameterChange, compute
from metier.packs.telecom.twin.radio import (
    DL_BOUND,
    Band,
    Bearing,
    Floats,
    element_power_dbm,
    noise_mw,
    spectral_efficiency,
    to_milliwatts,
)
from metier.packs.telecom.twin.radio._antenna import gain_dbi
from metier.packs.telecom.twin.radio._bands import count_overlap, rank, rsrq_db, sinr_db
from metier.packs.telecom.twin.radio._quality import access_chance, admission_share, handover_chance
from metier.packs.telecom.twin.radio._traffic import UL_BOUND
from tests.packs.telecom.twin.support import small


def one(value: float) -> Floats:
    return np.array([value], np.float32)


def band_of(levels: list[list[float]]) -> Band:
    """A band with these levels: one row per cell, one column per point."""
    rsrp = np.array(levels, np.float32)
    best, second = rank(rsrp, np.zeros(len(levels), np.float32))
    count = len(levels)
    return Band(
        small().carriers[0],
        np.arange(count),
        np.full(count, 15.2),
        np.full(count, 3.0),
        rsrp,
        to_milliwatts(rsrp),
        best,
        second,
    )


def test_an_element_gets_its_share_of_the_power() -> None:
    # 46 dBm over 100 blocks of 12 elements: 46 − 10·log10(1200)
    assert element_power_dbm(small().cells[0], small().carriers[0]) == pytest.approx(15.2082, abs=1e-4)


def test_noise_of_an_lte_element_is_minus_123_dbm() -> None:
    # −174 + 10·log10(15000) + 9
    assert 10 * np.log10(noise_mw(small().carriers[0])) == pytest.approx(-123.239, abs=1e-3)


@pytest.mark.parametrize(
    ("sinr", "bound", "bits"),
    [
        pytest.param(10, DL_BOUND, 2.0757, id="0.6·log2(11)"),
        pytest.param(10, UL_BOUND, 1.3838, id="0.4·log2(11)"),
        pytest.param(40, DL_BOUND, 4.4, id="cut at the top, down"),
        pytest.param(40, UL_BOUND, 2.0, id="cut at the top, up"),
        pytest.param(-10.1, DL_BOUND, 0.0, id="nothing under -10 dB"),
    ],
)
def test_throughput_is_the_truncated_bound_of_tr_36_942(sinr: float, bound: tuple[float, float], bits: float) -> None:
    assert float(spectral_efficiency(one(sinr), bound)[0]) == pytest.approx(bits, abs=1e-4)


def test_a_lone_cell_has_the_sinr_of_its_noise() -> None:
    assert float(sinr_db(band_of([[-90.0]]), np.ones(1))[0]) == pytest.approx(-90 + 123.239, abs=1e-2)


def test_an_equal_full_neighbour_leaves_0_db_and_an_idle_one_10() -> None:
    band = band_of([[-60.0], [-60.0]])
    assert float(sinr_db(band, np.ones(2))[0]) == pytest.approx(0, abs=1e-3)
    assert float(sinr_db(band, np.zeros(2))[0]) == pytest.approx(10, abs=1e-3)


@pytest.mark.parametrize(("load", "rsrq"), [(0.0, -3.0103), (1.0, -10.7918)])
def test_rsrq_of_a_lone_cell_runs_from_minus_3_to_minus_10_8(load: float, rsrq: float) -> None:
    assert float(rsrq_db(band_of([[-60.0]]), np.array([load]))[0]) == pytest.approx(rsrq, abs=1e-3)


def test_overlap_counts_cells_within_6_db_and_above_the_level() -> None:
    band = band_of([[-80.0, -108.0], [-86.0, -109.0], [-86.1, -111.0], [-100.0, -140.0]])
    assert count_overlap(band, 6.0, -110.0).tolist() == [2, 2]


def test_offsets_choose_the_server_and_a_lone_cell_is_its_own_second() -> None:
    levels = np.array([[-80.0], [-82.0], [-90.0]], np.float32)
    best, second = rank(levels, np.array([0, 3, 0], np.float32))
    assert (best.tolist(), second.tolist()) == ([1], [0])
    best, second = rank(levels[:1], np.zeros(1, np.float32))
    assert (best.tolist(), second.tolist()) == ([0], [0])


@settings(deadline=None, max_examples=25)
@given(st.lists(st.floats(-130, -50), min_size=2, max_size=6), st.integers(1, 5), st.floats(0, 20))
def test_sinr_never_rises_when_an_interferer_gets_louder(levels: list[float], which: int, louder: float) -> None:
    ordered = sorted(levels, reverse=True)
    row = which % len(ordered) or 1
    band = band_of([[level] for level in ordered])
    raised = list(ordered)
    raised[row] += louder
    power = band.milliwatts.copy()
    power[row] = to_milliwatts(one(raised[row]))[0]
    load = np.full(len(ordered), 0.5)
    after = sinr_db(replace(band, milliwatts=power), load)
    assert float(after[0]) <= float(sinr_db(band, load)[0]) + 1e-3


@settings(deadline=None, max_examples=25)
@given(st.floats(-130, -60), st.floats(-15, 30), st.floats(0, 10), st.floats(0, 10))
def test_success_never_falls_with_level_or_sinr(rsrp: float, sinr: float, up: float, better: float) -> None:
    for curve in (access_chance, handover_chance):
        low, high = float(curve(one(rsrp), one(sinr))[0]), float(curve(one(rsrp + up), one(sinr + better))[0])
        assert 0 <= low <= high + 1e-6 <= 1 + 2e-6


def test_a_full_cell_turns_one_request_in_ten_away() -> None:
    assert admission_share(np.array([0.0, 0.8, 0.9, 1.0])).tolist() == pytest.approx([1, 1, 0.95, 0.9])


@settings(deadline=None, max_examples=25)
@given(cell=st.integers(0, 8), louder=st.floats(0.5, 8))
def test_more_power_never_lowers_the_cells_own_rsrp(cell: int, louder: float) -> None:
    before, id = _before(), small().cells[cell].id
    after = compute(small(), [ParameterChange(id, "power", 46.0, 46.0 + louder)], radio=before.radio)
    assert (after.bands[0].rsrp[cell] >= before.bands[0].rsrp[cell]).all()
    others = [row for row in range(9) if row != cell]
    assert np.array_equal(after.bands[0].rsrp[others], before.bands[0].rsrp[others])


@settings(deadline=None, max_examples=25)
@given(users=st.floats(1, 50_000), mbps=st.floats(0.01, 50))
def test_utilisation_is_a_share_however_many_users_come(users: float, mbps: float) -> None:
    crowd = replace(small(), traffic=replace(small().traffic, users=users, dl_mbps=mbps, ul_mbps=mbps / 5))
    state = compute(crowd)
    for load in (state.loads.dl, state.loads.ul):
        assert ((load >= 0) & (load <= 1)).all()


def test_more_users_never_lighten_a_cell() -> None:
    traffic = small().traffic
    loads = [
        compute(replace(small(), traffic=replace(traffic, users=users))).loads.dl for users in (50, 200, 800, 3200)
    ]
    for fewer, more in pairwise(loads):
        assert (more >= fewer - 1e-9).all()


def test_more_downtilt_draws_the_footprint_nearer() -> None:
    """Seen from afar the cell grows weaker; where its beam is strongest comes nearer."""
    cell = replace(small().cells[0], azimuth_deg=0.0)
    panel = small().antennas[0]
    flat: Floats = np.linspace(20, 2000, 400, dtype=np.float32)
    away: Floats = np.hypot(flat, np.float32(26.5))
    line = Bearing(np.zeros_like(flat), np.divide(flat, away), np.divide(np.float32(-26.5), away))
    tilts = (1.0, 4.0, 8.0, 12.0, 16.0)
    lands = [float(flat[gain_dbi(panel, replace(cell, electrical_tilt_deg=tilt), line).argmax()]) for tilt in tilts]
    assert all(nearer < farther for farther, nearer in pairwise(lands))
    far = _before().radio.flat_m[cell.site] > 400
    levels = [
        float(compute(small(), [ParameterChange(cell.id, "tilt", 5.0, tilt)]).bands[0].rsrp[0][far].mean())
        for tilt in (1.0, 5.0)
    ]
    assert levels[1] < levels[0] - 2


def test_a_beam_turned_away_leaves_the_ground_ahead() -> None:
    cell = small().cells[0]
    before = _before()
    after = compute(small(), [ParameterChange(cell.id, "azimuth", 0.0, 180.0)], radio=before.radio)
    north = before.radio.bearings[cell.site].north > 0.9
    assert float(after.bands[0].rsrp[0][north].mean()) < float(before.bands[0].rsrp[0][north].mean()) - 15


def test_an_offset_moves_users_and_no_signal() -> None:
    before, id = _before(), small().cells[4].id
    after = compute(small(), [ParameterChange(id, "offset", 0.0, 6.0)], radio=before.radio)
    assert np.array_equal(after.bands[0].rsrp, before.bands[0].rsrp)
    assert after.cell_values["users"][4] > before.cell_values["users"][4]


@cache
def _before() -> NetworkState:
    return compute(small())
