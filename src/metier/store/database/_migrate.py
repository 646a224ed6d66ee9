"""Schema version check and Alembic migration, safe when several processes start at the same time."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from metier.errors import StoreIncompatible
from metier.faults import fault_point
from metier.store.database._schema import VERSION_TABLE, metadata

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0013"

_ADVISORY_LOCK = 0x6D65746965720001  # 'metier', 1


def is_current(connection: Connection) -> bool:
    """Whether the tables have the current version; `StoreIncompatible` if they are newer or not Metier's.

    For a current database this costs two small queries, and Alembic is not imported.
    """
    tables = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in tables:
        _refuse_foreign_tables(connection, tables)
        return False
    version = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - the name is a constant
    if version == HEAD:
        return True
    if version is not None and version not in _known_versions():
        raise StoreIncompatible(
            f"the database has version {version!r}; this Metier knows versions up to {HEAD!r}",
            hint="it was written by a newer Metier: pip install --upgrade metier",
        )
    return False


def migrate(connection: Connection) -> None:
    """Run all missing migrations in the caller's transaction; a second process waits, then finds nothing to do."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
    if is_current(connection):
        return
    from alembic import command

    config = build_alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    fault_point("tables_migrated")


def build_alembic_config() -> "Config":
    """Alembic configuration for the migration scripts inside this package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _known_versions() -> set[str]:
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(build_alembic_config()).walk_revisions()}


def _refuse_foreign_tables(connection: Connection, tables: Iterable[str]) -> None:
    """Raise `StoreIncompatible` if the tables belong to another program.

    In a SQLite file any table does; a PostgreSQL schema may be shared as long as no table has one of our names.
    """
    found = set(tables) if connection.dialect.name == "sqlite" else set(tables) & metadata.tables.keys()
    if found:
        raise StoreIncompatible(
            f"this is not a Metier database: it has the tables {', '.join(sorted(found)[:5])}",
            hint="name another file or database; this one was not touched",
        )
