"""Tool `consistency_checker`: titles, length and contradicting figures."""

from metier.packs.office.analysis.script_tools import check_consistency


def consistency_checker(doc_text: str = "", slides: list | None = None, language: str | None = None) -> dict:
    """检查标题、要点数量和前后数字 · titles, length and contradicting figures."""
    return dict(check_consistency(doc_text=doc_text, slides=slides or [], language=language))
