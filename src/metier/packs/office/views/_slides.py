"""A presentation as blocks: one card for each slide."""

from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue

_MAX_SLIDES: Final = 300


def view_slides(file: Path) -> JsonObject:
    """Blocks of a presentation: title, texts and notes of each slide."""
    from metier.packs.office.slides import read_slides

    slides = tuple(read_slides(file))
    blocks: list[JsonValue] = [
        {
            "kind": "slide",
            "address": f"s{one.number}",
            "title": one.title,
            "texts": list(one.texts),
            "notes": one.notes,
        }
        for one in slides[:_MAX_SLIDES]
    ]
    return {"kind": "pptx", "blocks": blocks, "comments": [], "truncated": len(slides) > _MAX_SLIDES}
