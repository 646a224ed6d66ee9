"""Rules of each gate layer: operator policy, active skills, plan, task type, default."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from metier.errors import InvalidRules, PathNotFound
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.skills import Skill

Layer = Literal["operator", "skill", "plan", "task_type", "default"]

LAYERS: Final[tuple[Layer, ...]] = ("operator", "skill", "plan", "task_type", "default")
_POLICY_KEYS: Final = ("allowed", "forbidden", "confirm", "preapproved")
_PLAN_KEYS: Final = ("allowed", "forbidden", "confirm")
_MAX_FILE_BYTES: Final = 1_048_576
_GLOB: Final = frozenset("*?[")
_BEFORE_COMPUTE: Final = "before_compute"  # in a skill's metadata: tools that may run before its compute tool


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of one layer. `allowed` None means no restriction; `preapproved` waives a tool's own approval.

    Only operator rules may use globs (`github__*`). `note` is shown by `explain`. `waiting` are scripts of a skill that
    nobody has approved yet.
    """

    layer: Layer
    source: str
    allowed: frozenset[str] | None = None
    forbidden: frozenset[str] = frozenset()
    confirm: frozenset[str] = frozenset()
    preapproved: frozenset[str] = frozenset()
    note: str = ""
    waiting: frozenset[str] = frozenset()


