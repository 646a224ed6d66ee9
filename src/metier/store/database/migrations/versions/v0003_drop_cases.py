"""Cases of skills are files of the skill; the tables that nothing read or wrote are dropped."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("case_tags")
    op.drop_table("cases")
