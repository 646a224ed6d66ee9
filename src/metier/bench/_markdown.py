"""Tables of the pages that benchmarks write."""

from collections.abc import Iterable, Sequence

from metier.visible_text import write_markdown_table


def render_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Table in Markdown."""
    return write_markdown_table(heads, rows) + "\n"