def expand_globs(names: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """Return plain names unchanged, and globs as the known names they match."""
    plain, globs = set[str](), list[str]()
    for name in names:
        (globs.append if _GLOB & set(name) else plain.add)(name)
    return frozenset(plain | {name for name in known for glob in globs if fnmatchcase(name, glob)})


def rules_from_skills(skills: Sequence[Skill]) -> tuple[Rules, ...]:
    """Combine the rules of the active skills: a tool needs one that allows it and none that forbids it.

    A skill that lists tools (`allowed_tools`, `tools`) allows those; one that lists none allows all.
    """
    if not skills:
        return ()
    if len(skills) == 1:
        return (_rules_from_skill(skills[0]),)
    each = [_rules_from_skill(skill) for skill in skills]
    lists = [rules.allowed for rules in each if rules.allowed is not None]
    together = Rules(
        layer="skill",
        source=f"skills {', '.join(skill.id for skill in skills)}",
        allowed=frozenset().union(*lists) if len(lists) == len(each) else None,
        confirm=_merge_confirm(each),
        preapproved=frozenset().union(*(rules.preapproved for rules in each)),
        waiting=frozenset().union(*(rules.waiting for rules in each)),
    )
    denials = (Rules("skill", rules.source, forbidden=rules.forbidden) for rules in each if rules.forbidden)
    return together, *denials


def rules_before_compute(skill: Skill) -> Rules | None:
    """Rules that close all tools but those a skill needs to compute its data; None if it computes nothing."""
    if not skill.needs.compute or not skill.needs.compute_tool:
        return None
    listed = skill.metadata.get(_BEFORE_COMPUTE)
    before = map(str, listed) if isinstance(listed, list | tuple) else ()
    allowed = frozenset({skill.needs.compute_tool, *before})
    return Rules("skill", f"skill {skill.id} (compute first)", allowed=allowed)


def _merge_confirm(each: Sequence[Rules]) -> frozenset[str]:
    """Return the tools that need confirmation: listed with a condition, and by no skill without one."""
    plainly = {name for rules in each for name in (rules.allowed or frozenset()) - rules.confirm}
    return frozenset(name for rules in each for name in rules.confirm) - plainly


def _rules_from_skill(skill: Skill) -> Rules:
    own = frozenset(tool.name for tool in skill.tools)
    listed = skill.allowed_tools
    plain = frozenset(name for name in listed or () if "(" not in name)
    # `Bash(git:*)` allows only some calls of Bash. Metier does not evaluate the condition: a person confirms.
    conditional = frozenset(_strip_condition(name) for name in listed or () if "(" in name) - plain - own
    allowed = own | plain | conditional if own or listed is not None else None
    preapproved = frozenset(name for name in skill.preapproved_tools if "(" not in name)
    if skill.untrusted:
        preapproved = frozenset()
    elif not skill.source.trusted:
        preapproved &= frozenset(tool.name for tool in skill.tools if tool.origin == "script")
    return Rules(
        layer="skill",
        source=f"skill {skill.id}",
        allowed=allowed,
        forbidden=frozenset(map(_strip_condition, skill.forbidden_tools)),
        confirm=conditional,
        preapproved=preapproved,
        waiting=frozenset(tool.name for tool in skill.tools if tool.origin == "script" and skill.untrusted),
    )


def _strip_condition(name: str) -> str:
    return name.partition("(")[0].strip()


def load_policy(path: Path) -> Rules:
    """Load the operator policy from TOML: `allowed`, `forbidden`, `confirm`, `preapproved`; globs are allowed."""
    return _parse_rules("operator", f"policy {path.name}", read_rules_file(path), path, _POLICY_KEYS)


def load_plan_rules(path: Path) -> Rules:
    """Load plan constraints from TOML or JSON: `allowed`, `forbidden` and `confirm`.

    They are read from the table `constraints`, or from the top level if there is none.
    """
    found = read_rules_file(path)
    constraints = found.get("constraints", found)
    if not isinstance(constraints, Mapping):
        raise InvalidRules(f"{path}: 'constraints' must be a table", hint="give it 'allowed' and 'forbidden'")
    # At the top level a plan has other keys too; under `constraints` only `source` is added.
    known = (*_PLAN_KEYS, "source") if found is not constraints else tuple(constraints)
    _check_keys(constraints, known, path)
    lists = {key: constraints[key] for key in _PLAN_KEYS if key in constraints}
    return _parse_rules("plan", f"plan {path.name}", lists, path, _PLAN_KEYS)


def _read_toml(path: Path) -> JsonObject:
    try:
        return tomllib.loads(_read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidRules(f"{path} is not TOML: {error}", hint="mend the file") from error


def read_rules_file(path: Path) -> JsonObject:
    """Read a JSON file, or a TOML file of any other name; raise an error that names the file and the position."""
    if path.suffix != ".json":
        return _read_toml(path)
    try:
        found = load_json(_read_text(path))
    except JsonInvalid as error:
        raise InvalidRules(f"{path} is not JSON: {error}", hint="mend the file") from error
    if not isinstance(found, Mapping):
        raise InvalidRules(f"{path} must hold one JSON object", hint='for example {"allowed": ["web_search"]}')
    return found


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise InvalidRules(f"{path} is larger than {_MAX_FILE_BYTES} bytes", hint="a list of tools is shorter")
        return path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise PathNotFound(f"no file {str(path)!r}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise InvalidRules(f"{path} is not UTF-8", hint="save it as UTF-8") from error
    except OSError as error:
        raise InvalidRules(f"{path} cannot be read: {error.strerror}", hint="check the path") from error


def _check_keys(found: JsonObject, known: Sequence[str], path: Path) -> None:
    for key in found:
        if key not in known:
            raise InvalidRules(f"{path}: unknown key {key!r}", hint=f"known: {', '.join(known)}")


def _parse_rules(layer: Layer, source: str, lists: JsonObject, path: Path, known: Sequence[str]) -> Rules:
    _check_keys(lists, known, path)
    return Rules(
        layer=layer,
        source=source,
        allowed=parse_tool_names(lists["allowed"], "allowed", path) if "allowed" in lists else None,
        forbidden=parse_tool_names(lists.get("forbidden", ()), "forbidden", path),
        confirm=parse_tool_names(lists.get("confirm", ()), "confirm", path),
        preapproved=parse_tool_names(lists.get("preapproved", ()), "preapproved", path),
    )


def parse_tool_names(value: JsonValue, key: str, path: Path) -> frozenset[str]:
    """Parse a list of tool names; raise on anything else, because a misread list could allow too much."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidRules(f"{path}: {key!r} must be a list of tool names", hint=f'write {key} = ["web_search"]')
    names = set[str]()
    for item in value:
        if not isinstance(item, str) or not item.strip():
            raise InvalidRules(f"{path}: {key!r} holds {str(item)[:80]!r}", hint="every item is a tool's name")
        names.add(item.strip())
    return frozenset(names)
