"""Builds the prompt of each model call by its stage, and shrinks it when it does not fit the model's window."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage

from metier.agent.adapters import AsyncModelHandler, render_sentence, to_context_messages, to_langchain_messages
from metier.agent.loop._offers import READ_MORE, SEARCH_OFFER, list_offers
from metier.agent.models import attach_provider_reply, find_chat_template, get_tool_format, kept_reasoning
from metier.agent.turn import (
    PLAN_CALL_PREFIX,
    ModelNote,
    TurnState,
    get_turn_state,
    list_document_sections,
    list_message_sections,
    load_facts_document,
    load_task_documents,
    load_user_data,
    narrow_tools,
)
from metier.attachments import outline_sections
from metier.context import (
    Brief,
    BuiltPrompt,
    ChatTemplate,
    ContextDocument,
    ContextMessage,
    Material,
    PromptOptions,
    SectionUse,
    StageName,
    StoredMessage,
    ToolOffer,
)
from metier.errors import ContextOverflow
from metier.faults import fault_point
from metier.json_values import to_plain_json
from metier.language import shorten_text
from metier.skills import Skill
from metier.store import EventDraft

# Share of the window that the prompt may have; the rest is for the reply.
_PROMPT_SHARE: Final = 0.75
_SHRINK: Final = 0.6
_MAX_SHRINKS: Final = 3
_MIN_PROMPT_TOKENS: Final = 300
_MAX_BEGIN_CHARS: Final = 40


class PromptMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Rebuilds the prompt at every call, so a skill that was just chosen applies to the very next one.

    History comes from the store; from the agent's state only the messages of this turn are used.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        if state.is_builtin_call:  # the built-in model reads no prompt
            return await handler(request.override(messages=_append_note(request.messages, _builtin_model_note(state))))
        limit_tokens, shrinks = await _find_limit(state), 0
        while True:
            built = await _build_prompt(state, request, limit_tokens)
            fault_point("context_built")
            try:
                return await handler(_write_request(state, request, built))
            except ContextOverflow as error:
                limit_tokens, shrinks = shrink_limit(built.tokens, error), shrinks + 1
                if shrinks > _MAX_SHRINKS or limit_tokens < _MIN_PROMPT_TOKENS:
                    raise


def shrink_limit(sent_tokens: int, error: ContextOverflow) -> int:
    """Tokens for the next attempt after a prompt was too long.

    A provider that says its window and how it counted gives the exact share; otherwise each attempt takes less.
    """
    share = _SHRINK
    if error.window_tokens and error.sent_tokens:
        share = min(share, _PROMPT_SHARE * error.window_tokens / error.sent_tokens)
    elif error.window_tokens:
        share = min(share, _PROMPT_SHARE * error.window_tokens / max(1, sent_tokens))
    return int(sent_tokens * share)


async def _build_prompt(state: TurnState, request: ModelRequest[Any], limit_tokens: int | None) -> BuiltPrompt:
    stage = state.calls.stage or "converse"
    await narrow_tools(state)
    options = _make_options(state, request, stage, limit_tokens)
    template = find_chat_template(request.model)
    built = _count_replies(state, await _build_stage(state, request, stage, options, template), template.count)
    state.calls.stage, state.calls.prompt_tokens = built.stage, built.tokens
    if state.skill.active is None:
        state.skill.choice_prompt, state.skill.choice_message_count = built, len(request.messages)
        state.skill.menu = built.menu
    state.journal.queue(EventDraft("context.built", built.to_json()))
    return built


async def _build_stage(
    state: TurnState, request: ModelRequest[Any], stage: StageName, options: PromptOptions, template: ChatTemplate
) -> BuiltPrompt:
    builder = state.resources.context_builders[state.request.language].use_template(template)
    skill, note = state.skill.active, state.calls.model_note
    if stage in ("fill", "report"):
        brief = note.brief if note is not None else None
        return builder.build_brief_prompt(stage, brief or Brief(state.request.message), skill, options)
    spoken: list[StoredMessage] = [*to_context_messages(request.messages)]
    spoken = spoken or [ContextMessage("user", state.request.message)]
    history = [*state.request.earlier_messages, *spoken]
    if skill is None:
        shortlist = state.skill.shortlist if stage == "choose" else ()
        return builder.build_choose_prompt(history, shortlist, options)
    material = await _load_material(state, skill)
    chosen = state.skill.choice_prompt if state.resources.settings.prompt_mode == "append" else None
    if chosen is not None and (options.limit_tokens is None or chosen.tokens < options.limit_tokens // 2):
        since, whole_turn = spoken[state.skill.choice_message_count :], replace(options, turn_start=0)
        return builder.build_act_prompt(skill, since, material, whole_turn, after=chosen)
    return builder.build_act_prompt(skill, history, material, options)


def _make_options(
    state: TurnState, request: ModelRequest[Any], stage: StageName, limit_tokens: int | None
) -> PromptOptions:
    note = state.calls.model_note
    if request.tools:  # replanning brings its own tool
        offers = tuple(ToolOffer(cast("dict[str, Any]", tool), required=True) for tool in request.tools)
    else:
        # Without a choice to make, `choose` becomes `converse`, whose tools are then offered.
        offers = list_offers(state, "converse" if stage == "choose" else stage, request.messages)
    return PromptOptions(
        voice=state.request.voice,
        tools=offers,
        tool_format=get_tool_format(request.model, state.request.language),
        limit_tokens=limit_tokens,
        note=note.text if note is not None else "",
        turn_start=len(state.request.earlier_messages),
        cited=_find_cited_calls(state, request),
        read_more=READ_MORE,
        skill_tool=state.resources.settings.skill_tool,
        keep_tools=state.skill.active.kept_tools if state.skill.active is not None else frozenset(),
        documents=(*_iter_document(state), *load_task_documents(state)) if state.skill.active is None else (),
        beside_menu=(SEARCH_OFFER,) if state.skill.can_search else (),
        message_outline="" if stage == "choose" else outline_sections(list_message_sections(state), is_short=True),
    )


def _find_cited_calls(state: TurnState, request: ModelRequest[Any]) -> frozenset[str]:
    """Calls that the plan at work made: later steps refer to their results."""
    if state.plan.runner is None or state.plan.runner.is_over:
        return frozenset()
    calls = (call for message in to_context_messages(request.messages) for call in message.tool_calls)
    return frozenset(call.id for call in calls if call.id.startswith(PLAN_CALL_PREFIX))


async def _find_limit(state: TurnState) -> int | None:
    """Tokens, as counted here, that the window of the chosen model leaves for the prompt; None if it is not known."""
    choice = state.calls.model_choice
    if choice is None:
        return None
    models = state.resources.models
    window = await models.ask_window(choice.name)
    return int(window * _PROMPT_SHARE / models.token_scale[choice.name, state.calls.stage or "converse"]) or None


def _write_request(state: TurnState, request: ModelRequest[Any], built: BuiltPrompt) -> ModelRequest[Any]:
    tools = [cast("dict[str, Any]", to_plain_json(tool)) for tool in built.tools]
    messages: list[Any] = _attach_replies(state, to_langchain_messages(built.messages))
    demand: dict[str, Any] = {"tool_choice": built.demanded} if built.demanded else {}
    system = SystemMessage(built.system) if built.system else None
    return request.override(system_message=system, messages=messages, tools=[*tools], **demand)


def _attach_replies(state: TurnState, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages of a prompt; those of this turn that made calls carry what their model must get back."""
    return [_attach_reply(state, one) if isinstance(one, AIMessage) else one for one in messages]


