"""Store of the settings for a command, and who runs the command."""

import getpass
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from metier.cli._run import TERMINAL_KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from metier.store import Principal, Store


@asynccontextmanager
async def open_store() -> "AsyncIterator[Store]":
    """Open the store of the settings."""
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()
    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        yield store


def terminal_principal() -> "Principal":
    """Who runs this command, for the audit log: the name in the operating system, at the terminal."""
    from metier.store import LOCAL_USER, Principal

    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        name = LOCAL_USER
    return Principal(name, TERMINAL_KEY)
