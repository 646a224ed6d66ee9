"""Packs that are installed: found, put in the order of what they require, selected and loaded."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from metier.errors import InvalidPack, MetierError, MissingExtra, PackNotFound
from metier.pack._file import ENTRY_POINT_GROUP, find_module_folder, invalid_key
from metier.pack._guard import PackGuard
from metier.pack._pack import Pack, PackContext, PackProblem, read_pack
from metier.pack._run import import_reference, run_in_thread
from metier.pack._terms import list_documented_words
from metier.settings import Settings
from metier.skills import SkillRoot
from metier.tools import Tool, with_source

if TYPE_CHECKING:
    from metier.routing import Glossary

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


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
    return _sort_by_requirements(_drop_without_imports(packs, problems), problems)


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


def _drop_without_imports(packs: Mapping[str, Pack], problems: list[PackProblem]) -> dict[str, Pack]:
    """Packs whose imported packs are installed, even if those lack a package and cannot be selected."""
    installed = packs.keys() | {one.pack for one in problems}
    kept: dict[str, Pack] = {}
    for name, pack in packs.items():
        if lacks := ", ".join(one for one in pack.imports if one not in installed):
            error = InvalidPack(f"pack {name!r} imports {lacks}, which is not there", hint=f"install {lacks}")
            problems.append(_problem_from_error(name, error))
        else:
            kept[name] = pack
    return kept


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
