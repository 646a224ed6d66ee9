"""Tool `decision_detector`: decisions and action items."""

from metier.packs.office.analysis.script_tools import detect_decisions


def decision_detector(doc_text: str, meeting_date: str = "") -> dict:
    """找出结论和待办（谁、何时、做什么） · decisions and action items."""
    return dict(detect_decisions(doc_text=doc_text, meeting_date=meeting_date))
