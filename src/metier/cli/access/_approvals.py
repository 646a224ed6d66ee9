"""`metier approvals`: calls that wait for a person, of all users."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import SKILLS_OPTION
from metier.cli._run import ALL_PACKS_OPTION, TERMINAL_KEY, load_chosen_packs, load_run_settings
from metier.cli.terminal import (
    JSON_OPTION,
    list_rows,
    open_store,
    parse_rows,
    print_json,
    print_line,
    print_note,
    say,
    translate_head,
)
from metier.errors import Unauthorized, UsageError
from metier.visible_text import visible_text

if TYPE_CHECKING:
    from metier.agent import Runtime
    from metier.json_values import JsonObject
    from metier.settings import Settings
    from metier.store import Pause, Principal

app = typer.Typer(help="Approve or reject calls that wait for a person.", no_args_is_help=True)

_PAUSE = typer.Argument(help="The id, as `metier approvals list` shows it.")
_ROWS = typer.Option("", "--rows", help="Only these rows of the table, as 1,3-5.")
_SHOWN = typer.Option("", "--shown", help="The mark that the list printed: nothing runs if it was changed since.")
_NOTE = typer.Option("", "--note", help="A sentence for whoever asked.")


@app.command("list")
def list_command(as_json: bool = JSON_OPTION) -> None:
    """List the calls of all users that wait, and what each would do."""
    from metier.event_text import render_calls

    found = asyncio.run(_list())
    if as_json:
        print_json({"approvals": found})
        return
    for one in found:
        print_line(f"{one['pause']}  {one['user']}: {one['message']}")
        if one["shown"]:
            print_line(f"  --shown {one['shown']}")
        print_line(visible_text(f"  {one['text']}"))
        for text in render_calls(one):
            print_line("\n".join(f"  {line}" for line in text.splitlines()))
    if not found:
        print_note(say("nothing_waits"))


async def _list() -> "list[JsonObject]":
    from metier.agent import APPROVAL_KINDS

    async with open_store() as store:
        found = []
        for pause in await store.pauses.list_open(kinds=APPROVAL_KINDS):
            owner = await store.conversations.get(pause.conversation)
            said = await store.messages.get_history(pause.conversation, limit=20)
            message = next((one.content for one in reversed(said) if one.role == "user"), "")
            found.append(_describe(pause, owner.user, message[:200]))
        return found


def _describe(pause: "Pause", user: str, message: str) -> "JsonObject":
    from metier.agent import digest_question

    text, calls = pause.payload.get("text", ""), pause.payload.get("calls", [])
    return {
        "pause": pause.id,
        "user": user,
        "message": message,
        "kind": pause.kind,
        "text": text,
        "calls": calls,
        "chosen_rows": pause.payload.get("chosen_rows"),
        "in_doubt": pause.payload.get("in_doubt") is True,
        "shown": digest_question(pause.payload),
    }


@app.command("approve")
def approve_command(
    pause: str = _PAUSE,
    rows: str = _ROWS,
    shown: str = _SHOWN,
    note: str = _NOTE,
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = ALL_PACKS_OPTION,
) -> None:
    """Approve a call; the turn goes on here. On a server with keys, an approver's key is asked for."""
    _decide(pause, "approve", note, skills, packs, rows, shown)


@app.command("reject")
def reject_command(
    pause: str = _PAUSE,
    note: str = _NOTE,
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = ALL_PACKS_OPTION,
) -> None:
    """Reject a call; the turn goes on without it."""
    _decide(pause, "reject", note, skills, packs)


def _decide(
    pause: str,
    decision: str,
    note: str,
    skills: list[Path] | None,
    packs: list[str] | None,
    rows: str = "",
    shown: str = "",
) -> None:
    settings = load_run_settings(skills, None)
    answer: JsonObject = {"decision": decision, **({"note": note} if note else {})}
    asyncio.run(_answer(settings, pause, answer, packs, rows, shown))


async def _answer(
    settings: "Settings", pause: str, answer: "JsonObject", packs: list[str] | None, rows: str, shown: str
) -> None:
    from metier.agent import Runtime

    async with Runtime.open(settings, packs=load_chosen_packs(settings, packs, all_by_default=True)) as runtime:
        by = await _identify(runtime, settings)
        if rows:
            listed = list_rows((await runtime.store.pauses.get(pause)).payload)
            chosen = parse_rows(rows, listed)
            if chosen is None:
                raise UsageError(f"--rows cannot be {rows!r}", hint=f"numbers from 1 to {len(listed)}, as 1,3-5")
            answer = {**answer, "rows": chosen}
        async for event in runtime.answer(pause, answer, by=by, shown=shown):
            if event.kind in ("turn.done", "turn.failed", "pause.opened"):
                print_line(say(event.kind))


def _read_key() -> str:
    """Ask for a key without showing it; a program writes it to standard input."""
    if sys.stdin.isatty():
        return str(typer.prompt(translate_head("key"), hide_input=True, err=True))
    return sys.stdin.readline()


async def _identify(runtime: "Runtime", settings: "Settings") -> "Principal":
    """Who decides: the owner of a key if there are keys, else the person at the terminal."""
    from metier.store import LOCAL_USER, Principal, SettingsKeys

    keys = SettingsKeys(settings.api_keys, settings.roles)
    if not keys and not await runtime.store.keys.is_any_made():
        return Principal(LOCAL_USER, TERMINAL_KEY)
    given = (await asyncio.to_thread(_read_key)).strip()
    found = keys.find_owner(given) or await runtime.store.keys.find_owner(given)
    if found is None:
        raise Unauthorized("this key opens nothing", hint="metier keys list shows whose keys there are")
    return found
