"""Reads a skill's parts that have their own files (rules, cases, tools, scripts) and resolves references to files."""

import posixpath
import re
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.skills.checks import file_name_problem, fold
from metier.skills.model import MAX_YAML_CHARS, Case, DeclaredTool, Report, Rule, Text
from metier.skills.read._candidate_files import SkillFolder
from metier.skills.read._decode import DecodedFile, check_escapes, check_wording, decode
from metier.skills.read._front_matter import NoFrontMatter, load_front_matter, split_front_matter
from metier.skills.read._yaml import YamlRefused, load_yaml, node_to_json

_TOOL_FILES = ("tools/tools.yaml", "tools/tools.yml", "tools.yaml", "tools.yml")
_NOT_RELATIVE = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:|[/\\~])")
_COMMA = re.compile(r"[,，、;；\n]+")
_CASE_FILES = ("cases.json", "cases/cases.json")
# `tools.yaml` may use Python's type names; JSON Schema has its own.
_TYPE_ALIASES = MappingProxyType(
    {
        **dict.fromkeys(("str", "text", "date", "datetime"), "string"),
        **dict.fromkeys(("dict", "map"), "object"),
        "int": "integer",
        "float": "number",
        "bool": "boolean",
        "list": "array",
    }
)


def is_sub_file(name: str) -> bool:
    """Whether this file is read by one of the functions here."""
    if name in _TOOL_FILES or name in _CASE_FILES:
        return True
    return name.startswith(("rules/", "cases/")) and name.endswith(".md") and name.count("/") == 1


def read_rules(folder: SkillFolder, report: Report) -> dict[str, Rule]:
    """Rules from `rules/*.md`, by id."""
    rules: dict[str, Rule] = {}
    for name in folder.list_files("rules", ".md"):
        part = _read_part(folder, name, report)
        if part is None:
            continue
        data, text = part
        stem = PurePosixPath(name).stem
        rule_id = _get_string(data, "id") or stem
        if rule_id in rules:
            _report_duplicate("rule", rule_id, folder.path / name, report)
            continue
        rules[rule_id] = Rule(
            id=rule_id,
            title=_get_string(data, "name") or _get_string(data, "title") or stem,
            text=text,
            impact=_get_string(data, "impact"),
            impact_description=_get_string(data, "impactDescription") or _get_string(data, "impact_description"),
            tags=_get_strings(data, "tags"),
            triggers=_get_strings(data, "triggers"),
            total_steps=get_number(data, "total_steps"),
            estimated_time=_get_string(data, "estimated_time"),
        )
    return rules


def read_cases(folder: SkillFolder, inline: JsonValue, report: Report) -> tuple[Case, ...]:
    """Cases from `cases/*.md`, `cases.json` and the front matter; of equal ids the first in this order is kept."""
    found: list[tuple[Case, Path]] = []
    for name in folder.list_files("cases", ".md"):
        part = _read_part(folder, name, report)
        if part is not None:
            found.append((_build_case(part[0], PurePosixPath(name).stem, part[1]), folder.path / name))
    for name in _CASE_FILES:
        if name in folder.files:
            path = folder.path / name
            listed = _parse_cases(_load_json_file(folder, name, report), name, path, report)
            found += [(case, path) for case in listed]
    found += [(case, report.path) for case in _parse_cases(inline, "cases", report.path, report)]
    cases: dict[str, Case] = {}
    for case, path in found:
        if cases.setdefault(case.id, case) is not case:
            _report_duplicate("case", case.id, path, report)
    return tuple(cases.values())


def _report_duplicate(what: str, part_id: str, path: Path, report: Report) -> None:
    message = f"{what} {part_id!r} is there twice; the first one was read"
    report.add("part_invalid", message, hint="rename one of them", path=path)


def _parse_cases(value: JsonValue, where: str, path: Path, report: Report) -> list[Case]:
    listed = value.get("cases") if isinstance(value, Mapping) else value
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        report.add("part_invalid", f"{where} must be a list of cases", hint="start with [", path=path)
        return []
    found: list[Case] = []
    for number, item in enumerate(listed):
        if isinstance(item, Mapping) and isinstance(item.get("content"), str):
            found.append(_build_case(item, f"case-{number + 1}", Text(str(item["content"]))))
        else:
            report.add("part_invalid", f"{where}[{number}] has no 'content'", hint="give every case a text", path=path)
    return found


