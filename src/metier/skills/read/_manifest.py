"""Reads and writes `skill.json`, validated against the published JSON Schema file."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.names import suggest
from metier.skills.model import MAX_YAML_CHARS, DeclaredTool, Report, Skill
from metier.skills.read._decode import check_escapes
from metier.skills.read._fields import Values, read_json_fields
from metier.skills.read._yaml import YamlRefused, load_yaml

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

SCHEMA_VERSION = "ah32.skill.v1"
# What a skill has beyond `ah32.skill.v1`, under one extension key: other programs that read the format ignore it.
EXTENSION_KEY = "x-metier"
_EXTENSION_KEYS = (
    *("title", "description", "sop", "milestones", "next", "requires", "allowed_tools", "forbidden_tools", "metadata"),
)
_KEYS_KEPT_WHEN_EMPTY = frozenset({"styleSpecHints", "rag_missing_hint"})
_MAX_UNKNOWN_REPORTED = 20
_MAX_ERRORS = 50
_REQUIRED_SECTIONS = ("schema_version", "meta", "tools")


@cache
def manifest_schema_text() -> str:
    """Text of the published JSON Schema."""
    return files("metier.skills").joinpath("schemas", f"{SCHEMA_VERSION}.schema.json").read_text("utf-8")


@cache
def _load_validator() -> "Draft202012Validator":
    from jsonschema import Draft202012Validator
    from referencing import Registry

    return Draft202012Validator(json.loads(manifest_schema_text()), registry=Registry())


def read_manifest(text: str, report: Report) -> Values | None:
    """The manifest's values under the keys of `_fields`; `None` if it was refused."""
    try:
        data = load_json(text)
    except JsonInvalid as error:
        report.add("json_invalid", f"skill.json: {error}", hint="check commas, quotes and brackets", line=error.line)
        return None
    if not isinstance(data, Mapping):
        report.add("json_invalid", "skill.json must be one object", hint="start with {", line=1)
        return None
    check_escapes(text, data, report.path, report)
    mended = _drop_invalid(data, text, report)
    return None if report.has_refusal else _flatten(mended, report)


def _find_key_lines(text: str) -> Mapping[str, int]:
    """Line of every key: JSON is valid YAML, and the YAML reader records lines."""
    try:
        return load_yaml(text).lines if len(text) <= MAX_YAML_CHARS else {}
    except YamlRefused:
        return {}


def _drop_invalid(data: JsonObject, text: str, report: Report) -> JsonObject:
    """Report every schema violation, and remove the invalid values and unknown keys."""
    errors = list(islice(_load_validator().iter_errors(data), _MAX_ERRORS + 1))
    if not errors:
        return data
    lines = _find_key_lines(text)
    broken: set[tuple[str | int, ...]] = set()
    if len(errors) > _MAX_ERRORS:
        report.add("manifest_invalid", f"more than {_MAX_ERRORS} mistakes", hint="mend the first ones below")
    for error in sorted(errors[:_MAX_ERRORS], key=lambda error: [str(part) for part in error.absolute_path]):
        path = tuple(error.absolute_path)
        if path[:1] == ("tools",) and len(path) > 1:
            _report_refused_tool(error, path[:2], lines, report)
            broken.add(path[:2])
        elif error.validator == "additionalProperties":
            broken.update(_report_unknown_keys(error, path, lines, report))
        elif path != ("meta", "description") or error.validator != "maxLength":
            # A description that is too long is kept, as in every other layout.
            _report_invalid_value(error, path, lines, report)
            broken.add(path)
    return _remove_paths(data, broken)


def _report_unknown_keys(
    error: "ValidationError", path: tuple[str | int, ...], lines: Mapping[str, int], report: Report
) -> list[tuple[str | int, ...]]:
    known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    instance = error.instance if isinstance(error.instance, Mapping) else {}
    unknown = [key for key in instance if key not in known and not key.startswith("x-")]
    for key in unknown[:_MAX_UNKNOWN_REPORTED]:
        hint = suggest(key[:40], known, f"known here: {', '.join(known)}")
        where = _join_path((*path, key))
        report.add("field_unknown", f"key {where[:80]!r} is not known", hint=hint, line=_find_line(lines, where))
    if len(unknown) > _MAX_UNKNOWN_REPORTED:
        message = f"{len(unknown) - _MAX_UNKNOWN_REPORTED} more keys are not known"
        report.add("field_unknown", message, hint=f"known here: {', '.join(known)}")
    return [(*path, key) for key in unknown]


