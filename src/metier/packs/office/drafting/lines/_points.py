"""Points under their title, numbered or with bullets."""

from collections.abc import Sequence

from metier.language import Language
from metier.packs.office.drafting._blocks import DraftBlock, capitalise

__all__ = ["write_points"]


def write_points(
    kind: str, title: str, items: Sequence[str], language: Language, *, shown: str = "", is_marked: bool = False
) -> DraftBlock:
    """The block of a list; `shown` is the heading of one that has no title of its own."""
    block = DraftBlock(kind, title, language)
    if heading := title or shown:
        block.add_heading(heading, 1)
    if is_marked:
        block.add("insert_text", text="\n".join(items), list="bullet", new_paragraph_after=True)
    else:
        block.add_numbered([capitalise(one) for one in items])
    return block
