"""Outline of a document, and slides made from it: one heading a slide, short points, nothing invented."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, cut_at_sentence
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._markdown import read_markdown
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis._numbering import NumberedLine, list_numbered

__all__ = ["OutlineSection", "build_outline", "propose_outline", "propose_slides"]

_MAX_POINTS: Final = 6
_MAX_POINT_WIDTH: Final = 84  # 42 Chinese characters, which are twice as wide as Latin letters
_MAX_TITLE_WIDTH: Final = 80
_MAX_HEADING_CHARS: Final = 40
_ELLIPSIS: Final = "…"
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
        "shortened": (
            " Shortened points: {count} of {points}; the table “Left out” has their whole text.",
            "{points} 条要点中有 {count} 条因过长作了删减，原文全文见「删减的要点」表。",
        ),
        "left_out": ("Left out", "删减的要点"),
        "whole": ("Whole text", "原文全文"),
        "agenda_summary": (
            "Agenda from the titles of {slides} slides of “{name}”.",
            "按“{name}”现有 {slides} 页的标题生成目录页。",
        ),
        "empty": ("“{name}” has no text to make slides from.", "“{name}”里没有可以做成演示的文字。"),
    }
)


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """One part of a document: its heading, the points below it, and the lines of the document that they come from."""

    title: str
    level: int
    points: tuple[str, ...]
    address: str
    lines: tuple[str, ...] = ()

    @property
    def shortened(self) -> list[tuple[str, str]]:
        """The points that leave words out, with their whole text."""
        pairs = zip(self.points, self.lines, strict=True)
        return [(point, line) for point, line in pairs if point != _drop_end(line)]


def build_outline(pieces: Sequence[TextPiece]) -> tuple[str, tuple[OutlineSection, ...]]:
    """Title and sections: by heading styles or those of Markdown, else by 一、（一） numbers."""
    entries = list(list_numbered(read_markdown([piece for piece in pieces if piece.line.strip()])))
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
            sections[-1][2].append(piece.line.strip())
    title = _cut_title(first.line.strip())
    return title, tuple(
        OutlineSection(name, level, tuple(map(_shorten, lines)), at, tuple(lines))
        for name, level, lines, at in sections
    )


def _piece_of(entry: NumberedLine | TextPiece) -> TextPiece:
    return entry.piece if isinstance(entry, NumberedLine) else entry


def _heading_level(entry: NumberedLine | TextPiece, has_styles: bool) -> int:
    piece = _piece_of(entry)
    if has_styles:
        return 1 if piece.kind == "heading" and piece.level <= 1 else 0
    is_heading = isinstance(entry, NumberedLine) and entry.level in ("chapter", "1")
    return 1 if is_heading and len(piece.line) <= _MAX_HEADING_CHARS else 0


def _fits(text: str, limit: int = _MAX_POINT_WIDTH) -> bool:
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text) <= limit


def _drop_end(text: str) -> str:
    return text.strip().rstrip("。.;；")


def _cut_title(text: str) -> str:
    return cut_at_sentence(text, lambda one: _fits(one, _MAX_TITLE_WIDTH)) or text


def _shorten(text: str) -> str:
    """The whole text if it is short, else its first sentences or clauses; words are only left out, never added."""
    whole = _drop_end(text)
    kept = cut_at_sentence(whole, _fits)
    if kept.endswith(_ELLIPSIS) and kept != whole:
        return kept.rstrip(f"{_ELLIPSIS}，,、；;：: ") + _ELLIPSIS
    return _drop_end(kept) or whole


def _to_slides(title: str, sections: Sequence[OutlineSection], language: Language) -> list[tuple[str, list[str]]]:
    slides: list[tuple[str, list[str]]] = [(title, [])]
    if len(sections) > 1:
        titles = [section.title for section in sections]
        slides += _to_pages(_WORDS.render("agenda", language), titles, _MAX_POINTS + 2, language)
    for section in sections:
        slides += _to_pages(_cut_title(section.title), section.points, _MAX_POINTS, language)
    return slides


def _to_pages(title: str, points: Sequence[str], most: int, language: Language) -> list[tuple[str, list[str]]]:
    """As many slides as the points need."""
    pages = [list(points[start : start + most]) for start in range(0, len(points), most)] or [[]]
    continued = (
        _WORDS.render("continued", language, title=title, number=number) for number in range(2, len(pages) + 1)
    )
    return list(zip((title, *continued), pages, strict=True))


def _slide_table(slides: Sequence[tuple[str, list[str]]], language: Language) -> JsonObject:
    columns = [_WORDS.render(code, language) for code in ("slide", "title", "points")]
    rows: list[list[JsonValue]] = [
        [number, title, " / ".join(points)] for number, (title, points) in enumerate(slides, 1)
    ]
    return table_json(_WORDS.render("outline", language), columns, rows)


def _summarize(
    reading: Reading, slides: Sequence[tuple[str, list[str]]], sections: Sequence[OutlineSection], language: Language
) -> tuple[str, tuple[JsonObject, ...]]:
    """What the slides are made of, and their tables: the outline, and what its points leave out."""
    summary = _WORDS.render("summary", language, name=reading.name, slides=len(slides), sections=len(sections))
    outline = _slide_table(slides, language)
    shortened = [[section.title, *pair] for section in sections for pair in section.shortened]
    if not shortened:
        return summary, (outline,)
    points = sum(len(section.points) for section in sections)
    summary += _WORDS.render("shortened", language, count=len(shortened), points=points)
    columns = [_WORDS.render(code, language) for code in ("title", "points", "whole")]
    rows: list[list[JsonValue]] = [list[JsonValue](row) for row in shortened]
    return summary, (outline, table_json(_WORDS.render("left_out", language), columns, rows))


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
    summary, tables = _summarize(reading, slides, sections, language)
    block = actions.block("slide-outline", _WORDS.render("outline", language), inside)
    return Proposal(task, "wps", summary, (block,), tables)


def _propose_agenda(reading: Reading, task: str, language: Language) -> Proposal:
    titles = [slide.title.strip() for slide in reading.slides[1:] if slide.title.strip()]
    agenda = _WORDS.render("agenda", language)
    own = [title for title in titles if title != agenda]
    if not own:
        return Proposal(task, "wpp", _WORDS.render("empty", language, name=reading.name))
    actions = PlanActions(language)
    inside: list[JsonObject] = []
    for position, (name, points) in enumerate(_to_pages(agenda, own, _MAX_POINTS + 2, language), 2):
        content = "\n".join(points)
        slide = actions.operation("add_slide", name, layout=_TITLE_AND_CONTENT, content=content, position=position)
        inside.append({**slide, "title": name})
    block = actions.block("agenda", agenda, inside)
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
    summary, tables = _summarize(reading, slides, sections, language)
    block = actions.block("slides", title, inside)
    return Proposal("ppt-creator", "wpp", summary, (block,), tables)
