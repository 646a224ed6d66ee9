"""Builds a `Skill` from the values that a reader has found, with the checks that need all of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from metier.json_values import JsonObject, JsonValue
from metier.skills.checks import (
    check_schema,
    check_schemas_together,
    describe_lookalikes,
    fold,
    has_homoglyphs,
    id_problem,
    normalize_name,
)
from metier.skills.model import (
    MAX_DESCRIPTION_CHARS,
    MAX_LIST_ITEMS,
    DataNeeds,
    DeclaredTool,
    DisplayInfo,
    DocumentUse,
    Invocation,
    Mode,
    OutputContract,
    Report,
    Skill,
    SkillFile,
    Source,
    Text,
    Untrusted,
)
from metier.skills.read._candidate_files import SkillFolder
from metier.skills.read._fields import Values
from metier.skills.read._sub_files import get_number, is_sub_file, locate_tool, read_cases, read_rules, read_tools

AllowedToolsMode = Literal["preapprove", "restrict"]
_HARMLESS_MARKS = re.compile(r"-*[&+,;!()'’]+-*")  # in names such as `Verification & Quality`
_WILDCARDS = frozenset({"*", "all", "any", "*(*)"})


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """Output of a layout's reader, input of `build_skill`."""

    values: Values
    lines: Mapping[str, int]
    body: Text
    prompt: str
    source: Source
    folder: SkillFolder


def build_skill(draft: SkillDraft, mode: AllowedToolsMode, report: Report) -> Skill | None:
    """Build the skill; `None` if a finding in the report refuses it."""
    values = draft.values
    skill_id = _identify(draft, report)
    titles, descriptions = _get_spoken(values, "title"), _get_spoken(values, "description")
    description = _get_text(values, "description") or " ".join(descriptions.values())
    if len(description) > MAX_DESCRIPTION_CHARS:
        message = f"the description has {len(description)} characters; the standard's most is {MAX_DESCRIPTION_CHARS}"
        report.add(
            "description_too_long",
            message,
            hint="say what and when in a few sentences",
            line=_line_of(draft, "description"),
        )
    tools = read_tools(draft.folder, values.get("tools"), report)
    rules = read_rules(draft.folder, report)
    cases = read_cases(draft.folder, values.get("cases"), report)
    allowed, preapproved = _get_tool_lists(values, mode)
    listed = (*(tool.name for tool in tools), *(allowed or ()), *preapproved)
    usable = _drop_unusable_tools(draft, tools, listed, report)
    if allowed is None and (len(usable) < len(tools) or any(found.code == "tool_refused" for found in report)):
        allowed = ()  # without its tools the skill may use no others: it listed the ones it needs
    tools = usable
    for field, whose, schema in _iter_own_schemas(values):
        _check_own_schema(schema, whose, report, _line_of(draft, field))
    if report.has_refusal:
        return None
    return Skill(
        id=skill_id,
        title=_get_text(values, "title")
        or next(iter(titles.values()), "")
        or normalize_name(_get_text(values, "name"))
        or skill_id,
        description=description,
        titles=titles,
        descriptions=descriptions,
        source=draft.source,
        digest=draft.folder.digest,
        version=_get_text(values, "version"),
        priority=get_number(values, "priority") or 0,
        enabled=values.get("enabled") is not False,
        group=_get_text(values, "group"),
        hosts=_get_texts(values, "hosts"),
        tags=_get_texts(values, "tags"),
        intents=_get_texts(values, "intents"),
        triggers=_get_texts(values, "triggers"),
        examples=_get_texts(values, "examples"),
        when_to_use=_get_text(values, "when_to_use"),
        body=draft.body,
        rules=MappingProxyType(rules),
        tools=tools,
        allowed_tools=allowed,
        forbidden_tools=_get_texts(values, "forbidden_tools"),
        preapproved_tools=preapproved,
        profile_fields=_get_texts(values, "profile_fields"),
        needs=_build_needs(values),
        requires=_get_texts(values, "requires"),
        next=_get_texts(values, "next"),
        inputs=_get_object(values, "inputs"),
        outputs=_get_object(values, "outputs"),
        sop=_get_objects(values, "sop"),
        milestones=_get_objects(values, "milestones"),
        output=_build_output(values),
        cases=cases,
        mode=_get_mode(values),
        default_scenario=_get_text(values, "default_scenario"),
        invocation=_build_invocation(values),
        document=_build_document_use(values),
        showing=_build_display_info(values),
        license=_get_text(values, "license"),
        compatibility=_get_text(values, "compatibility"),
        metadata=_get_object(values, "metadata") or {},
        files=tuple(_list_files(draft)),
        untrusted=_find_distrust(draft, report),
    )


