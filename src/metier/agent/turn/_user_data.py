"""User data of a turn: what the skill declares is loaded once and given to its tools; what they keep is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from metier.agent.turn._state import TurnState
from metier.context import (
    COMPUTED_FROM,
    DataRequest,
    build_data_request,
    covers_path,
    digest_compute_inputs,
    get_compute_type,
    get_paths,
    nest_paths,
    select_user_data,
)
from metier.json_values import JsonObject, JsonValue
from metier.pack import GuardReply
from metier.skills import Skill
from metier.store import Transaction, write_user_data
from metier.tools import ToolCall, ToolFailure, ToolResult, ToolSpec

COLLECT_TOOL: Final = "collect_tool"  # in a skill's metadata: the tool that asks for the data it needs
TRIALS: Final = "_trials"  # data of no skill: how often each paid one was begun
_SKILL_DATA: Final = "skill_data"
_MAX_EARLIER: Final = 10
_MAX_EARLIER_CHARS: Final = 1_000


async def ensure_user_data(state: TurnState) -> None:
    """Load the data that the skill in use declares, once."""
    if state.skill.user_data is None and state.skill.active is not None:
        state.skill.user_data = await load_user_data(state, state.skill.active)


async def find_missing_data(state: TurnState, skill: Skill) -> tuple[str, ...]:
    """Paths of user data that the skill requires and the user has not filled yet."""
    wanted = build_data_request(skill)
    if not wanted.needed:
        return ()
    if state.skill.user_data is None:
        state.skill.user_data = await load_user_data(state, skill)
    return select_user_data(wanted, state.skill.user_data["profile"], state.skill.user_data["skill_data"]).missing


async def collect_data(state: TurnState, skill: Skill, answer: JsonObject | None = None) -> ToolResult | None:
    """Run the tool that collects the skill's data (`metadata.collect_tool`): which form is needed, or what it keeps.

    None if the skill has none. The call is no event: its arguments are the user's data.
    """
    name = skill.metadata.get(COLLECT_TOOL)
    if not isinstance(name, str):
        return None
    await ensure_user_data(state)
    facts = {one.name: one.value for one in await state.journal.load_facts()}
    given: dict[str, JsonValue] = {
        "message": state.request.message,
        "language": state.request.language,
        **({"answer": answer} if answer is not None else {}),
        **({"person": facts["person"]} if "person" in facts else {}),
    }
    toolset = state.resources.toolset(state.request.catalog)
    if any(one.name == name and _takes_earlier(one) for one in toolset.registry.specs()):
        said = [one.content[:_MAX_EARLIER_CHARS] for one in state.request.earlier_messages if one.role == "user"]
        given["earlier"] = said[-_MAX_EARLIER:]
    executor = toolset.executor
    context = replace(state.tool_context(), user_data=describe_user_data(state))
    call = ToolCall(state.resources.new_id(), name, given)
    outcome = await executor.run(call, gate=state.gate, context=context, language=state.request.language)
    return await keep_result(state, name, outcome.result)


def _takes_earlier(tool: ToolSpec) -> bool:
    """Whether a tool declares `earlier`: it reads what the user has said before in this conversation."""
    declared = tool.parameters.get("properties")
    return isinstance(declared, Mapping) and "earlier" in declared


async def load_user_data(state: TurnState, skill: Skill) -> Mapping[str, Any]:
    """User profile and skill data that the skill declares and nothing else, in one reading."""
    wanted, user = build_data_request(skill), state.request.user

    async def read(view: Transaction) -> Mapping[str, Any]:
        profile: JsonObject = await view.profiles.get(user, wanted.profile) if wanted.profile else {}
        kept = {owner: await _read_skill_data(view, user, owner, paths) for owner, paths in wanted.skill_data.items()}
        return {"profile": profile, "skill_data": kept}

    if not wanted.profile and not wanted.skill_data:
        return {"profile": {}, "skill_data": {}}
    return await state.resources.store.read_together(read)


async def _read_skill_data(view: Transaction, user: str, skill: str, paths: Sequence[str]) -> JsonObject:
    """The declared paths of a skill's data; all of it if the skill declares no paths."""
    return (
        await view.skill_data.get_fields(user, skill, paths) if paths else (await view.skill_data.get(user, skill)).data
    )


def get_trial_limit(state: TurnState, skill: Skill) -> int | None:
    """How often this user may begin the skill for free; None if there is no limit."""
    pricing, paying = skill.showing.pricing, state.resources.settings.premium_users
    limit = pricing.get("trial_messages")
    is_free = pricing.get("type") in (None, "free") or "*" in paying or state.request.user in paying
    return None if is_free or not isinstance(limit, int) else limit


