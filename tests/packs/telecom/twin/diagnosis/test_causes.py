import gc
import re
from dataclasses import replace
from weakref import ref

import numpy as np
import pytest

from metier.packs.telecom.twin import (
    EVIDENCE_COLUMNS,
    REMARKS,
    CauseKind,
    NetworkState,
    ParameterChange,
    RootCause,
    Scenario,
    compute,
    find_root_causes,
    load_thresholds,
)
from metier.packs.telecom.twin.diagnosis import measure
from metier.packs.telecom.twin.diagnosis._cause_labels import CAUSE_TEXTS
from metier.packs.telecom.twin.diagnosis._causes import _round_values
from metier.packs.telecom.twin.diagnosis._thresholds import get_threshold
from metier.packs.telecom.twin.radio import landing_m, plan_band
from tests.packs.telecom.twin.support import shipped, small


def found(state: NetworkState, kind: CauseKind) -> RootCause | None:
    return next((finding for finding in find_root_causes(state) if finding.kind == kind), None)


@pytest.mark.parametrize(
    ("id", "kind", "others"),
    [
        pytest.param("DT20260101", "weak_coverage", {"tilt", "power", "access"}, id="朝阳"),
        pytest.param("DT20260102", "overshoot", {"power", "missing_neighbour"}, id="海淀"),
        pytest.param("DT20260103", "interference", {"overlap", "pilot_pollution", "tilt", "azimuth"}, id="浦东"),
        pytest.param("DT20260104", "weak_coverage", {"tilt", "access"}, id="西湖"),
        pytest.param("DT20260105", "load", {"access"}, id="天河"),
    ],
)
def test_a_shipped_scenario_has_the_problem_it_is_named_after(id: str, kind: CauseKind, others: set[CauseKind]) -> None:
    findings = find_root_causes(shipped(id))
    main = next(finding for finding in findings if finding.kind == kind)
    assert (main.severity, main.explains) == ("high", len(main.cells))
    first_symptom = next((finding.kind for finding in findings if finding.role == "symptom"), kind)
    assert main.role == "cause" or first_symptom == kind
    assert others <= {finding.kind for finding in findings}


@pytest.mark.parametrize("id", [f"DT2026010{number}" for number in range(1, 6)])
def test_a_finding_brings_its_evidence_its_limits_and_both_languages(id: str) -> None:
    state = shipped(id)
    for finding in find_root_causes(state):
        assert finding.evidence.headers[:3] == ("小区id", "经度", "纬度")
        assert {row[0] for row in finding.evidence.rows} == set(finding.cells)
        assert all(len(row) == len(finding.evidence.headers) for row in finding.evidence.rows)
        assert finding.thresholds
        assert finding.cells[0] in finding.sentence_zh
        assert finding.cells[0] in finding.sentence_en
        assert "{" not in finding.sentence_zh + finding.sentence_en
        assert not re.search("[一-龥]", finding.sentence_en + finding.title_en + finding.advice_en)


@pytest.mark.parametrize("id", [f"DT2026010{number}" for number in range(1, 6)])
def test_every_column_and_remark_of_the_evidence_has_english_words(id: str) -> None:
    for finding in find_root_causes(shipped(id)):
        assert set(finding.evidence.headers) <= set(EVIDENCE_COLUMNS)
        remarks = {value for row in finding.evidence.rows for value in row[3:] if re.search("[一-龥]", str(value))}
        assert remarks <= set(REMARKS)


def test_a_sentence_says_its_units() -> None:
    finding = found(shipped("DT20260101"), "weak_coverage")
    assert finding is not None
    assert re.search(r"\(mean RSRP -\d+\.\d+ dBm, MR coverage \d+\.\d+ %, weak samples", finding.sentence_en)
    assert re.search(r"（RSRP均值 -\d+\.\d+ dBm，MR覆盖率 \d+\.\d+ %，", finding.sentence_zh)