def _identify(draft: SkillDraft, report: Report) -> str:
    values, source = draft.values, draft.source
    written = _get_text(values, "id") or _get_text(values, "name")
    line = _line_of(draft, "id") or _line_of(draft, "name")
    stem = source.path.stem if source.layout == "flat" else source.folder.name
    if not written:
        if source.layout != "bare":
            report.add("name_missing", f"no name; {stem!r} was taken", hint="add 'name:' to the front matter", line=1)
        written = stem
    plain = _HARMLESS_MARKS.sub("-", "-".join(normalize_name(written).split()))
    if plain != written:
        report.add(
            "name_normalised", f"{written[:80]!r} was read as {plain[:80]!r}", hint="write it plainly", line=line
        )
    if has_homoglyphs(written):
        message = f"{written[:80]!r} mixes look-alike letters: {describe_lookalikes(written[:80])}"
        report.add("name_homoglyph", message, hint="use one script", line=line)
    if why := id_problem(plain):
        report.add(
            "name_invalid", f"{written[:80]!r} cannot be an id: {why}", hint="use letters, digits, - and _", line=line
        )
    elif source.layout == "agent-skill" and normalize_name(stem) not in (
        plain,
        normalize_name(_get_text(values, "name")) or plain,
    ):
        hint = "rename one of them; the standard wants them equal"
        message = f"name {written[:80]!r} is not the folder's name {stem!r}"
        report.add("name_not_folder", message, hint=hint, line=line)
    return plain


def _get_tool_lists(values: Values, mode: AllowedToolsMode) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    ours = _get_texts(values, "allowed_tools") if "allowed_tools" in values else None
    standard = _get_texts(values, "allowed-tools")
    if mode == "restrict" and "allowed-tools" in values and ours is None:
        return standard, ()
    return ours, standard


def _drop_unusable_tools(
    draft: SkillDraft, tools: tuple[DeclaredTool, ...], listed: tuple[str, ...], report: Report
) -> tuple[DeclaredTool, ...]:
    """The tools that can be offered; each of the others is reported and left out."""
    if len(tools) > MAX_LIST_ITEMS:
        report.add("too_many_items", f"{len(tools)} tools; the most is {MAX_LIST_ITEMS}", hint="split the skill")
        return ()
    for name in listed:
        if name.lower() in _WILDCARDS:
            report.add("tools_wildcard", f"the tool list allows {name!r}", hint="name the tools")
    counts = Counter(fold(tool.name) for tool in tools)
    bad = {name for name, number in counts.items() if number > 1}
    for tool in {fold(tool.name): tool for tool in tools if fold(tool.name) in bad}.values():
        message = f"tool {tool.name!r} is declared twice"
        _refuse_tool(draft, tool.name, report, "tool_duplicate", message=message, hint="rename one of them")
    for tool in tools:
        if has_homoglyphs(tool.name):
            message = f"tool {tool.name!r} mixes look-alike letters: {describe_lookalikes(tool.name)}"
            _refuse_tool(draft, tool.name, report, "name_homoglyph", message=message, hint="use one script")
            bad.add(fold(tool.name))
    bad |= {fold(name) for name in _find_bad_schemas(draft, tools, report)}
    return tuple(tool for tool in tools if fold(tool.name) not in bad)


def _find_bad_schemas(draft: SkillDraft, tools: tuple[DeclaredTool, ...], report: Report) -> Iterator[str]:
    """Tools whose schema cannot be used; the costly checks are left out if the schemas are too large together."""
    schemas = {tool.name: tool.parameters for tool in tools if tool.parameters is not None}
    too_large = [name for name, schema in schemas.items() if check_schemas_together([schema])]
    if not too_large and (problem := check_schemas_together(schemas.values())):
        report.add(problem.code, f"the schemas of all tools together: {problem.message}", hint="split the skill")
        return
    for name in too_large or schemas:
        if problem := check_schema(schemas[name]):
            message = f"tool {name!r}: {problem.message}"
            _refuse_tool(draft, name, report, problem.code, message=message, hint="use a plain, local schema")
            yield name


def _refuse_tool(draft: SkillDraft, tool: str, report: Report, code: str, *, message: str, hint: str) -> None:
    path, line = locate_tool(draft.folder, tool, report.path)
    report.add(code, message, hint=hint, path=path, line=line, part=True)


def _iter_own_schemas(values: Values) -> Iterator[tuple[str, str, JsonValue]]:
    """Schemas of a skill beside those of its tools: the field, what to call the schema, and the schema."""
    for name in ("inputs", "outputs"):
        yield name, f"{name!r}", values.get(name)
    output = _get_object(values, "output") or {}
    yield "output", "'output'", output.get("output_schema") or output.get("schema")
    asked = (_get_object(values, "metadata") or {}).get("ask_for")
    for path, schema in asked.items() if isinstance(asked, Mapping) else ():
        if isinstance(schema, Mapping):  # as it stands in the form: a reference to its own root leads nowhere there
            yield "metadata", f"'ask_for' {path[:80]!r}", {"type": "object", "properties": {path: schema}}


