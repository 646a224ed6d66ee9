"""`metier tools`: list tools, run one tool of a skill, approve tools of MCP servers."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import typer

from metier.cli._library import SKILLS_OPTION, add_server_tools, load_operator_rules, open_library, open_tools
from metier.cli._run import PACK_OPTION, load_chosen_packs
from metier.cli._tool_approval import approve_command
from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    keep_sentences,
    print_failure,
    print_json,
    print_line,
    print_note,
    print_table,
    read_arguments,
    say,
    translate_value,
)
from metier.errors import InvalidInput, Refused

if TYPE_CHECKING:
    from metier.pack import Pack
    from metier.settings import Settings
    from metier.skills import Skill
    from metier.tools import Gate, MemoryLedger, Outcome, Registry, ToolCall, ToolSpec

app = typer.Typer(help="List tools, run one by hand, approve tools of MCP servers.", no_args_is_help=True)
_CALLER: Final = "command-line"  # owner of the conversation that refused calls are stored under
_EXIT_CODES: Mapping[str, int] = {
    "done": 0,
    "failed": 1,
    "refused": Refused.exit_code,
    "invalid": InvalidInput.exit_code,
}


@app.command("list")
def list_command(
    skills: list[str] | None = typer.Option(None, "--skill", "-s", help="Say which may run with this skill (repeat)."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    mcp: bool = typer.Option(False, "--mcp", help="Ask the MCP servers of the settings for their tools too."),
    check: bool = typer.Option(False, "--check", help="Fail (exit 5) when a skill or a rule names a tool nobody has."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List every tool. The built-in ones, those of packs, those of skills, and with --mcp those of MCP servers."""
    from metier.settings import load_settings
    from metier.tools import gate_for

    settings = load_settings()
    chosen = load_chosen_packs(settings, packs)
    catalog = open_library(folders, chosen).catalog()
    tools = open_tools(settings, catalog, chosen)
    if mcp:
        tools = asyncio.run(add_server_tools(tools, settings))
    active = [catalog[skill] for skill in dict.fromkeys(skills or ())]
    gate = gate_for(active, tools=tools, policy=load_operator_rules(settings))
    problems = _list_problems(settings, tools, frozenset(skills or ()))
    if as_json:
        listed = [_spec_to_json(spec, gate) for spec in tools.specs()]
        collisions = {name: list(owners) for name, owners in tools.collisions.items()}
        print_json({"tools": listed, "collisions": collisions, "problems": problems})
    else:
        heads = ("tool", "answer", "source", "approval", "description")
        print_table(heads, [_format_row(spec, gate) for spec in tools.specs()])
    for problem in problems:
        print_note(f"! {problem}")
    if check and problems:
        raise typer.Exit(InvalidInput.exit_code)


def _list_problems(settings: "Settings", tools: "Registry", skills: frozenset[str]) -> list[str]:
    from metier.tools import find_unknown_tools, load_task_types

    names = {spec.name for spec in tools.specs()}
    missing = find_unknown_tools(load_task_types(settings.task_types_file), names)
    owners = {f"skill {skill}" for skill in skills}
    shown = [one for one in tools.problems if not owners or one.owner in owners or not one.owner.startswith("skill ")]
    said = [f"{one.owner}: {one.message}" for one in shown]
    said += [say("brought_twice", name=name, owners=list(owners)) for name, owners in tools.collisions.items()]
    return said + [say("type_names_nobody", name=name, tool=tool) for name, tool in missing]


def _check_gate(spec: "ToolSpec", gate: "Gate") -> str:
    from metier.tools import ToolCall

    return gate.check(ToolCall("", spec.name, {})).answer


def _format_row(spec: "ToolSpec", gate: "Gate") -> tuple[str, ...]:
    approval = "for some arguments" if spec.approval.expression else spec.approval.when
    described = keep_sentences(spec.description, find_language())
    words = (_check_gate(spec, gate), spec.skill or spec.source or spec.origin, approval)
    return spec.name, *map(translate_value, words), described


def _spec_to_json(spec: "ToolSpec", gate: "Gate") -> dict[str, object]:
    told = {**spec.to_json(), "answer": _check_gate(spec, gate)}
    return cast("dict[str, object]", json.loads(json.dumps(told, default=dict)))


@app.command("call")
def call_command(
    skill_id: str = typer.Argument(..., metavar="SKILL", help="The skill that brings the tool."),
    tool: str = typer.Argument(..., help="The tool's name."),
    arguments: str = typer.Argument("{}", metavar="[JSON]", help="The arguments; '-' reads them from stdin."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    workspace: Path | None = typer.Option(None, "--workspace", "-w", help="Where the tool may write files."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Run a tool as this skill would. Same gate, same checks, same sandbox; you are the person who agrees."""
    from metier.settings import load_settings
    from metier.tools import ToolCall

    given = read_arguments(arguments)
    settings = load_settings()
    chosen = load_chosen_packs(settings, packs)
    skill = open_library(folders, chosen).catalog()[skill_id]
    place = workspace or settings.storage_dir / "workspaces" / "command-line"
    call = ToolCall("command-line", tool, given)
    outcome = asyncio.run(_call_tool(settings, skill, call, chosen, place))
    if as_json:
        print_json(_outcome_to_json(outcome))
    elif outcome.result.failure is None:
        print_line(json.dumps(outcome.result.data, ensure_ascii=False, indent=2, default=dict))
    else:
        failure = outcome.result.failure
        print_failure(failure.code, failure.message, failure.hint)
    for line in outcome.result.notes:
        print_note(f"· {line}")
    raise typer.Exit(_EXIT_CODES[outcome.state])


async def _call_tool(
    settings: "Settings", skill: "Skill", call: "ToolCall", packs: "tuple[Pack, ...]", place: Path
) -> "Outcome":
    from metier.skills import Catalog
    from metier.tools import Executor, MemoryLedger, ScriptPool, SkillScripts, ToolContext, gate_for

    ledger = MemoryLedger()
    async with ScriptPool.from_settings(settings) as pool:
        tools = open_tools(settings, Catalog.from_skills([skill]), packs, SkillScripts(pool))
        gate = gate_for([skill], tools=tools, policy=load_operator_rules(settings))
        outcome = await Executor(tools, ledger).run(call, gate=gate, context=ToolContext(place), approved=True)
    if ledger.violations:
        await _store_violations(settings, ledger)
    return outcome


async def _store_violations(settings: "Settings", ledger: "MemoryLedger") -> None:
    """Store the violations. Done after the call, so that an allowed call needs no database.

    They belong to a conversation; all of them share one, which is in nobody's list.
    """
    from metier.agent import StoreLedger
    from metier.store import Store

    opened = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opened as store:
        kept = await store.conversations.list(_CALLER, limit=1)
        conversation = kept[0] if kept else await store.conversations.create(user=_CALLER, title="metier tools call")
        for refused in ledger.violations:
            await StoreLedger(store).record_violation(replace(refused, conversation=conversation.id))


def _outcome_to_json(outcome: "Outcome") -> dict[str, object]:
    result = outcome.result
    failure = result.failure
    error = None if failure is None else {"code": failure.code, "message": failure.message, "hint": failure.hint}
    return {
        "ok": result.ok,
        "state": outcome.state,
        "data": None if result.data is None else json.loads(json.dumps(result.data, default=dict)),
        "error": error,
        "elapsed_ms": round(result.elapsed_ms, 1),
        "notes": list(result.notes),
        "verdict": outcome.verdict.to_json(),
    }


app.command("approve")(approve_command)
