"""Renders a skill as the open standard's SKILL.md: six standard keys, and Metier's own keys under `metadata`.

`metadata` maps text to text, so lists and objects are written there as JSON text, which our reader parses. The
standard's reference reader cuts the file at the first two `---` anywhere in the text, so three dashes inside a value
are escaped: `\\u002d` means the same in JSON and in a double-quoted YAML scalar.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from metier.errors import InvalidSkill
from metier.json_values import JsonObject, JsonValue
from metier.skills.checks import (
    file_name_problem,
    find_hidden_text,
    normalize_name,
    remove_zero_width,
    standard_name_problem,
)
from metier.skills.model import (
    MAX_COMPATIBILITY_CHARS,
    MAX_DESCRIPTION_CHARS,
    MAX_FRONT_MATTER_BYTES,
    MAX_NAME_CHARS,
    Case,
    DataNeeds,
    DisplayInfo,
    DocumentUse,
    Invocation,
    OutputContract,
    Report,
    Skill,
)
from metier.skills.read import STANDARD_KEYS, PlainScalar, find_field, read_json_fields, to_manifest

TOOLS_FILE = "tools/tools.yaml"
CASES_FILE = "cases/cases.json"
_NAME_BYTES = 240  # a file name may have 255 bytes, and 64 letters of four bytes are 256
_DASHES = re.compile("-{3,}")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？；\n]")


@dataclass(frozen=True, slots=True)
class InlineParts:
    """Parts of a skill that must be written into SKILL.md because no other file contains them."""

    tools: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    foreign_keys: Mapping[str, str] = field(default_factory=dict)
    unused_files: frozenset[str] = frozenset()


@dataclass(slots=True)
class StandardSkill:
    """Text of SKILL.md, additional files, and notes about what changed."""

    name: str
    text: str = ""
    extra_files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def to_standard_name(skill_id: str) -> str:
    """Convert an id to a standard name: lower-case letters, digits and single hyphens; Chinese is kept.

    `InvalidSkill` if nothing valid is left.
    """
    lower = normalize_name(normalize_name(skill_id).lower())
    name = re.sub("-+", "-", "".join(char if char.isalnum() else "-" for char in lower)).strip("-")
    while len(name) > MAX_NAME_CHARS or len(name.encode()) > _NAME_BYTES:
        name = name[:-1].strip("-")
    if file_name_problem(name):
        name = f"{name}-skill"
    if not name or standard_name_problem(name):
        raise InvalidSkill(
            f"{skill_id!r} has no form that the open standard allows", hint="give the skill an id of letters and digits"
        )
    return name


def render_standard_skill(skill: Skill, name: str, parts: InlineParts) -> StandardSkill:
    """Render SKILL.md for this skill; `InvalidSkill` if its front matter would exceed the size limit."""
    made = StandardSkill(name)
    own = _metier_values(skill, name, parts)
    if name != skill.id:
        made.notes.append(f"name {skill.id!r} became {name!r}; the id stays in 'metadata.id'")
    head: dict[str, str] = {"name": name, "description": _build_description(skill, own, made.notes)}
    if skill.license:
        head["license"] = skill.license
    if skill.compatibility:
        head["compatibility"] = _shorten("compatibility", skill.compatibility, MAX_COMPATIBILITY_CHARS, own, made.notes)
    foreign = _render_foreign_keys(skill, parts, made.notes)
    front = _render_front_matter(head, skill.preapproved_tools, foreign, own, made.notes)
    if _count_bytes(front) > MAX_FRONT_MATTER_BYTES:
        _move_to_files(skill, own, parts, made)
        front = _render_front_matter(head, skill.preapproved_tools, foreign, own, [])
    if (size := _count_bytes(front)) > MAX_FRONT_MATTER_BYTES:
        message = f"the front matter of {skill.id!r} would have {size} bytes; the most is {MAX_FRONT_MATTER_BYTES}"
        raise InvalidSkill(message, hint="move long texts from the front matter to the body or to rules/")
    made.text = _remove_invisible(f"---\n{front}---\n\n{skill.body}\n", made.notes)
    if own:
        made.notes.append(f"under 'metadata': {', '.join(own)}")
    return made


def _count_bytes(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        half = text[error.start : error.start + 1]
        hint = "find its escape in the source and write the whole character"
        raise InvalidSkill(f"a text holds {half!r}, half of a character", hint=hint) from error


def _remove_invisible(text: str, notes: list[str]) -> str:
    """Remove isolated invisible characters: escaped ones were accepted in the source, but are refused as raw text."""
    if [hidden.code for hidden in find_hidden_text(text)] == ["zero_width_removed"]:
        notes.append("an invisible character was left out")
        return remove_zero_width(text)
    return text


# Content --------------------------------------------------------------------------------------------------------------


def _build_description(skill: Skill, own: dict[str, JsonValue], notes: list[str]) -> str:
    if skill.description:
        return _shorten("description", skill.description, MAX_DESCRIPTION_CHARS, own, notes)
    notes.append("no description: one was made of what the skill says elsewhere; write a better one")
    said = " ".join(skill.when_to_use.split()) or ", ".join(skill.triggers) or _first_prose_line(skill.instructions)
    return _truncate(f"{skill.title}: {said}" if said else skill.title, MAX_DESCRIPTION_CHARS)


def _first_prose_line(body: str) -> str:
    """First line of a text that is not a heading."""
    lines = (line.strip(" \t>*-") for line in body[:10_000].splitlines() if not line.startswith("#"))
    return next((line for line in lines if any(char.isalnum() for char in line)), "")


def _shorten(key: str, text: str, most: int, own: dict[str, JsonValue], notes: list[str]) -> str:
    if len(text) <= most:
        return text
    own[f"{key}_full"] = text
    notes.append(f"the {key} has {len(text)} characters and was cut; all of it is in 'metadata.{key}_full'")
    return _truncate(text, most)


def _truncate(text: str, most: int) -> str:
    """Shorten at the end of a sentence, else of a word, else at any character."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    ends = [found.end() for found in _SENTENCE_END.finditer(text[:most]) if found.end() <= most]
    if ends and ends[-1] > most // 4:
        return text[: ends[-1]].strip()
    words = head.rpartition(" ")[0]
    return f"{(words if len(words) > most // 2 else head).rstrip()}…"