def test_weak_cells_are_exactly_those_over_the_limit() -> None:
    state = shipped("DT20260104")
    finding = found(state, "weak_coverage")
    assert finding is not None
    share = finding.evidence.headers.index("弱覆盖样本占比")
    assert all(float(row[share] or 0) > 10 for row in finding.evidence.rows)
    band, users = state.bands[0], state.radio.ground.users
    weak = [
        state.scenario.cells[row].id
        for number, row in enumerate(band.rows)
        if (users * (band.level < -110))[band.best == number].sum() > 0.1 * users[band.best == number].sum()
    ]
    assert set(weak) == {id for id in finding.cells if state.scenario.get_cell(id).carrier == band.carrier.name}


def test_a_lost_relation_is_found_and_mending_it_ends_the_finding() -> None:
    cells = tuple(replace(cell, neighbours=()) if cell.id == "460-00-100001" else cell for cell in small().cells)
    state = compute(replace(small(), cells=cells, digest="cut"))
    finding = found(state, "missing_neighbour")
    assert finding is not None
    assert finding.cells == ("460-00-100001",)
    missing = [str(row[3]) for row in finding.evidence.rows]
    mended = compute(state.scenario, [ParameterChange("460-00-100001", "neighbour", "", other) for other in missing])
    assert found(mended, "missing_neighbour") is None
    assert mended.cell_values["handover"][0] > state.cell_values["handover"][0]


def test_a_crowd_is_overload_and_few_people_are_not() -> None:
    assert found(compute(_with_users(20)), "load") is None
    crowded = found(compute(_with_users(4000)), "load")
    assert crowded is not None
    assert crowded.severity == "high"


def test_cells_turned_down_and_tilted_to_the_ground_are_weak_and_suspected() -> None:
    quiet = small().cells[:3]
    changes = [ParameterChange(cell.id, "tilt", 5.0, 20.0) for cell in quiet]
    changes += [ParameterChange(cell.id, "power", 46.0, 16.0) for cell in quiet]
    # The other sites are too far to help, and keep the median of the carrier where it was.
    cells = tuple(
        cell if cell.site == "S1" else replace(cell, electrical_tilt_deg=20.0, azimuth_deg=90.0)
        for cell in small().cells
    )
    state = compute(replace(small(), cells=cells, digest="turned"), changes)
    kinds = {finding.kind: finding for finding in find_root_causes(state)}
    assert set(kinds["power"].cells) <= {cell.id for cell in quiet}
    assert kinds["weak_coverage"].cells
    assert "下倾角过大" in {row[-1] for row in kinds["tilt"].evidence.rows}
    assert {row[-1] for row in kinds["power"].evidence.rows} == {"功率偏低"}


def test_every_kind_has_words_and_every_limit_a_meaning() -> None:
    assert all(limit.meaning_zh and limit.meaning_en for limit in load_thresholds().values())
    assert {"weak_rsrp", "weak_share", "mr_coverage", "overlap_cells", "overshoot_area"} <= set(load_thresholds())
    assert [load_thresholds()[name].value for name in ("prb_light", "prb_busy", "prb_high")] == [40, 70, 80]
    assert [load_thresholds()[name].value for name in ("rrc_success", "handover_success")] == [95, 98]
    assert all(words.title_zh and words.title_en and words.advice_zh for words in CAUSE_TEXTS.values())


def test_every_point_is_planned_for_the_nearest_site() -> None:
    state = compute(small())
    planned = plan_band(state.scenario, state.radio, state.bands[0])
    assert planned.points.sum() == 1600
    sites = [cell.site for cell in small().cells]
    nearest = np.min([state.radio.flat_m[id] for id in ("S1", "S2", "S3")], axis=0)
    own = np.array([state.radio.flat_m[sites[row]][point] for point, row in enumerate(planned.owner)])
    assert np.array_equal(own, nearest)


def test_a_beam_without_tilt_never_lands() -> None:
    flat = replace(small().cells[0], mechanical_tilt_deg=0.0, electrical_tilt_deg=0.0)
    assert landing_m(flat) == float("inf")
    # (28 − 1.5) / tan 7°
    assert landing_m(small().cells[0]) == pytest.approx(215.83, abs=0.01)


