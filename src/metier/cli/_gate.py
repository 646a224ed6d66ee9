"""`metier gate`: whether a tool call is allowed, and why. `metier plan`: which steps a message takes, or has taken."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import SKILLS_OPTION, load_operator_rules, open_library, open_tools
from metier.cli._run import PACK_OPTION, load_chosen_packs
from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    print_json,
    print_line,
    print_note,
    print_table,
    read_arguments,
    say,
    translate_value,
)
from metier.errors import NotFound, Refused

if TYPE_CHECKING:
    from metier.plans import Plan, PlanRun
    from metier.settings import Settings
    from metier.store import Violation
    from metier.tasks import TaskAnalysis
    from metier.tools import TaskTypes


def gate_command(
    tool: str = typer.Argument(..., help="The tool's name."),
    skills: list[str] | None = typer.Option(None, "--skill", "-s", help="A skill in use (repeat for several)."),
    plan: Path | None = typer.Option(None, "--plan", help="TOML or JSON with the plan's allowed and forbidden tools."),
    task_type: str | None = typer.Option(None, "--task-type", help="research, creation, data_processing …"),
    message: str | None = typer.Option(None, "--message", "-m", help="Find the task type from what a user wrote."),
    arguments: str = typer.Option("{}", "--args", help="The call's arguments as JSON; approval may depend on them."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    explain: bool = typer.Option(False, "--explain", help="Say what every layer said."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Say whether a tool may run. Exit code 0 for allow and confirm, 4 for deny."""
    from metier.settings import load_settings
    from metier.tools import ToolCall, gate_for, load_plan_rules, load_task_types

    settings = load_settings()
    chosen = load_chosen_packs(settings, packs)
    catalog = open_library(folders, chosen).catalog()
    types = load_task_types(settings.task_types_file)
    found = _analyze(settings, message, types) if message is not None and task_type is None else None
    gate = gate_for(
        [catalog[skill] for skill in dict.fromkeys(skills or ())],
        tools=open_tools(settings, catalog, chosen),
        plan=None if plan is None else load_plan_rules(plan),
        task_type=types[task_type] if task_type else found.task_type if found else None,
        policy=load_operator_rules(settings),
    )
    verdict = gate.check(ToolCall("", tool, read_arguments(arguments)))
    if as_json:
        print_json({**verdict.to_json(), **({"task": found.to_json()} if found else {})})
    else:
        lines = verdict.explain()
        for line in lines if explain else lines[:1]:
            print_line(line)
        for line in found.explain(find_language()) if explain and found else ():
            print_line(f"  {line}")
    if verdict.answer == "deny":
        raise typer.Exit(Refused.exit_code)


def _analyze(settings: "Settings", message: str, types: "TaskTypes") -> "TaskAnalysis":
    """What a turn would take the message for."""
    from metier.routing import open_router
    from metier.tasks import open_analyzer

    router = open_router(settings)
    try:
        return open_analyzer(types, router).analyze(message)
    finally:
        router.close()


