"""Tools for slides: layouts that fit the content, placeholders of a layout, consistency of a deck."""

import re
from collections.abc import Sequence

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.packs.office.analysis._model import SlideText
from metier.packs.office.analysis._slides import review_slides

__all__ = ["check_consistency", "map_placeholders", "recommend_layouts"]

_TITLE_SLIDE, _CONTENT, _TWO_COLUMNS, _TITLE_ONLY = 1, 2, 4, 11


def _read_slides(doc_text: str) -> list[SlideText]:
    """Slides of an outline: a heading line (`#`, `第1页`, `Slide 1`) begins one, the lines below are its points."""
    slides: list[tuple[str, list[str]]] = []
    for line in (raw.strip() for raw in doc_text.splitlines()):
        if not line:
            continue
        head = re.match(
            r"^(?:#{1,3}\s*|第\s*\d+\s*[页张]\s*[：:]?\s*|Slide\s*\d+\s*[:.]?\s*|---+\s*)(?P<title>.*)$", line
        )
        if head or not slides:
            slides.append((head["title"].strip() if head else line, []))
        else:
            slides[-1][1].append(line.lstrip("-•* "))
    return [SlideText(number, title, tuple(points)) for number, (title, points) in enumerate(slides, 1)]


def recommend_layouts(doc_text: str) -> JsonObject:
    """A layout for each slide of an outline, with the reason."""
    found: list[JsonValue] = []
    for slide in _read_slides(doc_text):
        figures = sum(1 for text in slide.texts if re.search(r"\d", text))
        if slide.number == 1 and len(slide.texts) <= 2:
            layout, reason = _TITLE_SLIDE, "opening"
        elif not slide.texts:
            layout, reason = _TITLE_ONLY, "no points"
        elif len(slide.texts) > 6:
            layout, reason = _TWO_COLUMNS, "many points"
        else:
            layout, reason = _CONTENT, "figures" if figures > len(slide.texts) / 2 else "points"
        found.append({"slide": slide.number, "title": slide.title, "layout": layout, "reason": reason})
    return {"layouts": found}


def map_placeholders(doc_text: str) -> JsonObject:
    """Which text goes into which placeholder of each slide."""
    return {
        "slides": [
            {
                "slide": slide.number,
                "placeholders": [
                    {"placeholder_kind": "title", "text": slide.title},
                    *(
                        [
                            {
                                "placeholder_kind": "subtitle" if slide.number == 1 else "body",
                                "text": "\n".join(slide.texts),
                            }
                        ]
                        if slide.texts
                        else []
                    ),
                ],
            }
            for slide in _read_slides(doc_text)
        ]
    }


def check_consistency(
    doc_text: str = "", slides: Sequence[JsonObject] = (), language: Language | None = None
) -> JsonObject:
    """Missing titles, overlong slides and figures that contradict each other."""
    given = [
        SlideText(number, str(one.get("title") or ""), tuple(str(one.get("text") or "").splitlines()))
        for number, one in enumerate(slides, 1)
    ] or _read_slides(doc_text)
    chosen = language or language_of(doc_text or str(list(slides)))
    findings: list[JsonValue] = [
        {"slide": int(one.values["slide"]), "issue": one.rule, "message": one.message.text(chosen), "text": one.line}
        for one in review_slides(given)
    ]
    return {"issues": findings, "slides": len(given)}
