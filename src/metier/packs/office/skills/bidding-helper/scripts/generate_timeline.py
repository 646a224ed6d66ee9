"""Tool `generate_timeline`: dates of the tender."""

from metier.packs.office.analysis.script_tools import build_timeline


def generate_timeline(doc_text: str, today: str = "") -> dict:
    """列出招标时间节点和剩余天数 · dates of the tender."""
    return dict(build_timeline(doc_text=doc_text, today=today))
