"""Skills inside a LangChain agent: the model chooses one, and the next model call runs under its instructions."""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    OmitFromOutput,
)
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import control_message
from metier.agent.turn import (
    MAX_SHORTLISTED,
    TurnState,
    can_choose_skill,
    choice_result,
    enter_skill,
    is_last_from_user,
    make_menu,
    make_menu_tool,
    make_shortlist,
    read_choice,
)
from metier.context import USE_SKILL, BasePrompt, ContextBuilder, ContextMessage, Material, SkillMenu
from metier.errors import UsageError
from metier.language import Language, language_of
from metier.routing import Router
from metier.skills import Catalog, Skill, SkillLibrary
from metier.tools import ToolCall

Handler: TypeAlias = Callable[[ModelRequest[Any]], ModelResponse[Any]]
AsyncHandler: TypeAlias = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
ToolHandler: TypeAlias = Callable[[ToolCallRequest], ToolMessage | Command[Any]]
AsyncToolHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]

_SKILL_ONLY_PROMPT: Final = "{{ skill_content }}"


class SkillState(AgentState[Any]):
    """Agent state of the skill middleware: the skill in use and which of its rules is followed."""

    skill: NotRequired[str | None]
    scenario: NotRequired[str | None]
    todos: NotRequired[Annotated[list[dict[str, Any]], OmitFromOutput]]


