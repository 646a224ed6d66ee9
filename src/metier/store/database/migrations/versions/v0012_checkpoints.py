"""Checkpoints of deep runs: states of the graph and pending writes, removed when the run ends."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_KEYS = ("thread", "namespace", "checkpoint", "task")


def upgrade() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("conversation", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _KEYS),
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_checkpoints_conversation", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("conversation", *_KEYS, "place", name="pk_checkpoints"),
    )
