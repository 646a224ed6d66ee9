"""`metier violations`: list tool calls that the gate refused."""

import asyncio
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_note, print_table

if TYPE_CHECKING:
    from metier.store import Violation

app = typer.Typer(help="Look at refused tool calls.", no_args_is_help=True)


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
        print_note("no call was refused")
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
    at = one.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return at, one.tool, one.layer, one.code, one.skill or "–", one.conversation, one.reason
