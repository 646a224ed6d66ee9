"""Packs shipped with Metier. Each is loaded through its entry point; no other code imports one."""

__all__: list[str] = []
