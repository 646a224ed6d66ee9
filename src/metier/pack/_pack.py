"""Packs: installable bundles for one domain, with skills, tools, knowledge, base prompt, examples and bench cases.

`pack.toml` in the pack's folder describes the contents; none of the pack's code runs before its tools are loaded.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar, cast

from metier.errors import InvalidPack, MetierError, MissingExtra, PackNotFound
from metier.json_values import JsonObject
from metier.language import BilingualText
from metier.names import suggest
from metier.pack._file import (
    ENTRY_POINT_GROUP,
    ID_PATTERN,
    PACK_FILE,
    REFERENCE_PATTERN,
    PackCommand,
    PackExtra,
    PackFinding,
    find_module_folder,
    invalid_key,
    read_bilingual,
    read_commands,
    read_extra,
    read_figures,
    read_reference,
    read_strings,
    read_toml,
    resolve_path,
)
from metier.pack._guard import PackGuard
from metier.pack._run import import_reference, make_list, make_tools, run_in_thread
from metier.pack._terms import list_documented_words
from metier.settings import Settings
from metier.skills import SkillRoot
from metier.tools import Tool, with_source

if TYPE_CHECKING:
    from metier.routing import Glossary

_PATH_KEYS: Final = ("skills", "prompt", "knowledge", "glossary", "bench", "journeys")
_CODE_KEYS: Final = (
    *("tools", "check", "operators", "flow", "commands", "figures", "view", "routes", "guard", "claim"),
    *("fallback_claim", "answer"),
)
_KEYS: Final = (
    *("id", "title", "description", "version", "requires", "extra", "examples", "keep_results"),
    *_CODE_KEYS,
    *_PATH_KEYS,
)
_TOOL_NAME: Final = re.compile(r"\w[\w.-]{0,63}")
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PackContext:
    """Passed to a pack's tool factories: the settings, and a folder for the pack's own data."""

    settings: Settings
    storage: Path


@dataclass(frozen=True, slots=True)
class PackProblem:
    """Why an installed pack, or a part of one, cannot be used; the others still work."""

    pack: str
    code: str
    message: str
    hint: str = ""

    def to_json(self) -> JsonObject:
        return {"pack": self.pack, "code": self.code, "message": self.message, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as described by its `pack.toml`. Paths are absolute and exist; None for a part the pack does not have."""

    id: str
    title: BilingualText
    description: BilingualText
    version: str
    folder: Path
    requires: tuple[str, ...] = ()
    extra: PackExtra | None = None
    skills: Path | None = None
    prompt: Path | None = None
    knowledge: Path | None = None
    glossary: Path | None = None
    bench: Path | None = None
    journeys: Path | None = None
    tool_factories: tuple[str, ...] = ()
    examples: tuple[BilingualText, ...] = ()
    checker: str = ""
    operator_factories: tuple[str, ...] = ()
    flow_factory: str = ""
    commands: tuple[PackCommand, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    routes: str = ""
    guard: str = ""
    claim: str = ""
    fallback_claim: str = ""
    answerer: str = ""
    viewer: str = ""
    keep_results: tuple[str, ...] = ()

    def load_tools(self, context: PackContext) -> tuple[Tool, ...]:
        """Load the pack's tools. Its code runs here for the first time: any exception becomes `InvalidPack`."""
        return tuple(
            tool
            for maker in self.tool_factories
            for tool in run_in_thread(self.id, maker, partial(make_tools, maker, context))
        )

    def load_operators(self, context: PackContext) -> tuple[object, ...]:
        """Run the pack's operator factories; the flow room checks what they give."""
        return tuple(
            one
            for maker in self.operator_factories
            for one in run_in_thread(self.id, maker, partial(make_list, maker, context))
        )

    def load_flow(self, context: PackContext) -> object | None:
        """Run the factory of the pack's rules for deep runs; None if it has none."""
        if not self.flow_factory:
            return None
        factory = self.flow_factory
        return run_in_thread(self.id, factory, lambda: cast("object", import_reference(factory)(context)))

    def load_figures(self, suite: str) -> Callable[..., Iterable[object]]:
        """Import the function that measures a suite of the pack; raises `InvalidPack` if the pack does not have it."""
        if (reference := dict(self.figures).get(suite)) is None:
            raise InvalidPack(f"pack {self.id!r} measures no figures {suite!r}", hint='figures = "module:function"')
        return run_in_thread(self.id, reference, lambda: import_reference(reference))

    def load_routes(self) -> tuple[object, ...]:
        """HTTP routes that the pack adds to the server; none if it has none."""
        return run_in_thread(
            self.id, self.routes, lambda: tuple(import_reference(self.routes)()) if self.routes else ()
        )

    def check(self, file: Path) -> tuple[PackFinding, ...]:
        """Check a user's file with the pack's own checker; raises `InvalidPack` if the pack has none."""
        if not self.checker:
            raise InvalidPack(f"pack {self.id!r} checks no files", hint='pack.toml may say check = "module:function"')
        found = run_in_thread(self.id, self.checker, lambda: tuple(import_reference(self.checker)(file)))
        return cast("tuple[PackFinding, ...]", found)

    def view(self, file: Path, form: Literal["blocks", "pdf"]) -> object:
        """A document as JSON blocks for the page, or as PDF bytes; None if the pack does not show such files."""
        if not self.viewer:
            return None
        return run_in_thread(self.id, self.viewer, lambda: cast("object", import_reference(self.viewer)(file, form)))

    def read_synonyms(self) -> tuple[tuple[str, ...], ...]:
        """Read the groups of synonyms from the pack's glossary."""
        if self.glossary is None:
            return ()
        groups = read_toml(self.glossary).get("groups", [])
        listed = groups if isinstance(groups, list) else []
        if not listed or not all(
            isinstance(one, list) and all(isinstance(word, str) for word in one) for one in listed
        ):
            hint = 'groups = [["PRB", "物理资源块"], …]'
            raise InvalidPack(f"the glossary of pack {self.id!r} has no groups of words", hint=hint)
        return tuple(tuple(group) for group in cast("list[list[str]]", groups))

    def to_json(self) -> JsonObject:
        paths = {name: None if (path := getattr(self, name)) is None else str(path) for name in _PATH_KEYS}
        return {
            "id": self.id,
            "title": self.title.to_json(),
            "description": self.description.to_json(),
            "version": self.version,
            "folder": str(self.folder),
            "requires": list(self.requires),
            "extra": self.extra.install if self.extra else None,
            "tools": list(self.tool_factories),
            "check": self.checker or None,
            "operators": list(self.operator_factories),
            "flow": self.flow_factory or None,
            "figures": dict(self.figures) or None,
            "routes": self.routes or None,
            "guard": self.guard or None,
            "claim": self.claim or None,
            "fallback_claim": self.fallback_claim or None,
            "answer": self.answerer or None,
            "view": self.viewer or None,
            "commands": [one.to_json() for one in self.commands],
            "keep_results": list(self.keep_results),
            "examples": [one.to_json() for one in self.examples],
            **paths,
        }


@dataclass(frozen=True, slots=True)
class Packs:
    """Packs in dependency order, and the problems of those that cannot be used."""

    found: tuple[Pack, ...] = ()
    problems: tuple[PackProblem, ...] = ()

    def select(self, names: Iterable[str]) -> tuple[Pack, ...]:
        """Select these packs and those they require, in order; `PackNotFound` lists the installed ones."""
        known = {pack.id: pack for pack in self.found}
        wanted: dict[str, None] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in known:
                raise self._missing_error(name)
            if name not in wanted:
                wanted[name] = None
                waiting.extend(known[name].requires)
        return tuple(pack for pack in self.found if pack.id in wanted)

    def _missing_error(self, name: str) -> MetierError:
        why = next((one for one in self.problems if one.pack == name), None)
        if why is not None:
            if why.code == MissingExtra.code:
                return MissingExtra(why.message, hint=why.hint)
            return InvalidPack(f"pack {name!r} cannot be used: {why.message}", hint=why.hint)
        hint = f"installed: {', '.join(pack.id for pack in self.found) or 'none'}"
        return PackNotFound(f"no pack {name!r} is installed", hint=hint)


def read_pack(folder: Path) -> Pack:
    """Read the pack in a folder; `InvalidPack` names the key of `pack.toml` and what is wrong with it."""
    home = folder.resolve()
    given = read_toml(home / PACK_FILE)
    for key in given:
        if key not in _KEYS:
            raise invalid_key(key, "is not a key of a pack", suggest(key, _KEYS))
    name, version = given.get("id"), given.get("version")
    if not isinstance(name, str) or not ID_PATTERN.fullmatch(name):
        raise invalid_key("id", f"is {str(name)[:40]!r}", "lower-case letters and digits, joined by '-' or '_'")
    if not isinstance(version, str) or not version.strip():
        raise invalid_key("version", "is missing", 'for example version = "1.0.0"')
    if not isinstance(examples := given.get("examples", []), list):
        raise invalid_key("examples", "is no list", "[[examples]] with zh and en")
    return Pack(
        id=name,
        title=read_bilingual(given.get("title"), "title"),
        description=read_bilingual(given.get("description"), "description"),
        version=version,
        folder=home,
        requires=read_strings(given.get("requires", []), "requires", ID_PATTERN),
        extra=read_extra(given),
        tool_factories=read_strings(given.get("tools", []), "tools", REFERENCE_PATTERN),
        checker=read_reference(given, "check"),
        operator_factories=read_strings(given.get("operators", []), "operators", REFERENCE_PATTERN),
        flow_factory=read_reference(given, "flow"),
        commands=read_commands(given),
        figures=read_figures(given, name),
        routes=read_reference(given, "routes"),
        guard=read_reference(given, "guard"),
        claim=read_reference(given, "claim"),
        fallback_claim=read_reference(given, "fallback_claim"),
        answerer=read_reference(given, "answer"),
        viewer=read_reference(given, "view"),
        keep_results=read_strings(given.get("keep_results", []), "keep_results", _TOOL_NAME),
        examples=tuple(read_bilingual(one, f"examples[{at}]") for at, one in enumerate(examples)),
        **{key: resolve_path(home, given.get(key), key) for key in _PATH_KEYS},
    )


def find_installed_packs() -> Packs:
    """Find every pack registered in the entry-point group `metier.packs`; a broken one is reported, not raised.

    An entry names a package (`telecom = "metier.packs.telecom"`) whose folder holds `pack.toml`.
    """
    packs: dict[str, Pack] = {}
    problems: list[PackProblem] = []
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda one: (one.name, one.value)):
        try:
            pack = read_pack(find_module_folder(entry.value))
            if entry.name != pack.id:
                raise invalid_key("id", f"is {pack.id!r}", f"the entry point calls it {entry.name!r}")
        except MetierError as error:
            problems.append(_problem_from_error(entry.name, error))
            continue
        if pack.id in packs and packs[pack.id].folder != pack.folder:
            twice = InvalidPack(f"{pack.folder} is a second pack {pack.id!r}", hint=f"see {packs[pack.id].folder}")
            problems.append(_problem_from_error(pack.id, twice))
        if _has_extra(pack, problems):
            packs.setdefault(pack.id, pack)
    return _sort_by_requirements(packs, problems)


