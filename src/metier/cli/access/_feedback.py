"""`metier feedback`: list ratings of answers, and make a routing case of one."""

import asyncio
import json
from typing import TYPE_CHECKING, Literal

import typer

from metier.cli._library import open_library, open_packs
from metier.cli.access._open import terminal_principal
from metier.cli.terminal import (
    JSON_OPTION,
    format_time,
    open_store,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_value,
)
from metier.errors import RecordNotFound

if TYPE_CHECKING:
    from metier.store import Feedback

app = typer.Typer(help="Look at ratings of answers.", no_args_is_help=True)


@app.command("list")
def list_command(
    verdict: Literal["up", "down"] | None = typer.Option(None, "--verdict", help="Only thumbs up or down."),
    skill: str | None = typer.Option(None, "--skill", "-s", help="Only of this skill."),
    limit: int = typer.Option(50, "--limit", "-n", min=1, max=10_000, help="At most so many."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List ratings, the newest first. Who rated which answer of which skill, and why."""
    found = asyncio.run(_list(verdict, skill, limit))
    if as_json:
        print_json({"feedback": [one.to_json() for one in found]})
    elif not found:
        print_note(say("no_ratings"))
    else:
        print_table(("id", "at", "user", "verdict", "reason", "skill", "note"), [_format_row(one) for one in found])


async def _list(verdict: Literal["up", "down"] | None, skill: str | None, limit: int) -> "tuple[Feedback, ...]":
    async with open_store() as store:
        return await store.feedback.list(verdict=verdict, skill=skill, limit=limit)


@app.command("case")
def case_command(
    feedback: str = typer.Argument(help="The rating's id."),
    write: bool = typer.Option(False, "--write", "-w", help="Write the skill's evals file instead of printing it."),
) -> None:
    """Make a routing case of a rating. The queries of the skill's evals with the message that was rated."""
    from metier.routing import build_eval_case

    kept, message = asyncio.run(_read(feedback, write=write))
    skill = open_library(None, open_packs(None)).catalog().get(kept.skill) if kept.skill else None
    if skill is None or not message:
        raise RecordNotFound(f"feedback {feedback!r} has no skill to test", hint="no skill answered, or it is gone")
    case = build_eval_case(skill, message, should_trigger=kept.reason != "wrong_skill")
    text = json.dumps(case.to_json(), ensure_ascii=False, indent=2) + "\n"
    if not write:
        print_line(text.rstrip())
        return
    target = skill.source.folder / case.file
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, "utf-8")
    print_line(str(target))


async def _read(feedback: str, *, write: bool) -> "tuple[Feedback, str]":
    async with open_store() as store:
        kept = await store.feedback.get(feedback)
        events = await store.events.read(kept.conversation, turn=kept.turn, limit=5)
        if write:
            await store.audit.append(terminal_principal(), "feedback.case", kept.id, {"skill": kept.skill})
    message = next((one.data.get("message") for one in events if one.kind == "turn.started"), "")
    return kept, message if isinstance(message, str) else ""


def _format_row(one: "Feedback") -> tuple[str, ...]:
    at = format_time(one.at)
    return one.id, at, one.user, translate_value(one.verdict), one.reason or "–", one.skill or "–", one.note or "–"
