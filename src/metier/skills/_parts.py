"""The parts of a skill that lie in files of their own: rules, cases, tool lists, scripts."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from metier.skills._diagnostics import Report
from metier.skills._folder import Folder
from metier.skills._front_matter import NoFrontMatter, split_front_matter
from metier.skills._json import JsonInvalid, JsonObject, JsonValue, load_json
from metier.skills._skill import Case, DeclaredTool, Rule
from metier.skills._source import check_wording, decode
from metier.skills._text import Text
from metier.skills._yaml import YamlRefused, as_json, load_yaml

_TOOL_FILES = ("tools/tools.yaml", "tools/tools.yml", "tools.yaml", "tools.yml")
_CASE_FILES = ("cases.json", "cases/cases.json")


def read_rules(folder: Folder, report: Report) -> dict[str, Rule]:
    """Every `rules/*.md`, by its id."""
    rules: dict[str, Rule] = {}
    for name in folder.below("rules", ".md"):
        part = _read_part(folder, name, report)
        if part is None:
            continue
        data, text = part
        stem = PurePosixPath(name).stem
        rule_id = _string(data, "id") or stem
        rules[rule_id] = Rule(
            id=rule_id,
            title=_string(data, "name") or _string(data, "title") or stem,
            text=text,
            impact=_string(data, "impact"),
            tags=_strings(data, "tags"),
            triggers=_strings(data, "triggers"),
            total_steps=_number(data, "total_steps"),
            estimated_time=_string(data, "estimated_time"),
        )
    return rules


def read_cases(folder: Folder, inline: JsonValue, report: Report) -> tuple[Case, ...]:
    """Cases from `cases/*.md`, `cases.json` and the front matter, in this order."""
    cases: list[Case] = []
    for name in folder.below("cases", ".md"):
        part = _read_part(folder, name, report)
        if part is not None:
            cases.append(_case(part[0], PurePosixPath(name).stem, part[1]))
    for name in _CASE_FILES:
        if name in folder.files:
            cases += _cases_of_list(_load_json_file(folder, name, report), name, folder.path / name, report)
    cases += _cases_of_list(inline, "cases", report.path, report)
    return tuple({case.id: case for case in cases}.values())


def _cases_of_list(value: JsonValue, where: str, path: Path, report: Report) -> list[Case]:
    listed = value.get("cases") if isinstance(value, Mapping) else value
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        report.add("part_invalid", f"{where} must be a list of cases", hint="start with [", path=path)
        return []
    found: list[Case] = []
    for number, item in enumerate(listed):
        if isinstance(item, Mapping) and isinstance(item.get("content"), str):
            found.append(_case(item, f"case-{number + 1}", Text(str(item["content"]))))
        else:
            report.add("part_invalid", f"{where}[{number}] has no 'content'", hint="give every case a text", path=path)
    return found


def _case(data: JsonObject, default_id: str, text: Text) -> Case:
    case_id = _string(data, "id") or default_id
    return Case(
        id=case_id,
        title=_string(data, "name") or _string(data, "title") or case_id,
        text=text,
        tags=_strings(data, "tags"),
        rules=_strings(data, "rule_ids") or _strings(data, "rules"),
    )


def read_tools(folder: Folder, inline: JsonValue, report: Report) -> tuple[DeclaredTool, ...]:
    """Declared tools: the manifest's or front matter's list first, then `tools.yaml`; scripts are matched by name."""
    declared = _inline_tools(inline, report)
    for name in _TOOL_FILES:
        if name in folder.files:
            listed = _load_yaml_file(folder, name, report)
            declared += _inline_tools(listed.get("tools") if isinstance(listed, Mapping) else None, report)
    return tuple(_with_script(tool, folder) for tool in declared)


def _inline_tools(inline: JsonValue, report: Report) -> list[DeclaredTool]:
    if isinstance(inline, str):
        inline = inline.replace(",", " ").split()
    if inline is None:
        return []
    if not isinstance(inline, list | tuple):
        report.add("field_invalid", "'tools' must be a list", hint="write '- tool_name' lines")
        return []
    found: list[DeclaredTool] = []
    for item in inline:
        tool = _tool(item)
        if tool is None:
            report.add("field_invalid", f"tool {item!r} has no name", hint="give every tool a 'name'")
        else:
            found.append(tool)
    return found


def _tool(item: JsonValue) -> DeclaredTool | None:
    if isinstance(item, str) and item.strip():
        return DeclaredTool(item.strip())
    if not isinstance(item, Mapping) or not _string(item, "name"):
        return None
    known = {"name", "description", "parameters", "hints", "builtin"}
    hints = item.get("hints")
    extra = {key: value for key, value in item.items() if key not in known}
    return DeclaredTool(
        name=_string(item, "name"),
        description=_string(item, "description"),
        parameters=_parameters(item.get("parameters")),
        origin="builtin" if item.get("builtin") is True else "declared",
        hints={**(hints if isinstance(hints, Mapping) else {}), **extra},
    )


def _parameters(value: JsonValue) -> JsonObject | None:
    """A JSON Schema as it is; a list of named parameters (`tools.yaml`) becomes one."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, list | tuple):
        return None
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for item in value:
        if isinstance(item, Mapping) and _string(item, "name"):
            name = _string(item, "name")
            properties[name] = {key: part for key, part in item.items() if key not in ("name", "required")}
            if item.get("required") is True:
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _with_script(tool: DeclaredTool, folder: Folder) -> DeclaredTool:
    script = f"scripts/{tool.name}.py"
    if tool.origin == "builtin" or script not in folder.files:
        return tool
    return DeclaredTool(tool.name, tool.description, tool.parameters, "script", script, tool.hints)