def _has_extra(pack: Pack, problems: list[PackProblem]) -> bool:
    """Whether a pack has the packages that it cannot do without; those that are not there are a problem."""
    try:
        if pack.extra is not None:
            pack.extra.check(pack.id)
    except MissingExtra as error:
        problems.append(_problem_from_error(pack.id, error))
        return pack.extra is None or not pack.extra.required
    return True


def select_packs(settings: Settings, named: Sequence[str] = (), *, all_by_default: bool = False) -> Packs:
    """Select the packs to use: `named`, else those in the settings (`all` for every one), else none or all.

    `problems` is filled only when all packs were requested.
    """
    wanted = tuple(named) or settings.packs
    if not wanted and not all_by_default:
        return Packs()
    installed = find_installed_packs()
    if not wanted or "all" in wanted:
        return installed
    return Packs(installed.select(wanted))


def pack_skill_roots(packs: Iterable[Pack]) -> tuple[SkillRoot, ...]:
    """Skill folders of the packs; they are trusted because somebody chose to install the pack."""
    return tuple(SkillRoot(pack.skills, trusted=True, installed=True) for pack in packs if pack.skills is not None)


def build_pack_glossary(packs: Iterable[Pack]) -> "Glossary":
    """Build the glossary of all packs; one that cannot be read is logged and left out."""
    from metier.routing import Glossary

    chosen = tuple(packs)
    groups = {pack.id: tuple(_empty_on_error(pack, pack.read_synonyms)) for pack in chosen}
    documented = {pack.id: list_documented_words(pack.knowledge, groups[pack.id]) for pack in chosen if pack.knowledge}
    return Glossary((group for one in groups.values() for group in one), documented)


