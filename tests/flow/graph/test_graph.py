"""A run plans, executes goals in parallel, reflects, plans again or reports, and always comes to an end."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from metier.errors import OperatorRefused
from metier.flow import DagTracker, FlowRequest, FlowState, Reflection, ValueStore
from metier.flow.graph import StoreSaver, run_flow
from metier.flow.roles import FlowBudget, FlowRun
from metier.json_values import JsonObject
from metier.store import Store
from tests.flow.operators import COMPUTED, record, registry
from tests.flow.rules import PeakRules

Told = list[tuple[str, JsonObject]]


def build_run(
    folder: Path, rules: PeakRules | None, told: Told, replies: Sequence[str] = (), **more: object
) -> FlowRun:
    async def emit(kind: str, data: JsonObject) -> None:
        told.append((kind, data))

    waiting, asked = list(replies), more.pop("asked", [])

    async def ask(role: str, prompt: str) -> str:
        asked.append((role, prompt))  # type: ignore[attr-defined]
        return waiting.pop(0)

    return FlowRun(
        FlowRequest("Where is the peak?", "en"),
        registry(),
        {"ch1": record()},
        folder,
        ValueStore(folder / "values"),
        emit,
        lambda: 0.0,
        rules=rules,
        ask=ask if replies else None,
        **more,  # type: ignore[arg-type]
    )


async def test_goals_run_in_parallel_and_a_second_round_starts_from_what_was_learnt(tmp_path: Path) -> None:
    told: Told = []
    state = await run_flow(build_run(tmp_path, PeakRules(), told), None, "t")
    assert [kind for kind, _ in told if kind != "flow.node"] == ["flow.planned", "reflect", "flow.planned", "reflect"]
    assert list(state.dags) == ["a", "b", "c", "d"]
    assert state.facts["factor"] == 3
    assert [one.decision for one in state.reflections] == ["replan", "halt"]
    assert state.reflections[-1].keep == {"d4": "the clearest peak"}
    assert state.final_report.startswith("**Conclusion:** the largest line is at 8 Hz.")
    nodes = {str(data["node"]): data for kind, data in told if kind == "flow.node"}
    assert set(nodes) == {node for dag in state.dags.values() for node in dag.nodes}
    assert nodes["c2"]["cached"] is True  # the first goal of the second round is the same as before
    assert nodes["a2"]["points"]
    assert json.dumps(told)


async def test_a_patch_adds_to_what_was_kept(tmp_path: Path) -> None:
    def judge(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return Reflection(state.round > 1, "more", "patch", {"a2": "a good spectrum"}, {"factor": state.round + 2})

    state = await run_flow(build_run(tmp_path, PeakRules(judge), []), None, "t")
    assert [node.op_name for node in state.dags["d"].nodes.values()][:2] == ["", "spectrum"]


async def test_every_run_comes_to_an_end(tmp_path: Path) -> None:
    def never(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return Reflection(False, f"round {state.round}", "replan", {}, {"factor": state.round + 5})

    def same(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return Reflection(False, "again", "replan")

    def halt(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return Reflection(False, "the data is useless", "halt")

    unknown: JsonObject = {"op_name": "spektrum", "params": {}, "inputs": ["a1"]}
    misfit: JsonObject = {"op_name": "peak", "params": {}, "inputs": ["a1"]}
    good: JsonObject = {"op_name": "scale", "params": {"factor": 4}, "inputs": ["a1"]}
    cases = {
        "endless replan": (PeakRules(never), {}, 3, "after 3 rounds"),
        "the same plan": (PeakRules(same), {}, 1, "the same as the last one"),
        "halt": (PeakRules(halt), {}, 1, "useless"),
        "stop at once": (PeakRules(halt, moves=[{"op_name": "stop"}]), {}, 1, "useless"),
        "unknown operator": (PeakRules(halt, moves=[unknown] * 9, goals=1), {"a": ("fruitless", "spectrum")}, 1, ""),
        "misfit": (PeakRules(halt, moves=[misfit] * 9, goals=1), {"a": ("fruitless", "takes 'spectrum'")}, 1, ""),
        "repeated call": (
            PeakRules(halt, moves=[good] * 9, goals=1),
            {"a": ("fruitless", "before: its node is a2")},
            1,
            "",
        ),
        "no goals": (PeakRules(goals=0), {}, 0, "No plan could be made"),
    }
    for case, (rules, ends, rounds, reason) in cases.items():
        state = await run_flow(build_run(tmp_path / case, rules, []), None, "t")
        assert state.round == rounds, case
        assert reason in state.reflections[-1].reason, case
        for dag, (end, note) in ends.items():
            told = state.dag_state[dag]
            assert isinstance(told, Mapping)
            assert told["end"] == end, case
            assert note in str(told["note"]), case
    run = build_run(tmp_path / "steps", PeakRules(halt), [], budget=FlowBudget(steps=1))
    state = await run_flow(run, None, "t")
    assert {one["end"] for one in state.dag_state.values()} == {"steps"}  # type: ignore[index, call-overload]
    late = build_run(tmp_path / "late", PeakRules(never), [])
    late.elapsed_s = lambda: 1e6
    assert "time for this analysis" in (await run_flow(late, None, "t")).reflections[-1].reason


async def test_a_refused_operator_is_recorded_and_its_siblings_go_on(tmp_path: Path) -> None:
    async def check(op_name: str, params: JsonObject) -> None:
        if op_name == "scale":
            raise OperatorRefused("skill 'x' forbids 'scale'", hint="allowed: spectrum, peak")

    told: Told = []
    state = await run_flow(build_run(tmp_path, PeakRules(), told, check=check), None, "t")
    assert {node.state for node in state.dags["a"].nodes.values()} == {"done"}
    failed = [node for node in state.dags["b"].nodes.values() if node.state == "failed"]
    assert [node.error for node in failed][:1] == ["skill 'x' forbids 'scale'"]


async def test_a_model_plans_acts_judges_and_reports_and_unreadable_replies_are_sent_back_twice(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    replies = [
        "Sure! Here is the plan",
        "1. Look at the spectrum",
        *['{"op_name": "spectrum", "params": {}}', "no json", '```json\n{"op_name": "stop"}\n```'],
        '{"is_sufficient": false, "reason": "no peak", "decision": "replan", "keep": {"a2": "clean", "z9": "no"}}',
        "1. Look at the peak",
        *['{"op_name": "spectrum"}', '{"op_name": "peak", "params": {}, "inputs": ["b2"]}', '{"op_name": "stop"}'],
        '{"is_sufficient": true, "reason": "a clear peak at 8 Hz", "decision": "halt"}',
        "# Peak at 8 Hz\n\nSee b3.",
    ]
    run = build_run(tmp_path, None, [], replies, asked=asked, budget=FlowBudget(goals=1))
    state = await run_flow(run, None, "t")
    assert state.final_report == "# Peak at 8 Hz\n\nSee b3."
    assert [one.keep for one in state.reflections] == [{"a2": "clean"}, {}]
    assert [role for role, _ in asked].count("planner") == 3
    assert "could not be used: it is no numbered list" in asked[1][1]
    planner = [prompt for role, prompt in asked if role == "planner"][-1]
    assert "Feedback: no peak" in planner
    executor = next(prompt for role, prompt in asked if role == "executor")
    assert '"op_name": "peak"' in executor
    assert "Your goal: Look at the" in executor


async def test_rules_overrule_a_model_that_is_content_too_early(tmp_path: Path) -> None:
    replies = [
        "1. x",
        '{"op_name": "stop"}',
        "1. y",
        '{"op_name": "stop"}',
        '{"is_sufficient": true, "reason": "ok"}',
        "Done.",
    ]
    state = await run_flow(build_run(tmp_path, PeakRules(), [], replies), None, "t")
    assert [one.reason for one in state.reflections] == ["one branch only", "ok"]
    assert state.final_report.startswith("**Nothing was analysed: no operator was run.** ok\n\n---\n\n**Conclusion:**")


async def test_a_model_that_stops_at_once_or_reports_in_json_says_nothing_of_its_own(tmp_path: Path) -> None:
    judged = '{"is_sufficient": true, "reason": "seen enough", "decision": "halt"}'
    stopped = ["1. x", '{"op_name": "stop"}', judged, "The bearing is fine."]
    state = await run_flow(build_run(tmp_path, None, [], stopped, budget=FlowBudget(goals=1)), None, "t")
    assert state.final_report == "**Nothing was analysed: no operator was run.** seen enough"
    broken = ["1. x", '{"op_name": "spectrum"}', '{"op_name": "stop"}', judged, "{broken", "", "```json\n{}\n```"]
    state = await run_flow(build_run(tmp_path / "b", None, [], broken, budget=FlowBudget(goals=1)), None, "t")
    assert state.final_report == "The analysis ended without a report."


async def test_a_report_follows_what_the_rules_found_and_has_no_figure_of_its_own(tmp_path: Path) -> None:
    """The first line of a report is believed: it is never the model's where there are rules."""
    judged = '{"is_sufficient": true, "reason": "ok"}'
    done = ['{"op_name": "spectrum"}', '{"op_name": "stop"}']
    invented, honest = "# Outer race fault\n\nThe RMS is 999 g.", "```markdown\n# Peak\n\nThe line is at 8 Hz.\n```"

    def read_numbers(text: str, _: object) -> list[str]:
        return ["999"] if "999" in text else []

    reports = {}
    for name, worded in {"repaired": [invented, honest], "never": [invented] * 3}.items():
        asked: list[tuple[str, str]] = []
        replies = ["1. x", *done, "1. y", *done, judged, *worded]
        run = build_run(tmp_path / name, PeakRules(), [], replies, asked=asked, find_unknown_numbers=read_numbers)
        reports[name] = (await run_flow(run, None, "t")).final_report
        assert "not in the evidence: 999" in asked[-1][1]
    assert all(one.startswith("**Conclusion:** the largest line is at 8 Hz.") for one in reports.values())
    assert all("999" not in one for one in reports.values())
    assert reports["repaired"].endswith("*In the words of the language model:*\n\n# Peak\n\nThe line is at 8 Hz.")
    assert "wording is left out" in reports["never"]


