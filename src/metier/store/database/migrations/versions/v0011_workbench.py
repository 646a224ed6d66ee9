"""Pinned conversations and branches, share links, feedback, and an index for figures over time."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_KINDS = ("turn.started", "turn.done", "turn.failed", "pause.opened", "pause.answered")
_IS_FIGURE = sa.text(f"kind IN ({', '.join(repr(kind) for kind in _KINDS)})")


def upgrade() -> None:
    op.add_column("conversations", sa.Column("pinned_at", sa.BigInteger(), nullable=True))
    op.add_column("conversations", sa.Column("branch_of", sa.Text(), nullable=True))
    op.create_index("ix_events_figures", "events", ["at"], sqlite_where=_IS_FIGURE, postgresql_where=_IS_FIGURE)
    op.create_table(
        "shares",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_shares_conversation", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_shares"),
    )
    op.create_index("ix_shares_digest", "shares", ["digest"], unique=True)
    op.create_index("ix_shares_conversation", "shares", ["conversation"])
    op.create_table(
        "feedback",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("skill", sa.Text(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("verdict IN ('up', 'down')", name="verdict"),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_feedback_conversation", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
        sa.UniqueConstraint("turn", "user_id", name="uq_feedback_turn_user_id"),
    )
    op.create_index("ix_feedback_conversation", "feedback", ["conversation"])
    op.create_index("ix_feedback_at", "feedback", ["at"])
