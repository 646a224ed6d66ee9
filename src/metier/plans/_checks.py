"""Milestone checks: pure functions, except for one read of the workspace folder passed in by the caller."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from metier.jsons import JsonObject, JsonValue
from metier.plans._expressions import is_expression, is_true, look_up
from metier.plans._kinds import safe_path
from metier.plans._patterns import matcher
from metier.plans._plan import Milestone
from metier.plans._reasons import Reason, reason
from metier.plans._run import Checked, Run
from metier.plans._schemas import misfit
from metier.plans._words import folded
from metier.tools import Language


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Inputs of a check besides the run: the turn's folder, the open URL, and the last output of each tool."""

    workspace: Path | None = None
    url: str = ""
    outputs: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    language: Language = "en"


@dataclass(frozen=True, slots=True)
class _Subject:
    """The value a check examines, and where it comes from."""

    value: JsonValue
    where: str
    step: str


_Check: TypeAlias = Callable[[JsonObject, _Subject, Run, CheckContext], Reason | None]


def check_milestone(milestone: Milestone, run: Run, context: CheckContext) -> Checked:
    """Check whether the milestone is reached; never raises. A failure carries the reason and a suggestion."""
    options = milestone.check.options
    subject = _subject(milestone, options, run)
    why = _CHECKS[milestone.check.kind](options, subject, run, context)
    if why is None:
        passed = reason("check_passed")
        return Checked(True, passed.text(context.language), "", passed)
    why = Reason(why.code, {"step": subject.step, **why.values})
    return Checked(False, why.text(context.language), why.suggestion(context.language), why)


def _subject(milestone: Milestone, options: JsonObject, run: Run) -> _Subject:
    """The value named by `of`, or the whole result of the step."""
    named = options.get("of")
    if isinstance(named, str):
        return _Subject(look_up(named, run.data), named, milestone.after)
    step = run.plan.step(milestone.after)
    saved = step.saved_as if step else milestone.after
    return _Subject(run.data.get(saved), f"$.{saved}", milestone.after)


def _contains(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    if subject.value is None:
        return reason("nothing_to_check", where=subject.where)
    absent = _absent(options, _text(subject.value))
    return reason("text_missing", texts=absent, where=subject.where) if absent else None


def _regex(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    if subject.value is None:
        return reason("nothing_to_check", where=subject.where)
    pattern = str(options["pattern"])
    return (
        None
        if matcher(pattern)(_text(subject.value))
        else reason("pattern_missing", pattern=pattern, where=subject.where)
    )


def _json_schema(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    schema = options["schema"]
    detail = misfit(subject.value, schema if isinstance(schema, Mapping) else {})
    return reason("schema_misfit", where=subject.where, detail=detail) if detail else None


def _expr(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    expression = str(options["expr"])
    return None if is_true(expression, run.data) else reason("expression_false", expr=expression)


def _file_exists(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    written = str(options["path"])
    path = look_up(written, run.data) if is_expression(written) else written
    if not isinstance(path, str):
        return reason("nothing_to_check", where=written)
    if not safe_path(path):
        return reason("path_unsafe", path=path)
    if context.workspace is None:
        return reason("no_workspace", path=path)
    try:
        root = context.workspace.resolve()
        place = (root / path).resolve()
        there = place.is_relative_to(root) and place.is_file()
    except (OSError, ValueError):  # file name too long, or a symlink loop
        there = False
    return None if there else reason("file_missing", path=path)


def _url_contains(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    url = _url(subject.value) or (context.url if "of" not in options else "")
    absent = _absent(options, url)
    return reason("url_missing", url=url[:200], texts=absent) if absent else None


def _tool_output(options: JsonObject, subject: _Subject, run: Run, context: CheckContext) -> Reason | None:
    tool = str(options["tool"])
    output = _output(tool, run, context)
    if output in (None, "", [], {}):
        return reason("output_missing", tool=tool)
    if absent := _absent(options, _text(output)):
        return reason("text_missing", texts=absent, where=tool)
    expression = options.get("expr")
    if isinstance(expression, str) and not is_true(expression, {"output": output}):
        return reason("expression_false", expr=expression)
    return None


def _output(tool: str, run: Run, context: CheckContext) -> JsonValue:
    """Last output of the tool: as the caller saw it, otherwise as saved by the plan's own steps."""
    if tool in context.outputs:
        return context.outputs[tool]
    saved = [run.data[step.saved_as] for step in run.plan.steps if step.call == tool and step.saved_as in run.data]
    return saved[-1] if saved else None


def _url(value: JsonValue) -> str:
    found = value.get("url") if isinstance(value, Mapping) else value
    return found if isinstance(found, str) else ""


def _absent(options: JsonObject, text: str) -> str:
    wanted, inside = options.get("text"), folded(text)
    listed = wanted if isinstance(wanted, list) else []
    return ", ".join(json.dumps(each, ensure_ascii=False) for each in listed if folded(str(each)) not in inside)


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_CHECKS: Final[Mapping[str, _Check]] = MappingProxyType(
    {
        "contains": _contains,
        "regex": _regex,
        "json_schema": _json_schema,
        "expr": _expr,
        "file_exists": _file_exists,
        "url_contains": _url_contains,
        "tool_output": _tool_output,
    }
)