def find_pack_prompt(packs: Sequence[Pack]) -> Path | None:
    """Base prompt of the selected pack; None if several were selected, not counting the packs they require."""
    required = {name for pack in packs for name in pack.requires}
    chosen = [pack for pack in packs if pack.id not in required]
    return chosen[0].prompt if len(chosen) == 1 else None


def list_kept_tools(packs: Iterable[Pack]) -> frozenset[str]:
    """Tools whose results the packs want kept whole in every prompt."""
    return frozenset(tool for pack in packs for tool in pack.keep_results)


def load_pack_guards(packs: Iterable[Pack], settings: Settings) -> tuple[PackGuard, ...]:
    """Run the guard factories of the packs; one that fails raises `InvalidPack`: nothing may run unguarded."""
    made = []
    for pack in packs:
        if name := pack.guard:
            build = partial(import_reference(name), PackContext(settings, settings.storage_dir / "packs" / pack.id))
            made.append(cast("PackGuard", run_in_thread(pack.id, name, build)))
    return tuple(made)


def load_pack_tools(packs: Iterable[Pack], settings: Settings, taken: Iterable[str] = ()) -> tuple[Tool, ...]:
    """Load the tools of the packs. Tools that fail to load or have a name already taken are logged and left out."""
    names = set(taken)
    tools: list[Tool] = []
    for pack in packs:
        context = PackContext(settings, settings.storage_dir / "packs" / pack.id)
        for tool in _empty_on_error(pack, lambda pack=pack, context=context: pack.load_tools(context)):  # type: ignore[misc]  # mypy reads no type of a lambda with defaults
            if tool.spec.name in names:
                _log.warning("pack %s: a tool %s is there already", pack.id, tool.spec.name)
                continue
            names.add(tool.spec.name)
            tools.append(with_source(tool, pack.id))
    return tuple(tools)


