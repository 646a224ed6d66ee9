"""Tool `layout_recommender`: a layout for each slide."""

from metier.packs.office.analysis.script_tools import recommend_layouts


def layout_recommender(doc_text: str) -> dict:
    """为每页推荐版式 · a layout for each slide."""
    return dict(recommend_layouts(doc_text=doc_text))
