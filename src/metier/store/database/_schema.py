"""SQLAlchemy tables of the store. `migrations/` creates the same ones; a test compares them on both databases."""

from typing import Final, Literal

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
# The migrations make these conditions for PostgreSQL as well; to name that dialect here would load it for SQLite.
_RUNNING = text("state = 'running'")
FIGURE_KINDS: Final = ("turn.started", "turn.done", "turn.failed", "pause.opened", "pause.answered")
_IS_FIGURE = text(f"kind IN ({', '.join(repr(kind) for kind in FIGURE_KINDS)})")


def _text_column(name: str, *, null: bool = False, key: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null, primary_key=key)


def _integer_column(
    name: str, *, null: bool = False, key: bool = False, default: Literal["0"] | None = None
) -> Column[int]:
    return Column(name, BigInteger, nullable=null, primary_key=key, autoincrement=False, server_default=default)


def _conversation_column(*, key: bool = False) -> Column[str]:
    return Column(
        "conversation", Text, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False, primary_key=key
    )


conversations = Table(
    "conversations",
    metadata,
    _text_column("id", key=True),
    _text_column("user_id"),
    _text_column("title", null=True),
    _text_column("skill", null=True),
    _text_column("skill_chosen_by", null=True),
    _text_column("voice_mode", null=True),
    _integer_column("created_at"),
    _integer_column("updated_at"),
    _integer_column("last_seq", default="0"),
    _integer_column("last_position", default="0"),
    _integer_column("last_fence", default="0"),
    _text_column("running_turn", null=True),
    _text_column("model", null=True),
    _text_column("client_id", null=True),
    _integer_column("pinned_at", null=True),
    _text_column("branch_of", null=True),
    Index(None, "user_id", "updated_at", "id"),
    Index(None, "user_id", "client_id", unique=True),
)

turns = Table(
    "turns",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("state"),
    _text_column("owner"),
    _integer_column("lease_until"),
    _integer_column("lease_ttl"),
    _integer_column("fence"),
    _text_column("request_key", null=True),
    _integer_column("started_at"),
    _integer_column("ended_at", null=True),
    UniqueConstraint("conversation", "request_key"),
    CheckConstraint("state IN ('running', 'paused', 'done', 'failed', 'interrupted')", name="state"),
    Index("ix_turns_one_running", "conversation", unique=True, sqlite_where=_RUNNING),
)

