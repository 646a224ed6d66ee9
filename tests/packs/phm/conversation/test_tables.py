"""What stands below a spectrum and after a diagnosis agrees with the verdict."""

from dataclasses import replace
from typing import Any

import pytest

from metier.agent.results import read_chart
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.conversation._tables import build_envelope_chart
from metier.packs.phm.conversation._tools import _offer_next
from metier.packs.phm.diagnosis import Diagnosis, list_cursors
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


def test_an_envelope_shows_three_harmonics_of_the_inner_race_and_where_each_would_be_an_alarm(pump: Diagnosis) -> None:
    chart: Any = build_envelope_chart(pump, "en")
    assert pump.bearing is not None
    bpfi = pump.bearing.bpfi
    assert chart["rows"][-1][0] > 3 * bpfi
    assert [one["unit"] for one in chart["columns"]] == ["×", "× median", "× median"]
    limited = [row for row in chart["rows"] if row[2] is not None]
    for number in (1, 2, 3):
        near = [row for row in limited if abs(row[0] - number * bpfi) < 0.1]
        assert max(row[1] for row in near) > near[0][2] > 1, number
    assert len(limited) < len(chart["rows"]) / 3


def test_cursors_lie_at_every_fault_frequency_and_the_shaft_with_harmonics_and_side_bands(pump: Diagnosis) -> None:
    chart: Any = build_envelope_chart(pump, "zh")
    read_chart(chart)
    assert pump.bearing is not None
    assert [one["title"] for one in chart["cursors"]] == ["BPFI", "BPFO", "2×BSF", "FTF", "1×"]
    cursors = {one["title"]: one for one in chart["cursors"]}
    expected = {"BPFO": pump.bearing.bpfo, "2×BSF": 2 * pump.bearing.bsf, "FTF": pump.bearing.ftf, "1×": 1.0}
    for title, order in expected.items():
        assert cursors[title]["at"] == pytest.approx([order, 2 * order, 3 * order], abs=2e-3), title
    found = cursors["BPFI"]["at"]
    assert found[0] == pytest.approx(pump.bearing.bpfi, rel=0.01)
    assert cursors["BPFI"]["sides"] == pytest.approx([at + side for at in found for side in (-1, 1)], abs=2e-3)
    cage = pump.bearing.ftf
    balls = cursors["2×BSF"]
    assert balls["sides"] == pytest.approx([at + side * cage for at in balls["at"] for side in (-1, 1)], abs=2e-3)
    assert "sides" not in cursors["BPFO"]
    assert min(max(row[1] for row in chart["rows"] if abs(row[0] - at) < 0.1) for at in found) > 5


def test_a_fault_that_was_not_found_has_its_cursor_where_the_bearing_would_have_it(pump: Diagnosis) -> None:
    cursors = list_cursors(replace(pump, verdict="unknown"))
    assert pump.rpm is not None
    assert pump.bearing is not None
    assert not any(one.is_found for one in cursors)
    assert cursors[0].harmonics_hz[0] == pytest.approx(pump.bearing.bpfi * pump.rpm / 60)
    assert list_cursors(replace(pump, bearing=None)) == ()
