"""`metier conversations`: list, export and delete conversations of any user."""

import asyncio
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

import typer

from metier.cli.access._archives import (
    EXPORT_OPTION,
    OUT_OPTION,
    YES_OPTION,
    confirm_deletion,
    get_default_path,
    open_places,
    write_archive,
)
from metier.cli.access._open import terminal_principal
from metier.cli.terminal import JSON_OPTION, format_time, print_json, print_line, print_note, print_table, say
from metier.errors import UsageError

if TYPE_CHECKING:
    from metier.exports import DocumentFormat
    from metier.store import Conversation
    from metier.user_data import DataPlaces

app = typer.Typer(help="List, export and delete conversations.", no_args_is_help=True)
_MAX_LISTED = 200
_FORMATS: Final = ("zip", "md", "html", "docx", "pdf")
_ID_ARGUMENT = typer.Argument(help="The conversation's id.")


@app.command("list")
def list_command(
    user: str = typer.Option("local", "--user", "-u", help="Whose conversations."), as_json: bool = JSON_OPTION
) -> None:
    """List the newest conversations of a user."""
    found = asyncio.run(_list(user))
    if as_json:
        told = [{"id": one.id, "title": one.title, "updated_at": one.updated_at.isoformat()} for one in found]
        print_json({"conversations": told})
    elif not found:
        print_note(say("no_conversations", user=user))
    else:
        rows = [(one.id, format_time(one.updated_at), one.title or "") for one in found]
        print_table(("conversation", "used", "title"), rows)


async def _list(user: str) -> "tuple[Conversation, ...]":
    async with open_places() as places:
        return await places.store.conversations.list(user, limit=_MAX_LISTED)


@app.command("export")
def export_command(
    conversation: str = _ID_ARGUMENT,
    out: Path | None = OUT_OPTION,
    format: str = typer.Option("zip", "--format", "-f", help="zip (everything), or to read: md, html, docx, pdf."),
) -> None:
    """Write a conversation to a file. A ZIP archive with all that is stored of it, or a document with its charts."""
    if format not in _FORMATS:
        raise UsageError(f"there is no format {format!r}", hint=f"{', '.join(_FORMATS)}")
    target = out or get_default_path(conversation).with_suffix(f".{format}")
    asyncio.run(_export(conversation, target, format))
    print_line(str(target))


async def _export(conversation: str, target: Path, format: str = "zip") -> None:
    from metier.user_data import export_conversation

    async with open_places() as places:
        found = await places.store.conversations.get(conversation)
        await places.store.audit.append(terminal_principal(), "conversation.exported", found.id)
        if format == "zip":
            await write_archive(target, lambda file: export_conversation(places, found, file))
        else:
            await write_archive(target, lambda file: _write_document(places, found, format, file))


async def _write_document(places: "DataPlaces", one: "Conversation", format: str, file: IO[bytes]) -> None:
    from metier.clock import utc_now
    from metier.exports import collect_document, write_document

    document = await collect_document(places.store, one, now=utc_now(), workspace=places.get_workspace(one.id))
    file.write(write_document(document, cast("DocumentFormat", format)))


@app.command("delete")
def delete_command(
    conversation: str = _ID_ARGUMENT, yes: bool = YES_OPTION, export: Path | None = EXPORT_OPTION
) -> None:
    """Delete a conversation with all that is stored of it."""
    if export is not None:
        asyncio.run(_export(conversation, export))
    confirm_deletion(f"conversation {conversation}", yes=yes)
    asyncio.run(_delete(conversation))
    print_line(say("deleted", name=conversation))


async def _delete(conversation: str) -> None:
    from metier.user_data import delete_conversation

    async with open_places() as places:
        found = await places.store.conversations.get(conversation)
        await delete_conversation(places, found, terminal_principal())
