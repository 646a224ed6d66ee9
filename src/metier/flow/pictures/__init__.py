"""Pictures of DAGs: PNG and SVG by Graphviz, Mermaid text without it."""

from metier.flow.pictures._cards import Card, make_card
from metier.flow.pictures._draw import draw_dags, has_cjk_font, render_mermaid, render_png, render_svg
from metier.flow.pictures._graphviz import draw_graph

__all__ = ["Card", "draw_dags", "draw_graph", "has_cjk_font", "make_card", "render_mermaid", "render_png", "render_svg"]
