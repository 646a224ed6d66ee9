"""Alembic migration scripts of the store's tables."""
