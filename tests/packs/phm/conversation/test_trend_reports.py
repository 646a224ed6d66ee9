"""Which series a question about a trend is answered with."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metier.packs.phm.conversation._trend_reports import _describe_life, report_trend
from metier.packs.phm.samples import list_samples, load_sample, make_history
from metier.packs.phm.trends import RemainingLife


def test_a_trend_is_that_of_the_machine_on_screen_and_says_so(tmp_path: Path) -> None:
    told = {asset: report_trend(asset, tmp_path, "zh") for asset in list_samples()}
    assert "没有趋势数据" in str(told["rig"]["summary"])
    assert "charts" not in told["rig"]
    del told["rig"]
    named = [asset for asset, one in told.items() if list_samples()[asset].title.zh in str(one["summary"])]
    assert named == list(told)
    steady = [asset for asset, one in told.items() if one["first_alarm"] is None]
    assert steady == [asset for asset, one in list_samples().items() if one.truth == "normal"]


def test_a_history_ends_at_the_level_of_the_record_that_is_diagnosed() -> None:
    ends = {one: make_history(one)[-1] for one in list_samples() if one != "rig"}
    levels = {one: float(np.std(load_sample(one).samples)) for one in ends}
    assert ends == pytest.approx(levels)


def test_the_chart_shows_the_level_that_the_sentence_names_between_alarm_and_failure(tmp_path: Path) -> None:
    told = report_trend("pump", tmp_path, "en")
    chart: Any = told["charts"][0]  # type: ignore[index]
    rows, (alarm, failure) = chart["rows"], (one["value"] for one in chart["thresholds"])
    history = make_history("pump")
    assert rows[-1][:2] == [len(history) - 1, pytest.approx(history[-1] / np.median(history[:200]), rel=0.02)]
    assert 1 < alarm < rows[-1][1] < failure == 8
    now = np.median([row[1] for row in rows[-5:]])
    assert f"The level is {now:.1f} times" in str(told["summary"])


def test_a_waveform_is_no_trend_and_no_other_series_is_taken_for_it(tmp_path: Path) -> None:
    np.save(tmp_path / "wave.npy", np.random.default_rng(0).standard_normal(30_000))
    told = report_trend("wave.npy", tmp_path, "en")
    assert "There is no trend of wave.npy" in str(told["summary"])
    assert (told["first_alarm"], "charts" in told) == (None, False)


def test_why_no_remaining_life_is_given_is_said_as_it_is() -> None:
    told = {
        reason: _describe_life(RemainingLife(None, reason=reason), "en") for reason in ("too_few_records", "no_growth")
    }
    told["failed"] = _describe_life(RemainingLife(0.0, 0.0, 0.0, reason="failed"), "en")
    assert {reason: text.split(":")[0] for reason, text in told.items()} == {
        "too_few_records": "There are too few records since then",
        "no_growth": "It does not grow steadily",
        "failed": "The failure level, 8 × the start, has been reached",
    }
