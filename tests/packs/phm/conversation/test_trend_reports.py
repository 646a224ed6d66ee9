"""Which series a question about a trend is answered with."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metier.packs.phm._severity import rank_urgency, rate_severity
from metier.packs.phm.conversation._assets import load_asset
from metier.packs.phm.conversation._trend_reports import _describe_life, report_fleet, report_trend
from metier.packs.phm.samples import list_samples, load_sample, make_history
from metier.packs.phm.trends import RemainingLife, follow_health


def test_a_trend_is_that_of_the_machine_on_screen_and_says_so(tmp_path: Path) -> None:
    told = {asset: report_trend(asset, tmp_path, "zh") for asset in list_samples()}
    assert "没有趋势数据" in str(told["rig"]["summary"])
    assert "charts" not in told["rig"]
    del told["rig"]
    named = [asset for asset, one in told.items() if list_samples()[asset].title.zh in str(one["next"])]
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
    assert f"(median of the last five records) is {now:.1f} times" in str(told["summary"])


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


def test_the_worst_machine_is_the_one_furthest_above_its_healthy_level_not_the_surest_verdict(tmp_path: Path) -> None:
    told = report_fleet(tmp_path, "zh")
    order: Any = told["order"]
    assert f"诊断{order[0]}的轴承" in str(told["next"])
    table: Any = told["tables"][0]  # type: ignore[index]
    keys = [one["key"] for one in table["columns"]]
    rows = [dict(zip(keys, row, strict=True)) for row in table["rows"]]
    trends = {list_samples()[one].title.zh: follow_health(make_history(one)).ratio for one in ("pump", "fan", "blower")}
    assert {row["machine"]: row["ratio"] for row in rows if row["machine"] in trends} == {
        machine: round(ratio, 1) for machine, ratio in trends.items()
    }
    faulty = [row["severity"] for row in rows if row["condition"] == "有故障"]
    assert faulty == sorted(faulty, reverse=True)
    sure = max(rows, key=lambda row: row["confidence"])
    assert rows[0]["machine"] == "1号泵" != sure["machine"]
    assert "1号泵" in str(told["summary"])
    assert [(row["fault"], row["level"]) for row in rows if row["condition"] == "正常"] == [(None, None)]
    assert {row["level"] for row in rows if row["fault"]} <= {"证据清楚", "证据偏弱"}


def test_condition_comes_before_severity_and_severity_before_the_strength_of_the_evidence() -> None:
    assert rate_severity(6.0) == 2.0
    assert rate_severity(3.0, 4.8) == 4.8  # damage that has spread is no longer impulsive
    keys = [
        rank_urgency("faulty", 2.0, 9.0),
        rank_urgency("normal", 9.0, 9.0),
        rank_urgency("faulty", 4.8, 0.1),
        rank_urgency("suspect", 9.0, 9.0),
        rank_urgency("faulty", 2.0, 1.0),
    ]
    assert sorted(keys) == [keys[2], keys[0], keys[4], keys[3], keys[1]]


def test_a_bearing_on_trial_in_the_conversation_is_named_where_the_fleet_is_screened(tmp_path: Path) -> None:
    assert "试用" not in str(report_fleet(tmp_path, "zh")["summary"])
    load_asset("pump", tmp_path, bearing="6203")
    assert "1号泵按本次对话里试用的轴承 6203 计算，登记的是 6205" in str(report_fleet(tmp_path, "zh")["summary"])
    assert "pump 1 is computed with bearing 6203" in str(report_fleet(tmp_path, "en")["summary"])
    load_asset("pump", tmp_path, bearing="6205")
    assert "试用" not in str(report_fleet(tmp_path, "zh")["summary"])
