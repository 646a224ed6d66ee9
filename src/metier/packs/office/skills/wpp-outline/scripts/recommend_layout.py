"""Tool `recommend_layout`: a layout for each slide."""

from metier.packs.office.analysis.script_tools import recommend_layouts


def recommend_layout(doc_text: str) -> dict:
    """为每页推荐版式 · a layout for each slide."""
    return dict(recommend_layouts(doc_text=doc_text))
