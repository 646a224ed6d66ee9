"""Tool `numbering_checker`: jumps, repeats and missing levels."""

from metier.packs.office.analysis.script_tools import check_numbering


def numbering_checker(doc_text: str, language: str | None = None) -> dict:
    """检查序号跳号、重复、缺级 · jumps, repeats and missing levels."""
    return dict(check_numbering(doc_text=doc_text, language=language))
