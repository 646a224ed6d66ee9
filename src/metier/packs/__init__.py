"""Packs shipped with Metier. Each is loaded through its entry point; nothing outside of them imports one."""

__all__: list[str] = []