async def test_a_model_is_told_the_instructions_of_the_skill(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    replies = [
        "1. x",
        '{"op_name": "spectrum"}',
        '{"op_name": "stop"}',
        '{"is_sufficient": true, "reason": "ok"}',
        "Ok.",
    ]
    run = build_run(tmp_path, None, [], replies, asked=asked, budget=FlowBudget(goals=1))
    run.request = replace(run.request, skill_instructions="Look below 10 Hz {first}.")
    await run_flow(run, None, "t")
    told = {role: "Look below 10 Hz {first}." in prompt for role, prompt in asked}
    assert told == {"planner": True, "executor": False, "reflector": True, "reporter": True}


async def test_an_interrupted_run_goes_on_without_computing_finished_nodes_again(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'm.db'}") as store:
        conversation = (await store.conversations.create("li")).id
        saver, told = StoreSaver(store, conversation), list[tuple[str, JsonObject]]()
        broken = build_run(tmp_path, PeakRules(), told)
        emit = broken.emit

        async def die(kind: str, data: JsonObject) -> None:
            if data.get("node") == "c2":
                raise ConnectionAbortedError
            await emit(kind, data)

        broken.emit = die
        with contextlib.suppress(ConnectionAbortedError):
            await run_flow(broken, saver, "run")
        COMPUTED.clear()
        again = build_run(tmp_path, PeakRules(), told)
        state = await run_flow(again, StoreSaver(store, conversation), "run")
        assert state.round == 2
        assert [kind for kind, _ in told].count("flow.planned") == 2
        assert COMPUTED.count("spectrum") <= 1
        assert COMPUTED.count("peak") <= 1
        assert state.final_report.startswith("**Conclusion:**")
        kept = await store.checkpoints.list(conversation)
        assert sum(len(one.content) + len(one.details) for one in kept) < 200_000
        await saver.adelete_thread("run")
        assert await store.checkpoints.list(conversation) == ()
