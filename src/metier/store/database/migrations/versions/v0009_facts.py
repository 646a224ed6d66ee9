"""Facts of conversations: named values with where they came from."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_TEXTS = ("name", "value", "title", "label", "source", "options", "skill", "step")


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("conversation", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _TEXTS),
        sa.Column("turn", sa.Text(), nullable=True),
        sa.Column("set_by", sa.Text(), nullable=True),
        sa.Column("set_key", sa.Text(), nullable=True),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_facts_conversation", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("conversation", "name", name="pk_facts"),
    )
