"""Tool `answer_formatter`: answers of a given key in order."""

from metier.packs.office.analysis.script_tools import format_answers


def answer_formatter(doc_text: str, key_text: str) -> dict:
    """按答案文件排出答案，不编造 · answers of a given key in order."""
    return dict(format_answers(doc_text=doc_text, key_text=key_text))
