"""Tool `terminology_checker`: wrong spellings with the right ones."""

from metier.packs.office.analysis.script_tools import check_terms


def terminology_checker(doc_text: str, terms: dict | None = None) -> dict:
    """检查错别字和不统一的写法 · wrong spellings with the right ones."""
    return dict(check_terms(doc_text=doc_text, terms=terms))
