"""A presentation as blocks: one card for each slide."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, JsonValue

if TYPE_CHECKING:
    from metier.packs.office.analysis import SlideText

_MAX_SLIDES: Final = 300
_PAGE_FIELD: Final = "‹#›"  # a field that shows the number of the slide


def view_slides(file: Path) -> JsonObject:
    """Blocks of a presentation: title, texts and notes of each slide."""
    from metier.packs.office.slides import read_slides

    slides = tuple(read_slides(file))
    blocks: list[JsonValue] = [
        {
            "kind": "slide",
            "address": f"s{one.number}",
            "title": _fill_field(one.title, one.number),
            "texts": list(_list_lines(one)),
            "notes": _fill_field(one.notes, one.number),
        }
        for one in slides[:_MAX_SLIDES]
    ]
    return {"kind": "pptx", "blocks": blocks, "comments": [], "truncated": len(slides) > _MAX_SLIDES}


def _list_lines(slide: "SlideText") -> Iterator[str]:
    """Lines as people see them, each bullet its own; the number of the page alone is none."""
    for text in slide.texts:
        if text.strip() == _PAGE_FIELD:
            continue
        for line in text.splitlines():
            if line.strip():
                yield _fill_field(" | ".join(cell.strip() for cell in line.split("\t")).strip(), slide.number)


def _fill_field(text: str, number: int) -> str:
    return text.replace(_PAGE_FIELD, str(number))
