"""Milestone checks: pure functions, except for one read of the workspace folder passed in by the caller."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from metier.errors import TooManySteps
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.limits import compile_pattern, limit_steps
from metier.plans._expressions import is_expression, is_true, look_up
from metier.plans._kinds import is_safe_path
from metier.plans._plan import Milestone
from metier.plans._reasons import PlanReason
from metier.plans._run import CheckResult, PlanRun
from metier.plans._schemas import find_misfit
from metier.plans._values import fold_text
from metier.plans.results import CallRecord, count_sources, find_exit_problem, measure_file


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Inputs of a check besides the run: the turn's folder, the open URL, the last output of each tool.

    `calls` are the runs and writes so far, in order.
    """

    workspace: Path | None = None
    url: str = ""
    outputs: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    language: Language = "en"
    calls: Sequence[CallRecord] = ()


@dataclass(frozen=True, slots=True)
class _CheckTarget:
    """The value a check examines, and where it comes from."""

    value: JsonValue
    where: str
    step: str


_CheckFunction: TypeAlias = Callable[[JsonObject, _CheckTarget, PlanRun, CheckContext], PlanReason | None]


def check_milestone(milestone: Milestone, run: PlanRun, context: CheckContext) -> CheckResult:
    """Check whether the milestone is reached; never raises. A failure carries the reason and a suggestion."""
    options, subject = milestone.check.options, _CheckTarget(None, "", milestone.after)
    try:
        with limit_steps():
            subject = _find_target(milestone, options, run)
            why = _CHECKS[milestone.check.kind](options, subject, run, context)
    except TooManySteps:
        why = PlanReason.of("too_many_steps")
    if why is None:
        passed = PlanReason.of("check_passed")
        return CheckResult(True, passed.text(context.language), "", passed)
    why = PlanReason(why.code, {"step": subject.step, **why.values})
    return CheckResult(False, why.text(context.language), why.suggestion(context.language), why)


def _find_target(milestone: Milestone, options: JsonObject, run: PlanRun) -> _CheckTarget:
    """The value named by `of`, or the whole result of the step."""
    named = options.get("of")
    if isinstance(named, str):
        return _CheckTarget(look_up(named, run.data), named, milestone.after)
    step = run.plan.find_step(milestone.after)
    saved = step.saved_as if step else milestone.after
    return _CheckTarget(run.data.get(saved), f"$.{saved}", milestone.after)


