"""The shipped samples read as machines do: their levels fit what is true about them."""

import pytest

from metier.packs.phm.samples import list_samples, load_sample
from metier.packs.phm.signals._severity import compute_velocity_rms, find_zone


def test_the_healthy_sample_is_rated_good_and_no_damaged_one_as_good_or_about_to_fall_apart() -> None:
    zones = {}
    for name, sample in list_samples().items():
        if sample.recipe is not None:
            record = load_sample(name)
            assert record.fs is not None
            rms = float(compute_velocity_rms(record.samples, fs=record.fs, unit=record.unit))
            zones[sample.truth, name] = find_zone(rms, machine_class="II")
    assert {zone for (truth, _), zone in zones.items() if truth == "normal"} == {"A"}
    assert {zone for (truth, _), zone in zones.items() if truth != "normal"} <= {"B", "C"}


def test_a_synthetic_sample_is_computed_once_and_cannot_be_changed() -> None:
    record = load_sample("pump")
    assert load_sample("pump") is record
    with pytest.raises(ValueError, match="read-only"):
        record.samples[0] = 1.0
