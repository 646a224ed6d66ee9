"""Runs a deep skill as a turn: reads its data, runs the graph under its own budget, and answers with the report."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.agent.adapters import localize_failure, render_sentence
from metier.agent.deep._calls import ModelVoice, OperatorGate
from metier.agent.deep._files import publish_report
from metier.agent.deep._form import ask_for_facts
from metier.agent.results import find_unknown_numbers
from metier.agent.turn import TurnState, turn_events
from metier.attachments import list_attachments
from metier.errors import LeaseLost, MetierError, ModelUnavailable, StoreUnavailable
from metier.json_values import JsonObject
from metier.store import EventDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.flow import FlowBudget, FlowRequest, FlowRules, FlowRun, FlowState, OperatorRegistry, Value

RUN_FOLDER: Final = ".flow"
_MAX_KEPT_BYTES: Final = 4 * 1024 * 1024


def is_deep(state: TurnState) -> bool:
    """Whether the skill in use asks for a deep run and there are operators for one."""
    skill = state.skill.active
    return skill is not None and skill.mode == "deep" and state.resources.flow is not None


async def run_deep(state: TurnState) -> None:
    """Run the deep form of the skill in use; the report is the turn's answer. After a crash it goes on where it ended.

    Data that cannot be read ends the turn with the reason, not with a failure.
    """
    try:
        run = await _prepare_run(state)
        if run is not None:
            await _run_to_report(state, run)
    except (LeaseLost, ModelUnavailable, StoreUnavailable):
        raise
    except MetierError as error:
        told = _tell_failure(state, error)
        await state.emit(EventDraft("error", told))
        hint = f"\n\n{told['hint']}" if told.get("hint") else ""
        state.queue_reply(f"{told.get('message', error.message)}{hint}")


def _tell_failure(state: TurnState, error: MetierError) -> JsonObject:
    """The error in the user's language: in the words of the pack where it has them, else in those for its code."""
    said: JsonObject = {**error.to_json()}
    library, language = state.resources.flow, state.request.language
    if library is not None:
        words = {name: library.registry.translate_reason(str(said[name]), language) for name in ("message", "hint")}
        if words["message"] != error.message:
            return {**said, **words}
    return localize_failure(said, language)


async def _prepare_run(state: TurnState) -> "FlowRun | None":
    """The run with its data; None if the turn waits for a form or nobody can plan."""
    from metier.flow import FlowForm, render_flow_sentence

    rules, registry = await asyncio.to_thread(_load, state)
    request = await _build_request(state)
    if rules is None:
        state.queue_reply(render_flow_sentence("no_plan", request.language))
        return None
    roots = await asyncio.to_thread(rules.roots, request)
    if isinstance(roots, FlowForm):
        if await ask_for_facts(state, roots, request.facts) is not None:
            state.queue_reply(render_sentence("cancelled", state.request.language))
        return None
    return await _open_run(state, request, rules, registry, roots)


def _load(state: TurnState) -> "tuple[FlowRules | None, OperatorRegistry]":
    library, skill = state.resources.flow, state.skill.active
    if library is None or skill is None:  # `is_deep` was asked before
        raise MetierError("no operators are loaded", hint="install a pack with operators")
    return library.find_rules(skill), library.registry


async def _build_request(state: TurnState) -> "FlowRequest":
    from metier.flow import FlowRequest

    facts = await state.journal.load_facts()
    files = await asyncio.to_thread(list_attachments, state.workspace)
    return FlowRequest(
        state.request.message,
        state.request.language,
        tuple(state.workspace / one.path for one in files),
        {one.name: one.value for one in facts},
        "" if state.skill.active is None else state.skill.active.instructions,
    )


async def _open_run(
    state: TurnState,
    request: "FlowRequest",
    rules: "FlowRules",
    registry: "OperatorRegistry",
    roots: "Mapping[str, Value]",
) -> "FlowRun":
    from metier.flow import FlowRun, ProcessEngine, ValueStore

    gate = OperatorGate(state, registry)

    async def emit(kind: str, data: JsonObject) -> None:
        await state.emit(EventDraft(kind, data))  # type: ignore[arg-type]  # a flow emits event kinds only
        if kind == "flow.node":
            state.calls.usage.tool_calls += data.get("category") != "input" and data.get("cached") is False

    earlier = await turn_events(state.resources.store, state.journal.lease)
    folder = state.workspace / RUN_FOLDER
    return FlowRun(
        request=request,
        registry=registry,
        offered=registry.select(gate.is_allowed),
        roots=roots,
        folder=folder / state.turn,
        values=await asyncio.to_thread(ValueStore, folder / "values"),
        emit=emit,
        elapsed_s=lambda: state.elapsed_s,
        rules=rules,
        ask=None if state.uses_builtin_model("act") else ModelVoice(state),
        check=gate.check,
        find_unknown_numbers=find_unknown_numbers,
        spent_cost=lambda: state.calls.usage.cost,
        budget=_read_budget(state),
        engines={"process": ProcessEngine()},  # its processes start with the first operator that needs one
        emitted={str(one.data.get("node")) for one in earlier if one.kind == "flow.node"},
    )


def _read_budget(state: TurnState) -> "FlowBudget":
    from metier.flow import FlowBudget

    settings = state.resources.settings
    return FlowBudget(
        steps=settings.flow_max_steps,
        goals=settings.flow_max_goals,
        rounds=settings.flow_max_rounds,
        seconds=settings.flow_max_s,
        cost=settings.turn_max_cost or None,
    )


async def _run_to_report(state: TurnState, run: "FlowRun") -> None:
    from metier.flow import StoreSaver, run_flow

    lease = state.journal.lease
    saver = StoreSaver(state.resources.store, state.conversation, turn=lease.id, fence=lease.fence)
    try:
        ended = await run_flow(run, saver, state.turn)
        while ended.form is not None:
            answers = await ask_for_facts(state, ended.form, {**run.request.facts, **ended.facts})
            if answers is None:
                return  # the turn waits for the user, its checkpoints stay
            ended = await run_flow(run, saver, state.turn, answers=answers)
    except asyncio.CancelledError:
        if state.journal.is_closed:  # stopped by a user: nobody goes on with this run
            await state.resources.store.checkpoints.delete(state.conversation, state.turn)
        raise
    finally:
        for engine in run.engines.values():
            engine.close()
    await _finish(state, run, ended)
    await saver.adelete_thread(state.turn)
    await asyncio.to_thread(_prune_values, run.folder.parent / "values")


async def _finish(state: TurnState, run: "FlowRun", ended: "FlowState") -> None:
    drafts, paths = await publish_report(state, ended, run.rules)
    state.queue_display_events(*drafts)
    nodes = [node for dag in run.dags.values() for node in dag.nodes.values()]
    failed = sum(node.state == "failed" for node in nodes)
    told: JsonObject = {"rounds": ended.round, "nodes": len(nodes), "failed": failed, "files": paths}
    state.queue_display_events(EventDraft("report", told))
    state.queue_reply(ended.final_report)


def _prune_values(folder: Path) -> None:
    """Remove large arrays: what they led to is in the record, and a follow-up reads its data again."""
    for file in folder.glob("*.npy"):
        if file.stat().st_size > _MAX_KEPT_BYTES:
            file.unlink(missing_ok=True)
