"""Deep runs by the pack's rules: branches in parallel, a replan for a wrong speed, the best part kept."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from metier.agent.adapters import form_for
from metier.flow import FlowForm, FlowRequest, FlowState, OperatorRegistry, Reflection, Value, run_rules
from metier.language import Language
from metier.packs.phm.deep import PhmRules
from metier.packs.phm.operators import list_operators
from metier.tools import ToolSpec


def run(instruction: str) -> tuple[FlowState, tuple[Reflection, ...]]:
    """Play the rounds of a run with the rules alone."""
    rules = PhmRules()
    roots = rules.roots(FlowRequest(instruction, "en"))
    assert isinstance(roots, Mapping)
    state = run_rules(rules, roots, OperatorRegistry(list_operators()), FlowState(instruction))
    return state, state.reflections


def test_a_wrong_speed_is_planned_anew_and_the_fault_found() -> None:
    state, reflections = run("deep analysis of conveyor 5")
    assert [one.decision for one in reflections[:-1]] == ["replan"]
    report = PhmRules().report(state)
    assert report.startswith("**Outer race damage**")
    assert "5.0 s at 12000 Hz" in report
    assert all(picture.startswith(b"\x89PNG") for picture in PhmRules().draw(state).values())
    assert list(PhmRules().draw(state)) == ["Envelope spectrum"]
    assert "1772 rpm" in report


def test_what_came_out_of_a_node_is_said_in_the_language_of_the_reader() -> None:
    state, _ = run("deep analysis of conveyor 5")
    lines = {
        (node.op_name, language): dag.describe_result(node, language)
        for dag in state.dags.values()
        for node in dag.nodes.values()
        for language in get_args(Language)
    }
    assert re.fullmatch(r"外圈：谐波得分 [\d.]+（门限 [\d.]+）", lines["bearing_test", "zh"])
    assert re.fullmatch(r"outer race: harmonic score [\d.]+ \(limit [\d.]+\)", lines["bearing_test", "en"])
    assert re.fullmatch(r"与给定.+：17\d\d rpm，轴频谱线强度 [\d.]+（门限 1.5）", lines["speed_refinement", "zh"])
    assert lines["signal_quality", "zh"] == "良好"
    assert {dag.name_node(dag.nodes[root], "zh") for dag in state.dags.values() for root in list(dag.nodes)[:1]} == {
        "5号输送机"
    }
    assert lines["fft", "zh"] == "峰值在 29.6 Hz"
    units = {"Hz", "g", "g2", "s", "rpm"}
    other, _ = run("deep analysis of pump 1 with 6203 and the kurtogram band")
    told = {
        (node.op_name, dag.describe_result(node, "zh"))
        for one in (state, other)
        for dag in one.dags.values()
        for node in dag.nodes.values()
    }
    assert {op_name for op_name, _ in told} >= {"unexplained_lines", "kurtogram"}
    assert [line for _, line in told if set(re.findall(r"[A-Za-z]\w*", line)) - units] == []


def test_the_branch_that_finds_the_fault_is_kept() -> None:
    _state, reflections = run("deep analysis of the test rig")
    assert "the full-band envelope finds inner race" in reflections[-1].reason
    assert list(reflections[-1].keep)


def test_other_signals_and_instructions_give_other_dags() -> None:
    healthy, reflections = run("deep analysis of blower 4")
    assert [one.decision for one in reflections] == ["patch", "halt"]
    assert any(node.op_name == "kurtogram" for dag in healthy.dags.values() for node in dag.nodes.values())
    assert PhmRules().report(healthy).startswith("**No sign of bearing damage.**")
    asked, _ = run("deep analysis of pump 1 with the kurtogram band")
    assert len(asked.dags) == 3


def test_a_doubt_that_only_the_user_can_settle_is_asked_once_and_its_answer_decides() -> None:
    rules, registry = PhmRules(), OperatorRegistry(list_operators())
    asked: dict[str, tuple[str, int | str]] = {
        "deep analysis of pump 1 at 885 rpm": ("rpm", 1770),
        "deep analysis of pump 1 with 6203": ("bearing", "6205"),
    }
    wrong = {}
    for words, (name, answer) in asked.items():
        roots = rules.roots(FlowRequest(words, "en"))
        assert isinstance(roots, Mapping)
        first = run_rules(rules, roots, registry, FlowState(words))
        form = first.reflections[-1].ask
        assert form is not None
        (key,) = map(str, form.schema["required"])  # type: ignore[arg-type]
        told = run_rules(rules, roots, registry, replace(first, answers={key: answer}, high_level_plan=(), dags={}))
        report = rules.report(told)
        if not key.startswith(f"{name}_") or not report.startswith("**Inner race damage**"):
            wrong[words] = (form, report)
    assert wrong == {}


def test_a_bearing_or_speed_that_cannot_be_is_asked_for_and_not_replaced_by_the_known_one() -> None:
    rules = PhmRules()
    asked: dict[str, dict[str, int | str]] = {
        "deep analysis of pump 1 with bearing 6309": {"bearing_6309": "9,7.94,39.04,0"},
        "deep analysis of pump 1 at 0 rpm": {"rpm": 1770},
    }
    wrong = {}
    for words, answer in asked.items():
        form = rules.roots(FlowRequest(words, "en", facts={"bearing": "6205"}))
        assert isinstance(form, FlowForm)
        (key,) = map(str, form.schema["required"])  # type: ignore[arg-type]
        ((name, value),) = answer.items()
        roots = rules.roots(FlowRequest(words, "en", facts={"bearing": "6205", key: value}))
        if not key.startswith(name) or not isinstance(roots, Mapping) or answer.items() - _told(roots):
            wrong[words] = (key, roots)
    assert wrong == {}


def _told(roots: Mapping[str, Value]) -> set[tuple[str, object]]:
    notes = next(iter(roots.values())).notes
    return {("rpm", notes["rpm"]), ("bearing_6309", notes["bearing"])}


def test_records_to_choose_from_have_their_names_in_the_language_asked() -> None:
    for words in ("用示例数据做深度诊断", "对9号泵做深度诊断"):
        form = PhmRules().roots(FlowRequest(words, "zh"))
        assert isinstance(form, FlowForm), words
        shown: Any = form_for(ToolSpec("analysis", form.title, form.schema), {}, language="zh").to_json()
        labels = [one["label"] for one in shown["fields"][0]["options"]]
        assert "5号输送机" in labels, words
        assert "conveyor" not in labels, words


def test_what_is_missing_is_asked_for(tmp_path: Path) -> None:
    import numpy as np

    np.save(tmp_path / "x.npy", np.random.default_rng(0).standard_normal(5000))
    form = PhmRules().roots(FlowRequest("deep analysis of x.npy", "en", (tmp_path / "x.npy",)))
    assert isinstance(form, FlowForm)
    keys = [str(key) for key in form.schema["required"]]  # type: ignore[union-attr]
    assert [key.partition("_")[0] for key in keys] == ["fs", "rpm", "bearing"]
    assert "x.npy" in form.title
    given = FlowRequest("x", "en", (tmp_path / "x.npy",), dict(zip(keys, (5000, 600, "6205"), strict=True)))
    assert isinstance(PhmRules().roots(given), Mapping)
    kept = PhmRules().roots(FlowRequest("deep analysis of x.npy", "en", (tmp_path / "x.npy",)))
    assert isinstance(kept, Mapping), "what was told is kept beside the record"


def test_what_was_told_about_one_record_is_not_taken_for_another() -> None:
    words = "deep analysis of pump 1"
    plain = PhmRules().roots(FlowRequest(words, "en"))
    told: dict[str, Any] = {"asset": "x.npy", "fs": 5000, "rpm": 600, "bearing": "6203"}
    others = PhmRules().roots(FlowRequest(words, "en", facts=told))
    own = PhmRules().roots(FlowRequest(words, "en", facts={**told, "asset": "pump"}))
    roots = [next(iter(one.values())) for one in (plain, others, own) if isinstance(one, Mapping)]
    assert [(one.axis.rate, one.notes["bearing"]) for one in roots if one.axis is not None] == [
        (12_000, "6205"),
        (12_000, "6205"),
        (5000, "6203"),
    ]
