"""Tool `question_parser`: questions by type."""

from metier.packs.office.analysis.script_tools import parse_questions


def question_parser(doc_text: str) -> dict:
    """按题型拆出试题 · questions by type."""
    return dict(parse_questions(doc_text=doc_text))
