"""Requests by their idempotency keys, so that one sent again is known after a restart and in another process."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "requests",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "key", name="pk_requests"),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_requests_conversation", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_requests_conversation", "requests", ["conversation"])
