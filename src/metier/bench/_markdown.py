"""Tables of the pages that benchmarks write."""

from collections.abc import Iterable, Sequence


def render_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Table in Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