def _metier_values(skill: Skill, name: str, parts: InlineParts) -> dict[str, JsonValue]:
    """All fields that differ from their default, under the keys that our reader expects."""
    values: dict[str, JsonValue] = {
        "id": skill.id if skill.id != name else "",
        "title": skill.title if skill.title != name else "",
        "version": skill.version,
        "priority": skill.priority or None,
        "enabled": None if skill.enabled else False,
        "group": skill.group,
        "hosts": list(skill.hosts),
        "tags": list(skill.tags),
        "intents": list(skill.intents),
        "triggers": list(skill.triggers),
        "examples": list(skill.examples),
        "when_to_use": skill.when_to_use,
        "tools": _tool_entries(skill, parts.tools),
        "forbidden_tools": list(skill.forbidden_tools),
        "profile_fields": list(skill.profile_fields),
        "requires": list(skill.requires),
        "next": list(skill.next),
        "sop": list(skill.sop),
        "milestones": list(skill.milestones),
        "cases": [_case_entry(case) for case in parts.cases],
        "mode": "" if skill.mode == "chat" else skill.mode,
        "default_scenario": skill.default_scenario,
        **_need_values(skill.needs),
        **_invocation_values(skill.invocation),
        **_showing_values(skill.showing),
        "output": _output_value(skill.output),
        **_document_values(skill.document),
    }
    said = {key: value for key, value in values.items() if value is not None and value not in ("", [], {})}
    # Empty values have a meaning here: an empty list allows no tool, an empty schema accepts anything.
    given: dict[str, JsonValue] = {
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "inputs": skill.inputs,
        "outputs": skill.outputs,
    }
    return {**said, **{key: value for key, value in given.items() if value is not None}}


def _tool_entries(skill: Skill, inline: tuple[str, ...]) -> list[JsonValue]:
    entries = to_manifest(skill, "SKILL.md")["tools"]
    listed = entries if isinstance(entries, list) else []
    return [entry for entry in listed if (entry["name"] if isinstance(entry, Mapping) else entry) in inline]


def _case_entry(case: Case) -> JsonObject:
    entry: dict[str, JsonValue] = {"id": case.id, "title": case.title, "content": str(case.text)}
    if case.tags:
        entry["tags"] = list(case.tags)
    if case.rules:
        entry["rules"] = list(case.rules)
    if case.weight != 1:
        entry["weight"] = case.weight
    if case.source:
        entry["source"] = case.source
    return entry


def _need_values(needs: DataNeeds) -> dict[str, JsonValue]:
    return {
        "requires_birth_info": needs.birth_info or None,
        "requires_compute": needs.compute or None,
        "compute_type": needs.compute_type,
        "compute_tool": needs.compute_tool,
        "auto_collect": needs.auto_collect or None,
    }


def _invocation_values(invocation: Invocation) -> dict[str, JsonValue]:
    return {
        "disable_model_invocation": None if invocation.by_model else True,
        "user_invocable": None if invocation.by_user else False,
        "auto_trigger": None if invocation.automatic else False,
        "argument_hint": invocation.argument_hint,
        "context": "" if invocation.context == "inline" else invocation.context,
    }


def _showing_values(showing: DisplayInfo) -> dict[str, JsonValue]:
    return {
        "category": showing.category,
        "icon": showing.icon,
        "color": showing.color,
        "theme": dict(showing.theme),
        "pricing": dict(showing.pricing),
        "features": list(showing.features),
        "showcase": dict(showing.showcase),
    }


