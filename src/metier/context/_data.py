"""Selects the user data a skill may see: the paths it declares, and nothing else."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from metier.json_values import JsonObject, JsonValue
from metier.skills import Skill

BIRTH_INFO: Final = "birth_info"
ASK_FOR: Final = "ask_for"  # in a skill's metadata: paths without which it cannot work, each with a JSON Schema
COMPUTED_FROM: Final = "_computed_from"  # in the data of a skill: digest of the profile values it was computed from
_SKILL_DATA: Final = "skill_data"
# Paths the store can look up: keys joined with dots. A number would be a list index on one database only.
_SEGMENT = re.compile(r'(?!-?\d+\Z)[^\x00-\x1f"\\.]+')


@dataclass(frozen=True, slots=True)
class DataRequest:
    """Data to load for a skill, one query per table: paths into the profile and into the data of skills.

    `skill_data` maps a skill to its paths; no paths means all of its data. The skill cannot work without the `needed`
    paths. `refused` lists declared paths with invalid syntax.
    """

    profile: tuple[str, ...] = ()
    skill_data: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    needed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "profile": list(self.profile),
            "skill_data": {skill: list(paths) for skill, paths in self.skill_data.items()},
            "needed": list(self.needed),
            "refused": list(self.refused),
        }


@dataclass(frozen=True, slots=True)
class UserField:
    """One value of the user's data and the path it was declared by."""

    path: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class UserData:
    """The data found for a request, and the needed paths that have no value."""

    fields: tuple[UserField, ...] = ()
    missing: tuple[str, ...] = ()


def build_data_request(skill: Skill) -> DataRequest:
    """Build the data request of a skill: declared paths (`profile_fields`, `metadata.ask_for`) and implied ones.

    Implied are birth info and a computed chart. A path inside another requested path is left out.
    `skill_data.bazi.chart` means the path `chart` in the data of the skill `bazi`.
    """
    needed = [BIRTH_INFO] if skill.needs.birth_info else []
    if skill.needs.compute:
        needed.append(f"{_SKILL_DATA}.{get_compute_type(skill)}")
    asked = skill.metadata.get(ASK_FOR)
    needed += [path for path in asked if path not in needed] if isinstance(asked, Mapping) else []
    declared = list(dict.fromkeys(path.strip() for path in (*needed, *skill.profile_fields)))
    good = [path for path in declared if _is_path(path)]
    return DataRequest(
        profile=_keep_outermost(path for path in good if not _is_skill_data(path)),
        skill_data=_group_by_skill(path for path in good if _is_skill_data(path)),
        needed=tuple(path for path in needed if path in good),
        refused=tuple(path for path in declared if path not in good),
    )


def select_user_data(request: DataRequest, profile: JsonObject, skill_data: Mapping[str, JsonObject]) -> UserData:
    """Select only the requested data, however much was passed; `profile` may be nested, or flat by path as stored."""
    found: dict[str, JsonValue] = {path: _look_up(profile, path) for path in request.profile}
    for skill, paths in request.skill_data.items():
        data = skill_data.get(skill, {})
        prefix = f"{_SKILL_DATA}.{skill}"
        if not paths:
            found[prefix] = data or None
        found.update({f"{prefix}.{path}": _look_up(data, path) for path in paths})
    fields = tuple(UserField(path, value) for path, value in found.items() if value not in (None, "", {}, []))
    have = {one.path for one in fields}
    missing = tuple(path for path in request.needed if not any(covers_path(path, one) for one in have))
    return UserData(fields, missing)


def get_compute_type(skill: Skill) -> str:
    """Name under which the skill keeps what it computes."""
    return skill.needs.compute_type or skill.id


def digest_compute_inputs(skill: Skill, profile: JsonObject) -> str:
    """Digest of the profile values that the skill computes from; `profile` may be nested or flat by path."""
    paths = [path for path in build_data_request(skill).needed if not _is_skill_data(path)]
    values = [_look_up(profile, path) for path in paths]
    return sha256(json.dumps(values, sort_keys=True, ensure_ascii=False, default=dict).encode()).hexdigest()


def is_computed(skill: Skill, profile: JsonObject, skill_data: Mapping[str, JsonObject]) -> bool:
    """Whether the data that the skill computes is there and was computed from the profile as it is now."""
    if not skill.needs.compute:
        return False
    data = nest_paths(skill_data.get(get_compute_type(skill), {}))
    return bool(data) and data.get(COMPUTED_FROM) == digest_compute_inputs(skill, profile)


def get_paths(data: JsonObject, paths: Sequence[str]) -> JsonObject:
    """Values at these dotted paths, `{"birth.year": 1990}`; paths without a value are omitted."""
    found: dict[str, JsonValue] = {}
    for path in paths:
        *parents, last = path.split(".")
        at: JsonValue = data
        for key in parents:
            at = at.get(key) if isinstance(at, Mapping) else None
        if isinstance(at, Mapping) and last in at:
            found[path] = at[last]
    return found


def nest_paths(flat: JsonObject) -> JsonObject:
    """Turn `{"birth.year": 1990}` into `{"birth": {"year": 1990}}`, so that a step finds `$.profile.birth.year`."""
    made: dict[str, JsonValue] = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        at: dict[str, Any] = made
        for key in parents:
            at = at.setdefault(key, {})
        at[last] = value
    return made


def _is_path(path: str) -> bool:
    segments = path.split(".")
    return path != _SKILL_DATA and all(_SEGMENT.fullmatch(segment) for segment in segments)


def _is_skill_data(path: str) -> bool:
    return path.startswith(f"{_SKILL_DATA}.")


def covers_path(outer: str, inner: str) -> bool:
    """Whether the inner path is the outer one or lies below it."""
    return inner == outer or inner.startswith(f"{outer}.")


def _keep_outermost(paths: Iterable[str]) -> tuple[str, ...]:
    listed = tuple(paths)
    return tuple(path for path in listed if not any(path != other and covers_path(other, path) for other in listed))


def _group_by_skill(paths: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in _keep_outermost(paths):
        _, skill, *inside = path.split(".")
        found.setdefault(skill, []).extend([".".join(inside)] if inside else [])
    return MappingProxyType({skill: tuple(inside) for skill, inside in found.items()})


def _look_up(data: JsonObject, path: str) -> JsonValue:
    if path in data:
        return data[path]
    value: JsonValue = data
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value
