"""Open the database that a URL means."""

from pathlib import Path
from typing import Literal

from metier.store._session import Database
from metier.store._url import parse_url


async def open_database(url: str, durability: Literal["normal", "full"], busy_timeout_s: float) -> Database:
    """SQLite or PostgreSQL, ready to use. Only the one that is asked for is imported."""
    target = parse_url(url)
    if isinstance(target, Path):
        from metier.store._sqlite import open_sqlite

        return await open_sqlite(target, durability, busy_timeout_s)
    from metier.store._postgres import open_postgres

    return await open_postgres(target, durability, busy_timeout_s)
