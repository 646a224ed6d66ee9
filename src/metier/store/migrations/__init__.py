"""Alembic's scripts: every version of the tables, in order."""
