"""Metier: the agent picks a skill; the skill governs the tools."""
