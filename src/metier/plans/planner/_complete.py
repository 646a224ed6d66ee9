"""Completes the steps of a planned task: each has a tool, an expected output and a check after it."""

from dataclasses import replace
from typing import Final

from metier.language import Language, Sentences
from metier.plans._expressions import is_expression
from metier.plans._kinds import is_safe_path
from metier.plans._plan import CheckSpec, Milestone, OnFail, Plan, Step

_REPLAN: Final = OnFail("replan")
_DOCUMENT_TOOLS: Final = frozenset({"pdf", "pptx", "docx", "xlsx"})
_RUN_TOOLS: Final = frozenset({"run_tests", "run_python", "run_in_terminal"})
_REPORT_TOOLS: Final = frozenset({"write_findings"})
_SENTENCES: Final = Sentences(
    {
        "tool_output": ("{title}: there is a result", "{title}：有结果"),
        "file_valid": ("{title}: the file opens", "{title}：文件能打开"),
        "sources": ("{title}: the sources hold", "{title}：来源经得起核对"),
        "exit_code": ("{title}: the run succeeds", "{title}：运行成功"),
    }
)


def complete_plan(plan: Plan, language: Language) -> Plan:
    """The plan with an expected output and a check for each step that calls a tool and has none.

    A check that fails asks for a new plan; the number of new plans is limited by the run.
    """
    steps = tuple(_complete_step(step) for step in plan.steps)
    checked = {one.after for one in plan.milestones}
    names = {one.name for one in plan.milestones}
    added = []
    for step in steps:
        if not _calls_tool(step) or step.id in checked:
            continue
        check = choose_check(step)
        name = _SENTENCES.render(check.kind, language, title=step.title or step.id)
        added.append(Milestone(name if name not in names else f"{name} ({step.id})", step.id, check, _REPLAN))
        names.add(added[-1].name)
    return replace(plan, steps=steps, milestones=(*plan.milestones, *added))


def find_incomplete_steps(plan: Plan) -> tuple[str, ...]:
    """Steps without tool, expected output or check. Questions need none, nor does a last step that only reports."""
    checked = {one.after for one in plan.milestones}
    wanted = [step for step in plan.steps if step.ask is None]
    if wanted and plan.steps[-1] is wanted[-1] and wanted[-1].call is None and not wanted[-1].tools:
        wanted = wanted[:-1]
    return tuple(
        step.id for step in wanted if not (step.call or step.tools) or step.expects is None or step.id not in checked
    )


def choose_check(step: Step) -> CheckSpec:
    """The check that fits the tool of a step: a file opens, sources hold, a run succeeds, or there is a result."""
    tool = step.call or ""
    if tool in _DOCUMENT_TOOLS:
        return CheckSpec("file_valid", {"path": f"$.{step.saved_as}.file", "min": 1})
    if tool == "write_file" and (path := _find_path(step)):
        return CheckSpec("file_valid", {"path": path, "min": 1})
    if tool in _REPORT_TOOLS:
        return CheckSpec("sources", {"min": 1})
    if tool in _RUN_TOOLS:
        return CheckSpec("exit_code", {"equals": 0, "tests": "kept", "tool": tool})
    return CheckSpec("tool_output", {"tool": tool})


def _find_path(step: Step) -> str:
    given = step.arguments.get("path")
    return given if isinstance(given, str) and (is_expression(given) or is_safe_path(given)) else ""


def _complete_step(step: Step) -> Step:
    return replace(step, expects={"not": {"type": "null"}}) if _calls_tool(step) and step.expects is None else step


def _calls_tool(step: Step) -> bool:
    return step.call is not None and not is_expression(step.call)
