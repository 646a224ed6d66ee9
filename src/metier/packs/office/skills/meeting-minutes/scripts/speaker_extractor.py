"""Tool `speaker_extractor`: speakers and how often each spoke."""

from metier.packs.office.analysis.script_tools import extract_speakers


def speaker_extractor(doc_text: str) -> dict:
    """列出发言人和发言次数 · speakers and how often each spoke."""
    return dict(extract_speakers(doc_text=doc_text))
