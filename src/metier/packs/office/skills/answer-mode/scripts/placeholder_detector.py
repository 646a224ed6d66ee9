"""Tool `placeholder_detector`: places of a template to fill."""

from metier.packs.office.analysis.script_tools import detect_placeholders


def placeholder_detector(doc_text: str) -> dict:
    """找出模板里待填的位置 · places of a template to fill."""
    return dict(detect_placeholders(doc_text=doc_text))
