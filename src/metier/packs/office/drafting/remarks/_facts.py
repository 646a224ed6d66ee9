"""What a plan has that a remark may speak of: empty rows, a header, formulas, places to fill, counts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_rows, list_steps

__all__ = ["PlanFacts", "read_facts"]

_LABEL: Final = re.compile(r"^#+ |[:：]$|^$")
_NUMBERED: Final = re.compile(r"^\d+\. ")
_HEAD_NUMBER: Final = re.compile(
    r"^#+ (?:[一二三四五六七八九十]+、|[（(][一二三四五六七八九十]+[)）]|\d+(?:\.\d+)*[.、 ])"
)
_TEXTS: Final = frozenset({"insert_text", "add_slide"})
_PICTURE: Final = re.compile(r"[［\[](?:图片占位|Picture placeholder)", re.IGNORECASE)
_WEEK: Final = re.compile(r"第\s*\d+\s*周|(?:week|wk|w)\s*\d+", re.IGNORECASE)
_LARGE: Final = 24
_TOTAL: Final = re.compile(r"[合总小共]计|总和|求和|汇总|total|\bsum\b", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"金额|小计|总价|\bamount\b|\bsubtotal\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """Facts of a plan."""

    has_empty_rows: bool  # a table with rows to fill in
    has_header_alone: bool  # a table without rows
    has_places: bool  # labels or headings without text, or a picture that is still to come
    has_bold_headers: bool  # every table has a header
    has_formulas: bool
    has_amounts: bool  # a column of amounts that are worked out
    has_items: bool  # one line or row for each item
    has_large_text: bool
    has_weeks: bool  # a table of tasks by weeks, with a row for each task and a column for each week
    has_thousands: bool  # numbers with a sign between the thousands
    has_word_art: bool
    has_numbers: bool  # a table with a number in each of its rows
    is_blank_grid: bool  # nothing but tables without any text
    has_numbering: bool  # numbered lines or headings
    has_headings: bool  # at least two parts, each with a heading of its own
    kinds: frozenset[str]  # what a request may refuse and the plan has: total, chart, table, sort, picture
    columns: frozenset[int]
    rows: frozenset[int]  # without the header
    items: frozenset[int]  # numbered lines, lines of a slide, sections
    slides: int


def read_facts(plan: JsonObject) -> PlanFacts:
    """What the steps of a plan have."""
    steps = list_steps(plan)
    tables = [list_rows(one) for one in steps if one.get("op") == "insert_table"]
    texts = [str(one.get("text") or one.get("content") or "") for one in steps if one.get("op") in _TEXTS]
    lines = [line for text in texts for line in text.splitlines()]
    labels = [text for text in texts if _LABEL.search(text)]
    items = [line for line in lines if _NUMBERED.match(line)]
    heads = [line for line in lines if line.startswith("#")]
    listed = [text for text in texts if len(text.splitlines()) > 1]
    is_template = bool(labels) and not items and not listed and len(labels) * 2 > len(texts)
    grids = [rows for rows in tables if len(rows) > 1 or (rows and len(rows[0]) > 1)]
    return PlanFacts(
        has_empty_rows=any(_is_empty(rows) for rows in tables),
        has_header_alone=any(len(rows) == 1 for rows in grids),
        has_places=is_template or any(_PICTURE.search(cell) for rows in tables for row in rows for cell in row),
        has_bold_headers=bool(grids) and all(one.get("header") for one in steps if _is_grid(one)),
        has_formulas=any(one.get("op") == "set_cell_formula" for one in steps),
        has_amounts=any(map(_has_amounts, tables)),
        has_items=bool(items) or bool(listed) or any(len(rows) > 1 for rows in tables),
        has_large_text=any(_is_large(one) for one in steps),
        has_weeks=any(_has_weeks(rows) for rows in tables),
        has_thousands=any("#,##0" in str(one.get("format") or one.get("number_format") or "") for one in steps),
        has_word_art=any("word_art" in str(one.get("op")) for one in steps),
        has_numbers=any(map(_has_numbers, tables)),
        is_blank_grid=bool(tables) and not texts and not any(cell for rows in tables for row in rows for cell in row),
        has_numbering=bool(items) or (bool(heads) and sum(map(_is_numbered, heads)) > 1),
        has_headings=sum(line.startswith("## ") for line in lines) > 1,
        kinds=frozenset(_list_kinds(steps, tables)),
        columns=frozenset(len(rows[0]) for rows in grids if rows),
        rows=frozenset(len(rows) - 1 for rows in grids),
        items=frozenset({len(items), len(heads), *(len(text.splitlines()) for text in listed)} - {0}),
        slides=sum(one.get("op") == "add_slide" for one in steps),
    )


def _is_numbered(head: str) -> bool:
    return _HEAD_NUMBER.match(head) is not None


def _list_kinds(steps: Sequence[JsonObject], tables: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    """Kinds of things that a plan has; names of columns and rows, and values of cells, are among them."""
    names = [cell for rows in tables for row in rows for cell in (rows[0] if row is rows[0] else row[:1])]
    cells = [one.get("cells") for one in steps if one.get("op") == "set_cells"]
    names += [
        str(cell.get("value", "")) for one in cells if isinstance(one, list) for cell in one if isinstance(cell, dict)
    ]
    ops = " ".join(str(one["op"]) for one in steps)
    yield from ("total" for name in names if _TOTAL.search(name))
    yield from (kind for kind in ("chart", "table", "sort") if kind in ops)
    yield from ("picture" for one in ("image", "picture") if one in ops)


def _is_empty(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table has nothing but its header; one without any data is a grid to fill in."""
    return not rows or (len(rows) > 1 and not any(cell for row in rows[1:] for cell in row))


def _has_weeks(rows: list[list[str]]) -> bool:
    """Whether the columns behind the first are the weeks, each once."""
    return len(rows) > 1 and len(rows[0]) > 1 and all(_WEEK.fullmatch(cell) for cell in rows[0][1:])


def _has_amounts(rows: list[list[str]]) -> bool:
    """Whether a table has a column of amounts with a number in each of its rows."""
    at = next((at for at, name in enumerate(rows[0]) if _AMOUNT.search(name)), None) if len(rows) > 1 else None
    return at is not None and all(len(row) > at and re.search(r"\d", row[at]) for row in rows[1:])


def _has_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row below the header of a table has a number behind its name."""
    return len(rows) > 1 and all(any(re.search(r"\d", cell) for cell in row[1:]) for row in rows[1:])


def _is_grid(step: JsonObject) -> bool:
    rows = list_rows(step) if step.get("op") == "insert_table" else []
    return len(rows) > 1 or (bool(rows) and len(rows[0]) > 1)


def _is_large(step: JsonObject) -> bool:
    sizes = (step.get("size"), step.get("font_size"))
    return "word_art" in str(step.get("op")) or any(isinstance(one, int) and one >= _LARGE for one in sizes)
