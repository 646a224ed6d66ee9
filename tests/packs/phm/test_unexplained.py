"""Lines that no fault of the named bearing explains: found on a spectrum, never taken from mains, shaft or cage."""

import numpy as np
import pytest

from metier.packs.phm.bearings import find_bearing
from metier.packs.phm.diagnosis import compute_line_limits, diagnose, read_thresholds
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine, find_unexplained_lines
from metier.packs.phm.samples import Recipe, make_record
from metier.packs.phm.signals._envelope import Spectrum

SHAFT_HZ = 29.3
STEP_HZ = 0.1
NAMED = find_bearing("6203")
CAGE = NAMED.ftf


def make_spectrum(*lines_hz: float) -> Spectrum:
    amplitude = np.random.default_rng(3).rayleigh(size=6000)
    for hz in lines_hz:
        amplitude[round(hz / STEP_HZ)] = 20.0
    return Spectrum(amplitude, STEP_HZ)


def find_clear(*lines_hz: float) -> tuple[UnexplainedLine, ...]:
    found = find_unexplained_lines(make_spectrum(*lines_hz), SHAFT_HZ, NAMED)
    return tuple(one for one in found if one.score > 0.7)


@pytest.mark.parametrize(
    ("hz", "is_beat"),
    [
        pytest.param(2.44 * SHAFT_HZ, False, id="race-of-another-bearing"),
        pytest.param(0.42 * SHAFT_HZ, False, id="cage-of-another-bearing"),
        pytest.param(5 * SHAFT_HZ - 100, True, id="second-mains-line-and-shaft"),
        pytest.param(60 + 2 * SHAFT_HZ, True, id="mains-line-and-shaft"),
    ],
)
def test_a_family_of_lines_is_found_and_one_that_mains_and_shaft_may_make_is_marked(hz: float, is_beat: bool) -> None:
    found = {one.is_beat: one.hz for one in find_clear(hz, 2 * hz, 3 * hz)}
    assert found[is_beat] == pytest.approx(hz, abs=STEP_HZ)


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(CAGE, id="cage"),
        pytest.param(1.015 * CAGE, id="cage-that-slips"),
        pytest.param(1 - CAGE, id="cage-seen-from-the-shaft"),
        pytest.param(NAMED.bpfo, id="outer-race"),
        pytest.param(NAMED.bsf, id="ball-spin"),
    ],
)
def test_the_lines_of_the_named_bearing_are_explained(order: float) -> None:
    hz = order * SHAFT_HZ
    assert not any(abs(one.hz - hz) < 1 for one in find_clear(hz, 2 * hz, 3 * hz))


def test_two_lines_without_the_third_are_no_family() -> None:
    hz = 2.44 * SHAFT_HZ
    assert all(one.is_beat for one in find_clear(hz, 2 * hz))


@pytest.mark.parametrize("fault", ["outer", "inner"])
def test_weak_damage_under_the_name_of_another_bearing_is_never_called_normal(fault: str) -> None:
    recipe = Recipe(12_000, 3.0, SHAFT_HZ, find_bearing("6205"), fault, 2.5, -0.003, 7)  # type: ignore[arg-type]
    found = diagnose(make_record(recipe), fs=recipe.fs, rpm=recipe.rpm, bearing=NAMED)
    assert found.condition != "normal"
    assert "unexplained_line" in {one.code for one in found.findings}


def test_the_shipped_limits_are_what_the_rule_gives_for_the_healthy_records_that_set_them() -> None:
    shipped, seeds = read_thresholds(), (600_340, 600_102, 100_278, 100_389)
    tables = {"unexplained": shipped.unexplained, "beat": shipped.beat}
    expected = {(name, branch): limit for name, table in tables.items() for branch, limit in table.items()}
    assert compute_line_limits([range(seed, seed + 1) for seed in seeds]) == expected