def _build_case(data: JsonObject, default_id: str, text: Text) -> Case:
    case_id = _get_string(data, "id") or default_id
    return Case(
        id=case_id,
        title=_get_string(data, "name") or _get_string(data, "title") or case_id,
        text=text,
        tags=_get_strings(data, "tags"),
        rules=_get_strings(data, "rule_ids") or _get_strings(data, "rules"),
        weight=_get_weight(data),
        source=_get_string(data, "source"),
    )


def _get_weight(data: JsonObject) -> float:
    """Weight of a case from 0.1 to 10; 1 if it has none or no number."""
    try:
        return min(max(float(str(data.get("weight", 1))), 0.1), 10.0)
    except ValueError:
        return 1.0


def read_tools(folder: SkillFolder, inline: JsonValue, report: Report) -> tuple[DeclaredTool, ...]:
    """Declared tools from the manifest or front matter, then from `tools.yaml`; scripts are matched by name."""
    declared = _parse_tools(inline, report, report.path)
    for name in _TOOL_FILES:
        if name in folder.files:
            listed = _load_yaml_file(folder, name, report)
            described = _parse_tools(listed.get("tools") if listed else None, report, folder.path / name)
            names = {fold(tool.name) for tool in described}
            # A bare name in the front matter is only a reference to the tool that the file describes.
            declared = [tool for tool in declared if tool.has_parameters or fold(tool.name) not in names] + described
    return tuple(_attach_script(tool, folder) for tool in declared)


def locate_tool(folder: SkillFolder, tool: str, default: Path) -> tuple[Path, int | None]:
    """File and line that declare a tool, for a finding: the first line with the tool's name after a key."""
    names = [name for name in (*_TOOL_FILES, default.name) if name in folder.files]
    for name in names:
        text = folder.get_bytes(name).decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if tool in line and "name" in line:
                return folder.path / name, number
    return default, None


def _parse_tools(listed: JsonValue, report: Report, path: Path) -> list[DeclaredTool]:
    if isinstance(listed, str):
        listed = listed.replace(",", " ").replace("，", " ").replace("、", " ").split()
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        report.add("field_invalid", "'tools' must be a list", hint="write '- tool_name' lines", path=path)
        return []
    found: list[DeclaredTool] = []
    for number, item in enumerate(listed):
        tool = _parse_tool(item)
        if tool is None:
            message = f"'tools[{number}]' has no name: {str(item)[:80]!r}"
            report.add("field_invalid", message, hint="give every tool a 'name'", path=path)
        else:
            found.append(tool)
    return found


def _parse_tool(item: JsonValue) -> DeclaredTool | None:
    if isinstance(item, str) and item.strip():
        return DeclaredTool(item.strip())
    if not isinstance(item, Mapping) or not _get_string(item, "name"):
        return None
    known = {"name", "description", "parameters", "hints", "builtin"}
    hints = item.get("hints")
    extra = {key: value for key, value in item.items() if key not in known}
    return DeclaredTool(
        name=_get_string(item, "name"),
        description=_get_string(item, "description"),
        parameters=_parse_parameters(item.get("parameters")),
        origin="builtin" if item.get("builtin") is True else "declared",
        hints={**(hints if isinstance(hints, Mapping) else {}), **extra},
    )


