"""Tool `risk_detector`: contract findings with their articles."""

from metier.packs.office.analysis.script_tools import detect_risks


def risk_detector(doc_text: str, language: str | None = None) -> dict:
    """按规则审查合同，注明法条 · contract findings with their articles."""
    return dict(detect_risks(doc_text=doc_text, language=language))
