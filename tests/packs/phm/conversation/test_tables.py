"""What stands below a spectrum and after a diagnosis agrees with the verdict."""

from dataclasses import replace
from typing import Any

import pytest

from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.conversation._tables import build_envelope_chart
from metier.packs.phm.conversation._tools import _offer_next
from metier.packs.phm.diagnosis import Diagnosis
from metier.packs.phm.samples import load_sample


@pytest.fixture(scope="module")
def pump() -> Diagnosis:
    return diagnose_record(load_sample("pump"))


def test_no_fault_line_is_named_below_a_spectrum_that_has_none_above_its_alarm(pump: Diagnosis) -> None:
    named = build_envelope_chart(pump, "zh") or {}
    assert "内圈 5.4" in str(named["note"])
    weak = tuple(replace(one, score=one.alarm - 0.1) for one in pump.evidence)
    silent = build_envelope_chart(replace(pump, verdict="unknown", evidence=weak), "zh") or {}
    assert silent["note"] == "该轴承没有任何故障频率超过报警值。"
    strong = build_envelope_chart(replace(pump, verdict="unknown"), "en") or {}
    assert str(strong["note"]).startswith("Strongest fault line, above its alarm: ")


def test_what_was_just_done_is_not_offered_again() -> None:
    assert "6203" in _offer_next("6205", "zh", is_written=False)
    told = _offer_next("6203", "zh", is_written=True)
    assert ("6203" in told, "6205" in told, "写诊断报告" in told) == (False, True, False)
    assert "write the diagnosis report" in _offer_next("6203", "en", is_written=False)


def test_an_envelope_shows_three_harmonics_of_the_inner_race_and_marks_the_lines_of_the_verdict(
    pump: Diagnosis,
) -> None:
    chart: Any = build_envelope_chart(pump, "en")
    assert pump.bearing is not None
    bpfi = pump.bearing.bpfi
    assert chart["rows"][-1][0] > 3 * bpfi
    assert [one["unit"] for one in chart["columns"]] == ["×", "× median", "× median"]
    marked = [row for row in chart["rows"] if row[2] is not None]
    assert all(row[1] == row[2] for row in marked)
    for number in (1, 2, 3):
        assert min(abs(row[0] - number * bpfi) for row in marked) < 0.1, number
    assert len(marked) <= 9
    assert max(row[1] for row in chart["rows"] if row[0] > 1.3) in [row[2] for row in marked]
