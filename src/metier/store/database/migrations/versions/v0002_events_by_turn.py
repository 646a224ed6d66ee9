"""Index on the turn of events, so that reading one turn does not scan a long conversation."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_index("ix_events_turn_seq", "events", ["turn", "seq"])
