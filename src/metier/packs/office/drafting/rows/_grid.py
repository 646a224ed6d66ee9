"""Tables that a message has itself: the names of the columns, then rows with a cell for each of them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText

__all__ = ["SaidGrid", "read_grid", "read_pairs", "split_cells"]

_MAX_ROWS: Final = 99
_MAX_COLUMNS: Final = 50
_MAX_NAME: Final = 24
_EDGES: Final = " \n\t,，;；。.、"
# A sign that ends the names of the columns or a row; a full stop does only before a blank.
_STOP: Final = re.compile(
    r"[,，]?\s*\b(?:and|with) (?:(?:the|these|following|one|a) )+rows?:?(?=\s)|[;。\n]|(?<!\d)\.(?=\s|$)|"
    r"(?<=\d)\.(?=\s+[A-Z]|\s*$)|:(?!\d)|(?<!\d):",
    re.IGNORECASE,
)
_SENTENCE: Final = r"[;。\n]|(?<!\b[A-Z])\.(?=\s|$)"  # J. Smith is one cell
_ROW_SIGNS: Final = (_SENTENCE, r"[,，]", r"、", r"\s+/\s+")
_CELL_SIGNS: Final = (r"[,，、|]", r"[/|]", r"(?<=[\u4e00-\u9fff])\s+")
# Between the cells of a row. A blank does only where the row has no other sign.
_OPEN_SIGNS: Final = (r"[，、|]|(?<!\d),|,(?!\d{3}(?!\d))", r"[,，、|]", r"/")
_BLANK: Final = r"\s+|/"
_SIGNS: Final = re.compile(r"[,，、;；|:：]")
_JOINS: Final = re.compile(
    r"\s+(?:and|&)\s+|(?<=[\u4e00-\u9fff\"])(?:和|与|及|以及)(?=[\u4e00-\u9fff\"])", re.IGNORECASE
)
# What leads from the names to the rows: 填两行, "and these rows", 内容是.
_ROWS_LEAD: Final = (
    rf"(?:[,，]?\s*(?:再|然后|先)?(?:填|写|录入|填入|列|共|有|就)*(?:以下|下面|这)?(?P<zh>{COUNT})?(?:行|"
    rf"条)?(?:数据|内容|记录|明细)?(?:是|为|如下|有)?|"
    rf"[,，]?\s*(?:and |with |then )*(?:the |these |the following )?(?:(?P<en>{COUNT}) )?(?:data|rows?|entries|"
    rf"content|contents|"
    r"figures|values)?(?: are| is| as follows| below)?)\s*"
)
_ROWS_CUE: Final = re.compile(rf"^{_ROWS_LEAD}:\s*", re.IGNORECASE)
_ROWS_TAIL: Final = re.compile(rf"{_ROWS_LEAD}$", re.IGNORECASE)
_NAMED_NUMBER: Final = re.compile(r"([^,，、;；:：]*?[^,，、;；:：\d\s])\s*([-+]?\d[\d.]*\s*%?)")
# A verb between a name and its number: Cheese took 300.
_GOT: Final = re.compile(r"\s+(?:took|has|had|made|got|sold)\s+(?=[-+]?\d[\d.]*\s*%?$)")
_LABEL: Final = re.compile(r"[^\d\s][:：](?!//)")  # 空行：6行 is a field of the message
_VALUE: Final = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?\s*%?")
_FIGURE: Final = re.compile(r"[^\w\s]?\s*\d")
# A number that is not sure, or may be none.
_ABOUT: Final = re.compile(
    r"(?:大概|大约|约|左右|可能|估计|差不多|也许|不到|超过|至少|最多)\s*$|\b(?:about|around|approx\w*|roughly|maybe|perhaps|"
    r"probably|nearly|almost|over|under|ca)\.?\s*$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[-+]?\d[\d.]*\d|\d")
ReadRow = Callable[[RequestText, int, int], tuple[str, ...]]
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SaidGrid:
    """Names of columns and rows, and where they end."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    end: int

    @property
    def is_full(self) -> bool:
        """Whether every row has a cell for each column; else all of them leave out the same last ones."""
        return len(self.rows[0]) == len(self.columns)


