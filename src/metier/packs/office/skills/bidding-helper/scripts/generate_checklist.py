"""Tool `generate_checklist`: requirements as a checklist."""

from metier.packs.office.analysis.script_tools import build_checklist


def generate_checklist(doc_text: str) -> dict:
    """把招标要求列成核对清单 · requirements as a checklist."""
    return dict(build_checklist(doc_text=doc_text))
