"""Resources shared by all turns of a runtime: store, skills, tools, rules and caches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from metier.agent._limits import Limits, Price
from metier.agent._specs import offer
from metier.context import CHOOSE, WORK, BasePrompt, Budget, Clearing, ContextBuilder, SkillMenu, skill_menu
from metier.routing import Router
from metier.settings import Settings
from metier.skills import Catalog, Skill, SkillLibrary
from metier.store import Store
from metier.tools import (
    AskPerson,
    ExceptionPolicy,
    Executor,
    Gate,
    Language,
    Ledger,
    Registry,
    Rules,
    ScriptRunner,
    TaskType,
    TaskTypes,
    Tool,
    ToolSpec,
    gate_for,
)

_MOST_GATES: Final = 128
MENU_TOKENS: Final = 600
_TURN_MESSAGES: Final = 80
_HISTORY_TOKENS: Final = 3500


class Opened(NamedTuple):
    """Gate with the tools it allows, as specs and in the OpenAI format."""

    gate: Gate
    specs: Mapping[str, ToolSpec]
    offers: Mapping[str, dict[str, Any]]


class Bench(NamedTuple):
    """Tool registry and executor of one catalog."""

    registry: Registry
    executor: Executor


@dataclass(slots=True)
class Kit:
    """Resources shared by all turns. Fields are fixed after opening; the caches can be rebuilt at any time."""

    settings: Settings
    store: Store
    library: SkillLibrary
    router: Router
    tools: tuple[Tool, ...]
    runner: ScriptRunner | None
    ledger: Ledger
    task_types: TaskTypes
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    builtin: bool
    policy: Rules | None = None
    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    exceptions: ExceptionPolicy = field(default_factory=AskPerson)
    builders: Mapping[Language, ContextBuilder] = field(default_factory=dict)
    watched: bool = False
    _menus: dict[tuple[object, ...], SkillMenu] = field(default_factory=dict)
    _routed: set[str] = field(default_factory=set)
    _benches: dict[str, Bench] = field(default_factory=dict)
    _gates: dict[tuple[object, ...], Opened] = field(default_factory=dict)

    def bench(self, catalog: Catalog) -> Bench:
        """Tools of this catalog; the last few catalogs are cached."""
        found = self._benches.get(catalog.digest)
        if found is None:
            if len(self._benches) >= 4:
                self._benches.clear()
                self._gates.clear()
            registry = Registry(self.tools).with_skills(catalog, self.runner)
            found = self._benches[catalog.digest] = Bench(registry, Executor(registry, self.ledger))
        return found

    def opened(
        self,
        catalog: Catalog,
        skill: Skill | None,
        task_type: TaskType | None,
        plan: Rules | None,
        granted: frozenset[str],
    ) -> Opened:
        """Gate for these rules, cached: building one takes about a millisecond."""
        key = (catalog.digest, skill.id if skill else "", task_type.name if task_type else "", plan, granted)
        found = self._gates.get(key)
        if found is None:
            if len(self._gates) >= _MOST_GATES:
                self._gates.clear()
            skills = (skill,) if skill else ()
            registry = self.bench(catalog).registry
            gate = gate_for(skills, tools=registry, plan=plan, task_type=task_type, policy=self.policy)
            for tool in sorted(granted):
                gate = gate.granting(tool)
            found = self._gates[key] = _opened(gate)
        return found

    def menu(self, shortlist: Sequence[tuple[Skill, float]], language: Language) -> SkillMenu:
        """Skill menu for a shortlist, cached: counting its tokens takes about a millisecond."""
        key = (language, *((skill.id, skill.digest) for skill, _ in shortlist))
        found = self._menus.get(key)
        if found is None:
            if len(self._menus) >= _MOST_GATES:
                self._menus.clear()
            found = self._menus[key] = skill_menu(shortlist, MENU_TOKENS, language=language)
        return found

    def is_routed(self, catalog: Catalog) -> bool:
        """Mark the catalog as routed; return whether it was already. The first routing builds the index."""
        seen = catalog.digest in self._routed
        self._routed.add(catalog.digest)
        return seen

    def workspace(self, conversation: str) -> Path:
        """Folder for the files of a conversation."""
        return self.settings.storage_dir / "workspaces" / conversation


def builders(settings: Settings, prompt: Path | None = None) -> Mapping[Language, ContextBuilder]:
    """Create one context builder per language; `prompt` is a pack's, used if the operator has set none.

    Earlier messages are limited to 5 or 10 where they are read; of the current turn everything that fits is included.
    """
    file = settings.prompt_file or prompt
    text = file.read_text("utf-8") if file else None
    kept = Clearing().keep_tools | {settings.skill_tool, *settings.knowledge_tools}
    made: dict[Language, ContextBuilder] = {}
    for language in ("zh", "en"):
        base = BasePrompt(text, values={"language": language}, language=language) if text else None
        made[language] = ContextBuilder(
            base,
            mode=settings.prompt_mode,
            language=language,
            choose=_roomy(CHOOSE, 0),
            work=_roomy(WORK, _HISTORY_TOKENS),
            clearing=Clearing(keep_tools=kept),
        )
    return made


def _roomy(budget: Budget, history_tokens: int) -> Budget:
    history = max(history_tokens, budget.sections.get("history", 0))
    return Budget(
        budget.limit_tokens, _TURN_MESSAGES, {**budget.sections, "history": history}, budget.menu_floor_tokens
    )


def _opened(gate: Gate) -> Opened:
    specs = {name: spec for name in gate.allowed() if (spec := gate.spec(name)) is not None}
    return Opened(gate, specs, {name: offer(spec) for name, spec in specs.items()})
