"""Sources of a middleware's gate: a `Gate`, a function called at every step, lists of names, or a skill's file."""

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias

from metier.errors import SkillNotFound, UsageError
from metier.skills import SkillLibrary
from metier.tools import Gate, Rules, ToolSpec, rules_from_skills

_log = logging.getLogger(__name__)
GateFactory: TypeAlias = Callable[[Mapping[str, object], object], Gate]


class GateSource(Protocol):
    """Returns the gate that applies now, for the tools that the agent has."""

    def __call__(self, tools: Mapping[str, ToolSpec], state: Mapping[str, object], runtime: object) -> Gate: ...


def make_gate_source(
    gate: Gate | GateFactory | None,
    rules: Rules | None,
    skills: Path | str | SkillLibrary | None,
    skill: str | None,
) -> GateSource:
    """Build the source; exactly one of gate, rules and skill must be given."""
    if (skills is None) != (skill is None):
        raise UsageError("'skills' and 'skill' belong together", hint="name the folder and the skill")
    ways = [gate is not None, rules is not None, skills is not None]
    if sum(ways) != 1:
        raise UsageError(
            "a gate comes from one place",
            hint="pass a Gate or a function, or allowed=/forbidden=/confirm=, or skills= with skill=",
        )
    if isinstance(gate, Gate):
        return lambda tools, state, runtime: gate
    if gate is not None:
        return lambda tools, state, runtime: gate(state, runtime)
    if rules is not None:
        return lambda tools, state, runtime: Gate([rules], tools)
    library = skills if isinstance(skills, SkillLibrary) else open_named_folder(skills or "")
    return _skill_gate_source(library, skill or "")


def open_named_folder(folder: Path | str) -> SkillLibrary:
    """Library over a folder that a caller names; without the folder, which may come later, an agent has no skills."""
    if not Path(folder).is_dir():
        _log.warning("no folder %r: there are no skills until it is there", str(folder))
    return SkillLibrary.from_folders(folder)


def rules_from_lists(
    allowed: Iterable[str] | None, forbidden: Iterable[str], confirm: Iterable[str], source: str
) -> Rules | None:
    """Rules from lists of names; None if all lists are empty. A bare string is refused: it would be read as letters."""
    for key, names in (("allowed", allowed), ("forbidden", forbidden), ("confirm", confirm)):
        if isinstance(names, str):
            raise UsageError(f"{key}= takes a list of tool names, not {names!r}", hint=f"write {key}=[{names!r}]")
    refused, asked = frozenset(forbidden), frozenset(confirm)
    if allowed is None and not refused and not asked:
        return None
    listed = None if allowed is None else frozenset(allowed) | asked
    return Rules("operator", source, allowed=listed, forbidden=refused, confirm=asked)


def _skill_gate_source(library: SkillLibrary, skill: str) -> GateSource:
    """The library is read on every call, so an edited skill applies from the next call on."""

    def build_gate(tools: Mapping[str, ToolSpec], state: Mapping[str, object], runtime: object) -> Gate:
        found = library.catalog().get(skill)
        if found is None:
            raise SkillNotFound(f"no skill {skill!r}", hint="check the folder and the skill's id")
        return Gate(rules_from_skills([found]), tools, skills=(found.id,))

    return build_gate
