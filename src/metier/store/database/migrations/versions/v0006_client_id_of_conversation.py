"""Id under which a client knows a conversation; the conversation's own id is never chosen from outside."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("conversations", sa.Column("client_id", sa.Text(), nullable=True))
    op.create_index("ix_conversations_user_id_client_id", "conversations", ["user_id", "client_id"], unique=True)
