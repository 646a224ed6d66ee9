"""An index for the events of one turn: a long conversation is not read to find them."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_index("ix_events_turn_seq", "events", ["turn", "seq"])
