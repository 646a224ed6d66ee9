"""Maps errors of the database drivers to the error classes of `metier.errors`, with message and hint."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from metier.errors import (
    InvalidRecord,
    MetierError,
    RecordNotFound,
    StorageFull,
    StoreBusy,
    StoreIncompatible,
    StoreUnavailable,
)

_BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_LOCKED_SQLSTATES = frozenset({"55P03", "40P01", "40001"})
_LOGIN_SQLSTATE_CLASSES = frozenset({"28", "3D"})
_UNREACHABLE_SQLSTATE_CLASSES = frozenset({"08", "53", "57", "58", "25"})


@contextmanager
def map_driver_errors() -> Iterator[None]:
    """Raise the matching Metier error for a driver error; unmapped errors are bugs and propagate unchanged."""
    try:
        yield
    except (DBAPIError, PoolTimeout, sqlite3.Error, OSError) as error:
        ours = to_metier_error(error)
        if ours is None:
            raise
        raise ours from error


def to_metier_error(error: Exception) -> MetierError | None:
    """The Metier error for a driver error, or `None` if there is no mapping."""
    if isinstance(error, PoolTimeout):
        return make_queue_error()
    if isinstance(error, OSError):
        return _unusable_file_error(error) if error.filename else _unreachable_error(error)
    driver = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(driver, sqlite3.Error):
        return _map_sqlite_error(driver)
    if isinstance(error, DBAPIError):
        return _map_postgres_error(error)
    return None


def _map_sqlite_error(error: sqlite3.Error) -> MetierError | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return RecordNotFound("the record this one belongs to is not there")
    primary = code & 0xFF
    if primary in _BUSY_CODES:
        return _locked_error(error)
    if primary == sqlite3.SQLITE_FULL:
        return _disk_full_error(error)
    if primary == sqlite3.SQLITE_NOTADB:
        return StoreIncompatible(
            f"this is not a SQLite database: {error}", hint="name another file; it was not touched"
        )
    if primary == sqlite3.SQLITE_CORRUPT:
        return StoreUnavailable(
            f"the database is damaged: {error}", hint="stop Metier and restore the file from a backup"
        )
    if primary in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM}:
        return _unusable_file_error(error)
    return None


def _map_postgres_error(error: DBAPIError) -> MetierError | None:
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state == "53100":
        return _disk_full_error(error.orig)
    if state in _LOCKED_SQLSTATES:
        return _locked_error(error.orig)
    if state == "23503":
        return RecordNotFound("the record this one belongs to is not there")
    if state[:2] in _LOGIN_SQLSTATE_CLASSES:
        return StoreUnavailable(f"PostgreSQL refuses the login: {error.orig}", hint="check METIER_DATABASE_URL")
    if state == "22021":
        return InvalidRecord(f"PostgreSQL cannot hold this text: {error.orig}", hint="nothing was written")
    if state[:2] in _UNREACHABLE_SQLSTATE_CLASSES or (not state and error.connection_invalidated):
        return _unreachable_error(error.orig)
    return None


def make_queue_error() -> StoreBusy:
    """The error of a call for which no connection became free."""
    return StoreBusy("no database connection became free in time", hint="nothing was written; try again in a moment")


def _locked_error(error: BaseException | None) -> StoreBusy:
    return StoreBusy(
        f"the database stayed locked by another process: {error}",
        hint="nothing was written; try again, or raise METIER_BUSY_TIMEOUT_S",
    )


def _disk_full_error(error: BaseException | None) -> StorageFull:
    return StorageFull(f"the disk is full: {error}", hint="nothing was written; free some space and try again")


def _unusable_file_error(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the database file cannot be used: {error}", hint="check its path, its owner and the disk")


def _unreachable_error(error: BaseException | None) -> StoreUnavailable:
    return StoreUnavailable(
        f"the database cannot be reached: {str(error) or type(error).__name__}",
        hint="is the server up, and METIER_DATABASE_URL right?",
    )
