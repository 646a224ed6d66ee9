"""Builds a `Skill` from the values that a reader has found, with the checks that need all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from metier.jsons import JsonObject, JsonValue
from metier.skills._diagnostics import Report
from metier.skills._fields import Values
from metier.skills._folder import Folder
from metier.skills._limits import DESCRIPTION_CHARS, LIST_ITEMS
from metier.skills._names import fold, has_homoglyphs, look_alikes, normal, why_not_an_id
from metier.skills._parts import is_part, read_cases, read_rules, read_tools
from metier.skills._schemas import check_schema
from metier.skills._skill import (
    DataNeeds,
    DeclaredTool,
    DocumentUse,
    Invocation,
    Mode,
    OutputContract,
    Showing,
    Skill,
    SkillFile,
    Source,
)
from metier.skills._text import Text

AllowedToolsMode = Literal["preapprove", "restrict"]
_WILDCARDS = frozenset({"*", "all", "any", "*(*)"})


@dataclass(frozen=True, slots=True)
class Draft:
    """Output of a layout's reader, input of `build_skill`."""

    values: Values
    lines: Mapping[str, int]
    body: Text
    prompt: str
    source: Source
    folder: Folder


def build_skill(draft: Draft, mode: AllowedToolsMode, report: Report) -> Skill | None:
    """Build the skill; `None` if a finding in the report refuses it."""
    values = draft.values
    skill_id = _identify(draft, report)
    description = _text(values, "description")
    if len(description) > DESCRIPTION_CHARS:
        message = f"the description has {len(description)} characters; the standard's most is {DESCRIPTION_CHARS}"
        report.add(
            "description_too_long", message, hint="say what and when in a few sentences", line=_at(draft, "description")
        )
    tools = read_tools(draft.folder, values.get("tools"), report)
    rules = read_rules(draft.folder, report)
    cases = read_cases(draft.folder, values.get("cases"), report)
    allowed, preapproved = _tool_lists(values, mode)
    _check_tools(tools, (*(tool.name for tool in tools), *(allowed or ()), *preapproved), report)
    for name in ("inputs", "outputs"):
        _check_own_schema(values.get(name), f"{name!r}", report, _at(draft, name))
    if report.refused:
        return None
    return Skill(
        id=skill_id,
        title=_text(values, "title") or normal(_text(values, "name")) or skill_id,
        description=description,
        source=draft.source,
        digest=draft.folder.digest,
        version=_text(values, "version"),
        priority=_number(values, "priority") or 0,
        enabled=values.get("enabled") is not False,
        group=_text(values, "group"),
        hosts=_texts(values, "hosts"),
        tags=_texts(values, "tags"),
        intents=_texts(values, "intents"),
        triggers=_texts(values, "triggers"),
        examples=_texts(values, "examples"),
        when_to_use=_text(values, "when_to_use"),
        body=draft.body,
        rules=MappingProxyType(rules),
        tools=tools,
        allowed_tools=allowed,
        forbidden_tools=_texts(values, "forbidden_tools"),
        preapproved_tools=preapproved,
        profile_fields=_texts(values, "profile_fields"),
        needs=_needs(values),
        requires=_texts(values, "requires"),
        next=_texts(values, "next"),
        inputs=_object(values, "inputs"),
        outputs=_object(values, "outputs"),
        sop=_objects(values, "sop"),
        milestones=_objects(values, "milestones"),
        output=_output(values),
        cases=cases,
        mode=_mode(values),
        default_scenario=_text(values, "default_scenario"),
        invocation=_invocation(values),
        document=_document(values),
        showing=_showing(values),
        license=_text(values, "license"),
        compatibility=_text(values, "compatibility"),
        metadata=_object(values, "metadata") or {},
        files=tuple(_files(draft)),
    )


def _identify(draft: Draft, report: Report) -> str:
    values, source = draft.values, draft.source
    written = _text(values, "id") or _text(values, "name")
    line = _at(draft, "id") or _at(draft, "name")
    stem = source.path.stem if source.layout == "flat" else source.folder.name
    if not written:
        if source.layout != "bare":
            report.add("name_missing", f"no name; {stem!r} was taken", hint="add 'name:' to the front matter", line=1)
        written = stem
    plain = "-".join(normal(written).split())
    if plain != written:
        report.add(
            "name_normalised", f"{written[:80]!r} was read as {plain[:80]!r}", hint="write it plainly", line=line
        )
    if has_homoglyphs(written):
        message = f"{written[:80]!r} mixes look-alike letters: {look_alikes(written[:80])}"
        report.add("name_homoglyph", message, hint="use one script", line=line)
    if why := why_not_an_id(plain):
        report.add(
            "name_invalid", f"{written[:80]!r} cannot be an id: {why}", hint="use letters, digits, - and _", line=line
        )
    elif source.layout == "agent-skill" and normal(stem) not in (plain, normal(_text(values, "name")) or plain):
        hint = "rename one of them; the standard wants them equal"
        message = f"name {written[:80]!r} is not the folder's name {stem!r}"
        report.add("name_not_folder", message, hint=hint, line=line)
    return plain


