"""`metier gate`: whether a tool call is allowed, which layer decides it, and why."""

from pathlib import Path

import typer

from metier.cli._library import DIR_OPTION, load_operator_rules, open_library, open_tools
from metier.cli._run import PACK_OPTION, load_chosen_packs
from metier.cli.terminal import JSON_OPTION, print_json, print_line, read_arguments
from metier.errors import Refused


def gate_command(
    tool: str = typer.Argument(..., help="The tool's name."),
    skills: list[str] | None = typer.Option(None, "--skill", "-s", help="A skill in use (repeat for several)."),
    plan: Path | None = typer.Option(None, "--plan", help="TOML or JSON with the plan's allowed and forbidden tools."),
    task_type: str | None = typer.Option(None, "--task-type", help="research, creation, data_processing …"),
    message: str | None = typer.Option(None, "--message", "-m", help="Find the task type from what a user wrote."),
    arguments: str = typer.Option("{}", "--args", help="The call's arguments as JSON; approval may depend on them."),
    folders: list[Path] | None = DIR_OPTION,
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
    match = types.classify(message) if message is not None and task_type is None else None
    gate = gate_for(
        [catalog[skill] for skill in dict.fromkeys(skills or ())],
        tools=open_tools(settings, catalog, chosen),
        plan=None if plan is None else load_plan_rules(plan),
        task_type=types[task_type] if task_type else match.task_type if match else None,
        policy=load_operator_rules(settings),
    )
    verdict = gate.check(ToolCall("", tool, read_arguments(arguments)))
    if as_json:
        print_json({**verdict.to_json(), **({"task_type_reason": match.reason} if match else {})})
    else:
        lines = verdict.explain()
        for line in lines if explain else lines[:1]:
            print_line(line)
        if explain and match:
            print_line(f"  the message: {match.reason}")
    if verdict.answer == "deny":
        raise typer.Exit(Refused.exit_code)