def _output_value(output: OutputContract) -> JsonObject:
    value: dict[str, JsonValue] = {
        "schema": output.schema or output.json_schema,
        "markers": list(output.markers) or None,
        "max_chars": output.max_chars,
        "style_hints": output.style_hints,
        "x-plan": output.plan,
    }
    return {key: item for key, item in value.items() if item is not None}


def _document_values(document: DocumentUse) -> dict[str, JsonValue]:
    capabilities: dict[str, JsonValue] = {
        "active_doc_text": document.active_text,
        "active_doc_max_chars": document.active_max_chars,
        "rag_missing_hint": document.missing_library_hint,
        "writeback": {"default_anchor": document.anchor} if document.anchor else None,
    }
    return {
        "delivery": {"default_writeback": document.writeback} if document.writeback else {},
        "capabilities": {key: item for key, item in capabilities.items() if item is not None},
    }


def _render_foreign_keys(skill: Skill, parts: InlineParts, notes: list[str]) -> dict[str, str]:
    """Metadata keys of other tools as text, as the author wrote them where that is known."""
    texts = {**parts.foreign_keys}
    for key, value in skill.metadata.items():
        free = key
        if not isinstance(value, str):
            free = f"x-{key}" if _is_metier_field(key) else key
            notes.append(f"'metadata.{key}' was no text; it is written as text in 'metadata.{free}'")
        texts[free] = parts.foreign_keys.get(key, _to_text(value))
    return texts


def _is_metier_field(key: str) -> bool:
    """Whether our reader would read a text under this metadata key as a field of the skill."""
    field_ = find_field(re.sub("^metier[._-]", "", key))
    return field_ is not None and field_.kind in ("text", "spoken", "loose") and field_.name not in STANDARD_KEYS


def _move_to_files(skill: Skill, own: dict[str, JsonValue], parts: InlineParts, made: StandardSkill) -> None:
    """Move tools and cases to the files that every layout has for them, if the front matter gets too large."""
    for key, name in (("tools", TOOLS_FILE), ("cases", CASES_FILE)):
        if key in own and name in parts.unused_files:
            # JSON is valid YAML, so both files are written as JSON.
            made.extra_files[name] = json.dumps({key: own.pop(key)}, ensure_ascii=False, indent=2, default=dict) + "\n"
            made.notes.append(f"the {key} of {skill.id!r} are too long for the front matter and went to {name}")


# Format ---------------------------------------------------------------------------------------------------------------


def _render_front_matter(
    head: Mapping[str, str],
    preapproved: tuple[str, ...],
    foreign: Mapping[str, str],
    own: Mapping[str, JsonValue],
    notes: list[str],
) -> str:
    lines = [f"{key}: {_render_scalar(text)}" for key, text in head.items()]
    lines += _render_allowed_tools(preapproved, notes)
    # Metier's keys come last: a foreign key with the same name is one that our reader could not use, and must not win.
    texts = {**foreign, **{key: _to_text(value) for key, value in own.items()}}
    if texts:
        lines += ["metadata:", *(f"  {_render_scalar(key)}: {quote_yaml(text)}" for key, text in texts.items())]
    return "\n".join(lines) + "\n"


def _render_allowed_tools(names: Iterable[str], notes: list[str]) -> list[str]:
    """One line of words, as the standard requires, or a list if a name contains a blank or a comma."""
    listed = list(names)
    if not listed:
        return []
    joined = " ".join(listed)
    if read_json_fields({"allowed-tools": joined}, Report(Path())).get("allowed-tools") == listed:
        return [f"allowed-tools: {quote_yaml(joined)}"]
    notes.append("'allowed-tools' is a list, because a name in it has a space or a comma")
    return ["allowed-tools:", *(f"  - {quote_yaml(name)}" for name in listed)]


def _to_text(value: JsonValue) -> str:
    """Text unchanged, anything else as JSON without line ends and runs of dashes."""
    if isinstance(value, str):
        return value
    return escape_dashes(json.dumps(value, ensure_ascii=False, default=dict))


def escape_dashes(text: str) -> str:
    """Escape runs of dashes and control characters with `\\u` escapes, valid in JSON and double-quoted YAML."""
    plain = _DASHES.sub(lambda found: "\\u002d" * len(found[0]), text)
    return _UNWRITABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


def _render_scalar(text: str) -> str:
    """Unquoted if every YAML reader takes it for text, otherwise quoted."""
    bare = _PLAIN.fullmatch(text) and not _DASHES.search(text) and not PlainScalar(text).is_ambiguous
    return text if bare else quote_yaml(text)


def quote_yaml(text: str) -> str:
    """Quote a YAML scalar with single or double quotes, whichever is shorter and can represent it."""
    double = '"' + escape_dashes(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'
    single = "'" + text.replace("'", "''") + "'"
    special = _DASHES.search(text) or _UNWRITABLE.search(text)
    return double if special or len(double) <= len(single) else single
