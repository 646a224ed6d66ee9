"""Opens the database backend for a URL."""

from pathlib import Path
from typing import Literal

from metier.store.database._session import Database
from metier.store.database._url import parse_url


async def open_database(url: str, durability: Literal["normal", "full"], busy_timeout_s: float) -> Database:
    """Open SQLite or PostgreSQL, depending on the URL; only the backend in use is imported."""
    target = parse_url(url)
    if isinstance(target, Path):
        from metier.store.database._sqlite import open_sqlite

        return await open_sqlite(target, durability, busy_timeout_s)
    from metier.store.database._postgres import open_postgres

    return await open_postgres(target, durability, busy_timeout_s)
