"""Blocks of slides: a cover, an agenda, key figures, pairs in a table, steps on a timeline."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language
from metier.packs.office.drafting._blocks import DraftBlock

__all__ = ["write_agenda", "write_cover", "write_figures", "write_pairs", "write_timeline"]

_COVER, _CONTENT, _TITLE_ONLY = 1, 2, 11
# Centimetres that are free on a 4:3 slide and on a 16:9 slide alike.
_LEFT: Final = 1.7
_WIDTH: Final = 22.0
_TOP: Final = 5.0


def write_cover(title: str, subtitle: str, language: Language) -> DraftBlock:
    """A title slide."""
    block = DraftBlock("cover", "", language)
    block.add("add_slide", title=title, layout=_COVER, content=subtitle or None)
    return block


def write_agenda(title: str, items: Sequence[str], language: Language) -> DraftBlock:
    """A slide with one line for each item."""
    block = DraftBlock("agenda", "", language)
    block.add("add_slide", title=title, layout=_CONTENT, content="\n".join(items))
    return block


def write_figures(title: str, figures: Sequence[tuple[str, str]], language: Language, *, heading: str) -> DraftBlock:
    """Names and values: each value in large type with its name below it."""
    block = DraftBlock("kpi", title, language)
    block.add("add_slide", title=heading, layout=_TITLE_ONLY)
    gap = 0.6
    width = (_WIDTH - gap * (len(figures) - 1)) / len(figures)
    size = 88 if len(figures) == 1 else 60 if len(figures) == 2 else 44
    for at, (name, value) in enumerate(figures):
        left = round(_LEFT + at * (width + gap), 2)
        block.add(
            *("add_textbox",), text=value, left=left, top=_TOP + 1.5, width=round(width, 2), height=4.0,
            font_size=size, font_bold=True, alignment="center",
        )  # fmt: skip
        if name:
            block.add(
                *("add_textbox",), text=name, left=left, top=_TOP + 6.0, width=round(width, 2), height=1.8,
                font_size=24, alignment="center",
            )  # fmt: skip
    return block


def write_pairs(
    title: str, heads: Sequence[str], pairs: Sequence[tuple[str, str]], language: Language, *, heading: str
) -> DraftBlock:
    """A table with each risk beside what is done about it."""
    block = DraftBlock("risks", title, language)
    block.add("add_slide", title=heading, layout=_TITLE_ONLY)
    rows = [list(heads), *(list(one) for one in pairs)]
    block.add("add_table", rows=len(rows), cols=2, data=rows, left=_LEFT, top=_TOP, width=_WIDTH)
    return block


def write_timeline(title: str, steps: Sequence[tuple[str, str]], language: Language, *, heading: str) -> DraftBlock:
    """A table with the periods above what happens in them."""
    block = DraftBlock("timeline", title, language)
    block.add("add_slide", title=heading, layout=_TITLE_ONLY)
    data = [[label[:1].upper() + label[1:] for label, _ in steps], [step for _, step in steps]]
    block.add("add_table", rows=2, cols=len(steps), data=data, left=_LEFT, top=_TOP, width=_WIDTH)
    return block
