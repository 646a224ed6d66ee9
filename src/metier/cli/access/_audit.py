"""`metier audit`: export the audit log, and check that no line is missing or changed."""

import asyncio
import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from metier.cli.terminal import open_store, print_line, print_note, say
from metier.clock import utc_now
from metier.errors import InvalidInput, PathNotFound
from metier.json_values import JsonInvalid, load_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from metier.store import AuditEntry

app = typer.Typer(help="Export and check the record of decisions.", no_args_is_help=True)

_COLUMNS = ("number", "at", "user", "key", "action", "target", "data", "previous", "hash")


@app.command("export")
def export_command(
    since: str | None = typer.Option(None, "--since", help="Not before: 2h, 7d, or 2026-01-31T08:00."),
    until: str | None = typer.Option(None, "--until", help="Before: 2h, 7d, or 2026-01-31T08:00."),
    form: Literal["jsonl", "csv"] = typer.Option("jsonl", "--format", "-f", help="Lines of JSON, or a table."),
) -> None:
    """Print the audit log, the oldest line first. `metier audit verify FILE` checks an export in lines of JSON."""
    asyncio.run(_export(since, until, form))


async def _export(since: str | None, until: str | None, form: str) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    if form == "csv":
        table.writerow(_COLUMNS)
    async for entry in _read_entries(since, until):
        told = entry.to_json()
        if form == "csv":
            data = json.dumps(told["data"], ensure_ascii=False, default=dict)
            table.writerow([_defuse(str(data if name == "data" else told[name])) for name in _COLUMNS])
        else:
            typer.echo(json.dumps(told, ensure_ascii=False, default=dict))


def _defuse(text: str) -> str:
    """Keep a spreadsheet from reading a cell as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


async def _read_entries(since: str | None, until: str | None) -> "AsyncIterator[AuditEntry]":
    from metier.telemetry import parse_time

    now, after = utc_now(), 0
    first, last = parse_time(since, now) if since else None, parse_time(until, now) if until else None
    async with open_store() as store:
        while page := await store.audit.list(after=after, since=first, until=last):
            for entry in page:
                yield entry
            after = page[-1].number


@app.command("verify")
def verify_command(
    file: Path | None = typer.Argument(None, help="An earlier export: also checked against the log, line by line."),
) -> None:
    """Check that no line is missing or changed. Otherwise it is named, and the exit code is 1.

    Lines removed at the end of the log show only against an earlier export: keep one elsewhere.
    """
    count, problems = asyncio.run(_verify(file))
    for problem in problems:
        print_note(f"! {problem}")
    print_line(say("lines_checked", count=count, problems=len(problems)))
    raise typer.Exit(1 if problems else 0)


async def _verify(file: Path | None) -> tuple[int, list[str]]:
    from metier.store import ChainCheck

    async with open_store() as store:
        count, found = await store.audit.verify()
        problems = list(found)
        if file is None:
            return count, problems
        exported, check = list(_read_export(file)), ChainCheck()
        check.add(exported)
        problems += [f"{file.name}: {one}" for one in check.problems]
        for entry in exported:
            stored = await store.audit.list(after=entry.number - 1, limit=1)
            if not stored or stored[0].hash != entry.hash:
                problems.append(f"line {entry.number} of {file.name} is not in the log any more")
        return count, problems


def _read_export(file: Path) -> Iterator["AuditEntry"]:
    from metier.store import entry_from_json

    if not file.is_file():
        raise PathNotFound(f"no file {str(file)!r}", hint="metier audit export > FILE writes one")
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = load_json(line)
            if not isinstance(found, dict):
                raise TypeError("not an object")
            yield entry_from_json(found)
        except (JsonInvalid, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{file.name}, line {number}, is no line of the audit log", hint="metier audit export > FILE"
            ) from error
