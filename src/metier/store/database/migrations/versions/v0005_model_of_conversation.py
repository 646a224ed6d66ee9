"""Model that a user chose for a conversation."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("conversations", sa.Column("model", sa.Text(), nullable=True))
