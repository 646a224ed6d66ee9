"""Planner, reflector and reporter: each in a model form and a rule form."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.flow._rules import FlowState, Goal, Reflection
from metier.flow.dag import DagTracker
from metier.flow.roles._prompts import planner_prompt, reflector_prompt, reporter_prompt
from metier.flow.roles._replies import ask_until_readable, read_goals, read_reflection
from metier.flow.roles._run import FlowRun
from metier.flow.roles._sentences import render_flow_sentence

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue

_MAX_NAMED: Final = 10
_FENCED: Final = re.compile(r"^```(?:markdown|md)?[ \t]*\n(.*?)\n?```$", re.DOTALL)


async def plan_goals(run: FlowRun, state: FlowState) -> tuple[Goal, ...]:
    """Goals of a round, at most as many as the budget allows; the last feedback is read. Empty if nobody can plan."""
    most = run.budget.goals
    if run.ask is not None:
        roots: JsonValue = [
            {"name": name, "shape": list(one.shape), "kind": one.kind, "unit": one.unit, "domain": one.domain}
            for name, one in run.roots.items()
        ]
        prompt = planner_prompt(
            state.user_instruction,
            state.facts,
            roots,
            state.reflection_history,
            most=most,
            language=state.language,
            skill=run.request.skill_instructions,
        )
        found = await ask_until_readable(run.ask, "planner", prompt, lambda reply: read_goals(reply, most))
        if found is not None:
            return found
    if run.rules is None:
        return ()
    return tuple(await asyncio.to_thread(run.rules.plan, state))[:most]


async def reflect_on(run: FlowRun, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
    """Judge a round: the rules look at the data; a model may ask for more than they do, never for less."""
    by_rules: Reflection | None = None
    if run.rules is not None:
        by_rules = await asyncio.to_thread(run.rules.reflect, state, dags)
    found = by_rules
    if run.ask is not None and (by_rules is None or by_rules.is_sufficient):
        findings = () if by_rules is None else (by_rules.reason, *by_rules.findings)
        exports: list[JsonObject] = [dag.export_json() for dag in dags.values()]
        skill = run.request.skill_instructions
        prompt = reflector_prompt(state.user_instruction, state.facts, exports, findings, state.language, skill=skill)
        judged = await ask_until_readable(run.ask, "reflector", prompt, read_reflection)
        if judged is not None:
            found = judged if by_rules is None else _combine(by_rules, judged)
    if found is None:
        found = Reflection(False, render_flow_sentence("no_judgement", state.language), "halt")
    known = {name for dag in dags.values() for name in dag.nodes}
    return replace(found, keep={name: why for name, why in found.keep.items() if name in known})


def _combine(rules: Reflection, model: Reflection) -> Reflection:
    return replace(
        model, keep={**model.keep, **rules.keep}, facts={**model.facts, **rules.facts}, findings=rules.findings
    )


async def write_report(run: FlowRun, state: FlowState) -> str:
    """Report in Markdown, conclusion first; what the rules found stands in it also when a model words it."""
    by_rules = "" if run.rules is None else await asyncio.to_thread(run.rules.report, state)
    if run.ask is None:
        return by_rules or render_flow_sentence("no_report", state.language)
    if not _has_results(state):  # there is nothing that a model could report on
        return "\n\n---\n\n".join(one for one in (_tell_nothing_done(state), by_rules) if one)
    judgement = state.reflections[-1].reason if state.reflections else ""
    exports: list[JsonObject] = [dag.export_json() for dag in state.dags.values()]
    prompt = reporter_prompt(
        state.user_instruction,
        state.facts,
        exports,
        judgement=judgement,
        draft=by_rules,
        language=state.language,
        skill=run.request.skill_instructions,
    )
    sources: list[JsonValue] = [state.user_instruction, state.facts, *exports, judgement, by_rules]
    worded = await ask_until_readable(run.ask, "reporter", prompt, lambda reply: _read_report(run, reply, sources))
    if worded is None:
        left_out = render_flow_sentence("report_left_out", state.language)
        return f"{by_rules}\n\n{left_out}\n" if by_rules else render_flow_sentence("no_report", state.language)
    if not by_rules:
        return worded
    # What the rules found comes first: a model may word it, and a reader believes the first line.
    return f"{by_rules}\n\n---\n\n{render_flow_sentence('explained', state.language)}\n\n{worded}"


def _read_report(run: FlowRun, reply: str, sources: "Sequence[JsonValue]") -> str:
    """The report of a reply; raises `ValueError` if it is none, or has figures that the evidence does not have."""
    worded = _FENCED.sub(r"\1", reply.strip())
    if not worded:
        raise ValueError("it is empty")
    if worded.startswith(("{", "[", "```")):
        raise ValueError("it is no report in Markdown")
    if unknown := run.find_unknown_numbers(worded, sources):
        raise ValueError(f"these figures are not in the evidence: {', '.join(unknown[:_MAX_NAMED])}")
    return worded


def _has_results(state: FlowState) -> bool:
    return any(node.state == "done" and node.inputs for dag in state.dags.values() for node in dag.nodes.values())


def _tell_nothing_done(state: FlowState) -> str:
    """Sentence for a run in which no operator gave a result, with the reason that it ended for."""
    reason = state.reflections[-1].reason if state.reflections else ""
    return " ".join(one for one in (render_flow_sentence("nothing_done", state.language), reason) if one)
