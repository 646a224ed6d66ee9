"""Tool `get_latest_policies`: policies in force, from the built-in list."""

from metier.packs.office.analysis.script_tools import list_policies


def get_latest_policies(topic: str = "") -> dict:
    """列出现行法规（内置清单） · policies in force, from the built-in list."""
    return dict(list_policies(topic=topic))
