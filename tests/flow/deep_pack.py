"""A pack for deep runs, written into a folder: one skill, the operators and rules of these tests."""

import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from metier.flow import DagTracker, FlowForm, FlowState, Goal, Operator, Port, Reflection, Value
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText
from metier.pack import Pack, PackContext, read_pack
from tests.flow.operators import operators as listed
from tests.flow.rules import PeakRules, find_best

SKILL = """---
name: find-peak
title: 找峰值
description: 对信号做深度分析，找出最大的谱线 (deep analysis of a signal, the largest line)
triggers: [找峰值, find the peak]
mode: deep
{more}
---

Find the largest line.
"""
TOML = """
id = "peaks"
version = "1.0.0"
title = {{ zh = "峰值", en = "Peaks" }}
description = {{ zh = "找峰值", en = "Finds peaks" }}
skills = "skills"
operators = ["tests.flow.deep_pack:operators"]
flow = "tests.flow.deep_pack:{flow}"
"""


def write_pack(folder: Path, *, flow: str = "flow", more: str = "") -> Pack:
    (folder / "skills").mkdir(parents=True)
    (folder / "pack.toml").write_text(TOML.format(flow=flow), "utf-8")
    (folder / "skills" / "find-peak.md").write_text(SKILL.format(more=more), "utf-8")
    return read_pack(folder)


def kill_once(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    """Kill this process the first time; the file says that it happened."""
    mark = Path(str(params["mark"]))
    if not mark.exists():
        mark.write_text("killed")
        os.kill(os.getpid(), signal.SIGKILL)
    return inputs[0]


def operators(context: PackContext) -> list[Operator]:
    any_port = Port("any")
    mark: JsonObject = {"type": "object", "properties": {"mark": {"type": "string"}}}
    text = BilingualText("终止", "kills the process once")
    return [*listed(), Operator("kill_once", "transform", text, mark, (any_port,), any_port, kill_once)]


def flow(context: PackContext) -> PeakRules:
    return PeakRules()


def asking(context: PackContext) -> PeakRules:
    return PeakRules(needs="rate")


def doubting(context: PackContext) -> PeakRules:
    """The first round leaves a question that only the user can answer."""

    def judge(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        if state.round < 2 and not state.answers:
            schema: JsonObject = {"type": "object", "properties": {"factor": {"type": "number", "title": "Factor"}}}
            return Reflection(False, "the scale is in doubt", "replan", ask=FlowForm("Which factor?", schema))
        return find_best(replace(state, round=2), dags)

    return AnsweredRules(judge)


class AnsweredRules(PeakRules):
    """Plans with what the user answered."""

    def plan(self, state: FlowState) -> Sequence[Goal]:
        return super().plan(replace(state, facts={**state.facts, **state.answers}))


class DyingRules(PeakRules):
    """Goal one dies after its spectrum; both go on after the restart."""

    mark = ""

    def act(self, goal, dag):  # type: ignore[no-untyped-def]
        names = [node.op_name for node in dag.nodes.values()]
        if "spectrum" in names and "kill_once" not in names:
            return {"op_name": "kill_once", "params": {"mark": self.mark}, "inputs": [list(dag.nodes)[-1]]}
        return super().act(goal, dag)


def dying(context: PackContext) -> PeakRules:
    rules = DyingRules(find_best)
    rules.mark = str(context.settings.storage_dir / "killed")
    return rules
