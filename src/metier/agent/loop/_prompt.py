"""Builds the prompt of each model call: phase one to choose a skill, phase two to work by it."""

from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from metier.agent.adapters import AsyncModelHandler, to_context_messages, to_langchain_messages
from metier.agent.loop._delegate import task_offers
from metier.agent.loop._skill_choice import can_choose_skill
from metier.agent.turn import ModelNote, TurnState, get_turn_state, list_control_tools, load_user_data
from metier.context import BuiltPrompt, ContextDocument, ContextMessage, Material
from metier.plans import CallModel
from metier.skills import Skill
from metier.store import EventDraft

CHOOSE_HISTORY_MESSAGES: Final = 5
WORK_HISTORY_MESSAGES: Final = 10


class PromptMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Rebuilds the prompt at every call, so a skill that was just chosen applies to the very next one.

    History comes from the store; from the agent's state only the messages of this turn are used.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        if state.is_builtin_call:  # the built-in model reads no prompt
            return await handler(request.override(messages=_append_note(request.messages, _builtin_model_note(state))))
        built = await self._build_prompt(state, request)
        state.calls.prompt_tokens = built.tokens
        state.journal.queue(EventDraft("context.built", built.to_json()))
        messages = _append_note(to_langchain_messages(built.messages), state.calls.model_note)
        tools: list[Any] = list(request.tools) or _offered_tools(state, built)  # replanning brings its own tool
        return await handler(
            request.override(system_message=SystemMessage(built.system), messages=messages, tools=tools)
        )

    async def _build_prompt(self, state: TurnState, request: ModelRequest[Any]) -> BuiltPrompt:
        builder = state.resources.context_builders[state.request.language]
        spoken, voice = to_context_messages(request.messages), state.request.voice
        if state.skill.active is None:
            shortlist = state.skill.shortlist if can_choose_skill(request.messages, state) else ()
            built = builder.build_choose_prompt(
                (*state.request.earlier_messages[-CHOOSE_HISTORY_MESSAGES:], *spoken), shortlist, voice=voice
            )
            state.skill.choice_prompt, state.skill.choice_message_count, state.skill.menu = (
                built,
                len(request.messages),
                built.menu,
            )
            return built
        material = await _load_material(state, state.skill.active)
        if state.resources.settings.prompt_mode == "append" and state.skill.choice_prompt is not None:
            return builder.build_work_prompt(
                state.skill.active,
                spoken[state.skill.choice_message_count :],
                material,
                after=state.skill.choice_prompt,
                voice=voice,
            )
        history: list[Any] = [*state.request.earlier_messages[-WORK_HISTORY_MESSAGES:], *spoken]
        return builder.build_work_prompt(
            state.skill.active, history or [ContextMessage("user", state.request.message)], material, voice=voice
        )


def _append_note(messages: list[AnyMessage] | list[Any], note: ModelNote | None) -> list[Any]:
    if note is None:
        return list(messages)
    data = {"metier": {"purpose": note.purpose, **note.data}}
    return [*messages, HumanMessage(note.text, name="runtime", additional_kwargs=data)]


def _builtin_model_note(state: TurnState) -> ModelNote | None:
    """Note for the built-in model, which reads no prompt: language and skill are added to its data."""
    note = state.calls.model_note
    told = {"language": state.request.language, "the_skill": state.skill.active}
    return None if note is None else ModelNote(note.purpose, note.text, {**note.data, **told})  # type: ignore[dict-item]


def _offered_tools(state: TurnState, built: BuiltPrompt) -> list[dict[str, Any]]:
    """Tools to offer: in phase one only the choice of skill, in phase two what the gate allows."""
    if built.phase == "choose" and built.menu is not None:
        return []
    opened = state.open_gate
    offered = list(opened.openai_tools.values())
    move = None if state.plan.runner is None else state.plan.runner.current_move
    if isinstance(move, CallModel) and state.plan.runner is not None and not state.plan.runner.is_over:
        offered = [opened.openai_tools[name] for name in move.tools if name in opened.openai_tools]
    return [*offered, *list_control_tools(state), *task_offers(state)]


async def _load_material(state: TurnState, skill: Skill) -> Material:
    """Load the data that the skill declares, once per turn, and nothing else."""
    if state.skill.user_data is None:
        state.skill.user_data = await load_user_data(state, skill)
    documents = (ContextDocument("the open document", state.request.document),) if state.request.document else ()
    plan = state.plan.runner.outline() if state.plan.runner is not None else ""
    return Material(
        profile=state.skill.user_data["profile"],
        skill_data=state.skill.user_data["skill_data"],
        rule=state.skill.scenario if state.skill.scenario in skill.rules else None,
        documents=documents,
        plan=plan,
    )
