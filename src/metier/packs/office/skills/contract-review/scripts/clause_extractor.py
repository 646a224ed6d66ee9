"""Tool `clause_extractor`: parties and clauses of a contract."""

from metier.packs.office.analysis.script_tools import extract_clauses


def clause_extractor(doc_text: str) -> dict:
    """拆出当事人和条款 · parties and clauses of a contract."""
    return dict(extract_clauses(doc_text=doc_text))
