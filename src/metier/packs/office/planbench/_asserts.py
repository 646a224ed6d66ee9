"""What can be asserted about a written file. Each kind looks at the file as reopened, never at the plan."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.planbench._reopen_docx import DocxTable, ReopenedDocx
from metier.packs.office.planbench._reopen_pptx import ReopenedPptx, SlideShape
from metier.packs.office.planbench._reopen_xlsx import ReopenedXlsx
from metier.packs.office.planbench._unchanged import check_elements, check_order, check_parts

__all__ = ["ASSERT_KINDS", "BenchOutcome", "check_assert"]

Reopened = ReopenedDocx | ReopenedXlsx | ReopenedPptx
_OVERLAP_EMU: Final = 40_000


@dataclass(frozen=True, slots=True)
class BenchOutcome:
    """The document before and after a request, whether a question was asked, and whether a second run changed it."""

    before: Path
    after: Path | None
    asked: bool = False
    repairs: int = 0
    second_run_unchanged: bool | None = None
    asserts: tuple[tuple[str, JsonValue], ...] = ()  # all of the case: the look that they ask for is no change

    def reopen(self, path: Path | None = None) -> Reopened:
        """The file after the request, or another one of the same kind."""
        file = path or self.after or self.before
        return _reopen(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _reopen(file: Path, written_ns: int) -> Reopened:
    kinds: Mapping[str, type[Reopened]] = {".docx": ReopenedDocx, ".xlsx": ReopenedXlsx, ".pptx": ReopenedPptx}
    return kinds[file.suffix](file)


def check_assert(outcome: BenchOutcome, kind: str, wanted: JsonValue) -> str:
    """Empty if the assert holds; else what is there instead."""
    check = _CHECKS.get(kind)
    if check is None:
        return f"no assert {kind!r}"
    if kind != "asked" and outcome.asked:
        return "a question was asked"
    return check(outcome, wanted)


def _check_question(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if outcome.asked == wanted else "no question was asked"


def _text(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if str(wanted) in _text_of(outcome) else f"no text {wanted!r}"


def _no_text(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return f"text {wanted!r} is there" if str(wanted) in _text_of(outcome) else ""


def _text_matches(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if re.search(str(wanted), _text_of(outcome)) else f"no text like {wanted!r}"


def _text_of(outcome: BenchOutcome) -> str:
    opened = outcome.reopen()
    if isinstance(opened, ReopenedXlsx):
        return "\n".join(str(value) for row in opened.rows for value in row if value is not None)
    return opened.text


def _table(outcome: BenchOutcome, wanted: JsonValue) -> str:
    given = cast("JsonObject", wanted)
    tables = _docx(outcome).tables
    for table in tables:
        if all(_has(table, name, value) for name, value in given.items()):
            return ""
    return f"no table {given}; there are {[(len(one.rows), len(one.rows[0]), one.rows[0]) for one in tables]}"


def _has(table: DocxTable, name: str, value: JsonValue) -> bool:
    match name:
        case "rows":
            return len(table.rows) == value
        case "cols":
            return len(table.rows[0]) == value
        case _:
            return list(table.rows[0]) == value


def _table_has(outcome: BenchOutcome, wanted: JsonValue) -> str:
    names = cast("list[str]", wanted)
    tables = _docx(outcome).tables
    found = any(all(name in row for name in names) for table in tables for row in table.rows)
    return "" if found else f"no row of a table has {names}"


def _table_count(outcome: BenchOutcome, wanted: JsonValue) -> str:
    count = len(_docx(outcome).tables) - len(_docx(outcome, outcome.before).tables)
    return "" if count == wanted else f"{count} new tables"


def _header_bold(outcome: BenchOutcome, wanted: JsonValue) -> str:
    tables = _docx(outcome).tables
    return "" if tables and tables[-1].is_header_bold == wanted else "the header row is not bold"


def _heading(outcome: BenchOutcome, wanted: JsonValue) -> str:
    headings = [line.text for line in _docx(outcome).lines if line.level]
    return "" if any(str(wanted) in one for one in headings) else f"no heading {wanted!r}; headings: {headings}"


def _headings_min(outcome: BenchOutcome, wanted: JsonValue) -> str:
    count = sum(1 for line in _docx(outcome).lines if line.level)
    return "" if count >= cast("int", wanted) else f"{count} headings"


def _headings_in_order(outcome: BenchOutcome, wanted: JsonValue) -> str:
    headings = [line.text for line in _docx(outcome).lines if line.level]
    return check_order(headings, cast("list[str]", wanted))


def _heading_levels(outcome: BenchOutcome, wanted: JsonValue) -> str:
    levels = {line.level for line in _docx(outcome).lines if line.level}
    return "" if len(levels) == wanted else f"heading levels {sorted(levels)}"


def _bold(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return (
        "" if any(line.is_bold and line.text.strip() == wanted for line in _docx(outcome).lines) else "it is not bold"
    )


def _list_items(outcome: BenchOutcome, wanted: JsonValue) -> str:
    old = {line.text for line in _docx(outcome, outcome.before).lines if line.is_listed}
    count = sum(1 for line in _docx(outcome).lines if line.is_listed and line.text not in old)
    return "" if count == wanted else f"{count} list items"


def _word_art(outcome: BenchOutcome, wanted: JsonValue) -> str:
    opened = outcome.reopen()
    drawn = (
        opened.word_art
        if isinstance(opened, ReopenedDocx)
        else [opened.text]
        if isinstance(opened, ReopenedPptx)
        else []
    )
    return "" if any(str(wanted) in one for one in drawn) else f"no word art {wanted!r}"


def _picture_placeholder(outcome: BenchOutcome, wanted: JsonValue) -> str:
    boxes = [one for one in _docx(outcome).tables if len(one.rows) == 1 and len(one.rows[0]) == 1]
    return "" if bool(boxes) == wanted else "no place for a picture"


def _at_end(outcome: BenchOutcome, wanted: JsonValue) -> str:
    """Everything else that the document had before stands before it."""
    place, before = _place_of(outcome, str(wanted)), _docx(outcome, outcome.before)
    old = [line.text for line in before.lines if line.text.strip() and str(wanted) not in line.text]
    last = max((line.place for line in _docx(outcome).lines if line.text in old), default=-1)
    return "" if place > last else f"{wanted!r} is not at the end"


def _at_start(outcome: BenchOutcome, wanted: JsonValue) -> str:
    first = next((line.text for line in _docx(outcome).lines if line.text.strip()), "")
    return "" if str(wanted) in first or _place_of(outcome, str(wanted)) == 0 else f"the document starts with {first!r}"


def _order(outcome: BenchOutcome, wanted: JsonValue) -> str:
    places = [_place_of(outcome, text) for text in cast("list[str]", wanted)]
    return "" if -1 not in places and places == sorted(places) else f"places {places}"


def _place_of(outcome: BenchOutcome, text: str) -> int:
    opened = _docx(outcome)
    for line in opened.lines:
        if text in line.text:
            return line.place
    return next((one.place for one in opened.tables if any(text in cell for row in one.rows for cell in row)), -1)


def _block_once(outcome: BenchOutcome, wanted: JsonValue) -> str:
    old = set(_docx(outcome, outcome.before).blocks)
    names = [one for one in _docx(outcome).blocks if one not in old]
    return "" if names and len(names) == len(set(names)) else f"bookmarks {names}"


def _block_unique(outcome: BenchOutcome, wanted: JsonValue) -> str:
    names = _docx(outcome).blocks
    return "" if len(names) == len(set(names)) else f"bookmarks {names}"


def _chart(outcome: BenchOutcome, wanted: JsonValue) -> str:
    given = cast("JsonObject", wanted)
    charts = outcome.reopen().charts
    for chart in charts:
        found: JsonObject = {
            "type": chart.kind,
            "points": len(chart.values),
            "title": chart.title,
            "series": chart.series,
        }
        if all(found.get(name) == value for name, value in given.items()):
            return ""
    return f"no chart {given}; there are {[(one.kind, one.title, one.values) for one in charts]}"


def _chart_values(outcome: BenchOutcome, wanted: JsonValue) -> str:
    values = [float(one) for one in cast("list[float]", wanted)]
    return "" if any(list(one.values) == values for one in outcome.reopen().charts) else "no chart has these values"


def _sheet(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if str(wanted) in _xlsx(outcome).sheets else f"sheets {_xlsx(outcome).sheets}"


def _cells(outcome: BenchOutcome, wanted: JsonValue) -> str:
    values = cast("list[object]", wanted)
    return "" if any(_follows(row, values) for row in _xlsx(outcome).rows) else f"no row has {values}"


def _follows(row: Sequence[object], values: Sequence[object]) -> bool:
    return any(list(row[at : at + len(values)]) == list(values) for at in range(len(row) - len(values) + 1))


def _formula_value(outcome: BenchOutcome, wanted: JsonValue) -> str:
    stored = _xlsx(outcome).formula_values
    missing = [one for one in cast("list[float]", wanted) if one not in stored]
    return f"formulas give {stored}" if missing else ""


def _sheet_header(outcome: BenchOutcome, wanted: JsonValue) -> str:
    opened = _xlsx(outcome)
    names = cast("list[str]", wanted)
    return (
        ""
        if any(all(name in opened.header_of(one) for name in names) for one in opened.sheets)
        else f"no header {names}"
    )


def _sheet_rows(outcome: BenchOutcome, wanted: JsonValue) -> str:
    size = _xlsx(outcome).size_of(_xlsx(outcome).sheets[-1])
    return "" if size[0] == wanted else f"{size[0]} rows"


def _sheet_cols(outcome: BenchOutcome, wanted: JsonValue) -> str:
    size = _xlsx(outcome).size_of(_xlsx(outcome).sheets[-1])
    return "" if size[1] == wanted else f"{size[1]} columns"


def _number_format(outcome: BenchOutcome, wanted: JsonValue) -> str:
    formats = _xlsx(outcome).number_formats
    return "" if (bool(formats) if wanted is True else str(wanted) in formats) else f"formats {sorted(formats)}"


def _conditional_format(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if bool(_xlsx(outcome).conditional_formats) == wanted else "no conditional format"


def _check_slides_added(outcome: BenchOutcome, wanted: JsonValue) -> str:
    count = len(_pptx(outcome).slides) - len(_pptx(outcome, outcome.before).slides)
    return "" if count == wanted else f"{count} slides were added"


def _slide_title(outcome: BenchOutcome, wanted: JsonValue) -> str:
    titles = [" ".join(shape.paragraphs) for slide in _pptx(outcome).slides for shape in slide if shape.is_title]
    return "" if str(wanted) in titles else f"titles {titles}"


def _slide_paragraphs(outcome: BenchOutcome, wanted: JsonValue) -> str:
    body = [len(one.paragraphs) for one in _new_shapes(outcome) if not one.is_title]
    return "" if wanted in body else f"paragraphs {body}"


def _large_text(outcome: BenchOutcome, wanted: JsonValue) -> str:
    sizes = [one.size_pt for one in _new_shapes(outcome) if any(str(wanted) in line for line in one.paragraphs)]
    return "" if any(size >= 40 for size in sizes) else f"sizes {sizes}"


def _no_overlap(outcome: BenchOutcome, wanted: JsonValue) -> str:
    for slide in _pptx(outcome).slides:
        seen = [one for one in slide if one.paragraphs or not one.is_empty_placeholder]
        for at, one in enumerate(seen):
            for other in seen[at + 1 :]:
                if _covers(one, other):
                    return f"{one.name!r} and {other.name!r} overlap"
    return ""


def _covers(one: SlideShape, other: SlideShape) -> bool:
    across = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
    down = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
    return across > _OVERLAP_EMU and down > _OVERLAP_EMU


def _within_slide(outcome: BenchOutcome, wanted: JsonValue) -> str:
    opened = _pptx(outcome)
    outside = [
        one.name
        for slide in opened.slides
        for one in slide
        if one.left < 0 or one.top < 0 or one.left + one.width > opened.width or one.top + one.height > opened.height
    ]
    return f"outside of the slide: {outside}" if outside else ""


def _check_unchanged(outcome: BenchOutcome, wanted: JsonValue) -> str:
    before, after = outcome.reopen(outcome.before), outcome.reopen()
    if isinstance(before, ReopenedDocx) and isinstance(after, ReopenedDocx):
        return check_elements(before, after, outcome.asserts)
    return check_parts(outcome.before, outcome.after or outcome.before)


def _second_run(outcome: BenchOutcome, wanted: JsonValue) -> str:
    return "" if outcome.second_run_unchanged == wanted else "the second run changed the file"


def _docx(outcome: BenchOutcome, path: Path | None = None) -> ReopenedDocx:
    return cast("ReopenedDocx", outcome.reopen(path))


def _xlsx(outcome: BenchOutcome) -> ReopenedXlsx:
    return cast("ReopenedXlsx", outcome.reopen())


def _pptx(outcome: BenchOutcome, path: Path | None = None) -> ReopenedPptx:
    return cast("ReopenedPptx", outcome.reopen(path))


def _new_shapes(outcome: BenchOutcome) -> list[SlideShape]:
    old = _pptx(outcome, outcome.before).slides
    return [shape for slide in _pptx(outcome).slides if slide not in old for shape in slide]


_CHECKS: Final[Mapping[str, Callable[[BenchOutcome, JsonValue], str]]] = MappingProxyType(
    {
        "asked": _check_question,
        "text": _text,
        "no_text": _no_text,
        "text_matches": _text_matches,
        "slide_text": _text,
        "slide_text_matches": _text_matches,
        "table": _table,
        "table_has": _table_has,
        "table_count": _table_count,
        "header_bold": _header_bold,
        "heading": _heading,
        "headings_min": _headings_min,
        "headings_in_order": _headings_in_order,
        "heading_levels": _heading_levels,
        "bold": _bold,
        "list_items": _list_items,
        "word_art": _word_art,
        "picture_placeholder": _picture_placeholder,
        "at_end": _at_end,
        "at_start": _at_start,
        "order": _order,
        "block_once": _block_once,
        "block_unique": _block_unique,
        "chart": _chart,
        "chart_values": _chart_values,
        "sheet": _sheet,
        "cells": _cells,
        "formula_value": _formula_value,
        "sheet_header": _sheet_header,
        "sheet_rows": _sheet_rows,
        "sheet_cols": _sheet_cols,
        "number_format": _number_format,
        "conditional_format": _conditional_format,
        "slides_added": _check_slides_added,
        "slide_title": _slide_title,
        "slide_paragraphs": _slide_paragraphs,
        "large_text": _large_text,
        "no_overlap": _no_overlap,
        "within_slide": _within_slide,
        "unchanged": _check_unchanged,
        "second_run": _second_run,
    }
)
ASSERT_KINDS: Final = tuple(_CHECKS)