async def count_trial(state: TurnState, skill: Skill) -> None:
    """Count that the user has begun a paid skill for free."""
    if get_trial_limit(state, skill) is None:
        return
    user = state.request.user

    async def add_one(tx: Transaction) -> None:
        used = (await tx.skill_data.get_fields(user, TRIALS, [skill.id])).get(skill.id)
        await tx.skill_data.merge(user, TRIALS, {skill.id: (used if isinstance(used, int) else 0) + 1})

    await state.resources.store.write_together(add_one)


def describe_user_data(state: TurnState) -> JsonObject:
    """Declared data of the skill in use, nested, as its tools read it."""
    kept = state.skill.user_data
    if kept is None:
        return {}
    of_skills: dict[str, JsonValue] = {owner: nest_paths(one) for owner, one in kept[_SKILL_DATA].items()}
    return {"profile": nest_paths(kept["profile"]), _SKILL_DATA: of_skills}


async def keep_result(state: TurnState, tool: str, result: ToolResult) -> ToolResult:
    """Store what the result asks to keep; the call fails if the skill in use does not declare a path."""
    skill = state.skill.active
    if not result.ok:
        return result
    computes = skill is not None and tool == skill.needs.compute_tool
    if not result.keep:
        state.skill.has_computed = state.skill.has_computed or computes
        return result
    refused = _find_refused(skill, result.keep)
    if skill is None or refused:
        message = f"{tool} keeps {refused!r}, which skill {skill.id if skill else ''!r} does not declare"
        return ToolResult(failure=ToolFailure("data_not_declared", message, "add it to profile_fields of the skill"))
    changes = dict(result.keep)
    kind = f"{_SKILL_DATA}.{get_compute_type(skill)}"
    if computes and any(covers_path(kind, path) for path in changes):
        await ensure_user_data(state)
        profile = {**(state.skill.user_data or {"profile": {}})["profile"]}
        profile |= {path: value for path, value in changes.items() if not path.startswith(f"{_SKILL_DATA}.")}
        changes[f"{kind}.{COMPUTED_FROM}"] = digest_compute_inputs(skill, profile)
    stopped = await store_user_data(state, changes)
    if stopped is not None:
        return ToolResult(failure=ToolFailure(stopped.code, stopped.text))
    state.skill.has_computed = state.skill.has_computed or computes
    return result


async def store_user_data(state: TurnState, changes: Mapping[str, JsonValue]) -> GuardReply | None:
    """Replace the values at these paths of the user's profile and skill data; None removes one.

    Nothing is stored if a guard of a pack refuses; its reply says why.
    """
    load = partial(state.resources.store.profiles.get, state.request.user)
    for guard in state.resources.guards:
        if (refused := await guard.check_data(changes, state.request.language, load)) is not None:
            return refused
    stored = await state.resources.store.write_together(partial(write_user_data, state.request.user, changes))
    if state.skill.active is not None and state.skill.user_data is not None:
        state.skill.user_data = _replace_documents(state.skill.active, state.skill.user_data, stored)
    if "" in stored:
        state.skill.has_computed = False  # the profile is another one: what was computed before may be of the old one
    return None


def _replace_documents(skill: Skill, known: Mapping[str, Any], stored: Mapping[str, JsonObject]) -> Mapping[str, Any]:
    """The loaded data with the documents that were just stored, as `load_user_data` would read them."""
    wanted = build_data_request(skill)
    profile = get_paths(stored[""], wanted.profile) if "" in stored else known["profile"]
    of_skills = {**known[_SKILL_DATA]}
    for owner, paths in wanted.skill_data.items():
        if owner in stored:
            of_skills[owner] = get_paths(stored[owner], paths) if paths else stored[owner]
    return {"profile": profile, _SKILL_DATA: of_skills}


def _find_refused(skill: Skill | None, keep: Mapping[str, JsonValue]) -> str:
    """First path that the skill does not declare, or that names no value inside the data of a skill."""
    request = DataRequest() if skill is None else build_data_request(skill)
    declared = [*request.profile, *(f"{_SKILL_DATA}.{owner}" for owner, inside in request.skill_data.items())]
    for path in keep:
        is_whole = path.startswith(f"{_SKILL_DATA}.") and path.count(".") < 2
        if is_whole or not any(covers_path(one, path) for one in declared):
            return path
    return ""