def _empty_on_error(pack: Pack, make: Callable[[], tuple[_T, ...]]) -> tuple[_T, ...]:
    try:
        return make()
    except MetierError as error:
        _log.warning("pack %s: %s", pack.id, error)
        return ()


def _sort_by_requirements(packs: Mapping[str, Pack], problems: list[PackProblem]) -> Packs:
    """Sort packs after those they require; a pack whose requirements cannot be met becomes a problem."""
    done: dict[str, Pack] = {}
    waiting = [packs[name] for name in sorted(packs)]
    while ready := [pack for pack in waiting if all(name in done for name in pack.requires)]:
        done.update({pack.id: pack for pack in ready})
        waiting = [pack for pack in waiting if pack.id not in done]
    for pack in waiting:
        lacks = ", ".join(name for name in pack.requires if name not in done)
        why = "is not there" if any(name not in packs for name in pack.requires) else "waits for it in turn"
        error = InvalidPack(f"pack {pack.id!r} requires {lacks}, which {why}", hint=f"install {lacks}")
        problems.append(_problem_from_error(pack.id, error))
    return Packs(tuple(done.values()), tuple(problems))


def _problem_from_error(pack: str, error: MetierError) -> PackProblem:
    return PackProblem(pack, error.code, error.message, error.hint)
