"""Digests of idempotency keys whose conversation is deleted, so that a request is never run again."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "used_keys",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_used_keys"),
        sqlite_with_rowid=False,
    )
