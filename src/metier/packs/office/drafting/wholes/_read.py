"""A told message as blocks, if every word of it is read as one text and no other."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.wholes._lines import (
    BANNERS,
    HEADINGS,
    PICTURES,
    write_told_banner,
    write_told_heading,
    write_told_picture,
)
from metier.packs.office.drafting.wholes._outlines import OUTLINES, write_told_outline
from metier.packs.office.drafting.wholes._points import (
    APPENDICES,
    SUMMARIES,
    write_told_appendix,
    write_told_summary,
)
from metier.packs.office.drafting.wholes._scan import scan
from metier.packs.office.drafting.wholes._templates import TEMPLATES, write_told_template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from metier.language import Language
    from metier.packs.office.drafting._blocks import DraftBlock
    from metier.packs.office.drafting.wholes._slots import ToldSlots

__all__ = ["Whole", "read_whole"]

_WRITERS: "Final[Mapping[str, Callable[[ToldSlots, Language], DraftBlock | None]]]" = MappingProxyType(
    {
        "template": write_told_template,
        "outline": write_told_outline,
        "appendix": write_told_appendix,
        "summary": write_told_summary,
        "banner": write_told_banner,
        "picture": write_told_picture,
        "heading": write_told_heading,
    }
)
_GRAMMARS: Final = (*TEMPLATES, *OUTLINES, *APPENDICES, *SUMMARIES, *BANNERS, *PICTURES, *HEADINGS)


@dataclass(frozen=True, slots=True)
class Whole:
    """The block of a message, clauses that its plan must bear out, and clauses that it leaves out."""

    block: "DraftBlock"
    remarks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def read_whole(text: RequestText, language: "Language") -> Whole | None:
    """The one text that a message asks for; None where a word is not read, or it may be read as two kinds of text."""
    found: dict[str, Whole] = {}
    for grammar in _GRAMMARS:
        slots = scan(text, grammar)
        block = _WRITERS[grammar.kind](slots, language) if slots is not None else None
        if slots is not None and block is not None:
            found.setdefault(grammar.kind, Whole(block, tuple(slots.remarks), tuple(slots.left_out)))
    return next(iter(found.values())) if len(found) == 1 else None
