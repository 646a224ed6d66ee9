"""Enters a skill: ends earlier state, loads the user data it needs, starts its plan."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from metier.agent.adapters import localize_failure, render_sentence
from metier.agent.turn._journal import PlanSnapshot
from metier.agent.turn._plan_runner import PlanRunner
from metier.agent.turn._state import SET_ASIDE, TurnState
from metier.agent.turn._user_data import collect_data, count_trial, ensure_user_data, find_missing_data
from metier.context import ASK_FOR, ContextDocument, digest_text, nest_paths
from metier.errors import InvalidInput, MetierError
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue
from metier.limits import run_limited
from metier.plans import PlanRun, compile_sop
from metier.skills import Skill
from metier.store import ChosenBy, EventDraft, Pause, SavedPlan
from metier.tasks import select_inputs
from metier.tokens import count_tokens

_MAX_OUTPUT_TOKENS: Final = 900  # of the task before, in the prompt of the next
_PROFILE_FORMS: Final = Path(__file__).with_name("profile_forms.json")


async def enter_skill(
    state: TurnState, skill: Skill | None, scenario: str | None, by: ChosenBy, *, restart: bool = True, why: str = ""
) -> None:
    """Switch to this skill and start its plan.

    A plan of the same skill that is still running is kept; a finished one starts again only with `restart`. `why` is
    told in place of who chose it.
    """
    same = skill is not None and state.skill.active is not None and state.skill.active.id == skill.id
    if not same or (restart and not state.has_open_work):
        await abandon_open_work(state)
    await state.switch_skill(skill, scenario, by, why)
    fault_point("skill_activated")
    if skill is not None and skill.sop and state.plan.runner is None and (restart or not same):
        if await needs_data(state, skill):
            state.plan.is_due = True  # started after the user has answered the form
        else:
            await start_plan(state, skill)


async def needs_data(state: TurnState, skill: Skill) -> bool:
    """Whether a form has to be answered before the skill can work."""
    asked = await collect_data(state, skill)
    if asked is not None:
        return asked.data is not None and asked.data.get("needed") is True
    return bool(forms_for(skill, await find_missing_data(state, skill)))


async def leave_skill(state: TurnState, by: ChosenBy) -> str:
    """Leave the skill in use and abandon its open work; returns the sentence that says so."""
    left = state.skill.active
    if left is None:
        return render_sentence("nothing_to_leave", state.request.language)
    await abandon_open_work(state)
    await state.switch_skill(None, None, by)
    return render_sentence("left", state.request.language, title=left.title_in(state.request.language))


async def start_plan(state: TurnState, skill: Skill) -> None:
    """Start the skill's steps as the plan of this turn. Invalid steps emit an error and the skill has no plan."""
    await ensure_user_data(state)
    try:
        data = await initial_run_data(state)
        run = await run_limited(lambda: PlanRun.start(compile_sop(skill, state.request.language), data))
    except MetierError as error:
        await state.emit(
            EventDraft("error", {**localize_failure(error.to_json(), state.request.language), "skill": skill.id})
        )
        return
    await count_trial(state, skill)
    folder = state.resources.workspace(state.conversation)
    state.plan.runner = PlanRunner(run, skill=skill.id, language=state.request.language, workspace=folder)
    await state.journal.record(state.plan.runner.created_event(), plan=state.plan_snapshot())
    fault_point("plan_stored")


async def initial_run_data(state: TurnState) -> JsonObject:
    """Data of a plan run before its first step."""
    skill, previous = state.skill.active, state.tasks.last_done
    facts = await state.journal.load_facts()
    kept = state.skill.user_data or {}
    profile, of_skills = nest_paths(kept.get("profile", {})), kept.get("skill_data", {})
    known: JsonObject = {one.name: one.value for one in facts}
    attached = state.request.attached
    document = attached.to_json() if attached else {"text": state.request.document} if state.request.document else {}
    return {
        "message": state.request.message,
        "language": state.request.language,
        "document": document,
        "inputs": {} if skill is None else select_inputs(skill, state.tasks.outputs),
        "previous": {} if previous is None else {"skill": previous.skill, **previous.output.to_json()},
        "profile": profile,
        "skill_data": {owner: nest_paths(one) for owner, one in of_skills.items()},
        "computed": state.is_computed,
        "facts": known,
        "model": not state.uses_builtin_model("act"),
    }


