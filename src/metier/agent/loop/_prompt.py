"""Builds the prompt of each model call: phase one to choose a skill, phase two to work by it."""

from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from metier.agent.adapters import AsyncModelHandler, to_context_messages, to_langchain_messages
from metier.agent.loop._delegate import task_offers
from metier.agent.loop._record import get_turn_state
from metier.agent.turn import ModelNote, TurnState, can_choose_skill, list_control_tools, load_user_data
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
        work = get_turn_state(request.runtime)
        if work.resources.uses_builtin_model:  # the built-in model reads no prompt
            return await handler(request.override(messages=_append_note(request.messages, _builtin_model_note(work))))
        built = await self._build_prompt(work, request)
        work.prompt_tokens = built.tokens
        work.journal.queue(EventDraft("context.built", built.to_json()))
        messages = _append_note(to_langchain_messages(built.messages), work.model_note)
        tools: list[Any] = list(request.tools) or _offered_tools(work, built)  # replanning brings its own tool
        return await handler(
            request.override(system_message=SystemMessage(built.system), messages=messages, tools=tools)
        )

    async def _build_prompt(self, work: TurnState, request: ModelRequest[Any]) -> BuiltPrompt:
        builder = work.resources.context_builders[work.language]
        spoken, voice = to_context_messages(request.messages), work.voice
        if work.active_skill is None:
            shortlist = work.shortlist if can_choose_skill(request.messages, work) else ()
            built = builder.build_choose_prompt(
                (*work.earlier_messages[-CHOOSE_HISTORY_MESSAGES:], *spoken), shortlist, voice=voice
            )
            work.choice_prompt, work.choice_message_count, work.menu = built, len(request.messages), built.menu
            return built
        material = await _load_material(work, work.active_skill)
        if work.resources.settings.prompt_mode == "append" and work.choice_prompt is not None:
            return builder.build_work_prompt(
                work.active_skill, spoken[work.choice_message_count :], material, after=work.choice_prompt, voice=voice
            )
        history: list[Any] = [*work.earlier_messages[-WORK_HISTORY_MESSAGES:], *spoken]
        return builder.build_work_prompt(
            work.active_skill, history or [ContextMessage("user", work.message)], material, voice=voice
        )


def _append_note(messages: list[AnyMessage] | list[Any], note: ModelNote | None) -> list[Any]:
    if note is None:
        return list(messages)
    data = {"metier": {"purpose": note.purpose, **note.data}}
    return [*messages, HumanMessage(note.text, name="runtime", additional_kwargs=data)]


def _builtin_model_note(work: TurnState) -> ModelNote | None:
    """Note for the built-in model, which reads no prompt: language and skill are added to its data."""
    note = work.model_note
    told = {"language": work.language, "the_skill": work.active_skill}
    return None if note is None else ModelNote(note.purpose, note.text, {**note.data, **told})  # type: ignore[dict-item]


def _offered_tools(work: TurnState, built: BuiltPrompt) -> list[dict[str, Any]]:
    """Tools to offer: in phase one only the choice of skill, in phase two what the gate allows."""
    if built.phase == "choose" and built.menu is not None:
        return []
    opened = work.open_gate
    offered = list(opened.openai_tools.values())
    move = None if work.plan_runner is None else work.plan_runner.current_move
    if isinstance(move, CallModel) and work.plan_runner is not None and not work.plan_runner.is_over:
        offered = [opened.openai_tools[name] for name in move.tools if name in opened.openai_tools]
    return [*offered, *list_control_tools(work), *task_offers(work)]


async def _load_material(work: TurnState, skill: Skill) -> Material:
    """Load the data that the skill declares, once per turn, and nothing else."""
    if work.user_data is None:
        work.user_data = await load_user_data(work, skill)
    documents = (ContextDocument("the open document", work.document),) if work.document else ()
    plan = work.plan_runner.outline() if work.plan_runner is not None else ""
    return Material(
        profile=work.user_data["profile"],
        skill_data=work.user_data["skill_data"],
        rule=work.scenario if work.scenario in skill.rules else None,
        documents=documents,
        plan=plan,
    )
