"""Severity by ISO 20816 in a conversation: unit and class are read from words, or missing; never guessed."""

import numpy as np
import pytest

from metier.packs.phm.conversation._severity_reports import CLASS_LABELS, report_severity
from metier.packs.phm.loaders import Record
from metier.packs.phm.signals._severity import MACHINE_CLASSES

FS = 5000.0


def make_record(*, unit: str = "g", kind: str = "vibration", seconds: float = 2.0) -> Record:
    time = np.arange(int(FS * seconds)) / FS
    return Record("a", "acc", 0.1 * np.sin(2 * np.pi * 50 * time), FS, unit, kind, None, None, ("acc",))


def test_the_zone_comes_with_velocity_and_limits_of_the_class() -> None:
    expected = 0.1 * 9806.65 / np.sqrt(2) / (2 * np.pi * 50)
    told = {name: report_severity(make_record(), "pump 1", name, "en", is_sample=True) for name in ("I", "II")}
    assert [one["zone"] for one in told.values()] == ["C", "B"]
    assert told["II"]["velocity_mm_s"] == pytest.approx(expected, rel=0.01)
    assert "2.8" in str(told["II"]["summary"])
    assert "simulated" in str(told["II"]["summary"])
    assert set(CLASS_LABELS) == set(MACHINE_CLASSES)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(make_record(kind="force"), id="force"),
        pytest.param(make_record(unit="?"), id="unknown-unit"),
        pytest.param(make_record(seconds=0.1), id="too-short"),
    ],
)
def test_what_cannot_be_rated_is_refused_with_the_reason_and_no_zone(record: Record) -> None:
    for language in ("zh", "en"):
        told = report_severity(record, "pump 1", "II", language, is_sample=False)
        assert told["zone"] is None
        assert "ump 1" in str(told["summary"])
