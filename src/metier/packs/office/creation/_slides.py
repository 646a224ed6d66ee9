"""Content as slides: cover, contents, at most six points a slide, tables and charts on slides of their own, sources."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonValue
from metier.language import Language, split_sentences
from metier.packs.office.creation._cells import render_cell
from metier.packs.office.creation._charts import chart_columns, chart_rows
from metier.packs.office.creation._model import NewBlock, NewChart, NewDocument, NewPoint, NewSection, NewTable
from metier.packs.office.creation._sentences import SENTENCES

if TYPE_CHECKING:
    from metier.packs.office.slides import OutlineSlide

_MAX_POINTS: Final = 6
_MAX_PROSE_POINTS: Final = 12
_MAX_SOURCES: Final = 9
_MAX_AGENDA: Final = 8
_MIN_AGENDA: Final = 3
_MAX_ROWS: Final = 12
_MAX_COLUMNS: Final = 8
_MAX_CATEGORIES: Final = 40
_MAX_SHORT_CHARS: Final = 60


def build_slides(document: NewDocument) -> "list[OutlineSlide]":
    """Slides of a document in their order."""
    from metier.packs.office.slides import OutlineSlide

    language = document.language
    slides = [OutlineSlide(document.title, (document.subtitle,) if document.subtitle else (), is_cover=True)]
    titles = [section.title for section in document.sections]
    if len(titles) >= _MIN_AGENDA:
        slides += _split(_say("agenda", language), titles, _MAX_AGENDA, language)
    for section in document.sections:
        slides += _build_section(section, language)
    if document.sources:
        lines = [source.line for source in document.sources]
        slides += _split(_say("sources", language), lines, _MAX_SOURCES, language)
    return slides


def _build_section(section: NewSection, language: Language) -> "Iterator[OutlineSlide]":
    from metier.packs.office.slides import OutlineSlide

    if not section.blocks:
        yield OutlineSlide(section.title)
    for is_text, group in groupby(section.blocks, key=lambda block: isinstance(block, NewPoint)):
        blocks = list(group)
        if is_text:
            yield from _build_points(section.title, [one for one in blocks if isinstance(one, NewPoint)], language)
        else:
            yield from (_build_exhibit(section.title, one, language) for one in blocks)


def _build_points(title: str, points: Sequence[NewPoint], language: Language) -> "Iterator[OutlineSlide]":
    texts = [_shorten(point) for point in points]
    whole = [point.marked_text for point in points]
    is_prose = any(point.is_prose for point in points)
    shown = texts[:_MAX_PROSE_POINTS] if is_prose else texts
    slides = _split(title, shown, _MAX_POINTS, language)
    if whole != texts or len(shown) < len(texts):
        notes = "\n".join(whole)
        if len(shown) < len(texts):
            notes = f"{_say('paragraphs_shown', language, shown=len(shown), total=len(texts))}\n{notes}"
        slides[0] = replace(slides[0], notes=notes)
    yield from slides


def _shorten(point: NewPoint) -> str:
    """A point as it is; of a paragraph the first sentence, cut at a clause when it is long."""
    if not point.is_prose:
        return point.marked_text
    first = next(iter(split_sentences(point.text)), point.text).strip().rstrip("。.;；")
    if len(first) > _MAX_SHORT_CHARS:
        kept = ""
        for clause in re.split(r"(?<=[，,；;：:])", first):
            if kept and len(kept) + len(clause) > _MAX_SHORT_CHARS:
                break
            kept += clause
        kept = kept.rstrip("，,；;：: ")
        first = f"{kept[: _MAX_SHORT_CHARS - 1]}…" if len(kept) > _MAX_SHORT_CHARS else f"{kept}…"
    return f"{first} {point.marks}".strip()


def _split(title: str, points: Sequence[str], most: int, language: Language) -> "list[OutlineSlide]":
    """Slides of about equal length with at most so many points."""
    from metier.packs.office.slides import OutlineSlide

    pages = max(1, ceil(len(points) / most))
    size = max(1, ceil(len(points) / pages))
    return [
        OutlineSlide(
            title if number == 1 else _say("continued", language, title=title, number=number),
            tuple(points[size * (number - 1) : size * number]),
        )
        for number in range(1, pages + 1)
    ]


def _build_exhibit(title: str, block: NewBlock, language: Language) -> "OutlineSlide":
    from metier.exports import draw_chart, draw_png
    from metier.packs.office.slides import OutlineSlide, SlideChart

    if isinstance(block, NewTable):
        return _build_table(block.title or title, block, language)
    assert isinstance(block, NewChart)
    name = block.title or title
    found = chart_rows(block.spec)
    if found is not None and len(found[1]) <= _MAX_CATEGORIES + 1:
        return OutlineSlide(name, chart=SlideChart(*found))
    drawing = draw_chart(block.spec)
    if drawing is not None:
        return OutlineSlide(name, picture=draw_png(drawing))
    return _build_table(name, table_of_chart(block), language)


def table_of_chart(block: NewChart) -> NewTable:
    """The figures of a chart that cannot be drawn."""
    titles = chart_columns(block.spec)
    keys, heads = list(titles), tuple(titles.values())
    rows = []
    for row in _as_list(block.spec.get("rows")):
        rows.append(tuple(row.get(key) for key in keys) if isinstance(row, Mapping) else tuple(_as_list(row)))
    return NewTable(block.title, heads, tuple(rows))


def _as_list(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, list | tuple) else []


def _build_table(title: str, table: NewTable, language: Language) -> "OutlineSlide":
    from metier.packs.office.slides import OutlineSlide

    if len(table.rows) > _MAX_ROWS:
        title = _say("rows_shown", language, title=title, shown=_MAX_ROWS, total=len(table.rows))
    if len(table.heads) > _MAX_COLUMNS:
        title = _say("columns_shown", language, title=title, shown=_MAX_COLUMNS, total=len(table.heads))
    heads = table.heads[:_MAX_COLUMNS]
    if not heads:
        return OutlineSlide(title, notes=table.note)
    rows = [tuple(render_cell(*one) for one in _pair(row, heads, language)) for row in table.rows[:_MAX_ROWS]]
    return OutlineSlide(title, notes=table.note, table=(tuple(render_cell(one, language) for one in heads), *rows))


def _pair(
    row: Sequence[JsonValue], heads: Sequence[str], language: Language
) -> Iterator[tuple[JsonValue, Language, str]]:
    for at, cell in enumerate(row[:_MAX_COLUMNS]):
        yield cell, language, heads[at] if at < len(heads) else ""


def _say(code: str, language: Language, /, **values: object) -> str:
    return SENTENCES.render(code, language, **values)
