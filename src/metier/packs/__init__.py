"""The packs that come with Metier. Each is reached by its entry point and its own door; nothing else imports one."""

__all__: list[str] = []
