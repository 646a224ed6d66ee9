"""`metier violations` and `metier exceptions`: refused tool calls, and exceptions that were asked for."""

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from metier.cli._library import PACK_OPTION, SKILLS_OPTION, open_library, open_packs
from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    format_time,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_value,
)

if TYPE_CHECKING:
    from metier.store import ExceptionRequest, ExceptionState, Violation

app = typer.Typer(help="Look at refused tool calls.", no_args_is_help=True)
exceptions_app = typer.Typer(help="Look at exceptions to the rules of tools.", no_args_is_help=True)
_MAX_REPORTED: Final = 10_000


class ExceptionStateOption(StrEnum):
    """States of an exception, as values of an option."""

    requested = "requested"
    granted = "granted"
    denied = "denied"


class LanguageOption(StrEnum):
    """Languages of the advice, as values of an option."""

    en = "en"
    zh = "zh"


@app.command("list")
def list_command(
    conversation: str | None = typer.Option(None, "--conversation", "-c", help="Only of this conversation."),
    tool: str | None = typer.Option(None, "--tool", "-t", help="Only of this tool."),
    limit: int = typer.Option(50, "--limit", "-n", min=1, max=10_000, help="At most so many."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List refused calls, the newest first. Which tool, which layer said no, and why."""
    found = asyncio.run(_read_violations(conversation, tool, limit))
    if as_json:
        print_json({"violations": [one.to_json() for one in found]})
        return
    if not found:
        print_note(say("no_violations"))
        return
    print_table(("at", "tool", "layer", "code", "skill", "conversation", "reason"), [_format_row(one) for one in found])


async def _read_violations(conversation: str | None, tool: str | None, limit: int) -> "tuple[Violation, ...]":
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()
    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        return await store.violations.list(conversation=conversation, tool=tool, limit=limit)


def _format_row(one: "Violation") -> tuple[str, ...]:
    at = format_time(one.at)
    return at, one.tool, one.layer, one.code, one.skill or "–", one.conversation, one.reason


@exceptions_app.command("list")
def list_exceptions_command(
    conversation: str | None = typer.Option(None, "--conversation", "-c", help="Only of this conversation."),
    state: ExceptionStateOption | None = typer.Option(None, "--state", "-s", help="Only in this state."),
    limit: int = typer.Option(50, "--limit", "-n", min=1, max=10_000, help="At most so many."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List exceptions, the newest first. Which tool, why it was wanted, and who decided what."""
    found = asyncio.run(_read_exceptions(conversation, state, limit))
    if as_json:
        print_json({"exceptions": [_exception_to_json(one) for one in found]})
        return
    if not found:
        print_note(say("no_exceptions"))
        return
    heads = ("at", "tool", "skill", "state", "decided by", "conversation", "reason")
    print_table(heads, [_format_exception(one) for one in found])


@exceptions_app.command("report")
def report_exceptions_command(
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    language: LanguageOption | None = typer.Option(None, "--language", help="Language of the advice."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Say which skill should list which tool. By exceptions and refused calls, with the edit of the skill's file."""
    from metier.tools import build_exception_report

    tongue = language.value if language is not None else find_language()
    exceptions = asyncio.run(_read_exceptions(None, None, _MAX_REPORTED))
    refused = asyncio.run(_read_violations(None, None, _MAX_REPORTED))
    report = build_exception_report(exceptions, refused, open_library(folders, open_packs(packs)).catalog())
    if as_json:
        print_json({"exceptions": [one.to_json(tongue) for one in report]})
        return
    if not report:
        print_note(say("no_report"))
        return
    rows = [(one.skill or "–", one.tool, one.asked, one.granted, one.denied, one.refused, one.advice) for one in report]
    heads = ("skill", "tool", "asked", "granted", "denied", "refused", "advice")
    print_table(heads, [tuple(map(str, row)) for row in rows])
    for one in report:
        print_line(one.text(tongue))
        if one.edit is not None:
            print_line(f"{one.edit.path}\n{one.edit.diff}")


async def _read_exceptions(
    conversation: str | None, state: ExceptionStateOption | None, limit: int
) -> "tuple[ExceptionRequest, ...]":
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()
    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        wanted: dict[str, ExceptionState] = {} if state is None else {"state": state.value}
        return await store.exceptions.list(conversation=conversation, limit=limit, **wanted)


def _exception_to_json(one: "ExceptionRequest") -> dict[str, object]:
    decided = None if one.decided_at is None else one.decided_at.isoformat()
    about = {"id": one.id, "tool": one.tool, "skill": one.skill, "reason": one.reason, "state": one.state}
    return {
        **about,
        "conversation": one.conversation,
        "turn": one.turn,
        "requested_at": one.requested_at.isoformat(),
        "decided_by": one.decided_by,
        "decided_at": decided,
        "note": one.note,
    }


def _format_exception(one: "ExceptionRequest") -> tuple[str, ...]:
    at = format_time(one.requested_at)
    return (
        at,
        one.tool,
        one.skill or "–",
        translate_value(one.state),
        one.decided_by or "–",
        one.conversation,
        one.reason,
    )
