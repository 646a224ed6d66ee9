"""Tool `fill_blank_detector`: blanks and empty brackets."""

from metier.packs.office.analysis.script_tools import detect_blanks


def fill_blank_detector(doc_text: str) -> dict:
    """找出填空和空括号 · blanks and empty brackets."""
    return dict(detect_blanks(doc_text=doc_text))