def _parse_parameters(value: JsonValue) -> JsonObject | None:
    """A JSON Schema unchanged; a list of named parameters (`tools.yaml`) is converted to one."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, list | tuple):
        return None
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for item in value:
        if isinstance(item, Mapping) and _get_string(item, "name"):
            name, kind = _get_string(item, "name"), item.get("type")
            said = {key: part for key, part in item.items() if key not in ("name", "required")}
            properties[name] = (
                {**said, "type": _TYPE_ALIASES.get(kind.lower(), kind)} if isinstance(kind, str) else said
            )
            if item.get("required") is True:
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _attach_script(tool: DeclaredTool, folder: SkillFolder) -> DeclaredTool:
    script = f"scripts/{tool.name}.py"
    if tool.origin == "builtin" or script not in folder.files:
        return tool
    return DeclaredTool(tool.name, tool.description, tool.parameters, "script", script, tool.hints)


def _read_part(folder: SkillFolder, name: str, report: Report) -> tuple[JsonObject, Text] | None:
    """Front matter (possibly empty) and text of a rule or case file; `None` if it was left out."""
    prose = decode(folder.get_bytes(name), folder.path / name, report, part=True)
    if prose is None:
        return None
    check_wording(prose, report)
    text = prose.text
    try:
        split = split_front_matter(text)
        data = load_front_matter(split.front)[0].data if split.front.strip() else {}
    except NoFrontMatter as error:
        if error.code == "front_matter_missing":
            return {}, Text(text.strip())
        _report_invalid_part(prose, str(error), "close the front matter", report, 1)
        return None
    except YamlRefused as error:
        _report_invalid_part(prose, str(error), "mend the front matter", report, error.line)
        return None
    check_escapes(split.front, data, prose.path, report)
    return {key: node_to_json(node) for key, node in data.items()}, Text(text[split.body_offset :].strip())


def _report_invalid_part(prose: DecodedFile, why: str, hint: str, report: Report, line: int | None) -> None:
    report.add("part_invalid", f"{prose.path.name}: {why}", hint=hint, path=prose.path, line=line)


def _load_json_file(folder: SkillFolder, name: str, report: Report) -> JsonValue:
    prose = decode(folder.get_bytes(name), folder.path / name, report, part=True)
    if prose is None:
        return None
    try:
        value = load_json(prose.text)
    except JsonInvalid as error:
        _report_invalid_part(prose, str(error), "mend the JSON", report, error.line)
        return None
    check_wording(prose, report)
    check_escapes(prose.text, value, prose.path, report)
    return value


def _load_yaml_file(folder: SkillFolder, name: str, report: Report) -> JsonObject | None:
    prose = decode(folder.get_bytes(name), folder.path / name, report, part=True)
    if prose is None:
        return None
    if len(prose.text) > MAX_YAML_CHARS:
        _report_invalid_part(prose, f"longer than {MAX_YAML_CHARS} characters", "split the skill", report, None)
        return None
    try:
        data = load_yaml(prose.text).data
    except YamlRefused as error:
        _report_invalid_part(prose, str(error), "mend the YAML", report, error.line)
        return None
    check_wording(prose, report)
    check_escapes(prose.text, data, prose.path, report)
    return {key: node_to_json(node) for key, node in data.items()}


def _get_string(data: JsonObject, key: str) -> str:
    value = data.get(key)
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)


def _get_strings(data: JsonObject, key: str) -> tuple[str, ...]:
    value = data.get(key)
    items = value if isinstance(value, list | tuple) else _COMMA.split(value) if isinstance(value, str) else []
    return tuple(str(item).strip() for item in items if item is not None and str(item).strip())


def get_number(data: Mapping[str, JsonValue], key: str) -> int | None:
    """Whole number of a field; None if it has another value."""
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def resolve_reference(reference: str, names: Collection[str], report: Report, *, line: int | None = None) -> str | None:
    """The name of the referenced file, or `None` after reporting why the reference is invalid."""
    spelt = reference.replace("\\", "/")
    if re.match(r"^[^/]+\.[A-Za-z0-9]+:", spelt):
        report.add("file_name_invalid", f"{reference!r} holds ':'", hint="name the plain file", line=line)
        return None
    if _NOT_RELATIVE.match(reference):
        hint = "name a file below the skill folder, such as 'SYSTEM.md'"
        report.add("path_not_relative", f"{reference!r} is not below the skill folder", hint=hint, line=line)
        return None
    for part in PurePosixPath(spelt).parts:
        if part != ".." and (why := file_name_problem(part)):
            report.add("file_name_invalid", f"{reference!r} cannot be used: {why}", hint="rename it", line=line)
            return None
    plain = posixpath.normpath(spelt)
    if plain == ".." or plain.startswith("../"):
        report.add("path_escapes", f"{reference!r} leads out of the skill", hint="copy the file in", line=line)
        return None
    if plain not in names:
        report.add("path_missing", f"{reference!r} does not exist", hint="check the name and its case", line=line)
        return None
    return plain
