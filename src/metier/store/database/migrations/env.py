"""Alembic environment: migrates on the connection, and in the transaction, that `metier.store` passes in."""

from alembic import context

from metier.store.database import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
