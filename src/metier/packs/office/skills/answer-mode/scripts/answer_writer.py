"""Tool `answer_writer`: the action that fills in a given key."""

from metier.packs.office.analysis.script_tools import write_answers


def answer_writer(doc_text: str, key_text: str) -> dict:
    """把答案文件变成填写动作 · the action that fills in a given key."""
    return dict(write_answers(doc_text=doc_text, key_text=key_text))