def _check_contains(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    if subject.value is None:
        return PlanReason.of("nothing_to_check", where=subject.where)
    absent = _list_absent(options, _to_text(subject.value))
    return PlanReason.of("text_missing", texts=absent, where=subject.where) if absent else None


def _check_regex(options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext) -> PlanReason | None:
    if subject.value is None:
        return PlanReason.of("nothing_to_check", where=subject.where)
    pattern = str(options["pattern"])
    return (
        None
        if compile_pattern(pattern)(_to_text(subject.value))
        else PlanReason.of("pattern_missing", pattern=pattern, where=subject.where)
    )


def _check_json_schema(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    schema = options["schema"]
    detail = find_misfit(subject.value, schema if isinstance(schema, Mapping) else {})
    return PlanReason.of("schema_misfit", where=subject.where, detail=detail) if detail else None


def _check_expr(options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext) -> PlanReason | None:
    expression = str(options["expr"])
    return None if is_true(expression, run.data) else PlanReason.of("expression_false", expr=expression)


def _check_file_exists(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    found = _find_file(options, run, context)
    return found if isinstance(found, PlanReason) else None


def _find_file(options: JsonObject, run: PlanRun, context: CheckContext) -> tuple[str, Path] | PlanReason:
    """The file that `path` names, as written and in full; why there is none otherwise."""
    written = str(options["path"])
    path = look_up(written, run.data) if is_expression(written) else written
    if not isinstance(path, str):
        return PlanReason.of("nothing_to_check", where=written)
    if not is_safe_path(path):
        return PlanReason.of("path_unsafe", path=path)
    if context.workspace is None:
        return PlanReason.of("no_workspace", path=path)
    try:
        root = context.workspace.resolve()
        place = (root / path).resolve()
        there = place.is_relative_to(root) and place.is_file()
    except (OSError, ValueError):  # file name too long, or a symlink loop
        there = False
    return (path, place) if there else PlanReason.of("file_missing", path=path)


def _check_file_valid(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    found = _find_file(options, run, context)
    if isinstance(found, PlanReason):
        return found
    path, place = found
    size = measure_file(place)
    if size.problem:
        return PlanReason.of("file_invalid", path=path, problem=PlanReason(size.problem))
    wanted = int(str(options["min"]))
    if size.amount >= wanted:
        return None
    unit = PlanReason(size.unit)
    return PlanReason.of("file_too_short", path=path, count=str(size.amount), unit=unit, wanted=str(wanted))


def _check_sources(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    found = count_sources(subject.value)
    if found is None:
        return PlanReason.of("sources_unreadable", where=subject.where)
    if found.unverified:
        return PlanReason.of("sources_unverified", count=str(found.unverified), text=found.example[:80])
    wanted = int(str(options["min"]))
    if found.amount >= wanted:
        return None
    return PlanReason.of("sources_too_few", count=str(found.amount), wanted=str(wanted))


def _check_exit_code(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    problem = find_exit_problem(
        context.calls,
        wanted=int(str(options["equals"])),
        tool=str(options.get("tool", "")),
        message=str(run.data.get("message", "")),
        keeps_tests=options["tests"] == "kept",
    )
    return None if problem is None else PlanReason(problem[0], problem[1])


def _check_url_contains(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    url = _find_url(subject.value) or (context.url if "of" not in options else "")
    absent = _list_absent(options, url)
    return PlanReason.of("url_missing", url=url[:200], texts=absent) if absent else None


def _check_tool_output(
    options: JsonObject, subject: _CheckTarget, run: PlanRun, context: CheckContext
) -> PlanReason | None:
    tool = str(options["tool"])
    output = _find_output(tool, run, context)
    if output in (None, "", [], {}):
        return PlanReason.of("output_missing", tool=tool)
    if absent := _list_absent(options, _to_text(output)):
        return PlanReason.of("text_missing", texts=absent, where=tool)
    expression = options.get("expr")
    if isinstance(expression, str) and not is_true(expression, {"output": output}):
        return PlanReason.of("expression_false", expr=expression)
    return None


def _find_output(tool: str, run: PlanRun, context: CheckContext) -> JsonValue:
    """Last output of the tool: as the caller saw it, otherwise as saved by the plan's own steps."""
    if tool in context.outputs:
        return context.outputs[tool]
    saved = [run.data[step.saved_as] for step in run.plan.steps if step.call == tool and step.saved_as in run.data]
    return saved[-1] if saved else None


def _find_url(value: JsonValue) -> str:
    found = value.get("url") if isinstance(value, Mapping) else value
    return found if isinstance(found, str) else ""


def _list_absent(options: JsonObject, text: str) -> str:
    wanted, inside = options.get("text"), fold_text(text)
    listed = wanted if isinstance(wanted, list) else []
    return ", ".join(json.dumps(each, ensure_ascii=False) for each in listed if fold_text(str(each)) not in inside)


def _to_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_CHECKS: Final[Mapping[str, _CheckFunction]] = MappingProxyType(
    {
        "contains": _check_contains,
        "regex": _check_regex,
        "json_schema": _check_json_schema,
        "expr": _check_expr,
        "file_exists": _check_file_exists,
        "url_contains": _check_url_contains,
        "tool_output": _check_tool_output,
        "file_valid": _check_file_valid,
        "sources": _check_sources,
        "exit_code": _check_exit_code,
    }
)
