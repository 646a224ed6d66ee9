"""Who chose the skill in use: one that a person named may not be left by the model."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("conversations", sa.Column("skill_chosen_by", sa.Text, nullable=True))
