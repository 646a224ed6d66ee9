"""Resources shared by all turns of a runtime: store, skills, tools, rules and caches."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from metier.agent.adapters import Limits, to_openai
from metier.agent.middleware import fits_menu, make_menu
from metier.agent.models import ModelPool
from metier.context import (
    BasePrompt,
    ContextBuilder,
    DigestPolicy,
    SkillMenu,
)
from metier.language import Language
from metier.pack import LatePackTools, Pack, PackAnswerer, PackClaim, PackGuard, PreparedGuard
from metier.routing import Router
from metier.settings import Settings
from metier.skills import Catalog, Skill, SkillLibrary
from metier.store import Store
from metier.tasks import TaskAnalyzer
from metier.tokens import count_tokens
from metier.tools import (
    AskPerson,
    ExceptionPolicy,
    ExceptionRuling,
    Executor,
    Gate,
    Ledger,
    RefusedCall,
    Registry,
    Rules,
    ScriptRunner,
    TaskType,
    Tool,
    ToolExceptionRequest,
    ToolSpec,
    gate_for,
    with_optional_document,
)
from metier.tools.mcp import McpServers, add_mcp_tools
from metier.workspaces import workspace_folder

if TYPE_CHECKING:
    from metier.agent.turn._state import TurnState
    from metier.flow import FlowLibrary
    from metier.json_values import JsonValue

    RunCalls = Callable[[TurnState], Awaitable[Mapping[str, JsonValue]]]

_MAX_CACHE_ENTRIES: Final = 128


class OpenGate(NamedTuple):
    """Gate with the tools it allows, as specs and in the OpenAI format, and the names of those it denies."""

    gate: Gate
    specs: Mapping[str, ToolSpec]
    openai_tools: Mapping[str, dict[str, Any]]
    denied: frozenset[str] = frozenset()

    def with_document(self) -> "OpenGate":
        """The same gate while a document is open: tools that take it are offered with `doc_text` as optional."""
        changed = {name: one for name, spec in self.specs.items() if (one := with_optional_document(spec)) is not spec}
        if not changed:
            return self
        tools = {name: to_openai(spec) for name, spec in changed.items()}
        return OpenGate(self.gate, {**self.specs, **changed}, {**self.openai_tools, **tools})


class Toolset(NamedTuple):
    """Tool registry and executor of one catalog."""

    registry: Registry
    executor: Executor


@dataclass(slots=True)
class Resources:
    """Resources shared by all turns. Fields are fixed after opening; the caches can be rebuilt at any time."""

    settings: Settings
    store: Store
    library: SkillLibrary
    router: Router
    tools: tuple[Tool, ...]
    pack_tools: LatePackTools
    script_runner: ScriptRunner | None
    ledger: Ledger
    analyzer: TaskAnalyzer
    clock: Callable[[], datetime]
    timer: Callable[[], float]
    new_id: Callable[[], str]
    models: ModelPool
    policy: Rules | None = None
    limits: Limits = field(default_factory=Limits)
    exception_policy: ExceptionPolicy = field(default_factory=AskPerson)
    context_builders: Mapping[Language, ContextBuilder] = field(default_factory=dict)
    mcp: McpServers | None = None
    flow: "FlowLibrary | None" = None
    run_calls: "Callable[[TurnState], Awaitable[Mapping[str, JsonValue]]] | None" = (
        None  # of the agent, once it is built
    )
    guards: tuple[PackGuard, ...] = ()
    claims: tuple[PackClaim, ...] = ()
    fallback_claims: tuple[PackClaim, ...] = ()
    answerers: tuple[PackAnswerer, ...] = ()
    packs: tuple[Pack, ...] = ()
    _menus: dict[tuple[object, ...], SkillMenu] = field(default_factory=dict)
    _full_menus: dict[tuple[str, str], bool] = field(default_factory=dict)
    _has_tokenizer: bool = False
    _toolsets: dict[str, Toolset] = field(default_factory=dict)
    _gates: dict[tuple[object, ...], OpenGate] = field(default_factory=dict)
    _mcp_version: int = 0

    def toolset(self, catalog: Catalog) -> Toolset:
        """Tools of this catalog; the last few catalogs are cached."""
        self._forget_changed_tools()
        found = self._toolsets.get(catalog.digest)
        if found is None:
            if len(self._toolsets) >= 4:
                self._toolsets.clear()
                self._gates.clear()
            registry = Registry((*self.tools, *self.pack_tools.load()))
            if self.mcp is not None:
                registry = add_mcp_tools(registry, self.mcp)
            registry = registry.with_skills(catalog, self.script_runner)
            found = self._toolsets[catalog.digest] = Toolset(registry, Executor(registry, self.ledger))
        return found

    async def load_catalog(self) -> Catalog:
        """Current skills; files are looked at and read in a thread, so that no skill holds up other requests."""
        return self.library.catalog() if self.library.is_current else await asyncio.to_thread(self.library.catalog)

    async def load_catalog_and_tools(self) -> Catalog:
        """Current skills, once the tools of the packs are loaded as well."""
        await self.load_tools()
        return await self.load_catalog()

    def open_gate_for(
        self,
        catalog: Catalog,
        skill: Skill | None,
        task_type: TaskType | None,
        plan: Rules | None,
        granted: frozenset[str],
        *,
        together: Sequence[Skill] = (),
        first: Rules | None = None,
    ) -> OpenGate:
        """Gate for these rules, cached: building one takes about a millisecond. `together`: skills beside the first."""
        self._forget_changed_tools()
        beside = tuple(one.id for one in together)
        named = (skill.id if skill else "", task_type.name if task_type else "")
        key = (catalog.digest, beside, *named, plan, granted, first)
        found = self._gates.get(key)
        if found is None:
            if len(self._gates) >= _MAX_CACHE_ENTRIES:
                self._gates.clear()
            skills = (*((skill,) if skill else ()), *together)
            registry = self.toolset(catalog).registry
            gate = gate_for(skills, tools=registry, plan=plan, task_type=task_type, policy=self.policy, first=first)
            for tool in sorted(granted):
                gate = gate.with_grant(tool)
            found = self._gates[key] = _build_open_gate(gate)
        return found

    def is_idempotent(self, catalog: Catalog, skill: Skill | None, tool: str) -> bool:
        """Whether a call of this tool may run twice; False for a tool that is not known."""
        spec = self._get_spec(catalog, skill, tool)
        return spec is not None and spec.idempotent

    def choose_stop_sentence(
        self, catalog: Catalog, skill: Skill | None, tool: str
    ) -> Literal["call_stopped", "call_goes_on"]:
        """What to say of a call that began and may run twice: one that writes may still do so in its thread."""
        spec = self._get_spec(catalog, skill, tool)
        writes = spec is not None and not spec.effects.isdisjoint(("writes", "executes"))
        return "call_goes_on" if writes else "call_stopped"

    def _get_spec(self, catalog: Catalog, skill: Skill | None, tool: str) -> ToolSpec | None:
        return self.open_gate_for(catalog, skill, None, None, frozenset()).gate.get_spec(tool)

    def skill_menu_for(self, shortlist: Sequence[tuple[Skill, float]], language: Language) -> SkillMenu:
        """Skill menu for a shortlist, cached: counting its tokens takes about a millisecond."""
        key = (language, *((skill.id, skill.digest) for skill, _ in shortlist))
        found = self._menus.get(key)
        if found is None:
            if len(self._menus) >= _MAX_CACHE_ENTRIES:
                self._menus.clear()
            found = self._menus[key] = make_menu(shortlist, language)
        return found

    def offers_all_skills(self, catalog: Catalog, language: Language) -> bool:
        """Whether all skills of the catalog fit on the menu from which a model chooses, cached."""
        key = (catalog.digest, language)
        found = self._full_menus.get(key)
        if found is None:
            if len(self._full_menus) >= _MAX_CACHE_ENTRIES:
                self._full_menus.clear()
            found = self._full_menus[key] = fits_menu(catalog, language)
        return found

    async def prepare(self, *, tools: bool = True) -> None:
        """Load in a thread what a first turn needs: index, encoders, tokenizer, what guards and claims need, tools."""
        catalog = await self.load_catalog()
        await asyncio.to_thread(self.router.prepare, catalog)
        await self.prepare_tokenizer()
        for guard in self.guards:
            if isinstance(guard, PreparedGuard):
                await asyncio.to_thread(guard.prepare)
        for claim in self.claims:  # every message is shown to them: the first one does not wait for their modules
            await asyncio.to_thread(claim, "", self.settings.storage_dir / "none")
        if tools:
            await self.load_tools()

    async def load_tools(self, tell: Callable[[], Awaitable[None]] | None = None) -> None:
        """Load the tools of the packs in a thread, once; a turn that has to wait for it tells first what it knows."""
        if not self.pack_tools.is_loaded:
            if tell is not None:
                await tell()
            await asyncio.to_thread(self.pack_tools.load)

    async def prepare_tokenizer(self) -> None:
        """Load the tokenizer in a thread, unless there is no prompt to count: the built-in model reads none."""
        if not (self.models.is_all_builtin or self._has_tokenizer):
            await asyncio.to_thread(count_tokens, "")
            self._has_tokenizer = True

    def _forget_changed_tools(self) -> None:
        """Empty the caches if an MCP server changed its tools or a person approved one."""
        if self.mcp is not None and (version := self.mcp.version) != self._mcp_version:
            self._toolsets.clear()
            self._gates.clear()
            self._mcp_version = version

    def workspace(self, conversation: str) -> Path:
        """Folder for the files of a conversation."""
        return workspace_folder(self.settings.storage_dir, conversation)


def make_context_builders(
    settings: Settings, prompt: Path | None = None, keep: Collection[str] = ()
) -> Mapping[Language, ContextBuilder]:
    """Create one context builder per language; `prompt` is a pack's, used if the operator has set none.

    `keep` are tools of packs whose results are kept whole, beside those of METIER_KNOWLEDGE_TOOLS.
    """
    file = settings.prompt_file or prompt
    text = file.read_text("utf-8") if file else None
    kept = DigestPolicy().keep_tools | {settings.skill_tool, *settings.knowledge_tools, *keep}
    made: dict[Language, ContextBuilder] = {}
    for language in ("zh", "en"):
        base = BasePrompt(text, values={"language": language}, language=language) if text else None
        made[language] = ContextBuilder(
            base,
            mode=settings.prompt_mode,
            language=language,
            results=DigestPolicy(keep_tools=kept),
        )
    return made


def _build_open_gate(gate: Gate) -> OpenGate:
    specs = {name: spec for name in gate.allowed_tools() if (spec := gate.get_spec(name)) is not None}
    denied = frozenset(gate.known_tools()) - specs.keys()
    return OpenGate(gate, specs, {name: to_openai(spec) for name, spec in specs.items()}, denied)


class StoreLedger:
    """Records refusals and exceptions in the store, under their conversation.

    The conversation must exist. A failed write raises, so that no refusal is lost silently.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def record_violation(self, refused: RefusedCall) -> None:
        await self._store.violations.record(
            refused.conversation,
            turn=refused.turn,
            tool=refused.tool,
            args_digest=refused.args_digest,
            layer=refused.layer,
            code=refused.code,
            reason=refused.reason,
            skill=refused.skill,
        )

    async def record_exception_request(self, ask: ToolExceptionRequest) -> str:
        kept = await self._store.exceptions.request(
            ask.conversation, tool=ask.tool, reason=ask.reason, skill=ask.skill, turn=ask.turn
        )
        return kept.id

    async def record_exception_ruling(self, request: str, ruling: ExceptionRuling) -> None:
        await self._store.exceptions.decide(request, ruling.state, by=ruling.by, note=ruling.note or None)