def _report_refused_tool(
    error: "ValidationError", path: tuple[str | int, ...], lines: Mapping[str, int], report: Report
) -> None:
    """Report what is wrong with one tool: its entry is left out, the others stay."""
    entry = error.instance if isinstance(error.instance, Mapping) else {}
    # The entry is a name or an object; the reasons of the other form would only confuse.
    inner = [one for one in error.context or () if one.schema_path and one.schema_path[0] == 1]
    found = min(inner, key=lambda one: len(one.absolute_path), default=error) if entry else error
    where, hint = _join_path(tuple(found.absolute_path)), f"see {SCHEMA_VERSION} (`metier skills schema`)"
    if found.validator == "additionalProperties" and isinstance(found.schema, Mapping):
        known = found.schema.get("properties", {})
        unknown = next(iter(key for key in entry if key not in known and not key.startswith("x-")), "")
        where, hint = f"{where}.{unknown[:40]}", suggest(unknown[:40], known, f"known here: {', '.join(known)}")
        message = "the key is not known"
    else:
        message = found.message[:200] if entry else "it is neither a name nor an object"
    name = entry.get("name")
    label = name[:60] if isinstance(name, str) and name else _join_path(path)
    told = f"tool {label!r} was left out: {where!r}: {message}"
    line = _find_line(lines, where) or _find_line(lines, _join_path(path))
    report.add("tool_refused", told, hint=hint, line=line)


def _report_invalid_value(
    error: "ValidationError", path: tuple[str | int, ...], lines: Mapping[str, int], report: Report
) -> None:
    where = _join_path(path)
    vital = not path or path[0] in _REQUIRED_SECTIONS
    message = f"{where or 'skill.json'}: {error.message[:200]}"
    code = "manifest_invalid" if vital and path[1:] not in _REPAIRABLE_PATHS else "field_invalid"
    report.add(code, message, hint=f"see {SCHEMA_VERSION} (`metier skills schema`)", line=_find_line(lines, where))


_REPAIRABLE_PATHS = (("version",), ("enabled",), ("priority",), ("description",), ("group",), ("name",))


