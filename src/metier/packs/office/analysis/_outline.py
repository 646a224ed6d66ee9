"""Outline of a document, and slides made from it: one heading a slide, short points, nothing invented."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, split_sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis._numbering import NumberedLine, list_numbered

__all__ = ["OutlineSection", "build_outline", "propose_outline", "propose_slides"]

_MAX_POINTS: Final = 6
_MAX_POINT_CHARS: Final = 42
_MAX_TITLE_CHARS: Final = 40
_MAX_HEADING_CHARS: Final = 40
_TITLE_SLIDE, _TITLE_AND_CONTENT = 1, 2
_WORDS: Final = Sentences(
    {
        "agenda": ("Agenda", "目录"),
        "continued": ("{title} ({number})", "{title}（{number}）"),
        "outline": ("Slide outline", "演示大纲"),
        "slide": ("Slide", "页"),
        "title": ("Title", "标题"),
        "points": ("Points", "要点"),
        "summary": (
            "“{name}” becomes {slides} slides: {sections} sections of the document, points taken from its own "
            "sentences.",
            "把“{name}”整理成 {slides} 页：按文档的 {sections} 个部分，要点都取自原文。",
        ),
        "agenda_summary": (
            "Agenda from the titles of {slides} slides of “{name}”.",
            "按“{name}”现有 {slides} 页的标题生成目录页。",
        ),
        "empty": ("“{name}” has no text to make slides from.", "“{name}”里没有可以做成演示的文字。"),
    }
)


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """One part of a document: its heading and the points below it."""

    title: str
    level: int
    points: tuple[str, ...]
    address: str


def build_outline(pieces: Sequence[TextPiece]) -> tuple[str, tuple[OutlineSection, ...]]:
    """Title and sections: by heading styles, else by 一、（一） numbers."""
    entries = list(list_numbered(piece for piece in pieces if piece.line.strip()))
    if not entries:
        return "", ()
    first = _piece_of(entries[0])
    has_styles = sum(1 for entry in entries[1:] if _piece_of(entry).kind == "heading") > 0
    sections: list[tuple[str, int, list[str], str]] = []
    for entry in entries[1:]:
        piece = _piece_of(entry)
        level = _heading_level(entry, has_styles)
        if level == 1 or not sections:
            title = piece.line.strip() if level else first.line.strip()
            sections.append((title, level or 1, [], piece.address))
            if level:
                continue
        if piece.kind not in ("cell", "footnote"):
            sections[-1][2].append(_shorten(piece.line.strip()))
    title = first.line.strip()[:_MAX_TITLE_CHARS]
    return title, tuple(OutlineSection(name, level, tuple(points), at) for name, level, points, at in sections)


def _piece_of(entry: NumberedLine | TextPiece) -> TextPiece:
    return entry.piece if isinstance(entry, NumberedLine) else entry


def _heading_level(entry: NumberedLine | TextPiece, has_styles: bool) -> int:
    piece = _piece_of(entry)
    if has_styles:
        return 1 if piece.kind == "heading" and piece.level <= 1 else 0
    is_heading = isinstance(entry, NumberedLine) and entry.level in ("chapter", "1")
    return 1 if is_heading and len(piece.line) <= _MAX_HEADING_CHARS else 0


def _shorten(text: str) -> str:
    """The first sentence, cut at a clause when it is long; words are only left out, never added."""
    first = next(iter(split_sentences(text)), text).strip().rstrip("。.;；")
    if len(first) <= _MAX_POINT_CHARS:
        return first
    clauses = re.split(r"(?<=[，,；;：:])", first)
    kept = ""
    for clause in clauses:
        if kept and len(kept) + len(clause) > _MAX_POINT_CHARS:
            break
        kept += clause
    kept = kept.rstrip("，,；;：: ")
    return kept if len(kept) <= _MAX_POINT_CHARS else f"{kept[: _MAX_POINT_CHARS - 1]}…"


def _to_slides(title: str, sections: Sequence[OutlineSection], language: Language) -> list[tuple[str, list[str]]]:
    slides: list[tuple[str, list[str]]] = [(title, [])]
    if len(sections) > 1:
        slides.append((_WORDS.render("agenda", language), [section.title for section in sections][: _MAX_POINTS + 2]))
    for section in sections:
        points = list(section.points)
        pages = [points[start : start + _MAX_POINTS] for start in range(0, len(points), _MAX_POINTS)] or [[]]
        for number, page in enumerate(pages, 1):
            name = section.title[:_MAX_TITLE_CHARS]
            slides.append(
                (name if number == 1 else _WORDS.render("continued", language, title=name, number=number), page)
            )
    return slides


def _slide_table(slides: Sequence[tuple[str, list[str]]], language: Language) -> JsonObject:
    columns = [_WORDS.render(code, language) for code in ("slide", "title", "points")]
    rows: list[list[JsonValue]] = [
        [number, title, " / ".join(points)] for number, (title, points) in enumerate(slides, 1)
    ]
    return table_json(_WORDS.render("outline", language), columns, rows)


def propose_outline(reading: Reading, *, task: str, language: Language) -> Proposal:
    """The outline of slides as one block at the end of the document; for slides, an agenda from their titles."""
    if reading.slides:
        return _propose_agenda(reading, task, language)
    title, sections = build_outline(list(body_pieces(reading)))
    if not sections:
        return Proposal(task, "wps", _WORDS.render("empty", language, name=reading.name))
    slides = _to_slides(title, sections, language)
    actions = PlanActions(language)
    inside = [actions.text(_WORDS.render("outline", language), level=1)]
    for number, (name, points) in enumerate(slides, 1):
        inside.append(actions.text(f"{number}. {name}", level=2))
        if points:
            inside.append(actions.text("\n".join(f"• {point}" for point in points)))
    summary = _WORDS.render("summary", language, name=reading.name, slides=len(slides), sections=len(sections))
    block = actions.block("slide-outline", _WORDS.render("outline", language), inside)
    return Proposal(task, "wps", summary, (block,), (_slide_table(slides, language),))


def _propose_agenda(reading: Reading, task: str, language: Language) -> Proposal:
    titles = [slide.title.strip() for slide in reading.slides[1:] if slide.title.strip()]
    agenda = _WORDS.render("agenda", language)
    own = [title for title in titles if title != agenda]
    if not own:
        return Proposal(task, "wpp", _WORDS.render("empty", language, name=reading.name))
    actions = PlanActions(language)
    slide = actions.operation(
        "add_slide", agenda, layout=_TITLE_AND_CONTENT, content="\n".join(own[: _MAX_POINTS + 2]), position=2
    )
    block = actions.block("agenda", agenda, [{**slide, "title": agenda}])
    summary = _WORDS.render("agenda_summary", language, name=reading.name, slides=len(reading.slides))
    return Proposal(task, "wpp", summary, (block,), (_slide_table([(title, []) for title in own], language),))


def propose_slides(reading: Reading, *, language: Language) -> Proposal:
    """New slides from the document; onto the presentation among the further documents, if there is one."""
    title, sections = build_outline(list(body_pieces(reading)))
    if not sections:
        return Proposal("ppt-creator", "wpp", _WORDS.render("empty", language, name=reading.name))
    slides = _to_slides(title, sections, language)
    actions = PlanActions(language)
    inside: list[JsonObject] = []
    for number, (name, points) in enumerate(slides):
        layout = _TITLE_AND_CONTENT if number else _TITLE_SLIDE
        slide = actions.operation("add_slide", name, layout=layout, content="\n".join(points))
        inside.append({**slide, "title": name})
    summary = _WORDS.render("summary", language, name=reading.name, slides=len(slides), sections=len(sections))
    block = actions.block("slides", title, inside)
    return Proposal("ppt-creator", "wpp", summary, (block,), (_slide_table(slides, language),))
