"""Bearing diagnosis on synthetic records of known truth and on bad input."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from metier.flow import DagTracker, FlowState, Goal, OperatorRegistry, Value, run_rules
from metier.json_values import JsonObject
from metier.packs.phm.bearings import Fault, RollingBearing, find_bearing, read_bearing
from metier.packs.phm.diagnosis import (
    BaselineRecord,
    BearingRules,
    Branch,
    BranchName,
    Diagnosis,
    Name,
    _weigh,
    conclude,
    diagnose,
    make_finding,
    make_root,
    read_thresholds,
)
from metier.packs.phm.diagnosis._also_seen import list_also_seen
from metier.packs.phm.diagnosis._reflection import FaultChoice
from metier.packs.phm.loaders import Record
from metier.packs.phm.operators import list_operators
from metier.packs.phm.reports import describe_machine, describe_verdict
from metier.packs.phm.samples import Recipe, make_healthy, make_record
from metier.packs.phm.signals._harmonics import HarmonicLine, HarmonicScore, is_shaft_multiple

BEARING = find_bearing("6205")
SECONDS = 4.0


def build(fault: Fault | None, *, strength: float = 6.0, seed: int = 7) -> tuple[np.ndarray, Recipe]:
    recipe = Recipe(12_000, SECONDS, 29.5, BEARING, fault, strength, -0.003, seed)
    return make_record(recipe), recipe


def run(signal: np.ndarray, *, rpm: float = 29.5 * 60, bearing: RollingBearing = BEARING, **more: object) -> Diagnosis:
    return diagnose(signal, fs=12_000, rpm=rpm, bearing=bearing, **more)  # type: ignore[arg-type]


def codes(found: Diagnosis) -> set[str]:
    return {one.code for one in found.findings}


def test_each_fault_of_known_truth_is_named_with_its_line() -> None:
    wrong: list[object] = []
    faults: tuple[Fault, ...] = ("outer", "inner", "ball")
    for fault in faults:
        found = run(build(fault)[0])
        best = found.evidence[0]
        if (found.verdict, found.condition, found.level) != (fault, "faulty", "confident"):
            wrong.append((fault, found.verdict, found.condition, found.level))
        if found.shown is None or (found.shown.fault, found.shown.branch) != (fault, found.decided_by):
            wrong.append((fault, found.shown))
        if best.fault != fault or abs(best.found_hz / best.expected_hz - 1) > 0.01 or not best.node:
            wrong.append((fault, best))
    assert wrong == []


def test_every_fault_above_its_alarm_beside_the_verdict_is_told_with_the_reason() -> None:
    wrong: list[object] = []
    reasons: set[str] = set()
    faults: tuple[Fault, ...] = ("outer", "inner", "ball")
    for fault in faults:
        found = run(build(fault)[0])
        above = {one.fault for one in found.evidence if one.score >= one.alarm and one.fault != found.verdict}
        told = {one.values["fault"].code: one for one in found.findings if "verdict" in one.values}  # type: ignore[union-attr]
        wrong += [(fault, above, set(told))] if above != set(told) else []
        reasons |= {one.code for one in told.values()}
    assert wrong == []
    assert reasons == {"also_shared", "also_cage"}


def test_evidence_that_does_not_fit_is_weighed_by_its_own_lines() -> None:
    told = {
        code: list_also_seen(branches, choice, read_thresholds(), BEARING, 29.5)
        for code, (choice, branches) in build_weighings().items()
    }
    assert {code: [one.code for one in findings] for code, findings in told.items()} == {
        code: [code] for code in build_weighings()
    }
    assert "318.6 Hz" in told["also_shared"][0].text("en")
    assert "106.0" not in told["also_shared"][0].text("en")


def build_weighings() -> "dict[str, tuple[FaultChoice, dict[BranchName, Branch]]]":
    """One weighing for each reason: the verdict is inner race at 159.3 Hz, its second harmonic at 318.6 Hz."""
    inner = score(159.3, 2.0, 2.0, 2.0)
    whole = Branch("prewhitened", {"inner": inner, "outer": score(105.8, 0.1, 0.1, 0.1)})
    verdict = FaultChoice("inner", whole, confident=True)
    lifted = HarmonicScore(0.8, (line(106.0, -0.1), line(210.6, 0.1), line(318.6, 2.4)))
    twice = score(105.5, 0.9, 0.9, 0.9)
    alone = Branch("kurtogram_band", {"outer": score(105.5, 1.5, 1.5, 1.5), "inner": score(159.3, 0.1, 0.1, 0.1)})
    silent = Branch("prewhitened", {"inner": score(159.3, 0.1, 0.1, 0.1), "outer": score(105.5, 0.1, 0.1, 0.1)})
    near = Branch("prewhitened", {"inner": score(159.3, 1.0, 1.0, 1.0), "outer": twice})
    cage = Branch("prewhitened", {"inner": inner, "cage": score(11.8, 0.9, 0.9, 0.9)})
    return {
        "also_shared": (verdict, {"prewhitened": replace(whole, scores={"inner": inner, "outer": lifted})}),
        "also_cage": (verdict, {"prewhitened": cage}),
        "also_weaker": (verdict, {"prewhitened": replace(whole, scores={"inner": inner, "outer": twice})}),
        "also_elsewhere": (verdict, {"prewhitened": whole, "kurtogram_band": alone}),
        "lead_small": (FaultChoice(None, near, confident=False), {"prewhitened": near}),
        "band_alone": (FaultChoice(None, None, confident=False), {"prewhitened": silent, "kurtogram_band": alone}),
    }


def test_an_unexplained_line_that_the_graph_shows_is_told_even_if_it_does_not_decide() -> None:
    found = run(build("outer", strength=12.0, seed=1)[0])
    told = [one for one in found.findings if one.code.startswith("also_line")]
    assert (found.verdict, found.level, len(told)) == ("outer", "confident", 1)
    assert float(str(told[0].values["score"])) >= float(str(told[0].values["limit"]))
    half = [_weigh._find_part(hz, 105.5) for hz in (52.75, 70.33, 105.5, 60.0, 140.67)]
    assert half == [2, 3, 1, 0, 3]


def test_a_type_that_stays_open_has_no_kept_branch_and_no_reasons_against_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = make_finding("branch_kept", kept=Name("full_band"), fault=Name("inner"), silent=Name("prewhitened"))
    monkeypatch.setattr(
        _weigh, "choose_fault", lambda branches, _: FaultChoice("inner", branches["full_band"], False, (kept,))
    )
    found = run(build("outer")[0], bearing=find_bearing("6203"))
    assert (found.verdict, "unexplained_line" in codes(found)) == ("unknown", True)
    assert not codes(found) & {"branch_kept", "also_line", "also_line_part", "also_shared"}


def line(hz: float, excess: float) -> HarmonicLine:
    return HarmonicLine(hz, hz, excess)


def score(hz: float, *excess: float) -> HarmonicScore:
    return HarmonicScore(float(np.mean(excess)), tuple(line(at * hz, one) for at, one in enumerate(excess, 1)))


def test_the_given_and_the_found_speed_are_both_told_and_the_found_one_is_not_biased() -> None:
    rates = np.array([29.41, 29.45, 29.53, 29.57, 29.6])
    errors = []
    for at, rate in enumerate(rates):
        signal = make_record(Recipe(12_000, SECONDS, float(rate), BEARING, None, 0.0, 0.0, at))
        found = diagnose(signal, fs=12_000, rpm=29.5 * 60, bearing=BEARING)
        errors.append((found.rpm or 0.0) - rate * 60)
        told = [one for one in found.findings if one.code == "speed_refined"]
        assert all(
            "1770 rpm" in one.text("zh") and f"{round(found.rpm or 0.0, 1):g} rpm" in one.text("zh") for one in told
        )
        assert bool(told) == (abs((found.rpm or 0.0) - 1770) >= 0.5)
    assert abs(float(np.mean(errors))) < 0.75, errors
    signal = make_record(Recipe(12_000, SECONDS, 29.65, BEARING, None, 0.0, 0.0, 4))
    kept = diagnose(signal, fs=12_000, rpm=29.5 * 60, bearing=BEARING)
    assert kept.rpm == pytest.approx(1770)
    assert "speed_kept" in codes(kept)


def test_healthy_records_raise_no_alarm() -> None:
    alarms = []
    for seed in range(700_001, 700_021):
        signal, recipe = make_healthy(seed)
        found = diagnose(signal, fs=recipe.fs, rpm=recipe.rpm, bearing=recipe.bearing)
        is_hidden = any(is_shaft_multiple(recipe.bearing.orders[race]) for race in ("outer", "inner"))
        if found.alarm or found.verdict != ("unknown" if is_hidden else "normal"):
            alarms.append((seed, found.condition, codes(found)))
    assert alarms == []


def test_a_speed_that_is_off_by_4_percent_is_corrected_and_told() -> None:
    signal, recipe = build("outer")
    for share in (0.96, 1.04):
        found = run(signal, rpm=recipe.rpm * share)
        assert (found.verdict, found.level) == ("outer", "confident")
        assert found.rpm == pytest.approx(recipe.rpm, abs=5)
        assert "speed_wrong" in codes(found)
        assert run(signal, rpm=recipe.rpm * share, reflect=False).verdict != "outer"


def test_mains_lines_near_the_speed_of_a_motor_are_not_taken_for_its_shaft() -> None:
    recipe = Recipe(12_000, 2.0, 49.2, BEARING, "inner", 6.0, -0.003, 7)
    time = np.arange(24_000) / 12_000
    mains = sum(1.5 * np.cos(2 * np.pi * 50 * number * time) for number in (1, 2, 3, 4, 6))
    found = diagnose(make_record(recipe) + mains, fs=recipe.fs, rpm=recipe.rpm, bearing=BEARING)
    assert (found.verdict, "speed_wrong" in codes(found)) == ("inner", False)
    assert "speed_mains" in codes(found)


def test_half_or_twice_the_true_speed_is_told_as_a_doubt_and_leaves_the_type_open() -> None:
    signal, recipe = build("outer")
    found = {share: run(signal, rpm=recipe.rpm * share) for share in (0.5, 1.0, 2.0)}
    assert "speed_doubt" in codes(found[0.5])
    assert [(one.verdict, one.level) for one in found.values()] == [
        ("unknown", "weak"),
        ("outer", "confident"),
        ("unknown", "weak"),
    ]


def test_other_records_give_other_graphs_by_the_same_rules_as_deep_runs() -> None:
    healthy, recipe = make_healthy(700_001)
    gaps = build("inner")[0]
    gaps[100:110] = np.nan
    operators = {
        name: {str(one["op_name"]) for one in found.dag}
        for name, found in {
            "clear": run(build("outer")[0]),
            "healthy": diagnose(healthy, fs=recipe.fs, rpm=recipe.rpm, bearing=recipe.bearing),
            "gaps": run(gaps),
            "constant": run(np.full(48_000, 3.0)),
            "no bearing": diagnose(healthy, fs=recipe.fs, rpm=recipe.rpm),
        }.items()
    }
    assert ("kurtogram" in operators["clear"], "kurtogram" in operators["healthy"]) == (False, True)
    assert ("clean_record" in operators["clear"], "clean_record" in operators["gaps"]) == (False, True)
    assert operators["constant"] == operators["no bearing"] == {"input", "signal_quality"}


def test_a_wrong_bearing_gives_no_confident_verdict_and_reports_the_line() -> None:
    found = run(build("outer")[0], bearing=find_bearing("6203"))
    assert (found.level, found.verdict) == ("weak", "unknown")
    line = next(one for one in found.findings if one.code == "unexplained_line")
    assert float(str(line.values["order"])) == pytest.approx(BEARING.bpfo, rel=0.01)


def test_bad_input_is_a_finding_and_no_verdict() -> None:
    signal = build("inner")[0]
    time = np.arange(len(signal)) / 12_000
    cases = {
        "constant": np.full(48_000, 3.0),
        "mostly_not_finite": np.where(np.arange(len(signal)) % 3 == 0, np.nan, signal),
        "too_short": signal[:2_000],
        "out_of_range": signal * 1e300,
        "not_vibration": (np.sin(2 * np.pi * 29.5 * time) > 0.9).astype(float),
    }
    wrong = {
        code: (found.condition, codes(found))
        for code, given in cases.items()
        if code not in codes(found := run(given)) or (found.verdict, found.condition) != ("unknown", "undetermined")
    }
    assert wrong == {}
    gaps = signal.copy()
    gaps[100:110] = np.nan
    assert (run(gaps).verdict, codes(run(gaps)) & {"not_finite"}) == ("inner", {"not_finite"})
    assert "out_of_range" in codes(run(signal * 1e-300))
    clipped = run(np.clip(signal, *np.quantile(signal, (0.05, 0.95))))
    assert ("clipped" in codes(clipped), clipped.level) == (True, "weak")
    assert codes(diagnose(signal, fs=12_000)) == {"missing_speed", "missing_bearing"}
    assert codes(diagnose(signal, fs=0.0, rpm=1770, bearing=BEARING)) == {"missing_rate"}
    short = run(signal[:6_000], rpm=29.5 * 60 * 1.03)
    assert codes(short) >= {"short", "speed_unresolved"}
    assert short.rpm == pytest.approx(29.5 * 60 * 1.03)
    assert "low_rate" in codes(diagnose(signal, fs=200, rpm=1770, bearing=BEARING))


def test_a_record_is_called_normal_only_if_every_test_ran_and_nothing_hid_an_impact() -> None:
    def fail(*_: object) -> Value:
        raise ValueError("no memory")

    healthy, recipe = make_healthy(700_001)
    facts = {"fs": recipe.fs, "rpm": recipe.rpm, "bearing": recipe.bearing}
    assert diagnose(healthy, **facts).condition == "normal"  # type: ignore[arg-type]
    assert diagnose(np.clip(healthy, *np.quantile(healthy, (0.2, 0.8))), **facts).condition == "undetermined"  # type: ignore[arg-type]
    root = make_root(healthy, fs=recipe.fs, rpm=recipe.rpm, bearing=recipe.bearing.geometry)
    judged = {}
    for broken in ("cepstrum_prewhitening", "envelope_spectrum", "bearing_test"):
        listed = [replace(one, compute=fail) if one.op_name == broken else one for one in list_operators()]
        state = run_rules(BearingRules(), {"record": root}, OperatorRegistry(listed), FlowState(""))
        found = conclude(state.dags, state.facts)
        judged[broken] = (found.verdict, found.condition, "step_failed" in codes(found))
    assert set(judged.values()) == {("unknown", "undetermined", True)}


class UncheckedRules(BearingRules):
    """Acts as a model may that plans by itself: both branches, and no look at the quality of the record."""

    _MOVES: ClassVar = {
        "prewhitened": ("cepstrum_prewhitening", "envelope_spectrum", "bearing_test"),
        "full_band": ("envelope_spectrum", "bearing_test"),
    }

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject:
        done, moves = len(dag.nodes) - 1, self._MOVES.get(str(goal.data["branch"]), ())
        if done >= len(moves):
            return {"op_name": "stop"}
        facts: JsonObject = {"bearing": BEARING.geometry, "shaft_hz": 29.5} if moves[done] == "bearing_test" else {}
        return {"op_name": moves[done], "params": facts, "inputs": [dag.leaves()[-1]]}


def test_a_record_that_nobody_checked_has_no_level_and_is_never_called_normal() -> None:
    root = make_root(build(None)[0], fs=12_000, rpm=1770, bearing=BEARING.geometry)
    state = run_rules(UncheckedRules(), {"record": root}, OperatorRegistry(list_operators()), FlowState(""))
    found = conclude(state.dags, state.facts)
    assert set(found.branches) == {"prewhitened", "full_band"}
    assert (found.verdict, found.condition, "unchecked" in codes(found)) == ("unknown", "undetermined", True)
    judged = BearingRules().reflect(state, state.dags)
    assert (judged.is_sufficient, judged.decision) == (False, "replan")
    assert (found.rms, found.to_json()["kurtosis"]) == (None, None)
    record = Record("r", "acc", np.zeros(48_000), 12_000, "g", "vibration", 1770, None, ())
    checked = run(build(None)[0])
    assert "RMS" not in describe_machine(record, found, "en")
    assert "RMS" in describe_machine(record, checked, "en")
    assert "有效值" not in describe_machine(record, found, "zh")
    assert "有效值" in describe_machine(record, checked, "zh")


def test_a_record_that_cannot_be_used_has_no_verdict_whatever_was_tested() -> None:
    class Careless(UncheckedRules):
        _MOVES: ClassVar = {"full_band": ("signal_quality",), "prewhitened": UncheckedRules._MOVES["prewhitened"]}

    time = np.arange(48_000) / 12_000
    tacho = (np.sin(2 * np.pi * 29.5 * time) > 0.9).astype(float)
    root = make_root(tacho, fs=12_000, rpm=1770, bearing=BEARING.geometry)
    state = run_rules(Careless(), {"record": root}, OperatorRegistry(list_operators()), FlowState(""))
    found = conclude(state.dags, state.facts)
    assert (found.verdict, found.condition, "not_vibration" in codes(found)) == ("unknown", "undetermined", True)


def test_damage_that_falls_on_the_shaft_lines_is_not_excluded_by_a_normal() -> None:
    races = read_bearing("8,12.3,49.0,0")
    assert races.bpfo == pytest.approx(3, abs=0.005)
    recipe = Recipe(12_000, SECONDS, 29.5, races, "outer", 1.0, 0.0, 7)
    found = run(make_record(recipe), bearing=races)
    assert (found.verdict, found.condition) == ("unknown", "undetermined")
    balls = run(build(None)[0], bearing=find_bearing("6203"))
    assert (balls.verdict, balls.condition) == ("normal", "normal")
    assert "滚动体的故障频率与轴频的整数倍无法区分" in describe_verdict(balls, "zh")
    assert "not excluded" in describe_verdict(balls, "en")
    assert "not excluded" not in describe_verdict(run(build(None)[0]), "en")


def test_findings_are_sentences_in_both_languages() -> None:
    found = run(build("outer")[0], rpm=29.5 * 60 * 1.04)
    texts = [one.text(language) for one in found.findings for language in ("en", "zh")]
    assert texts
    assert [text for text in texts if "{" in text or "…" in text] == []


def test_a_baseline_of_the_same_machine_raises_the_limits() -> None:
    signal = build("outer", strength=1.2)[0]
    assert run(signal).alarm
    assert not run(signal, baseline=BaselineRecord(signal)).alarm
    assert not run(signal, baseline=BaselineRecord(signal, 12_000, 29.5 * 60)).alarm
    told = {
        "baseline_unlike": run(signal, baseline=BaselineRecord(signal, 48_000)),
        "baseline_unusable": run(signal, baseline=BaselineRecord(np.full(48_000, 3.0))),
    }
    assert [code for code, found in told.items() if code not in codes(found) or not found.alarm] == []


def test_bearings_are_found_by_name_and_by_geometry() -> None:
    orders = find_bearing("SKF 6205-2RS JEM").orders
    assert [round(order, 4) for order in orders.values()] == [3.5848, 5.4152, 4.7135, 0.3983]
    assert read_bearing("9, 7.94, 39.04, 0").bpfi == pytest.approx(BEARING.bpfi)
    for text in ("6206x", "2,1,5,0", "9,7,39,0,1"):
        with pytest.raises(Exception, match=r"bearing|balls"):
            read_bearing(text)
