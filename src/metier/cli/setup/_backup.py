"""`metier backup`: copy the database into a file while the server runs."""

import asyncio
from pathlib import Path

import typer

from metier.cli.terminal import print_note, say


def backup_command(
    target: Path = typer.Argument(..., help="The new file; an existing one is refused.", show_default=False),
) -> None:
    """Copy the SQLite database into a new file.

    `metier serve` may run meanwhile. To restore it, put it in the place of the old one while no server runs. For
    PostgreSQL use pg_dump. Files that tools wrote are ordinary files in METIER_STORAGE_DIR.
    """
    from metier.settings import load_settings
    from metier.store import Store

    settings, target = load_settings(), target.absolute()

    async def copy() -> None:
        async with Store.open(settings.database_url, busy_timeout_s=settings.busy_timeout_s) as store:
            await store.backup(target)

    asyncio.run(copy())
    print_note(say("copied", target=target))
