"""Checks a draft: lint, generated trigger evals against the whole catalog, and collisions with other skills."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.language import BilingualText, Language, language_of
from metier.packs.workspace.creator._draft import digest_draft, save_evals
from metier.skills import Catalog, Diagnostic, Skill
from metier.store import LOCAL_USER

if TYPE_CHECKING:
    from metier.json_values import JsonObject
    from metier.routing import Router
    from metier.settings import Settings
    from metier.skills import SkillLibrary

MIN_EVALS: Final = 12
_MIN_EACH: Final = 6
_TEMPLATES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "zh": (
            "帮我做一下{title}",
            "我要{title}",
            "请用{title}处理这份材料",
            "{title}怎么做",
            "现在开始{title}",
            "再来一次{title}",
        ),
        "en": (
            "please do the {title}",
            "I need {title}",
            "help me with {title}",
            "start {title} for this file",
            "{title} again, please",
            "can you do {title} now",
        ),
    }
)
_OFF_TOPIC: Final = (
    BilingualText("明天天气怎么样", "what is the weather like tomorrow"),
    BilingualText("讲个笑话", "tell me a joke"),
    BilingualText("你是谁", "who are you"),
    BilingualText("把这句话翻译成法语", "translate this sentence into French"),
    BilingualText("晚饭吃什么好", "what should I cook tonight"),
    BilingualText("谢谢，再见", "thanks, goodbye"),
    BilingualText("一加一等于几", "what is one plus one"),
    BilingualText("给我推荐一部电影", "recommend a film to me"),
)


@dataclass(frozen=True, slots=True)
class EvalResult:
    """One trigger eval: the message, whether the skill should be chosen, and which was."""

    query: str
    should_trigger: bool
    chosen: str | None
    passed: bool


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """What the checks of a draft found."""

    skill: Skill
    findings: tuple[Diagnostic, ...]
    evals: tuple[EvalResult, ...]
    collisions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    is_taken: bool = False
    unknown_tools: tuple[str, ...] = ()

    def list_errors(self, language: Language) -> tuple[str, ...]:
        """Findings for which the draft is not installed."""
        return tuple(one.text(language) for one in self.findings if one.severity == "error")

    @property
    def is_installable(self) -> bool:
        return not self.is_taken and not any(one.severity == "error" for one in self.findings)


@dataclass(frozen=True, slots=True)
class _KnownCheck:
    """A check, and what it was made of: the catalog, the language, and the draft's files after it."""

    catalog: Catalog
    language: Language
    digest: str
    check: DraftCheck

    def is_of(self, catalog: Catalog, draft: Skill, language: Language) -> bool:
        """Whether the draft at the same place was checked against the same skills, in this language."""
        same_place = self.check.skill.source.folder == draft.source.folder
        return self.catalog.digest == catalog.digest and same_place and self.language == language


