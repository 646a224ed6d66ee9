"""Skills inside a LangChain agent: the model chooses one, and the next model call runs under its instructions."""

from pathlib import Path
from typing import Any, Final, NotRequired

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncModelHandler,
    AsyncToolHandler,
    ModelHandler,
    ToolHandler,
    get_state,
    get_tool_call,
)
from metier.agent.middleware._events import LanguageOption, resolve_language
from metier.agent.middleware._skill_menu import (
    choose_from_menu,
    is_last_from_user,
    make_menu,
    make_menu_tool,
    make_shortlist,
)
from metier.agent.middleware._todos import has_unfinished
from metier.context import USE_SKILL, BasePrompt, ContextBuilder, ContextMessage, Material, SkillMenu
from metier.routing import Router
from metier.skills import Catalog, Skill, SkillLibrary

_SKILL_ONLY_PROMPT: Final = "{{ skill_content }}"


class SkillState(AgentState[Any]):
    """Agent state of the skill middleware: the skill in use and which of its rules is followed."""

    skill: NotRequired[str | None]
    scenario: NotRequired[str | None]


class SkillMiddleware(AgentMiddleware[SkillState, Any, Any]):
    """Lets the model choose a skill, and adds the skill in use to the system prompt.

    `skills` is a folder or a `SkillLibrary`; files are checked for changes on every request, so an edit applies at
    once. The choice is kept in the agent's state as `skill`: with a checkpointer each thread has its own. The tool is
    offered only when the last message is a person's, and not while the skill in use has unfinished todos (those of
    LangChain's `TodoListMiddleware`). With a `router` the menu has the likeliest skills.
    """

    state_schema = SkillState

    def __init__(
        self,
        skills: Path | str | SkillLibrary,
        *,
        router: Router | None = None,
        tool: str = USE_SKILL,
        language: LanguageOption = "auto",
        name: str = "SkillMiddleware",
    ) -> None:
        super().__init__()
        self._library = skills if isinstance(skills, SkillLibrary) else SkillLibrary.from_folders(skills)
        self._router = router
        self._tool = tool
        self._language = language
        self._name = name
        self._builders = {
            "zh": ContextBuilder(BasePrompt(_SKILL_ONLY_PROMPT, language="zh"), language="zh"),
            "en": ContextBuilder(BasePrompt(_SKILL_ONLY_PROMPT), language="en"),
        }

    @property
    def name(self) -> str:
        return self._name

    def wrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        """Offer the choice when it may be made, and add the skill in use to the prompt."""
        return handler(self._prepare_request(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        return await handler(self._prepare_request(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        """Answer the call that chooses a skill; all other calls pass through."""
        return self._apply_choice(request) if request.tool_call["name"] == self._tool else handler(request)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        return self._apply_choice(request) if request.tool_call["name"] == self._tool else await handler(request)

    def _prepare_request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        catalog, state = self._library.catalog(), get_state(request)
        skill = catalog.get(state.get("skill") or "")
        shown = request if skill is None else self._add_skill_prompt(request, skill)
        busy = skill is not None and has_unfinished(state.get("todos"))
        if not is_last_from_user(request.messages) or busy:
            return shown
        menu = self._build_menu(request, catalog)
        return shown.override(tools=[*shown.tools, make_menu_tool(self._tool, menu)]) if menu.enum else shown

    def _add_skill_prompt(self, request: ModelRequest[Any], skill: Skill) -> ModelRequest[Any]:
        said = _last_user_text(request)
        scenario = get_state(request).get("scenario")
        material = Material(rule=scenario if scenario in skill.rules else None)
        builder = self._builders[resolve_language(request.messages, self._language)]
        content = builder.build_act_prompt(skill, [ContextMessage("user", said or skill.title)], material).system
        base = request.system_message.text if request.system_message else ""
        return request.override(system_message=SystemMessage(f"{base}\n\n{content}".strip()))

    def _apply_choice(self, request: ToolCallRequest) -> Command[Any]:
        catalog = self._library.catalog()
        menu = make_menu(make_shortlist(catalog, ()), resolve_language(request.state, self._language))
        chosen = choose_from_menu(get_tool_call(request), catalog, menu)
        if not chosen.is_known:
            return Command(update={"messages": [chosen.message]})
        skill = chosen.skill.id if chosen.skill else None
        return Command(update={"messages": [chosen.message], "skill": skill, "scenario": chosen.scenario})

    def _build_menu(self, request: ModelRequest[Any], catalog: Catalog) -> SkillMenu:
        ranked: list[tuple[str, float]] = []
        if self._router is not None:
            active = get_state(request).get("skill")
            decision = self._router.route(_last_user_text(request), catalog=catalog, active=active)
            ranked = [(one.skill, one.score) for one in decision.candidates]
        return make_menu(make_shortlist(catalog, ranked), resolve_language(request.messages, self._language))


def _last_user_text(request: ModelRequest[Any]) -> str:
    return next((one.text for one in reversed(request.messages) if isinstance(one, HumanMessage)), "")
