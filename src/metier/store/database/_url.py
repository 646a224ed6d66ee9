"""Parsing of the database URL."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from metier.errors import InvalidSettings

_HINT = "use sqlite:///relative/file, sqlite:////absolute/file or postgresql://user:password@host/database"


def parse_url(url: str) -> Path | URL:
    """The absolute file path of a SQLite URL, or the PostgreSQL URL rewritten for asyncpg."""
    scheme, colon, rest = url.partition("://")
    match scheme.partition("+")[0] if colon else "":
        case "sqlite":
            return _parse_sqlite_path(rest)
        case "postgresql" | "postgres":
            return _parse_postgres_url(url)
        case _:
            raise InvalidSettings("the database is neither SQLite nor PostgreSQL", hint=_HINT)


def _parse_sqlite_path(rest: str) -> Path:
    """Take the path verbatim, without percent-decoding, because `storage_dir` is inserted verbatim."""
    path = rest.removeprefix("/")
    if not rest.startswith("/") or path in {"", ":memory:"} or path.startswith("file:"):
        raise InvalidSettings("the store needs a file: memory would forget everything at exit", hint=_HINT)
    if "?" in path or "\x00" in path:
        raise InvalidSettings("a SQLite URL is a path and nothing else: it takes no options", hint=_HINT)
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:  # a user that this machine does not know
        raise InvalidSettings(f"the database URL names the folder of an unknown user: {path!r}", hint=_HINT) from error


def _parse_postgres_url(url: str) -> URL:
    """Parse the URL and rename libpq's `sslmode` to asyncpg's `ssl`; other options are the same in both."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise InvalidSettings("the database URL cannot be read", hint=_HINT) from error
    query = {("ssl" if key == "sslmode" else key): value for key, value in parsed.query.items()}
    return parsed.set(drivername="postgresql+asyncpg", query=query)
