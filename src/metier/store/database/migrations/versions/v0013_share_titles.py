"""Title of a conversation when it was shared, so that a later one is not shown."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("shares", sa.Column("title", sa.Text(), nullable=True))
    op.execute(
        "UPDATE shares SET title = (SELECT title FROM conversations WHERE conversations.id = shares.conversation)"
    )