def _join_path(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _find_line(lines: Mapping[str, int], where: str) -> int | None:
    while where:
        if where in lines:
            return lines[where]
        where = where.rpartition("[")[0] if where.endswith("]") else where.rpartition(".")[0]
    return None


def _remove_paths(data: JsonValue, broken: set[tuple[str | int, ...]]) -> JsonObject:
    def prune(value: JsonValue, at: tuple[str | int, ...]) -> JsonValue:
        if isinstance(value, Mapping):
            return {key: prune(item, (*at, key)) for key, item in value.items() if (*at, key) not in broken}
        if isinstance(value, list):
            return [prune(item, (*at, n)) for n, item in enumerate(value) if (*at, n) not in broken]
        return value

    kept = prune(data, ())
    return kept if isinstance(kept, Mapping) else {}


def _flatten(data: JsonObject, report: Report) -> Values:
    """Flatten the sections to the keys of `_fields`; `meta.name` becomes the title, because `meta.id` is the id."""
    meta, routing, entry = (_get_section(data, name) for name in ("meta", "routing", "entry"))
    flat: dict[str, JsonValue] = {**meta, **routing}
    if "name" in flat:
        flat["title"] = flat.pop("name")
    for section in ("delivery", "capabilities", "output", "tools"):
        if section in data:
            flat[section] = data[section]
    flat.update({key: value for key, value in data.items() if key.startswith("x-") and key != EXTENSION_KEY})
    flat.update(_read_extension(data, report))
    values = read_json_fields(flat, report)
    values["entry"] = entry.get("system_prompt") or entry.get("prompt")
    return values


def _read_extension(data: JsonObject, report: Report) -> JsonObject:
    """Fields under `x-metier`: titles in both languages, an SOP, the tool lists. They replace those of the format."""
    extension = data.get(EXTENSION_KEY, {})
    if not isinstance(extension, Mapping):
        report.add("field_invalid", f"{EXTENSION_KEY!r} must be an object", hint=f"keys: {', '.join(_EXTENSION_KEYS)}")
        return {}
    for key in list(extension)[:_MAX_UNKNOWN_REPORTED]:
        if key not in _EXTENSION_KEYS:
            hint = suggest(key[:40], _EXTENSION_KEYS, f"known here: {', '.join(_EXTENSION_KEYS)}")
            report.add("field_unknown", f"key '{EXTENSION_KEY}.{key[:80]}' is not known", hint=hint)
    return {key: value for key, value in extension.items() if key in _EXTENSION_KEYS}


def _to_extension(skill: Skill) -> JsonObject:
    extra = {key: value for key, value in skill.metadata.items() if not key.startswith("x-")}
    fields: dict[str, JsonValue] = {
        "title": dict(skill.titles),
        "description": dict(skill.descriptions),
        "sop": list(skill.sop),
        "milestones": list(skill.milestones),
        "next": list(skill.next),
        "requires": list(skill.requires),
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "forbidden_tools": list(skill.forbidden_tools),
        "metadata": extra,
    }
    # An empty list of allowed tools forbids all of them; the other fields are empty by default.
    return {key: value for key, value in fields.items() if value or (key == "allowed_tools" and value is not None)}


def _get_section(data: JsonObject, name: str) -> JsonObject:
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def to_manifest(skill: Skill, prompt: str) -> JsonObject:
    """Manifest of a skill; reading it back gives the same skill as far as the format can express it."""
    document = skill.document
    sections: dict[str, dict[str, JsonValue]] = {
        "meta": {
            "id": skill.id,
            "name": skill.title,
            "version": skill.version,
            "enabled": skill.enabled,
            "priority": skill.priority,
            "description": skill.description,
            "group": skill.group,
        },
        "routing": {
            "hosts": list(skill.hosts),
            "tags": list(skill.tags),
            "intents": list(skill.intents),
            "triggers": list(skill.triggers),
            "examples": list(skill.examples),
        },
        "delivery": {"default_writeback": document.writeback},
        "capabilities": {
            "active_doc_text": document.active_text,
            "active_doc_max_chars": document.active_max_chars,
            "rag_missing_hint": document.missing_library_hint,
            "writeback": {"default_anchor": document.anchor} if document.anchor else None,
        },
        "output": {
            "markers": list(skill.output.markers),
            "output_schema": skill.output.schema or skill.output.json_schema or "",
            "max_chars": skill.output.max_chars,
            "styleSpecHints": skill.output.style_hints,
            "x-plan": skill.output.plan,
        },
        "entry": {"system_prompt": prompt},
    }
    said = {name: {key: value for key, value in part.items() if _is_set(key, value)} for name, part in sections.items()}
    manifest: dict[str, JsonValue] = {"schema_version": SCHEMA_VERSION}
    manifest.update({name: part for name, part in said.items() if part})
    manifest["tools"] = [_to_tool_entry(tool) for tool in skill.tools]
    manifest.update({key: value for key, value in skill.metadata.items() if key.startswith("x-")})
    if extension := _to_extension(skill):
        manifest[EXTENSION_KEY] = extension
    return manifest


def _is_set(key: str, value: JsonValue) -> bool:
    """Whether a value must be written: empty texts and lists are the default, except in hints."""
    return value is not None and (key in _KEYS_KEPT_WHEN_EMPTY or value not in ("", []))


def _to_tool_entry(tool: DeclaredTool) -> JsonValue:
    if not tool.description and tool.parameters is None and not tool.hints and tool.origin != "builtin":
        return tool.name
    entry: dict[str, JsonValue] = {"name": tool.name}
    if tool.description:
        entry["description"] = tool.description
    if tool.parameters is not None:
        entry["parameters"] = tool.parameters
    if tool.hints:
        entry["hints"] = tool.hints
    if tool.origin == "builtin":
        entry["builtin"] = True
    return entry