def _tool_lists(values: Values, mode: AllowedToolsMode) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    ours = _texts(values, "allowed_tools") if "allowed_tools" in values else None
    standard = _texts(values, "allowed-tools")
    if mode == "restrict" and "allowed-tools" in values and ours is None:
        return standard, ()
    return ours, standard


def _check_tools(tools: tuple[DeclaredTool, ...], listed: tuple[str, ...], report: Report) -> None:
    if len(tools) > LIST_ITEMS:
        report.add("too_many_items", f"{len(tools)} tools; the most is {LIST_ITEMS}", hint="split the skill")
        return
    for name in listed:
        if name.lower() in _WILDCARDS:
            report.add("tools_wildcard", f"the tool list allows {name!r}", hint="name the tools")
    seen: set[str] = set()
    for tool in tools:
        if fold(tool.name) in seen:
            report.add("tool_duplicate", f"tool {tool.name!r} is declared twice", hint="rename one of them")
        seen.add(fold(tool.name))
        if has_homoglyphs(tool.name):
            message = f"tool {tool.name!r} mixes look-alike letters: {look_alikes(tool.name)}"
            report.add("name_homoglyph", message, hint="use one script")
        _check_own_schema(tool.parameters, f"tool {tool.name!r}", report, None)


def _check_own_schema(schema: JsonValue, whose: str, report: Report, line: int | None) -> None:
    if not isinstance(schema, Mapping):
        return
    problem = check_schema(schema)
    if problem is not None:
        report.add(problem.code, f"{whose}: {problem.message}", hint="use a plain, local schema", line=line)


def _needs(values: Values) -> DataNeeds:
    return DataNeeds(
        birth_info=values.get("requires_birth_info") is True,
        compute=values.get("requires_compute") is True,
        compute_type=_text(values, "compute_type"),
        compute_tool=_text(values, "compute_tool"),
        auto_collect=values.get("auto_collect") is True,
    )


def _output(values: Values) -> OutputContract:
    output = _object(values, "output") or {}
    schema = output.get("output_schema") or output.get("schema")
    return OutputContract(
        schema=schema if isinstance(schema, str) else "",
        markers=_texts(output, "markers"),
        max_chars=_number(output, "max_chars"),
        style_hints=output.get("styleSpecHints", output.get("style_hints")),
    )


def _mode(values: Values) -> Mode:
    return "deep" if values.get("mode") == "deep" else "chat"


def _invocation(values: Values) -> Invocation:
    return Invocation(
        by_model=values.get("disable_model_invocation") is not True,
        by_user=values.get("user_invocable") is not False,
        automatic=values.get("auto_trigger") is not False,
        argument_hint=_text(values, "argument_hint"),
        context="fork" if values.get("context") == "fork" else "inline",
    )


def _document(values: Values) -> DocumentUse:
    delivery = _object(values, "delivery") or {}
    capabilities = _object(values, "capabilities") or {}
    writeback = delivery.get("default_writeback")
    anchor = (_object(capabilities, "writeback") or {}).get("default_anchor")
    return DocumentUse(
        active_text=capabilities.get("active_doc_text") is True,
        active_max_chars=_number(capabilities, "active_doc_max_chars"),
        writeback="direct" if writeback == "direct" else "compare_table" if writeback == "compare_table" else "",
        anchor="cursor" if anchor == "cursor" else "end" if anchor == "end" else "",
        missing_library_hint=capabilities.get("rag_missing_hint"),
    )


def _showing(values: Values) -> Showing:
    return Showing(
        category=_text(values, "category"),
        icon=_text(values, "icon"),
        color=_text(values, "color"),
        theme=_object(values, "theme") or {},
        pricing=_object(values, "pricing") or {},
        features=_objects(values, "features"),
        showcase=_object(values, "showcase") or {},
    )


def _files(draft: Draft) -> Iterator[SkillFile]:
    main = draft.source.path.name
    for name, stored in draft.folder.files.items():
        extra = name not in (main, draft.prompt) and not is_part(name)
        yield SkillFile(name, stored.size_bytes, stored.sha256, extra)


def _at(draft: Draft, key: str) -> int | None:
    return draft.lines.get(key)


def _text(values: Mapping[str, JsonValue], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _texts(values: Mapping[str, JsonValue], key: str) -> tuple[str, ...]:
    value = values.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()


def _number(values: Mapping[str, JsonValue], key: str) -> int | None:
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _object(values: Mapping[str, JsonValue], key: str) -> JsonObject | None:
    value = values.get(key)
    return value if isinstance(value, Mapping) else None


def _objects(values: Mapping[str, JsonValue], key: str) -> tuple[JsonObject, ...]:
    value = values.get(key)
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list | tuple) else ()
