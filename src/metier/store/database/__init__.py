"""Engines, sessions, the schema and its migrations for SQLite and PostgreSQL."""

from metier.store.database._engine import open_database
from metier.store.database._schema import (
    VERSION_TABLE,
    api_keys,
    audit,
    conversations,
    events,
    exceptions,
    facts,
    messages,
    metadata,
    pauses,
    plans,
    profiles,
    requests,
    skill_data,
    turns,
    users,
    violations,
)
from metier.store.database._session import Clock, Database, NewId, Session, StoreSession

__all__ = [
    "VERSION_TABLE",
    "Clock",
    "Database",
    "NewId",
    "Session",
    "StoreSession",
    "api_keys",
    "audit",
    "conversations",
    "events",
    "exceptions",
    "facts",
    "messages",
    "metadata",
    "open_database",
    "pauses",
    "plans",
    "profiles",
    "requests",
    "skill_data",
    "turns",
    "users",
    "violations",
]