@dataclass(slots=True)
class DraftChecker:
    """Checks drafts against the skills that their author sees: those of the settings and of all installed packs.

    The router and the library are opened once. A draft that was checked is not checked again until it, the language or
    a skill of the catalog changes: the approval shows what the check before it found.
    """

    settings: "Settings"
    storage: Path
    _router: "Router | None" = field(default=None, init=False)
    _library: "SkillLibrary | None" = field(default=None, init=False)
    _last: "_KnownCheck | None" = field(default=None, init=False)

    def check(self, workspace: Path, draft: Skill, user: str, language: Language) -> DraftCheck:
        """Lint the draft, write and run its trigger evals, and look for collisions."""
        catalog, last = self._load_catalog().narrow_to(user or LOCAL_USER), self._last
        if (
            last is not None
            and last.is_of(catalog, draft, language)
            and last.digest == digest_draft(workspace, draft.id)
        ):
            return replace(last.check, is_taken=self.is_taken(draft))
        check = self._check_against(catalog, workspace, draft, language)
        self._last = _KnownCheck(catalog, language, digest_draft(workspace, draft.id), check)
        return check

    def _check_against(self, catalog: Catalog, workspace: Path, draft: Skill, language: Language) -> DraftCheck:
        from metier.routing import find_collisions
        from metier.skills.lint import lint

        others = [one for one in catalog if one.id != draft.id]
        together = Catalog.from_skills([*others, draft])
        tools = self._list_tools(others)
        report = lint(draft.source.folder, known_tools=tools)
        router = self._open_router()
        queries = self._generate_queries(router, together, draft, language)
        rows: list[JsonObject] = [{"query": text, "should_trigger": should} for text, should in queries]
        save_evals(workspace, draft.id, rows)
        found = find_collisions(router, together, skills=[draft.id])
        collisions = tuple((_other(one.first, one.second, draft.id), one.explain(language)) for one in found)
        evals = tuple(_run_eval(router, together, draft.id, text, should=should) for text, should in queries)
        return DraftCheck(
            draft,
            tuple(report.findings),
            evals,
            collisions,
            self.is_taken(draft),
            tuple(name for name in draft.allowed_tools or () if name not in tools),
        )

    def is_taken(self, draft: Skill) -> bool:
        """Whether a skill has the draft's id, loaded or waiting, whoever it belongs to."""
        catalog = self._load_catalog()
        return draft.id in catalog or any(one.id == draft.id for one in catalog.waiting)

    def _load_catalog(self) -> Catalog:
        """Skills of the settings' folders and of all installed packs, as they are now, of all users."""
        from metier.pack import find_installed_packs, pack_skill_roots
        from metier.skills import open_skill_library

        if self._library is None:
            roots = pack_skill_roots(find_installed_packs().found)
            self._library = open_skill_library(self.settings, roots)
        return self._library.catalog()

    def _open_router(self) -> "Router":
        """Router with vectors of its own: a draft must not enter those of the running server."""
        from metier.routing import open_router

        if self._router is None:
            self.storage.mkdir(parents=True, exist_ok=True)
            self._router = open_router(self.settings.model_copy(update={"storage_dir": self.storage}))
        return self._router

    def _list_tools(self, skills: Iterable[Skill]) -> frozenset[str]:
        from metier.tools.builtin import builtin_tools_from

        builtin = (one.spec.name for one in builtin_tools_from(self.settings))
        return frozenset(chain(builtin, *((one.allowed_tools or ()) for one in skills)))

    def _generate_queries(
        self, router: "Router", catalog: Catalog, draft: Skill, language: Language
    ) -> tuple[tuple[str, bool], ...]:
        """At least twelve messages, six of each kind: from the draft's texts, its neighbours, and none of either."""
        from metier.routing import generate_evals

        made = [
            (one.query, one.should_trigger) for one in generate_evals(router, catalog, draft, count=MIN_EVALS).queries
        ]
        wanted = list(dict.fromkeys([*draft.examples, *(text for text, should in made if should)]))
        title = draft.title_in(language)
        spare = (one.format(title=title) for one in _TEMPLATES[language_of(title)])
        wanted += [one for one in spare if one not in wanted][: max(0, _MIN_EACH - len(wanted))]
        others = list(dict.fromkeys(text for text, should in made if not should and text not in wanted))
        plain = [one.text(language) for one in _OFF_TOPIC]
        others += [one for one in plain if one not in others][: max(2, _MIN_EACH - len(others))]
        return (*((one, True) for one in wanted[:MIN_EVALS]), *((one, False) for one in others[:MIN_EVALS]))


def _other(first: str, second: str, own: str) -> str:
    return second if first == own else first


def _run_eval(router: "Router", catalog: Catalog, own: str, query: str, *, should: bool) -> EvalResult:
    decision = router.route(query, catalog=catalog)
    chosen = decision.skill if decision.verdict != "none" else None
    hit = decision.verdict != "none" and own in (decision.skill, *decision.skills)
    return EvalResult(query, should, chosen, hit == should)