def test_a_louder_cell_stands_out_of_its_carrier() -> None:
    state = compute(small(), [ParameterChange("460-00-100005", "power", 46.0, 52.0)])
    assert measure(state).power_gap.tolist() == [0, 0, 0, 0, 6, 0, 0, 0, 0]


def test_a_state_is_measured_once_and_forgotten_with_its_measures() -> None:
    state = compute(small())
    assert measure(state) is measure(state)
    assert not measure(state).area.flags.writeable
    gone = ref(state)
    del state
    gc.collect()
    assert gone() is None


def test_a_state_without_powers_is_its_own() -> None:
    state = compute(small()).drop_powers()
    assert state.drop_powers() is state


def _with_users(users: float) -> Scenario:
    return replace(small(), traffic=replace(small().traffic, users=users))


def test_interference_has_causes_of_its_own_where_coverage_is_the_scenarios_problem() -> None:
    state = shipped("DT20260101")
    coverage = [one.title_zh for one in find_root_causes(state, "weak_coverage") if one.role == "cause"]
    interference = find_root_causes(state, "interference")
    causes = [one.title_zh for one in interference if one.role == "cause"]
    assert coverage[:2] == ["下倾角过大", "功率偏低"]
    assert not {"下倾角过大", "功率偏低", "高负荷"} & set(causes)
    assert {"下倾角过大", "功率偏低"} <= {one.title_zh for one in interference if one.role == "other"}
    main = next(one for one in interference if one.kind == "interference")
    assert (main.role, main.explains) == ("symptom", len(main.cells))
    assert [one.role for one in interference] == sorted(
        (one.role for one in interference), key=["cause", "symptom", "other"].index
    )


def test_weak_coverage_does_not_count_the_cells_of_an_overshoot() -> None:
    state = shipped("DT20260102")  # its own problem is overshoot
    findings = find_root_causes(state, "weak_coverage")
    assert "overshoot" not in {one.kind for one in findings if one.role == "cause"}
    for one in findings:
        if one.role == "cause":
            assert {row[-1] for row in one.evidence.rows} <= {"下倾角过大", "功率偏低"}
    assert {one.kind for one in find_root_causes(state)} == {one.kind for one in findings}  # nothing is left out


@pytest.mark.parametrize("id", [f"DT2026010{number}" for number in range(1, 6)])
def test_interference_is_where_the_signal_suffices_and_low_sinr_of_weak_cells_comes_from_weak_coverage(id: str) -> None:
    state = shipped(id)
    by_kind = {one.kind: set(one.cells) for one in find_root_causes(state)}
    weak = by_kind.get("weak_coverage", set())
    low = {cell.id for cell, sinr in zip(state.scenario.cells, state.cell_values["sinr"], strict=True) if sinr < 10}
    assert by_kind.get("interference", set()) == low - weak
    assert by_kind.get("low_sinr", set()) == low & weak
    roles = {one.kind: one.role for one in find_root_causes(state, "weak_coverage")}
    assert roles.get("low_sinr", "symptom") == "symptom"


@pytest.mark.parametrize("problem", ["weak_coverage", "interference"])
@pytest.mark.parametrize("id", [f"DT2026010{number}" for number in range(1, 6)])
def test_load_and_missing_neighbours_cause_neither_weak_signal_nor_interference(id: str, problem: str) -> None:
    causes = {one.kind for one in find_root_causes(shipped(id), problem) if one.role == "cause"}
    assert not causes & {"load", "missing_neighbour"}


@pytest.mark.parametrize("limit", ["handover_success", "rrc_success", "sinr_fair", "weak_share", "prb_busy"])
@pytest.mark.parametrize("beside", [-0.04, -0.0004, 0.04, 0.0004])
def test_a_value_beyond_a_limit_is_never_shown_as_the_limit(limit: str, beside: float) -> None:
    bound = get_threshold(limit)
    (shown,) = _round_values(np.array([bound + beside]), [0], limit=limit)
    assert isinstance(shown, float)
    assert (shown < bound) == (beside < 0)
    assert _round_values(np.array([bound - 3.16]), [0], limit=limit) == [round(bound - 3.16, 1)]
