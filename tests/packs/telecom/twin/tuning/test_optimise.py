from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from metier.errors import UsageError
from metier.packs.telecom.twin import (
    Optimisation,
    ParameterChange,
    Scenario,
    Twin,
    compute,
    load_scenario,
    load_thresholds,
    optimise,
)
from metier.packs.telecom.twin.radio import build_bands
from metier.packs.telecom.twin.scenario._scenario import Hotspot
from metier.packs.telecom.twin.tuning import read_shipped_search
from metier.packs.telecom.twin.tuning._goals import GOALS, build_frame, count_users_on
from metier.packs.telecom.twin.tuning._trial import Trial
from tests.packs.telecom.twin.support import small

_TILTED: tuple[ParameterChange, ...] = tuple(ParameterChange(cell.id, "tilt", 5.0, 20.0) for cell in small().cells[:4])


@cache
def spoiled() -> Scenario:
    """Four of nine cells look at their feet, quietly."""
    quiet = (*_TILTED, *(ParameterChange(cell.id, "power", 46.0, 34.0) for cell in small().cells[:4]))
    return compute(small(), quiet).scenario


@cache
def tuned() -> Optimisation:
    return optimise(spoiled())


def gain(run: Optimisation, name: str) -> float:
    found = next(gain for gain in run.gains if gain.name_en == name)
    return found.after - found.before


def test_a_spoiled_network_is_mended() -> None:
    run = tuned()
    assert run.changes
    assert run.score_after > run.score_before
    assert gain(run, "user-weighted MR coverage") > 0
    # The four spoiled cells are among those it chose to change.
    assert {change.cell for change in run.changes} & {change.cell for change in _TILTED}


def test_the_gains_add_up_to_the_score() -> None:
    run = tuned()
    whole = sum(change.gain for change in run.changes if change.parameter != "neighbour")
    assert whole == pytest.approx(run.score_after - run.score_before, abs=1e-3 * len(run.changes))
    assert all(change.gain > 0 for change in run.changes if change.parameter != "neighbour")


@pytest.mark.parametrize("id", ["DT20260101", "DT20260102", "DT20260103", "DT20260104", "DT20260105", "small"])
def test_what_gains_less_than_it_costs_is_not_recommended(id: str) -> None:
    """Turning an antenna takes a visit to the site, so it must gain more than a setting made from afar."""
    scenario = spoiled() if id == "small" else load_scenario(id)
    changes = tuned().changes if id == "small" else read_shipped_search(scenario, scenario.problem)
    assert changes
    least = {kind: load_thresholds()[kind].value for kind in ("azimuth_gain", "setting_gain")}
    assert least["azimuth_gain"] > least["setting_gain"] > 0
    poor = [
        one
        for one in changes
        if one.parameter != "neighbour"
        and one.gain < least["azimuth_gain" if one.parameter == "azimuth" else "setting_gain"] - 5e-4
    ]
    assert poor == []


def test_making_the_changes_gives_the_state_that_was_promised() -> None:
    run = tuned()
    again = compute(spoiled(), run.changes)
    assert again.digest == run.after.digest
    for name, values in again.cell_values.items():
        assert np.array_equal(values, run.after.cell_values[name], equal_nan=True), name


def test_before_and_after_share_ground_users_and_shadows() -> None:
    run = tuned()
    assert run.before.radio is run.after.radio
    assert [row[:3] for row in run.before.build_cell_table(["RSRP均值"]).rows] == [
        row[:3] for row in run.after.build_cell_table(["RSRP均值"]).rows
    ]


def test_the_same_network_is_tuned_the_same_way() -> None:
    assert optimise(spoiled()).changes == tuned().changes


def test_before_of_a_change_is_what_the_network_had() -> None:
    for change in tuned().changes:
        cell = spoiled().get_cell(change.cell)
        had = {
            "tilt": cell.electrical_tilt_deg,
            "power": cell.power_dbm,
            "azimuth": cell.azimuth_deg,
            "offset": cell.offset_db,
            "neighbour": "",
        }
        assert change.before == had[change.parameter]


def test_where_nothing_can_be_tuned_it_says_so() -> None:
    """A lone cell on its mast, best as it stands: no change, and the state comes back as it was."""
    cell = replace(small().cells[0], neighbours=())
    lone = replace(small(), cells=(cell,), sites=small().sites[:1], digest="lone", base="lone")
    best = lone
    for _ in range(6):
        run = optimise(best)
        best = run.after.scenario
        if not run.changes:
            break
    assert run.changes == ()
    assert run.score_after == run.score_before
    assert run.after.digest == run.before.digest


def test_progress_climbs_to_one() -> None:
    told: list[tuple[float, str, str]] = []
    optimise(spoiled(), progress=lambda share, words: told.append((share, words.zh, words.en)))
    shares = [share for share, *_ in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert all(zh and en and zh != en for _, zh, en in told)


def test_an_unknown_problem_is_answered_with_the_legal_list() -> None:
    with pytest.raises(UsageError, match="'rain'") as caught:
        optimise(small(), "rain")  # type: ignore[arg-type]
    assert "weak_coverage, overshoot, interference, load" in caught.value.hint


def test_trying_a_cell_scores_what_keeping_it_scores() -> None:
    """The short cut of one layer and the whole carrier agree."""
    state = compute(small())
    band = state.bands[0]
    seen = build_frame(small(), state.radio, band, count_users_on(state.bands, state.loads, 0))
    trial = Trial.start(
        state.radio, band, seen, GOALS["interference"], state.loads.dl[band.rows], cells=list(small().cells)
    )
    moved = replace(small().cells[3], electrical_tilt_deg=9.0, azimuth_deg=40.0, power_dbm=48.0, offset_db=2.0)
    tried = trial.score(3, moved)
    trial.keep(3, moved)
    assert trial.score_current() == pytest.approx(tried, abs=1e-3)
    cells = tuple(moved if cell.id == moved.id else cell for cell in small().cells)
    whole = build_bands(replace(small(), cells=cells), state.radio)[0]
    assert np.array_equal(trial.band.best, whole.best)
    assert np.array_equal(trial.band.rsrp, whole.rsrp)


def test_a_crowd_is_spread_over_the_neighbours() -> None:
    spot = Hotspot("商场", 500.0, 700.0, 60.0, 120.0)
    traffic = replace(small().traffic, hotspots=(spot,))
    crowded = replace(small(), traffic=traffic, problem="load", digest="crowd", base="crowd")
    run = optimise(crowded)
    assert max(run.before.loads.dl) > 0.9
    assert gain(run, "highest downlink PRB utilisation") < 0
    assert gain(run, "user-weighted downlink rate") > 0


def test_every_shipped_scenario_comes_with_a_search_for_its_problem() -> None:
    scenarios = [load_scenario(f"DT2026010{number}") for number in range(1, 6)]
    assert all(read_shipped_search(one, one.problem) for one in scenarios)
    edited = replace(scenarios[0], digest="edited")
    assert read_shipped_search(edited, edited.problem) is None
    assert read_shipped_search(scenarios[0], "load") is None


def test_a_simulation_of_a_shipped_scenario_is_a_replay() -> None:
    told: list[float] = []
    run = Twin().optimise("DT20260102", progress=lambda share, _: told.append(share))
    assert (run.shipped, told) == (True, [])
    found = {one.name_en: one.after - one.before for one in run.gains}
    assert found["user-weighted SINR"] > 1
    assert found["user-weighted overlap"] < 0
