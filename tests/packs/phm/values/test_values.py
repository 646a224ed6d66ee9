"""Values of a record against scipy, fault frequencies against their formulas, and parts that do not fit."""

import math

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt
from scipy.stats import kurtosis

from metier.packs.phm.bearings import RollingBearing
from metier.packs.phm.loaders import Record
from metier.packs.phm.requests import RecordPart, read_part
from metier.packs.phm.values import choose_channel, cut_record, report_frequencies, report_indicators, report_values
from metier.tools import ToolError

FS = 12_000.0
RANDOM = np.random.default_rng(3)
SAMPLES = 9.81 + RANDOM.standard_normal(48_000) + 8 * (RANDOM.random(48_000) > 0.999)


def make_record(samples: np.ndarray = SAMPLES, fs: float | None = FS) -> Record:
    return Record("a.csv", "acc", samples, fs, "g", "vibration", 1797.0, "6205", ("acc",))


def values_of(part: str, samples: np.ndarray = SAMPLES) -> dict[str, float]:
    told = report_values(make_record(samples), ("rms", "kurtosis"), read_part(part)[0], "a.csv", "en")["values"]
    assert isinstance(told, dict)
    return {name: float(str(value)) for name, value in told.items()}


def test_values_are_those_of_scipy_and_leave_the_mean_out() -> None:
    found = values_of("")
    assert found["rms"] == pytest.approx(SAMPLES.std(), rel=1e-4)
    assert found["mean"] == pytest.approx(SAMPLES.mean(), rel=1e-4)
    assert found["kurtosis"] == pytest.approx(kurtosis(SAMPLES, fisher=False), rel=1e-4)


def test_a_window_and_a_band_are_obeyed() -> None:
    assert values_of("the first 2 seconds")["rms"] == pytest.approx(SAMPLES[:24_000].std(), rel=1e-4)
    band = sosfiltfilt(butter(4, (500, 2000), "band", fs=FS, output="sos"), SAMPLES)
    assert values_of("500 to 2000 Hz")["rms"] == pytest.approx(band.std(), rel=1e-3)


def test_values_stand_first_with_unit_and_channel() -> None:
    told = str(report_values(make_record(), ("rms",), RecordPart(), "a.csv", "zh")["summary"])
    assert told.startswith("**有效值（RMS）：")
    assert " g**" in told.split("\n", maxsplit=1)[0]
    assert "通道 acc" in told


def test_clipping_is_told_with_a_value() -> None:
    clipped = np.clip(RANDOM.standard_normal(48_000), -1.5, 1.5)
    told = str(report_values(make_record(clipped), ("peak",), RecordPart(), "a.csv", "en")["summary"])
    assert "clipped" in told


@pytest.mark.parametrize("part", ["前10秒", "从3秒到9秒"])
def test_a_window_outside_the_record_computes_nothing(part: str) -> None:
    with pytest.raises(ToolError, match="只有 4 秒"):
        cut_record(make_record(), read_part(part)[0], "zh")


def test_channels_are_found_by_name_number_and_order() -> None:
    channels = ("DE_acc", "FE_acc", "ch12")
    assert [choose_channel(channels, one, "en") for one in ("de_acc", "2", "12", "FE")] == [
        "DE_acc",
        "FE_acc",
        "ch12",
        "FE_acc",
    ]
    with pytest.raises(ToolError, match="DE_acc"):
        choose_channel(channels, "7", "en")


def test_fault_frequencies_are_those_of_the_formulas() -> None:
    bearing = RollingBearing("own", 16, 18.0, 140.0, 10.0)
    told = report_frequencies(
        bearing, 1480.0, "BPFO BPFI BSF FTF", record=None, title="", language="en", is_own_speed=False
    )
    shaft, ratio = 1480 / 60, 18 / 140 * math.cos(math.radians(10))
    hz = told["hz"]
    assert isinstance(hz, dict)
    assert {name: float(str(value)) for name, value in hz.items()} == pytest.approx(
        {
            "BPFO": 8 * (1 - ratio) * shaft,
            "BPFI": 8 * (1 + ratio) * shaft,
            "BSF": 140 / 36 * (1 - ratio**2) * shaft,
            "FTF": 0.5 * (1 - ratio) * shaft,
        },
        abs=0.01,
    )
    assert "BPFO = n/2" in str(told["summary"])


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("峭度 5.2 正常吗", "不正常"),
        ("峭度 2.9 正常吗", "正常"),
        ("峭度 0.4 正常吗", "不可能"),
        ("峰值因子 6 高不高", "偏高"),
        ("RMS 2.3 g 正常吗", "ISO 20816"),
        ("RMS 4.5 正常吗", "机器是哪一类"),
    ],
)
def test_each_indicator_is_judged_by_its_own_rule(message: str, says: str) -> None:
    told = report_indicators(message, "zh")
    assert told is not None
    assert says in str(told["summary"])
