"""Tool `position_calculator`: where each question is filled in."""

from metier.packs.office.analysis.script_tools import locate_questions


def position_calculator(doc_text: str, labels: list | None = None) -> dict:
    """算出每题填写的位置 · where each question is filled in."""
    return dict(locate_questions(doc_text=doc_text, labels=labels or []))
