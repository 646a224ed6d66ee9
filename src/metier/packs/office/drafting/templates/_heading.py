"""A heading in bold type with lines of text below it."""

from collections.abc import Sequence

from metier.language import Language
from metier.packs.office.drafting._blocks import DraftBlock

__all__ = ["write_heading"]


def write_heading(title: str, lines: Sequence[str], language: Language) -> DraftBlock:
    """The block of a heading and its lines."""
    block = DraftBlock("heading", title, language)
    block.add_heading(title, 1)
    block.add("set_text_style", bold=True)
    if lines:
        block.add("insert_text", text="\n".join(lines), new_paragraph_after=True)
    return block
