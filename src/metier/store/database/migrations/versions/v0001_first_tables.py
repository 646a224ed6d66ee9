"""Initial tables. Released migrations are never edited; changes go into a new file."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Events may be deleted only by the cascade: when it reaches them, the conversation's row is already gone.
_NO_UPDATE_SQLITE = """
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
"""
_NO_DELETE_SQLITE = """
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM conversations WHERE id = OLD.conversation)
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
"""
_GUARD_POSTGRESQL = """
CREATE FUNCTION events_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT 1 FROM conversations WHERE id = OLD.conversation) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'events are append-only';
END $$
"""
_NO_CHANGE_POSTGRESQL = """
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON events
FOR EACH ROW EXECUTE FUNCTION events_append_only()
"""
_NO_TRUNCATE_POSTGRESQL = """
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
"""


def upgrade() -> None:
    _talk()
    _work()
    _governance()
    _knowledge()
    _guard_events()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def _integer(name: str, *, null: bool = False, zero: bool = False) -> sa.Column[int]:
    default = "0" if zero else None
    return sa.Column(name, sa.BigInteger(), nullable=null, autoincrement=False, server_default=default)


def _of_conversation(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["conversation"], ["conversations.id"], name=f"fk_{table}_conversation", ondelete="CASCADE"
    )


def _talk() -> None:
    op.create_table(
        "conversations",
        _text("id"),
        _text("user_id"),
        _text("title", null=True),
        _text("skill", null=True),
        _text("voice_mode", null=True),
        _integer("created_at"),
        _integer("updated_at"),
        _integer("last_seq", zero=True),
        _integer("last_position", zero=True),
        _integer("last_fence", zero=True),
        _text("running_turn", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_index("ix_conversations_user_id_updated_at_id", "conversations", ["user_id", "updated_at", "id"])
    op.create_table(
        "messages",
        _text("conversation"),
        _integer("position"),
        _text("turn", null=True),
        _text("role"),
        _text("content"),
        _text("tool_calls", null=True),
        _text("tool_call_id", null=True),
        _text("name", null=True),
        _integer("exchange", null=True),
        _integer("at"),
        sa.CheckConstraint("role IN ('system', 'user', 'assistant', 'tool')", name=op.f("ck_messages_role")),
        sa.CheckConstraint("(role = 'tool') = (tool_call_id IS NOT NULL)", name=op.f("ck_messages_result")),
        sa.CheckConstraint(
            "tool_calls IS NULL OR (role = 'assistant' AND exchange = position)", name=op.f("ck_messages_calls")
        ),
        sa.CheckConstraint(
            "(exchange IS NOT NULL) = (tool_calls IS NOT NULL OR tool_call_id IS NOT NULL)",
            name=op.f("ck_messages_exchange"),
        ),
        _of_conversation("messages"),
        sa.PrimaryKeyConstraint("conversation", "position", name="pk_messages"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        _text("conversation"),
        _integer("seq"),
        _text("turn", null=True),
        _integer("at"),
        _text("kind"),
        _text("data"),
        _of_conversation("events"),
        sa.PrimaryKeyConstraint("conversation", "seq", name="pk_events"),
        sqlite_with_rowid=False,
    )


def _work() -> None:
    running = sa.text("state = 'running'")
    op.create_table(
        "turns",
        _text("id"),
        _text("conversation"),
        _text("state"),
        _text("owner"),
        _integer("lease_until"),
        _integer("lease_ttl"),
        _integer("fence"),
        _text("request_key", null=True),
        _integer("started_at"),
        _integer("ended_at", null=True),
        sa.CheckConstraint(
            "state IN ('running', 'paused', 'done', 'failed', 'interrupted')", name=op.f("ck_turns_state")
        ),
        _of_conversation("turns"),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
        sa.UniqueConstraint("conversation", "request_key", name="uq_turns_conversation_request_key"),
    )
    op.create_index(
        "ix_turns_one_running", "turns", ["conversation"], unique=True, sqlite_where=running, postgresql_where=running
    )
    op.create_table(
        "pauses",
        _text("id"),
        _text("conversation"),
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
        _of_conversation("pauses"),
        sa.PrimaryKeyConstraint("id", name="pk_pauses"),
        sa.UniqueConstraint("conversation", "key", name="uq_pauses_conversation_key"),
    )
    op.create_table(
        "plans",
        _text("conversation"),
        _integer("version"),
        _text("turn", null=True),
        _text("state"),
        _text("plan"),
        _integer("saved_at"),
        _of_conversation("plans"),
        sa.PrimaryKeyConstraint("conversation", "version", name="pk_plans"),
    )


def _governance() -> None:
    op.create_table(
        "violations",
        _text("id"),
        _text("conversation"),
        _text("turn", null=True),
        _text("tool"),
        _text("args_digest"),
        _text("layer"),
        _text("code"),
        _text("reason"),
        _text("skill", null=True),
        _integer("at"),
        _of_conversation("violations"),
        sa.PrimaryKeyConstraint("id", name="pk_violations"),
    )
    op.create_index("ix_violations_at", "violations", ["at"])
    op.create_index("ix_violations_conversation_at", "violations", ["conversation", "at"])
    op.create_table(
        "exceptions",
        _text("id"),
        _text("conversation"),
        _text("turn", null=True),
        _text("tool"),
        _text("reason"),
        _text("skill", null=True),
        _text("state"),
        _integer("requested_at"),
        _text("decided_by", null=True),
        _text("note", null=True),
        _integer("decided_at", null=True),
        _of_conversation("exceptions"),
        sa.PrimaryKeyConstraint("id", name="pk_exceptions"),
    )
    op.create_index("ix_exceptions_conversation_requested_at", "exceptions", ["conversation", "requested_at"])


def _knowledge() -> None:
    for table, keys in (("profiles", ("user_id",)), ("skill_data", ("user_id", "skill"))):
        op.create_table(
            table,
            *(_text(key) for key in keys),
            _text("data"),
            _integer("version"),
            _integer("updated_at"),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{table}"),
        )
    op.create_table(
        "cases",
        _text("id"),
        _text("skill"),
        _text("name"),
        _text("tags"),
        _text("rule_ids"),
        _text("content"),
        _integer("created_at"),
        _integer("updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_cases"),
    )
    op.create_index("ix_cases_skill", "cases", ["skill"])
    op.create_table(
        "case_tags",
        _text("case_id"),
        _text("tag"),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_tags_case_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("case_id", "tag", name="pk_case_tags"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_case_tags_tag", "case_tags", ["tag"])


def _guard_events() -> None:
    if op.get_bind().dialect.name == "postgresql":
        guards = [_GUARD_POSTGRESQL, _NO_CHANGE_POSTGRESQL, _NO_TRUNCATE_POSTGRESQL]
    else:
        guards = [_NO_UPDATE_SQLITE, _NO_DELETE_SQLITE]
    for guard in guards:
        op.execute(guard)
