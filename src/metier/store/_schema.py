"""SQLAlchemy tables of the store. `migrations/` creates the same ones; a test compares them on both databases."""

from typing import Literal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

VERSION_TABLE = "metier_version"
_RUNNING = text("state = 'running'")


def _text(name: str, *, null: bool = False, key: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null, primary_key=key)


def _integer(name: str, *, null: bool = False, key: bool = False, default: Literal["0"] | None = None) -> Column[int]:
    return Column(name, BigInteger, nullable=null, primary_key=key, autoincrement=False, server_default=default)


def _conversation(*, key: bool = False) -> Column[str]:
    return Column(
        "conversation", Text, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False, primary_key=key
    )


conversations = Table(
    "conversations",
    metadata,
    _text("id", key=True),
    _text("user_id"),
    _text("title", null=True),
    _text("skill", null=True),
    _text("voice_mode", null=True),
    _integer("created_at"),
    _integer("updated_at"),
    _integer("last_seq", default="0"),
    _integer("last_position", default="0"),
    _integer("last_fence", default="0"),
    _text("running_turn", null=True),
    Index(None, "user_id", "updated_at", "id"),
)

turns = Table(
    "turns",
    metadata,
    _text("id", key=True),
    _conversation(),
    _text("state"),
    _text("owner"),
    _integer("lease_until"),
    _integer("lease_ttl"),
    _integer("fence"),
    _text("request_key", null=True),
    _integer("started_at"),
    _integer("ended_at", null=True),
    UniqueConstraint("conversation", "request_key"),
    CheckConstraint("state IN ('running', 'paused', 'done', 'failed', 'interrupted')", name="state"),
    Index("ix_turns_one_running", "conversation", unique=True, sqlite_where=_RUNNING, postgresql_where=_RUNNING),
)

messages = Table(
    "messages",
    metadata,
    _conversation(key=True),
    _integer("position", key=True),
    _text("turn", null=True),
    _text("role"),
    _text("content"),
    _text("tool_calls", null=True),
    _text("tool_call_id", null=True),
    _text("name", null=True),
    _integer("exchange", null=True),
    _integer("at"),
    CheckConstraint("role IN ('system', 'user', 'assistant', 'tool')", name="role"),
    CheckConstraint("(role = 'tool') = (tool_call_id IS NOT NULL)", name="result"),
    CheckConstraint("tool_calls IS NULL OR (role = 'assistant' AND exchange = position)", name="calls"),
    CheckConstraint("(exchange IS NOT NULL) = (tool_calls IS NOT NULL OR tool_call_id IS NOT NULL)", name="exchange"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    _conversation(key=True),
    _integer("seq", key=True),
    _text("turn", null=True),
    _integer("at"),
    _text("kind"),
    _text("data"),
    Index(None, "turn", "seq"),
    sqlite_with_rowid=False,
)

pauses = Table(
    "pauses",
    metadata,
    _text("id", key=True),
    _conversation(),
    _text("turn", null=True),
    _text("key"),
    _text("kind"),
    _text("schema"),
    _text("payload"),
    _integer("opened_at"),
    _integer("expires_at", null=True),
    _text("answer", null=True),
    _text("answer_key", null=True),
    _integer("answered_at", null=True),
    UniqueConstraint("conversation", "key"),
)

plans = Table(
    "plans",
    metadata,
    _conversation(key=True),
    _integer("version", key=True),
    _text("turn", null=True),
    _text("state"),
    _text("plan"),
    _integer("saved_at"),
)

violations = Table(
    "violations",
    metadata,
    _text("id", key=True),
    _conversation(),
    _text("turn", null=True),
    _text("tool"),
    _text("args_digest"),
    _text("layer"),
    _text("code"),
    _text("reason"),
    _text("skill", null=True),
    _integer("at"),
    Index(None, "conversation", "at"),
    Index(None, "at"),
)

exceptions = Table(
    "exceptions",
    metadata,
    _text("id", key=True),
    _conversation(),
    _text("turn", null=True),
    _text("tool"),
    _text("reason"),
    _text("skill", null=True),
    _text("state"),
    _integer("requested_at"),
    _text("decided_by", null=True),
    _text("note", null=True),
    _integer("decided_at", null=True),
    Index(None, "conversation", "requested_at"),
)

profiles = Table(
    "profiles",
    metadata,
    _text("user_id", key=True),
    _text("data"),
    _integer("version"),
    _integer("updated_at"),
)

skill_data = Table(
    "skill_data",
    metadata,
    _text("user_id", key=True),
    _text("skill", key=True),
    _text("data"),
    _integer("version"),
    _integer("updated_at"),
)

cases = Table(
    "cases",
    metadata,
    _text("id", key=True),
    _text("skill"),
    _text("name"),
    _text("tags"),
    _text("rule_ids"),
    _text("content"),
    _integer("created_at"),
    _integer("updated_at"),
    Index(None, "skill"),
)

case_tags = Table(
    "case_tags",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), nullable=False, primary_key=True),
    _text("tag", key=True),
    Index(None, "tag"),
    sqlite_with_rowid=False,
)
