"""Builds the prompt of each model call: phase one to choose a skill, phase two to work by it."""

from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from metier.agent._control import control_offers
from metier.agent._delegate import task_offers
from metier.agent._event_middleware import ModelHandler, work_of
from metier.agent._messages import langchain_messages, stored_messages
from metier.agent._skill_menu import may_choose
from metier.agent._starting import load_data
from metier.agent._work import Note, Work
from metier.context import Built, ContextMessage, Document, Material
from metier.plans import Model
from metier.skills import Skill
from metier.store import EventDraft

CHOOSE_BEFORE: Final = 5
WORK_BEFORE: Final = 10


class ContextMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Rebuilds the prompt at every call, so a skill that was just chosen applies to the very next one.

    History comes from the store; from the agent's state only the messages of this turn are used.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        work = work_of(request.runtime)
        if work.kit.builtin:  # the built-in model reads no prompt
            return await handler(request.override(messages=_with_note(request.messages, _told_all(work))))
        built = await self._built(work, request)
        work.prompt_tokens = built.tokens
        work.journal.later(EventDraft("context.built", built.to_json()))
        messages = _with_note(langchain_messages(built.messages), work.note)
        tools: list[Any] = list(request.tools) or _tools(work, built)  # replanning brings its own tool
        return await handler(
            request.override(system_message=SystemMessage(built.system), messages=messages, tools=tools)
        )

    async def _built(self, work: Work, request: ModelRequest[Any]) -> Built:
        builder = work.kit.builders[work.language]
        spoken, voice = stored_messages(request.messages), work.voice
        if work.skill is None:
            shortlist = work.shortlist if may_choose(request.messages, work) else ()
            built = builder.choose((*work.before[-CHOOSE_BEFORE:], *spoken), shortlist, voice=voice)
            work.chosen, work.chosen_at, work.menu = built, len(request.messages), built.menu
            return built
        material = await _material(work, work.skill)
        if work.kit.settings.prompt_mode == "append" and work.chosen is not None:
            return builder.work(work.skill, spoken[work.chosen_at :], material, after=work.chosen, voice=voice)
        history: list[Any] = [*work.before[-WORK_BEFORE:], *spoken]
        return builder.work(work.skill, history or [ContextMessage("user", work.message)], material, voice=voice)


def _with_note(messages: list[AnyMessage] | list[Any], note: Note | None) -> list[Any]:
    if note is None:
        return list(messages)
    data = {"metier": {"purpose": note.purpose, **note.data}}
    return [*messages, HumanMessage(note.text, name="runtime", additional_kwargs=data)]


def _told_all(work: Work) -> Note | None:
    """Note for the built-in model, which reads no prompt: language and skill are added to its data."""
    note = work.note
    told = {"language": work.language, "the_skill": work.skill}
    return None if note is None else Note(note.purpose, note.text, {**note.data, **told})  # type: ignore[dict-item]


def _tools(work: Work, built: Built) -> list[dict[str, Any]]:
    """Tools to offer: in phase one only the choice of skill, in phase two what the gate allows."""
    if built.phase == "choose" and built.menu is not None:
        return []
    opened = work.opened
    offered = list(opened.offers.values())
    move = None if work.plan is None else work.plan.move
    if isinstance(move, Model) and work.plan is not None and not work.plan.over:
        offered = [opened.offers[name] for name in move.tools if name in opened.offers]
    return [*offered, *control_offers(work), *task_offers(work)]


async def _material(work: Work, skill: Skill) -> Material:
    """Load the data that the skill declares, once per turn, and nothing else."""
    if work.material is None:
        work.material = await load_data(work, skill)
    documents = (Document("the open document", work.document),) if work.document else ()
    plan = work.plan.outline() if work.plan is not None else ""
    return Material(
        profile=work.material["profile"],
        skill_data=work.material["skill_data"],
        rule=work.scenario if work.scenario in skill.rules else None,
        documents=documents,
        plan=plan,
    )