def read_grid(text: RequestText, start: int, end: int) -> SaidGrid | None:
    """The table of a stretch that begins with the names of its columns; None unless every row has all cells."""
    stop = _STOP.search(text.mask, start, end)
    if stop is None:
        return None
    tail = _ROWS_TAIL.search(text.mask, start, stop.start())
    names = _read_names(text, start, tail.start() if tail else stop.start())
    if (
        not 2 <= len(names) <= _MAX_COLUMNS
        or len(set(names)) < len(names)
        or any(len(one) > _MAX_NAME for one in names)
    ):
        return None
    said = (tail["zh"] or tail["en"]) if tail else None
    at = stop.end()
    if cue := _ROWS_CUE.match(text.mask[at:end]):
        said, at = said or cue["zh"] or cue["en"], at + cue.end()
    found = [one for sign in _ROW_SIGNS for one in _read_rows(text, at, end, sign, names)]
    best = max(found, key=lambda one: (len(one[0][0]), len(one[0])), default=((), at))
    rows, last = best
    if not rows or len(rows) > _MAX_ROWS or (said is not None and read_count(said) != len(rows)):
        return None
    return SaidGrid(names, tuple(_strip_names(row, names) for row in rows), last)


def _strip_names(row: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a row without the names of their columns: 数量10, “Qty: 10”."""
    bare = (one.removeprefix(name).lstrip(" :：") for one, name in zip(row, names, strict=False))
    return tuple(cell or one for cell, one in zip(bare, row, strict=True))


def read_pairs(text: RequestText, start: int, end: int) -> tuple[Rows, int]:
    """Names with one figure each from a place on, at least two, and where they end; none if there are none."""
    found = [
        (rows, last)
        for sign in _ROW_SIGNS
        for rows, last in _read_rows(text, start, end, sign, ("", ""))
        if len(rows) > 1 and all(len(row) == 2 and _VALUE.fullmatch(row[1]) for row in rows)
    ]
    return max(found, key=lambda one: len(one[0]), default=((), start))


def _read_names(text: RequestText, start: int, end: int) -> tuple[str, ...]:
    bare = text.text_of(start, end).strip(_EDGES)
    quote = next(
        (
            one
            for one in text.quotes
            if one.start - 1 == start + (len(text.raw[start:end]) - len(text.raw[start:end].lstrip()))
        ),
        None,
    )
    if quote is not None and quote.text == bare:  # “班级、人数”: the names stand in one quotation
        return tuple(one.strip() for one in re.split(r"[、,，/|]|\s+and\s+", bare) if one.strip())
    return split_cells(text, start, end)


def split_cells(text: RequestText, start: int, end: int) -> tuple[str, ...]:
    """The names or cells of a stretch, by the strongest sign that it has."""
    for sign in _CELL_SIGNS:
        cells = [one for piece in _split(text.mask, start, end, sign) for one in _split_last(text.mask, *piece)]
        if len(cells) > 1:
            return tuple(text.text_of(*one).strip() for one in cells)
    return (text.text_of(start, end).strip(_EDGES),)


def _split_last(mask: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Two names that “and” joins."""
    found = _JOINS.search(mask, start, end)
    yield from [(start, end)] if found is None else [(start, found.start()), (found.end(), end)]


def _split(mask: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    edges = [start, *(edge for one in re.compile(sign).finditer(mask, start, end) for edge in one.span()), end]
    pieces = zip(edges[::2], edges[1::2], strict=True)
    return [piece for piece in pieces if mask[slice(*piece)].strip(_EDGES)]


def _read_rows(
    text: RequestText, start: int, end: int, sign: str, names: tuple[str, ...]
) -> Iterator[tuple[Rows, int]]:
    """Rows from the start on, as long as each has as many cells as the first one, for each way to tell the cells.

    Rows between commas go on to the end of the sentence.
    """
    is_sentence = sign == _SENTENCE
    stop = None if is_sentence else re.compile(_SENTENCE).search(text.mask, start, end)
    pieces = _split(text.mask, start, stop.start() if stop else end, sign)
    ways: list[ReadRow] = [partial(_cut_row, sign=one) for one in _OPEN_SIGNS]
    ways += [_cut_blanks, _cut_number, partial(_cut_numbers, names=names)]
    for read in ways:
        rows: list[tuple[str, ...]] = []
        last = start
        for piece in pieces:
            cells = read(text, *_strip_lead(text.mask, *piece))
            is_as_wide = 1 < len(cells) <= len(names) and (not rows or len(cells) == len(rows[0]))
            if not is_as_wide or _tells_column(cells[0], names) or (rows and not _is_alike(cells, rows[0])):
                break
            rows.append(cells)
            last = piece[1]
        if rows and (is_sentence or len(rows) == len(pieces)):
            yield tuple(rows), last


def _strip_lead(mask: str, start: int, end: int) -> tuple[int, int]:
    lead = re.compile(r"\s*(?:and |以及|和)?").match(mask, start, end)
    return (lead.end() if lead else start), end


def _cut_row(text: RequestText, start: int, end: int, *, sign: str) -> tuple[str, ...]:
    cells = tuple(text.text_of(*one).strip(_EDGES) for one in _split(text.mask, start, end, sign))
    is_named = all(map(_NAMED_NUMBER.fullmatch, cells))  # Cleaning 300, Windows 150: each is a row
    return () if is_named or any(map(_LABEL.search, cells)) else cells


def _cut_blanks(text: RequestText, start: int, end: int) -> tuple[str, ...]:
    return () if _SIGNS.search(text.mask, start, end) else _cut_row(text, start, end, sign=_BLANK)


def _cut_number(text: RequestText, start: int, end: int) -> tuple[str, ...]:
    """A name of any length and a number behind it: Opening night 240."""
    found = _NAMED_NUMBER.fullmatch(_GOT.sub(" ", text.raw[start:end].strip(_EDGES)))
    return (found[1].strip(), found[2].strip()) if found and not _ABOUT.search(found[1]) else ()


def _cut_numbers(text: RequestText, start: int, end: int, *, names: tuple[str, ...]) -> tuple[str, ...]:
    """A name and numbers with the names of their columns, or a sign, between them: Marek: 38 hours at 14."""
    said = text.raw[start:end].strip(_EDGES)
    found = re.match(r"([^\d:：,，]*?[^\d:：,，\s])\s*(?:[:：,，]\s*|\s)(?=\D{0,12}\d)", said)
    if found is None:
        return ()
    known = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    signs = re.compile(rf"(?:{known}|at|x|each|by|for|[@×*=:：\s])*", re.IGNORECASE)
    label, rest = found[1], said[found.end() :]
    if tail := re.search(rf"\s+({known})$", label, re.IGNORECASE):
        label = label[: tail.start()]  # Depot run start 12040: the name ends before that of the column
    if _ABOUT.search(label) or not _fits_names(rest, names):
        return ()
    numbers = _NUMBER.findall(rest)
    return (label, *numbers) if signs.fullmatch(_NUMBER.sub(" ", rest)) else ()


def _fits_names(said: str, names: tuple[str, ...]) -> bool:
    """Whether each number with the name of a column behind it stands in that column: 38 hours at 14."""
    lowered = [one.lower() for one in names]
    for at, found in enumerate(_NUMBER.finditer(said), 1):
        behind = re.match(r"\s*([A-Za-z]+|[\u4e00-\u9fff]+)", said[found.end() :])
        named = behind[1].lower() if behind else ""
        if (
            named in lowered
            and lowered.index(named) != at
            and not re.search(rf"{re.escape(named)}\s*[:：=]", said, re.IGNORECASE)
        ):
            return False
    return True


def _is_alike(row: tuple[str, ...], first: tuple[str, ...]) -> bool:
    """Whether a row has figures where the first one has: an order with as many commas has none."""
    return all(bool(_FIGURE.match(cell)) or not _FIGURE.match(known) for cell, known in zip(row, first, strict=True))


def _tells_column(cell: str, names: tuple[str, ...]) -> bool:
    """Whether a sentence says how a column is computed or looks: it is no row."""
    said = cell.strip().lower()
    return any(len(one) > 1 and said.startswith(one.lower()) for one in names) or "公式" in said