messages = Table(
    "messages",
    metadata,
    _conversation_column(key=True),
    _integer_column("position", key=True),
    _text_column("turn", null=True),
    _text_column("role"),
    _text_column("content"),
    _text_column("tool_calls", null=True),
    _text_column("tool_call_id", null=True),
    _text_column("name", null=True),
    _integer_column("exchange", null=True),
    _integer_column("at"),
    CheckConstraint("role IN ('system', 'user', 'assistant', 'tool')", name="role"),
    CheckConstraint("(role = 'tool') = (tool_call_id IS NOT NULL)", name="result"),
    CheckConstraint("tool_calls IS NULL OR (role = 'assistant' AND exchange = position)", name="calls"),
    CheckConstraint("(exchange IS NOT NULL) = (tool_calls IS NOT NULL OR tool_call_id IS NOT NULL)", name="exchange"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    _conversation_column(key=True),
    _integer_column("seq", key=True),
    _text_column("turn", null=True),
    _integer_column("at"),
    _text_column("kind"),
    _text_column("data"),
    Index(None, "turn", "seq"),
    Index("ix_events_figures", "at", sqlite_where=_IS_FIGURE),
    sqlite_with_rowid=False,
)

requests = Table(
    "requests",
    metadata,
    _text_column("user_id", key=True),
    _text_column("key", key=True),
    _text_column("digest"),
    _conversation_column(),
    _integer_column("at"),
    Index(None, "conversation"),
    sqlite_with_rowid=False,
)

used_keys = Table(
    "used_keys",
    metadata,
    _text_column("digest", key=True),
    _integer_column("at"),
    sqlite_with_rowid=False,
)

pauses = Table(
    "pauses",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("turn", null=True),
    _text_column("key"),
    _text_column("kind"),
    _text_column("schema"),
    _text_column("payload"),
    _integer_column("opened_at"),
    _integer_column("expires_at", null=True),
    _text_column("answer", null=True),
    _text_column("answer_key", null=True),
    _integer_column("answered_at", null=True),
    _text_column("answered_by", null=True),
    _text_column("answered_key", null=True),
    UniqueConstraint("conversation", "key"),
)

plans = Table(
    "plans",
    metadata,
    _conversation_column(key=True),
    _integer_column("version", key=True),
    _text_column("turn", null=True),
    _text_column("state"),
    _text_column("plan"),
    _integer_column("saved_at"),
)

facts = Table(
    "facts",
    metadata,
    _conversation_column(key=True),
    _text_column("name", key=True),
    _text_column("value"),
    _text_column("title"),
    _text_column("label"),
    _text_column("source"),
    _text_column("options"),
    _text_column("skill"),
    _text_column("step"),
    _text_column("turn", null=True),
    _text_column("set_by", null=True),
    _text_column("set_key", null=True),
    _integer_column("set_at"),
)

violations = Table(
    "violations",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("turn", null=True),
    _text_column("tool"),
    _text_column("args_digest"),
    _text_column("layer"),
    _text_column("code"),
    _text_column("reason"),
    _text_column("skill", null=True),
    _integer_column("at"),
    Index(None, "conversation", "at"),
    Index(None, "at"),
)

exceptions = Table(
    "exceptions",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("turn", null=True),
    _text_column("tool"),
    _text_column("reason"),
    _text_column("skill", null=True),
    _text_column("state"),
    _integer_column("requested_at"),
    _text_column("decided_by", null=True),
    _text_column("note", null=True),
    _integer_column("decided_at", null=True),
    Index(None, "conversation", "requested_at"),
)

shares = Table(
    "shares",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("digest"),
    _integer_column("last_seq"),
    _integer_column("created_at"),
    _integer_column("expires_at", null=True),
    _integer_column("revoked_at", null=True),
    _text_column("title", null=True),
    Index(None, "digest", unique=True),
    Index(None, "conversation"),
)

feedback = Table(
    "feedback",
    metadata,
    _text_column("id", key=True),
    _conversation_column(),
    _text_column("turn"),
    _text_column("user_id"),
    _text_column("verdict"),
    _text_column("reason", null=True),
    _text_column("note"),
    _text_column("skill", null=True),
    _integer_column("at"),
    UniqueConstraint("turn", "user_id"),
    CheckConstraint("verdict IN ('up', 'down')", name="verdict"),
    Index(None, "conversation"),
    Index(None, "at"),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    _conversation_column(key=True),
    _text_column("thread", key=True),
    _text_column("namespace", key=True),
    _text_column("checkpoint", key=True),
    _text_column("task", key=True),
    _integer_column("place", key=True),
    _text_column("parent", null=True),
    _text_column("channel"),
    _text_column("format"),
    _text_column("content"),
    _text_column("details"),
)

profiles = Table(
    "profiles",
    metadata,
    _text_column("user_id", key=True),
    _text_column("data"),
    _integer_column("version"),
    _integer_column("updated_at"),
)

skill_data = Table(
    "skill_data",
    metadata,
    _text_column("user_id", key=True),
    _text_column("skill", key=True),
    _text_column("data"),
    _integer_column("version"),
    _integer_column("updated_at"),
)

users = Table(
    "users",
    metadata,
    _text_column("name", key=True),
    _integer_column("created_at"),
)

api_keys = Table(
    "api_keys",
    metadata,
    _text_column("id", key=True),
    _text_column("user_id"),
    _text_column("roles"),
    _text_column("digest"),
    _text_column("label"),
    _integer_column("created_at"),
    _integer_column("revoked_at", null=True),
    Index(None, "user_id"),
)

audit = Table(
    "audit",
    metadata,
    _integer_column("number", key=True),
    _integer_column("at"),
    _text_column("user_id"),
    _text_column("key"),
    _text_column("action"),
    _text_column("target"),
    _text_column("data"),
    _text_column("previous"),
    _text_column("hash"),
    Index(None, "at"),
)