def _read_part(folder: Folder, name: str, report: Report) -> tuple[JsonObject, Text] | None:
    """The front matter (possibly empty) and the text of a rule or case file."""
    prose = decode(folder.raw(name), folder.path / name, report)
    if prose is None:
        return None
    check_wording(prose, report)
    text, data = prose.text, {}
    try:
        split = split_front_matter(text)
        loaded = as_json(load_yaml(split.front).data) if split.front.strip() else {}
        data = dict(loaded) if isinstance(loaded, Mapping) else {}
        text = text[split.body_at :]
    except NoFrontMatter as error:
        if error.code != "front_matter_missing":
            report.add("part_invalid", f"{name}: {error}", hint="close the front matter", path=prose.path, line=1)
            return None
    except YamlRefused as error:
        line = None if error.line is None else error.line + 1
        report.add("part_invalid", f"{name}: {error}", hint="mend the front matter", path=prose.path, line=line)
        return None
    return data, Text(text.strip())


def _load_json_file(folder: Folder, name: str, report: Report) -> JsonValue:
    prose = decode(folder.raw(name), folder.path / name, report)
    if prose is None:
        return None
    try:
        return load_json(prose.text)
    except JsonInvalid as error:
        report.add("part_invalid", f"{name}: {error}", hint="mend the JSON", path=prose.path, line=error.line)
        return None


def _load_yaml_file(folder: Folder, name: str, report: Report) -> JsonValue:
    prose = decode(folder.raw(name), folder.path / name, report)
    if prose is None:
        return None
    try:
        return as_json(load_yaml(prose.text).data)
    except YamlRefused as error:
        report.add("part_invalid", f"{name}: {error}", hint="mend the YAML", path=prose.path, line=error.line)
        return None


def _string(data: JsonObject, key: str) -> str:
    value = data.get(key)
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)


def _strings(data: JsonObject, key: str) -> tuple[str, ...]:
    value = data.get(key)
    items = value if isinstance(value, list | tuple) else [value] if isinstance(value, str) else []
    return tuple(str(item) for item in items if item is not None)


def _number(data: JsonObject, key: str) -> int | None:
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