def _count_replies(state: TurnState, built: BuiltPrompt, count: Callable[[str], int]) -> BuiltPrompt:
    """The prompt with the reasoning that is sent with its messages as a section of its own."""
    calls = (message.tool_calls[0].id for message in built.messages if message.tool_calls)
    kept = [reply for call in calls if (reply := state.calls.provider_replies.get(call)) is not None]
    tokens = sum(count(kept_reasoning(reply)) for reply in kept)
    if not tokens:
        return built
    use = SectionUse("reasoning", tokens, required=True)
    return replace(built, tokens=built.tokens + tokens, sections=(*built.sections, use))


def _attach_reply(state: TurnState, message: AIMessage) -> AIMessage:
    call = message.tool_calls[0]["id"] if message.tool_calls else None
    kept = state.calls.provider_replies.get(call or "")
    return message if kept is None else attach_provider_reply(message, kept)


def _append_note(messages: list[AnyMessage] | list[Any], note: ModelNote | None) -> list[Any]:
    if note is None:
        return list(messages)
    data = {"metier": {"purpose": note.purpose, **note.data}}
    return [*messages, HumanMessage(note.text, name="runtime", additional_kwargs=data)]


def _builtin_model_note(state: TurnState) -> ModelNote | None:
    """Note for the built-in model, which reads no prompt: language and skill are added to its data."""
    note = state.calls.model_note
    told = {"language": state.request.language, "the_skill": state.skill.active}
    return None if note is None else ModelNote(note.purpose, note.text, {**note.data, **told})  # type: ignore[dict-item]  # the note stays in the process; a skill in it is never stored


async def _load_material(state: TurnState, skill: Skill) -> Material:
    """Load the data that the skill declares, once per turn, and nothing else."""
    if state.skill.user_data is None:
        state.skill.user_data = await load_user_data(state, skill)
    opened = tuple(_iter_document(state))
    computed = (ContextDocument("computed from results on screen", state.request.computed),)
    documents = (
        *opened,
        *load_task_documents(state),
        *await load_facts_document(state),
        *(computed if state.request.computed else ()),
    )
    plan = state.plan.runner.outline() if state.plan.runner is not None else ""
    return Material(
        profile=state.skill.user_data["profile"],
        skill_data=state.skill.user_data["skill_data"],
        rule=state.skill.scenario if state.skill.scenario in skill.rules else None,
        documents=documents,
        plan=plan,
        together=state.skill.together,
    )


def _iter_document(state: TurnState) -> Iterator[ContextDocument]:
    """The open document as far as the skill wants to see it: whole, or its outline and its sections in order.

    Sections that do not fit are left out one by one, and can be read with `read_document`. Without a skill, a line that
    says which document is open comes first.
    """
    sections, skill, language = list_document_sections(state), state.skill.active, state.request.language
    size = sum(len(one.text) for one in sections)
    if sections and skill is None:
        begin = shorten_text(sections[0].title, _MAX_BEGIN_CHARS)
        yield ContextDocument("runtime", render_sentence("document_open", language, chars=size, begin=begin))
    left = None if skill is None else skill.document.active_max_chars
    if len(sections) == 1 and (left is None or size <= left):
        yield ContextDocument("the open document", sections[0].text)
        return
    if sections:
        note = render_sentence("document_outline", language, chars=size, sections=len(sections))
        outline = outline_sections(sections, is_short=True)
        yield ContextDocument("outline of the open document", f"{note}\n{outline}")
    for one in sections:
        if left is not None and left < len(one.text):
            return
        left = None if left is None else left - len(one.text)
        yield ContextDocument(f"the open document, section {one.number}", one.text)
