"""Exports and deletions at the command line: where the archive is written, and the question before a deletion."""

import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from metier.cli.terminal import say
from metier.errors import Refused, TargetTaken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from metier.user_data import DataPlaces

OUT_OPTION = typer.Option(None, "--out", "-o", help="The archive to write; default: metier-NAME.zip here.")
YES_OPTION = typer.Option(False, "--yes", "-y", help="Delete without asking.")
EXPORT_OPTION = typer.Option(None, "--export", "-e", help="Export to this archive before.")


@asynccontextmanager
async def open_places() -> "AsyncIterator[DataPlaces]":
    """Open the store of the settings, with the other places of data."""
    from metier.settings import load_settings
    from metier.store import Store
    from metier.user_data import DataPlaces

    settings = load_settings()
    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        yield DataPlaces.of(settings, store)


async def write_archive(path: Path, write: Callable[[IO[bytes]], Awaitable[object]]) -> None:
    """Write a new archive, readable only by its owner, whole or not at all; an existing file is `TargetTaken`."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "wb") as target:
            await write(target)
        os.link(part, path)
    except FileExistsError:
        raise TargetTaken(f"{str(path)!r} exists already", hint="name another file with --out or --export") from None
    except OSError as error:
        raise Refused(f"{str(path)!r} cannot be written: {error.strerror}", hint="name another file") from error
    finally:
        part.unlink(missing_ok=True)


def get_default_path(name: str) -> Path:
    """File name of an archive in the current folder."""
    return Path(f"metier-{''.join(char if char.isalnum() else '-' for char in name)}.zip")


def confirm_deletion(what: str, *, yes: bool) -> None:
    """Ask before a deletion; `Refused` without a terminal or without a yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused(f"{what} was not deleted: nobody can be asked", hint="--yes deletes without asking")
    if not typer.confirm(say("delete_for_good", what=what), err=True):
        raise Refused(f"{what} was not deleted", hint="answer y to delete it")
