"""Tool `get_placeholder_map`: which text goes into which placeholder."""

from metier.packs.office.analysis.script_tools import map_placeholders


def get_placeholder_map(doc_text: str) -> dict:
    """把内容对应到占位符 · which text goes into which placeholder."""
    return dict(map_placeholders(doc_text=doc_text))
