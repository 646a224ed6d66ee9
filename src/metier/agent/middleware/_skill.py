"""Skills inside a LangChain agent: the model chooses one, and the next model call runs under its instructions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NotRequired, get_args

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
from metier.agent.middleware._gate_rules import open_named_folder
from metier.agent.middleware._skill_menu import (
    choose_from_menu,
    is_last_from_user,
    make_full_menu,
    make_menu,
    make_menu_tool,
    make_shortlist,
)
from metier.agent.middleware._todos import has_unfinished
from metier.context import USE_SKILL, BasePrompt, ContextBuilder, ContextMessage, Material, SkillMenu
from metier.errors import UsageError
from metier.language import Language
from metier.routing import Router
from metier.skills import Catalog, Skill, SkillLibrary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.tools import BaseTool

_SKILL_ONLY_PROMPT: Final = "{{ skill_content }}"
_SELECT_SKILL: Final = "select_skill"


class SkillState(AgentState[Any]):
    """Agent state of the skill middleware: the skill in use, its instructions when chosen, and the rule followed."""

    active_skill: NotRequired[str | None]
    skill_content: NotRequired[str | None]
    scenario: NotRequired[str | None]


class SkillMiddleware(AgentMiddleware[SkillState, Any, Any]):
    """Lets the model choose a skill, and adds the skill in use to the system prompt.

    `skills` is a folder or a `SkillLibrary`; files are checked for changes on every request, so an edit applies at
    once. The choice is kept in the agent's state as `active_skill`, with the instructions as they were then as
    `skill_content`; with a checkpointer each thread has its own. The tool is offered only when the last message is a
    person's, and not while the skill in use has unfinished todos (those of LangChain's `TodoListMiddleware`). With a
    `router` the menu has the likeliest skills, without one all of them, as far as they fit into the tokens of a menu.

    `skills_dir` names a folder like `skills`, and calls the tool `select_skill`. With `base_prompt_template`, a Jinja2
    template, the system prompt is the template rendered with `skill_content`: the skill in use, or nothing. It takes
    the place of a system prompt that is the template itself, and follows any other.
    """

    state_schema = SkillState

    def __init__(
        self,
        skills: Path | str | SkillLibrary | None = None,
        *,
        skills_dir: Path | str | None = None,
        base_prompt_template: str | None = None,
        router: Router | None = None,
        tool: str | None = None,
        language: LanguageOption = "auto",
        name: str = "SkillMiddleware",
    ) -> None:
        super().__init__()
        self.tools: Sequence[BaseTool] = ()  # the tool that chooses is added to single requests
        self._library = _open_library(skills, skills_dir)
        self._router = router
        self._tool = tool or (USE_SKILL if skills_dir is None else _SELECT_SKILL)
        self._language = language
        self._name = name
        self._template = base_prompt_template
        source = _SKILL_ONLY_PROMPT if base_prompt_template is None else base_prompt_template
        self._prompts: Mapping[Language, BasePrompt] = {
            known: BasePrompt(source, language=known) for known in get_args(Language)
        }
        self._builders = {known: ContextBuilder(base, language=known) for known, base in self._prompts.items()}

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
        skill = catalog.get(state.get("active_skill") or "")
        shown = self._add_base_prompt(request) if skill is None else self._add_skill_prompt(request, skill)
        busy = skill is not None and has_unfinished(state.get("todos"))
        if not is_last_from_user(request.messages) or busy:
            return shown
        menu = self._build_menu(request, catalog)
        return shown.override(tools=[*shown.tools, make_menu_tool(self._tool, menu)]) if menu.enum else shown

    def _add_base_prompt(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Request with the template rendered without a skill; unchanged without a template."""
        if self._template is None:
            return request
        language = resolve_language(request.messages, self._language)
        return self._write_system(request, self._prompts[language].render(stage="choose").text)

    def _write_system(self, request: ModelRequest[Any], content: str) -> ModelRequest[Any]:
        base = request.system_message.text if request.system_message else ""
        if self._template is not None and base.strip() == self._template.strip():
            base = ""
        return request.override(system_message=SystemMessage(f"{base}\n\n{content}".strip()))

    def _add_skill_prompt(self, request: ModelRequest[Any], skill: Skill) -> ModelRequest[Any]:
        said = _last_user_text(request)
        scenario = get_state(request).get("scenario")
        material = Material(rule=scenario if scenario in skill.rules else None)
        builder = self._builders[resolve_language(request.messages, self._language)]
        content = builder.build_act_prompt(skill, [ContextMessage("user", said or skill.title)], material).system
        return self._write_system(request, content)

    def _apply_choice(self, request: ToolCallRequest) -> Command[Any]:
        catalog = self._library.catalog()
        menu = make_full_menu(catalog, resolve_language(request.state, self._language))
        chosen = choose_from_menu(get_tool_call(request), catalog, menu)
        if not chosen.is_known:
            return Command(update={"messages": [chosen.message]})
        skill = chosen.skill
        kept = {
            "active_skill": skill.id if skill else None,
            "skill_content": str(skill.body) if skill else None,
            "scenario": chosen.scenario,
        }
        return Command(update={"messages": [chosen.message], **kept})

    def _build_menu(self, request: ModelRequest[Any], catalog: Catalog) -> SkillMenu:
        language = resolve_language(request.messages, self._language)
        if self._router is None:
            return make_full_menu(catalog, language)
        active = get_state(request).get("active_skill")
        decision = self._router.route(_last_user_text(request), catalog=catalog, active=active)
        ranked = [(one.skill, one.score) for one in decision.candidates]
        return make_menu(make_shortlist(catalog, ranked), language)


def _open_library(skills: Path | str | SkillLibrary | None, skills_dir: Path | str | None) -> SkillLibrary:
    if (skills is None) == (skills_dir is None):
        raise UsageError("skills come from one place", hint="pass a folder or a library, or skills_dir=")
    given = skills if skills is not None else skills_dir
    return given if isinstance(given, SkillLibrary) else open_named_folder(given or "")


def _last_user_text(request: ModelRequest[Any]) -> str:
    return next((one.text for one in reversed(request.messages) if isinstance(one, HumanMessage)), "")