def _check_own_schema(schema: JsonValue, whose: str, report: Report, line: int | None) -> None:
    if not isinstance(schema, Mapping):
        return
    problem = check_schema(schema)
    if problem is not None:
        report.add(problem.code, f"{whose}: {problem.message}", hint="use a plain, local schema", line=line)


def _build_needs(values: Values) -> DataNeeds:
    return DataNeeds(
        birth_info=values.get("requires_birth_info") is True,
        compute=values.get("requires_compute") is True,
        compute_type=_get_text(values, "compute_type"),
        compute_tool=_get_text(values, "compute_tool"),
        auto_collect=values.get("auto_collect") is True,
    )


def _build_output(values: Values) -> OutputContract:
    output = _get_object(values, "output") or {}
    schema = output.get("output_schema") or output.get("schema")
    return OutputContract(
        schema=schema if isinstance(schema, str) else "",
        markers=_get_texts(output, "markers"),
        max_chars=get_number(output, "max_chars"),
        style_hints=output.get("styleSpecHints", output.get("style_hints")),
        json_schema=schema if isinstance(schema, Mapping) and schema else None,
        plan=_get_object(output, "x-plan"),
    )


def _get_mode(values: Values) -> Mode:
    return "deep" if values.get("mode") == "deep" else "chat"


def _build_invocation(values: Values) -> Invocation:
    return Invocation(
        by_model=values.get("disable_model_invocation") is not True,
        by_user=values.get("user_invocable") is not False,
        automatic=values.get("auto_trigger") is not False,
        argument_hint=_get_text(values, "argument_hint"),
        context="fork" if values.get("context") == "fork" else "inline",
    )


def _build_document_use(values: Values) -> DocumentUse:
    delivery = _get_object(values, "delivery") or {}
    capabilities = _get_object(values, "capabilities") or {}
    writeback = delivery.get("default_writeback")
    anchor = (_get_object(capabilities, "writeback") or {}).get("default_anchor")
    return DocumentUse(
        active_text=shown if isinstance(shown := capabilities.get("active_doc_text"), bool) else None,
        active_max_chars=get_number(capabilities, "active_doc_max_chars"),
        writeback="direct" if writeback == "direct" else "compare_table" if writeback == "compare_table" else "",
        anchor="cursor" if anchor == "cursor" else "end" if anchor == "end" else "",
        missing_library_hint=capabilities.get("rag_missing_hint"),
    )


def _build_display_info(values: Values) -> DisplayInfo:
    return DisplayInfo(
        category=_get_text(values, "category"),
        icon=_get_text(values, "icon"),
        color=_get_text(values, "color"),
        theme=_get_object(values, "theme") or {},
        pricing=_get_object(values, "pricing") or {},
        features=_get_objects(values, "features"),
        showcase=_get_object(values, "showcase") or {},
    )


def _find_distrust(draft: SkillDraft, report: Report) -> Untrusted:
    """Why the skill is untrusted until approved; each reason is a finding."""
    if draft.source.trusted:
        return ""
    worded: Untrusted = "wording" if report.has_code("suspicious_wording") else ""
    why: Untrusted = "files" if draft.folder.has_bad_code else worded
    if why:
        hint = "look at it, then `metier skills approve`"
        report.add("skill_untrusted", "no script of it runs until it is approved", hint=hint)
    return why


def _list_files(draft: SkillDraft) -> Iterator[SkillFile]:
    main = draft.source.path.name
    for name, stored in draft.folder.files.items():
        extra = name not in (main, draft.prompt) and not is_sub_file(name)
        yield SkillFile(name, stored.size_bytes, stored.sha256, extra)


def _line_of(draft: SkillDraft, key: str) -> int | None:
    return draft.lines.get(key)


def _get_text(values: Mapping[str, JsonValue], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _get_spoken(values: Mapping[str, JsonValue], key: str) -> Mapping[str, str]:
    """Texts by language; empty if the key has one text for all."""
    value = values.get(key)
    found = {language: str(text) for language, text in value.items()} if isinstance(value, Mapping) else {}
    return MappingProxyType(found)


def _get_texts(values: Mapping[str, JsonValue], key: str) -> tuple[str, ...]:
    value = values.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()


def _get_object(values: Mapping[str, JsonValue], key: str) -> JsonObject | None:
    value = values.get(key)
    return value if isinstance(value, Mapping) else None


def _get_objects(values: Mapping[str, JsonValue], key: str) -> tuple[JsonObject, ...]:
    value = values.get(key)
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list | tuple) else ()