def plan_command(
    message: str | None = typer.Argument(None, help="What a user would write."),
    conversation: str | None = typer.Option(
        None, "--conversation", "-c", help="Show how far the plan of this conversation is instead."
    ),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Show the steps for a message, or how far a plan is. Each step with its tool and check; nothing runs."""
    from metier.settings import load_settings

    settings = load_settings()
    if (message is None) == (conversation is None):
        raise typer.BadParameter("a message, or --conversation", param_hint="MESSAGE")
    if conversation is not None:
        run, refused = asyncio.run(_read_progress(settings, conversation))
        _print_progress(run, refused, as_json=as_json)
        return
    plan = _make_plan(settings, message or "", folders, packs)
    if plan is None:
        print_note(say("no_plan"))
        raise typer.Exit(NotFound.exit_code)
    if as_json:
        print_json(plan.to_json())
        return
    print_line(f"{plan.goal} ({plan.source})")
    print_table(("step", "title", "tool", "check"), [_format_step(plan, at) for at in range(len(plan.steps))])
    print_line(f"{_say_tools(plan.constraints.allowed)} ({plan.constraints.source})")


def _make_plan(
    settings: "Settings", message: str, folders: list[Path] | None, packs: list[str] | None
) -> "Plan | None":
    """The steps of the skill that the router takes; otherwise a plan by rule for the task types."""
    from metier.language import resolve_language
    from metier.pack import build_pack_glossary
    from metier.plans import Constraints, compile_sop, constraints_from_skill, plan_by_rules
    from metier.routing import open_router
    from metier.tasks import open_analyzer
    from metier.tools import ToolCall, gate_for, load_task_types

    chosen = load_chosen_packs(settings, packs)
    catalog = open_library(folders, chosen).catalog()
    router = open_router(settings, glossary=build_pack_glossary(chosen))
    decision = router.route(message, catalog=catalog)
    analysis = open_analyzer(load_task_types(settings.task_types_file), router).analyze(message, decision)
    router.close()
    language = resolve_language(settings.language, message)
    skill = catalog.get(decision.skill or "") if decision.verdict == "auto" else None
    if skill is not None and skill.sop:
        return compile_sop(skill, language)
    tools = open_tools(settings, catalog, chosen)
    gate = gate_for([skill] if skill else [], tools=tools, task_type=analysis.task_type)
    specs = {one.name: one for one in tools.specs() if gate.check(ToolCall("", one.name, {})).answer != "deny"}
    bound = constraints_from_skill(skill) if skill else Constraints(tuple(sorted(specs)), source="task_type")
    return plan_by_rules(message, analysis.types, tools=specs, constraints=bound, language=language)


def _say_tools(allowed: Sequence[str] | None) -> str:
    return say("plan_tools", tools=", ".join(allowed)) if allowed else say("plan_tools_open")


def _format_step(plan: "Plan", at: int) -> tuple[str, ...]:
    step = plan.steps[at]
    checks = [f"{one.name} [{one.check.kind}]" for one in plan.milestones if one.after == step.id]
    return str(at + 1), step.title or step.ask or step.id, step.call or "–", "; ".join(checks) or "–"


async def _read_progress(settings: "Settings", conversation: str) -> "tuple[PlanRun, tuple[Violation, ...]]":
    from metier.plans import run_from_json
    from metier.store import Store

    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        saved = await store.plans.get_latest(conversation)
        refused = await store.violations.list(conversation=conversation, limit=100)
    if saved is None:
        raise NotFound(f"conversation {conversation!r} has no plan", hint="metier conversations list")
    return run_from_json(saved.plan.get("run")), refused


def _print_progress(run: "PlanRun", refused: "tuple[Violation, ...]", *, as_json: bool) -> None:
    plan = run.plan
    states = [(step, run.get_step_progress(step.id).state) for step in plan.steps]
    checks = [(one.name, run.get_milestone_progress(one.name).state) for one in plan.milestones]
    allowed = None if plan.constraints.allowed is None else list(plan.constraints.allowed)
    if as_json:
        steps = [{"id": step.id, "title": step.title, "tool": step.call, "state": state} for step, state in states]
        milestones = [{"name": name, "state": state} for name, state in checks]
        told = {"goal": plan.goal, "steps": steps, "milestones": milestones, "allowed_tools": allowed}
        print_json({**told, "violations": [one.to_json() for one in refused]})
        return
    counts = {wanted: sum(state == wanted for _, state in states) for wanted in ("done", "skipped", "failed")}
    others = "".join(f", {count} {translate_value(name)}" for name, count in counts.items() if count and name != "done")
    print_line(say("plan_progress", goal=plan.goal, done=counts["done"], count=len(states), others=others))
    rows = [(translate_value(state), step.title or step.id, step.call or "–") for step, state in states]
    checked = [(translate_value(state), name, translate_value("check")) for name, state in checks]
    print_table(("state", "step", "tool"), [*rows, *checked])
    print_line(_say_tools(allowed))
    for one in refused:
        print_note(f"! {one.tool}: {one.reason}")
