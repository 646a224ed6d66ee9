"""Alembic's entry: run on the connection that `metier.store` holds, in its transaction."""

from alembic import context

from metier.store._schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
