"""Store of the settings for a command."""

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from metier.store import Store


@asynccontextmanager
async def open_store() -> "AsyncIterator[Store]":
    """Open the store of the settings."""
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()
    opening = Store.open(settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s)
    async with opening as store:
        yield store