class SkillMiddleware(AgentMiddleware[SkillState, Any, Any]):
    """Lets the model choose a skill, and adds the skill in use to the system prompt.

    `skills` is a folder or a `SkillLibrary`; files are checked for changes on every request, so an edit applies at
    once. The choice is kept in the agent's state as `skill`: with a checkpointer each thread has its own. The tool is
    offered only when the last message is a person's, and not while the skill in use has unfinished `todos`. With a
    `router` the menu has the likeliest skills.
    """

    state_schema = SkillState

    def __init__(
        self,
        skills: Path | str | SkillLibrary | None = None,
        *,
        router: Router | None = None,
        tool: str = USE_SKILL,
        language: Language | Literal["auto"] = "auto",
        name: str = "SkillMiddleware",
    ) -> None:
        super().__init__()
        self._library = (
            skills if isinstance(skills, SkillLibrary) or skills is None else SkillLibrary.from_folders(skills)
        )
        self._router = router
        self._tool = tool
        self._language = language
        self._name = name
        self._builders: Mapping[Language, ContextBuilder] = {
            "zh": ContextBuilder(BasePrompt(_SKILL_ONLY_PROMPT, language="zh"), language="zh"),
            "en": ContextBuilder(BasePrompt(_SKILL_ONLY_PROMPT), language="en"),
        }

    @property
    def name(self) -> str:
        return self._name

    def wrap_model_call(self, request: ModelRequest[Any], handler: Handler) -> ModelResponse[Any]:
        """Offer the choice when it may be made, and add the skill in use to the prompt."""
        return handler(self._prepare_request(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncHandler) -> ModelResponse[Any]:
        return await handler(self._prepare_request(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        """Answer the call that chooses a skill; all other calls pass through."""
        return self._apply_choice(request) if request.tool_call["name"] == self._tool else handler(request)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != self._tool:
            return await handler(request)
        state = _find_turn_state(request.runtime)
        if state is None:
            return self._apply_choice(request)
        menu = state.skill.menu or state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
        choice, skill = read_choice(request.tool_call["args"], state.request.catalog, menu)
        if choice.known:
            await enter_skill(state, skill, _get_scenario(request), "the model chose it")
        return _choice_command(
            request, control_message(_get_tool_call(request), choice_result(choice, skill, menu), ok=choice.known)
        )

    def _prepare_request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        state = _find_turn_state(request.runtime)
        if state is not None:
            return self._offer_choice(request, state)
        catalog = self._load_catalog()
        skill = catalog.get(_get_state_text(request, "skill") or "")
        shown = request if skill is None else self._add_skill_prompt(request, skill)
        busy = skill is not None and _has_unfinished_todos(request.state)
        if not is_last_from_user(request.messages) or busy:
            return shown
        menu = self._build_menu(request, catalog)
        return shown.override(tools=[*shown.tools, make_menu_tool(self._tool, menu)]) if menu.enum else shown

    def _offer_choice(self, request: ModelRequest[Any], state: TurnState) -> ModelRequest[Any]:
        """Offer the choice in Metier's own runtime, where `PromptMiddleware` builds the prompt."""
        messages = request.state.get("messages", [])
        if state.resources.uses_builtin_model or not can_choose_skill(messages, state):
            return request
        menu = (
            state.skill.menu
            if state.skill.active is None and state.skill.menu
            else state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
        )
        state.skill.menu = menu
        return request.override(tools=[*request.tools, make_menu_tool(self._tool, menu)]) if menu.enum else request

    def _add_skill_prompt(self, request: ModelRequest[Any], skill: Skill) -> ModelRequest[Any]:
        said = _last_user_text(request)
        scenario = _get_state_text(request, "scenario")
        material = Material(rule=scenario if scenario in skill.rules else None)
        builder = self._builders[self._resolve_language(said)]
        content = builder.build_work_prompt(skill, [ContextMessage("user", said or skill.title)], material).system
        base = request.system_message.text if request.system_message else ""
        return request.override(system_message=SystemMessage(f"{base}\n\n{content}".strip()))

    def _apply_choice(self, request: ToolCallRequest) -> Command[Any]:
        catalog = self._load_catalog()
        menu = make_menu(make_shortlist(catalog, ()), "en")
        choice, skill = read_choice(request.tool_call["args"], catalog, menu)
        message = control_message(_get_tool_call(request), choice_result(choice, skill, menu), ok=choice.known)
        if not choice.known:
            return Command(update={"messages": [message]})
        chosen = {"skill": skill.id if skill else None, "scenario": _get_scenario(request)}
        return Command(update={"messages": [message], **chosen})

    def _build_menu(self, request: ModelRequest[Any], catalog: Catalog) -> SkillMenu:
        said = _last_user_text(request)
        ranked: list[tuple[str, float]] = []
        if self._router is not None:
            decision = self._router.route(said, catalog=catalog, active=_get_state_text(request, "skill"))
            ranked = [(one.skill, one.score) for one in decision.candidates]
        return make_menu(make_shortlist(catalog, ranked)[:MAX_SHORTLISTED], self._resolve_language(said))

    def _load_catalog(self) -> Catalog:
        if self._library is None:
            raise UsageError("SkillMiddleware has no skills", hint='name the folder: SkillMiddleware("skills")')
        return self._library.catalog()

    def _resolve_language(self, said: str) -> Language:
        return language_of(said) if self._language == "auto" else self._language


def _find_turn_state(runtime: object) -> TurnState | None:
    """State of the turn if this agent belongs to Metier's own runtime; None otherwise."""
    context = getattr(runtime, "context", None)
    return context if isinstance(context, TurnState) else None


def _get_state_text(request: ModelRequest[Any], key: str) -> str | None:
    state: Mapping[str, Any] = {**request.state}
    return state.get(key)


def _choice_command(request: ToolCallRequest, message: ToolMessage) -> Command[Any]:
    data = json.loads(message.text)
    update: dict[str, Any] = {"messages": [message]}
    if data["status"] != "unknown":
        update |= {"skill": data["skill"], "scenario": _get_scenario(request)}
    return Command(update=update)


def _get_tool_call(request: ToolCallRequest) -> ToolCall:
    call = request.tool_call
    return ToolCall(call["id"] or "", call["name"], call["args"])


def _get_scenario(request: ToolCallRequest) -> str | None:
    given = request.tool_call["args"].get("scenario")
    return given.strip() or None if isinstance(given, str) else None


def _last_user_text(request: ModelRequest[Any]) -> str:
    return next((one.text for one in reversed(request.messages) if isinstance(one, HumanMessage)), "")


def _has_unfinished_todos(state: Mapping[str, Any]) -> bool:
    return any(todo.get("status") in ("pending", "in_progress") for todo in state.get("todos") or ())
