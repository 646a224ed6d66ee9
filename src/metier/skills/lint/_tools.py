"""Lint rules about tools: every tool that a skill names must be declared, and descriptions should be short."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from metier.json_values import JsonValue
from metier.limits import BadExpression, parse_expression
from metier.names import suggest
from metier.skills.lint._loaded_skill import LoadedSkill
from metier.skills.model import DeclaredTool, Report, Skill

ADVISED_DESCRIPTION_CHARS: Final = 120
_OWN_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")  # other systems call theirs Read or Bash(git:*)
_LONE_WORD: Final = re.compile(r"\w+")  # a slip such as "alway"; a yes-or-no argument is written "when urgent"

_CALL_PHRASE = re.compile(
    r"(?i:调用|使用|运行|执行|用|\b(?:calls?|calling|uses?|using|runs?|running|invokes?|invoking))"
    r"\s{0,4}(?i:(?:the|tool|工具|:|：)\s{0,4}){0,2}"
    r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\([^`\n]{0,200}\))?`",
)


def check_tools(subject: LoadedSkill, known: frozenset[str], report: Report) -> None:
    """Report unknown tools in fields and instructions, and long descriptions; `known` has the tools of all skills."""
    for name, where, line in _iter_tool_names(subject):
        if name not in known:
            message = f"{where} names the tool {name!r}, which nobody declares"
            report.add("tool_unknown", message, hint=_suggest_tool(name, known), line=line)
    for name in subject.skill.preapproved_tools:
        if _OWN_NAME.fullmatch(name) and name not in known:
            message, line = (
                f"allowed-tools names the tool {name!r}, which nobody declares",
                subject.find_line("allowed-tools"),
            )
            report.add("tool_unknown_preapproved", message, hint=_suggest_tool(name, known), line=line)
    _check_text(subject, known, report)
    for tool in subject.skill.tools:
        if len(tool.description) > ADVISED_DESCRIPTION_CHARS:
            message = f"the description of {tool.name!r} has {len(tool.description)} characters"
            line = subject.find_tool_line(tool.name, ".description")
            report.add("tool_description_long", message, hint=f"advised: {ADVISED_DESCRIPTION_CHARS}", line=line)
        _check_examples(subject, tool, report)
        _check_approval(subject, tool, report)


def _check_examples(subject: LoadedSkill, tool: DeclaredTool, report: Report) -> None:
    properties = (tool.parameters or {}).get("properties")
    lacking = [name for name in ("examples", "edge_cases") if not tool.hints.get(name)]
    if tool.origin == "script" and properties and lacking:
        message = f"the tool {tool.name!r} has no {' and no '.join(lacking)}"
        hint = 'add "examples": [{"arguments": {…}}] and "edge_cases": ["…"] beside its parameters'
        report.add("tool_examples_missing", message, hint=hint, line=subject.find_tool_line(tool.name))


def _check_approval(subject: LoadedSkill, tool: DeclaredTool, report: Report) -> None:
    """Report an approval rule that cannot be read or could grow without bound; its tool is not offered."""
    rule = tool.hints.get("approval")
    written = rule.get("when") if isinstance(rule, Mapping) else rule
    expression = written.strip().removeprefix("when ").strip() if isinstance(written, str) else ""
    if expression in ("", "never", "always"):
        return
    problem = ""
    if isinstance(rule, str) and _LONE_WORD.fullmatch(rule.strip()):
        problem = f"{rule.strip()[:80]!r} is neither never nor always"
    else:
        try:
            parse_expression(expression)
        except BadExpression as error:
            problem = str(error)
    if problem:
        line = subject.find_tool_line(tool.name, ".approval")
        hint = 'write "never", "always" or {"when": "amount > `1000`"}'
        report.add("approval_invalid", f"the approval rule of {tool.name!r}: {problem}", hint=hint, line=line)


def _suggest_tool(name: str, known: frozenset[str]) -> str:
    return suggest(name, sorted(known), "declare it under 'tools', or pass --tool if it exists elsewhere")


def _iter_tool_names(subject: LoadedSkill) -> Iterator[tuple[str, str, int | None]]:
    """Every tool name in the fields, with the field that names it and its line."""
    skill = subject.skill
    for name in skill.allowed_tools or ():
        line = subject.find_line("allowed_tools") or subject.find_line("allowed-tools")
        yield name.partition("(")[0], "allowed_tools", line
    for name in skill.forbidden_tools:
        yield name.partition("(")[0], "forbidden_tools", subject.find_line("forbidden_tools")
    for number, step in enumerate(skill.sop):
        if name := _get_literal_name(step.get("call")):
            yield name, f"sop step {_label(step, number)}", subject.find_line("sop", f"[{number}].call")
    for number, milestone in enumerate(skill.milestones):
        check = milestone.get("check")
        inner = check.get("tool") if isinstance(check, Mapping) else None
        if name := _get_literal_name(milestone.get("tool")) or _get_literal_name(inner):
            yield name, f"milestone {_label(milestone, number)}", subject.find_line("milestones", f"[{number}]")
    if skill.needs.compute_tool:
        yield skill.needs.compute_tool, "compute_tool", subject.find_line("compute_tool")


def _get_literal_name(value: JsonValue) -> str:
    """The tool name if it is a literal; an expression (`$…`) is evaluated only when the plan runs."""
    return value if isinstance(value, str) and not value.startswith("$") else ""


def _label(item: Mapping[str, JsonValue], number: int) -> str:
    name = item.get("id") or item.get("name") or item.get("title")
    return repr(name) if isinstance(name, str) else str(number + 1)


def _check_text(subject: LoadedSkill, known: frozenset[str], report: Report) -> None:
    others = _find_other_names(subject.skill)
    checked: set[str] = set()
    for found in _CALL_PHRASE.finditer(subject.body):
        name = found[1]
        if name in others or name in checked:
            continue
        checked.add(name)
        line = subject.find_body_line(found.start(1))
        if name not in known:
            message = f"the instructions tell to call {name!r}, which nobody declares"
            hint = _suggest_tool(name, known)
            report.add("tool_unknown_in_text", message, hint=hint, path=subject.body_path, line=line)
        elif not _is_allowed(subject.skill, name):
            message = f"the instructions tell to call {name!r}, which 'allowed_tools' leaves out"
            hint = "add it to 'allowed_tools' if this skill may call it; otherwise the call is refused"
            report.add("tool_not_allowed_in_text", message, hint=hint, path=subject.body_path, line=line)


def _is_allowed(skill: Skill, name: str) -> bool:
    """Whether the skill may call the tool; a forbidden one is named in its text to say so."""
    listed = {one.partition("(")[0] for one in (*(skill.allowed_tools or ()), *skill.forbidden_tools)}
    return skill.allowed_tools is None or name in listed or name in {tool.name for tool in skill.tools}


def _find_other_names(skill: Skill) -> set[str]:
    """Identifiers of the skill that look like tool names but are not: rules, fields, parameters, other skills."""
    names = {skill.id, *skill.rules, *skill.profile_fields, *skill.requires, *skill.next}
    names.update(name.partition("(")[0] for name in skill.preapproved_tools)
    schemas = (skill.inputs, skill.outputs, *(tool.parameters for tool in skill.tools))
    for schema in schemas:
        properties = (schema or {}).get("properties")
        names.update(properties if isinstance(properties, Mapping) else ())
    return names