def load_task_documents(state: TurnState) -> tuple[ContextDocument, ...]:
    """What the running task of several may read: the whole request, and the output of the task before it."""
    running, previous = state.tasks.running, state.tasks.last_done
    if running is None:
        return ()
    whole = (ContextDocument("the whole request", state.request.whole_message),) if state.request.whole_message else ()
    if previous is None:
        return whole
    text = digest_text(previous.output.text, _MAX_OUTPUT_TOKENS, count_tokens)
    return (*whole, ContextDocument(f"result of the task before: {previous.title}", text))


async def load_facts_document(state: TurnState) -> tuple[ContextDocument, ...]:
    """What was settled in the conversation, for a prompt; nothing if there is nothing."""
    known = await state.journal.load_facts()
    lines = [f"{one.name} ({one.title}): {json.dumps(one.value, ensure_ascii=False)} {one.label}" for one in known]
    return (ContextDocument("facts of the conversation", "\n".join(lines)),) if lines else ()


async def restore_plan(
    state: TurnState, saved: SavedPlan | None, *, set_aside: bool = False, finished: bool = False
) -> None:
    """Restore the stored todos, and the plan if it is readable and belongs to the skill in use.

    A plan that was stopped or put aside is restored only with `set_aside`: the user asked to go on with it. With
    `finished`, a plan that ended in this turn is restored too: its process died before the report.
    """
    if saved is None or (SET_ASIDE in saved.plan and not set_aside):
        return
    is_reported = not (finished and saved.turn == state.turn and saved.state in ("done", "failed"))
    if saved.state != "running" and is_reported:
        return
    todos = saved.plan.get("todos")
    state.plan.todos = tuple(one for one in todos if isinstance(one, Mapping)) if isinstance(todos, list) else ()
    if "run" not in saved.plan or saved.plan.get("skill") != (state.skill.active.id if state.skill.active else ""):
        return
    folder = state.resources.workspace(state.conversation)
    try:
        state.plan.runner = PlanRunner.from_json(saved.plan, language=state.request.language, workspace=folder)
    except InvalidInput as error:
        await state.emit(EventDraft("error", localize_failure(error.to_json(), state.request.language)))
        return
    state.plan.runner.run = state.plan.runner.run.with_facts(await state.journal.load_facts())


async def abandon_open_work(state: TurnState) -> None:
    """Abandon open work: save the plan as abandoned and cancel the open pauses."""
    saved, unfinished = state.plan_snapshot(), state.has_open_work
    if saved is None and unfinished:
        saved = await load_waiting_plan(state)
    state.plan.runner, state.plan.todos, state.calls.pending_pause = None, (), None
    if not unfinished and state.skill.active is None:
        return
    if saved is not None and unfinished:
        await state.journal.record(plan=saved._replace(state="abandoned"))
    for pause in await load_open_pauses(state):
        await cancel_pause(state, pause)


async def load_open_pauses(state: TurnState) -> tuple[Pause, ...]:
    """Open pauses of the conversation; not looked up again if the request found none."""
    if not state.request.has_open_pauses:
        return ()
    return await state.resources.store.pauses.list_open(state.conversation)


async def load_waiting_plan(state: TurnState) -> PlanSnapshot | None:
    """Stored plan that waits for an answer while this turn answers another message."""
    kept = await state.resources.store.plans.get_latest(state.conversation)
    if kept is None or kept.state != "running" or SET_ASIDE in kept.plan:
        return None
    return PlanSnapshot(kept.plan, kept.state)


async def cancel_pause(state: TurnState, pause: Pause) -> None:
    """Close a pause whose answer is no longer needed."""
    await state.resources.store.pauses.answer(pause.id, None, answer_key="cancelled")
    await state.journal.record(
        EventDraft("pause.answered", {"pause": pause.id, "cancelled": True}), used_pause=pause.id
    )


def forms_for(skill: Skill, missing: Sequence[str]) -> Mapping[str, JsonObject]:
    """Form schemas for missing paths: from the skill's `metadata.ask_for`, or the built-in one for birth data."""
    given = skill.metadata.get(ASK_FOR)
    schemas: Mapping[str, JsonValue] = {**_read_profile_forms(), **(given if isinstance(given, Mapping) else {})}
    found = {path: schemas.get(path) for path in missing}
    return {path: schema for path, schema in found.items() if isinstance(schema, Mapping)}


@cache
def _read_profile_forms() -> JsonObject:
    """Built-in forms by the path of the user data."""
    forms: JsonObject = json.loads(_PROFILE_FORMS.read_text("utf-8"))
    return forms
