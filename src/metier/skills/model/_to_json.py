"""Converts a skill to JSON for the CLI, the API and the console."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from metier.json_values import JsonObject, JsonValue
from metier.skills.model._skill import Skill
from metier.skills.model._text import Text

_SUMMARY_FIELDS = (
    "id",
    "title",
    "description",
    "titles",
    "descriptions",
    "version",
    "priority",
    "enabled",
    "group",
    "hosts",
    "triggers",
    "examples",
    "allowed_tools",
    "mode",
    "digest",
)


def skill_summary(skill: Skill) -> JsonObject:
    """Main fields of a skill, for lists."""
    summary: dict[str, JsonValue] = {name: _to_json(getattr(skill, name)) for name in _SUMMARY_FIELDS}
    summary["summaries"] = {one: skill.summary_in(one) for one in ("zh", "en")}
    summary["tools"] = [tool.name for tool in skill.tools]
    summary["layout"] = skill.source.layout
    summary["trusted"] = skill.source.trusted
    summary["path"] = str(skill.source.path)
    return summary


def skill_to_json(skill: Skill) -> JsonObject:
    """All fields of a skill, including its instructions."""
    whole = {field.name: _to_json(getattr(skill, field.name)) for field in fields(skill) if field.name != "body"}
    return {**whole, "instructions": skill.instructions}


def _to_json(value: object) -> JsonValue:
    if isinstance(value, Text | Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{type(value).__name__} is not JSON")
