"""Read csv, xlsx and json files into frames of texts, whatever their encoding and shape; notes tell what was odd."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from metier.archives import UNREADABLE_ARCHIVE, open_zip
from metier.language import Language
from metier.packs.workspace.data._files import show_name
from metier.packs.workspace.data._read import list_records, read_sheet, read_table
from metier.packs.workspace.data._texts import TEXTS
from metier.tools import ToolError

if TYPE_CHECKING:
    import pandas as pd

MAX_BYTES: Final = 256 << 20
_MAX_UNPACKED_BYTES: Final = 1 << 30
_MAX_ENTRIES: Final = 100_000
_SCANNED_BYTES: Final = 20 << 20
_HEAD_BYTES: Final = 64 << 10
_HEAD_ROWS: Final = 50
_CHUNK_BYTES: Final = 4 << 20
_DELIMITERS: Final = ",\t;|"
_MAX_LINES: Final = 5
_MAX_COLUMNS: Final = 1_000
_FORMULA_SIGNS: Final = ("=", "+", "@")
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as texts, how its file was read, and notes for people; `options` lets `analysis.py` read it again."""

    frame: "pd.DataFrame"
    options: Mapping[str, Any]
    notes: tuple[str, ...] = field(default=())


def load_table(path: Path, language: Language, sheet: str = "") -> Loaded:
    """Read a file; a `ToolError` says in a sentence what is wrong with it."""
    size_bytes = path.stat().st_size
    if size_bytes == 0:
        raise _error("empty_file", language, name=path.name)
    if size_bytes > MAX_BYTES:
        raise _error("file_too_large", language, name=path.name, size=size_bytes >> 20, most=MAX_BYTES >> 20)
    ending = path.suffix.lower()
    if ending in (".xlsx", ".xlsm"):
        loaded = _load_workbook(path, language, sheet)
    elif ending in (".json", ".jsonl"):
        loaded = _load_json(path, language)
    else:
        loaded = _load_csv(path, language)
    _check_width(len(loaded.frame.columns), path, language)
    if loaded.frame.empty:
        raise _error("no_rows", language, name=path.name)
    return loaded


def _check_width(columns: int, path: Path, language: Language) -> None:
    if columns > _MAX_COLUMNS:
        raise _error("too_many_columns", language, name=path.name, count=columns, most=_MAX_COLUMNS)


def _error(code: str, language: Language, **values: object) -> ToolError:
    values["name"] = show_name(str(values["name"]))
    return ToolError(TEXTS.render(code, language, **values), code=code, hint=TEXTS.render(f"{code}_hint", language))


def _load_csv(path: Path, language: Language) -> Loaded:
    import pandas as pd

    encoding = _find_encoding(path)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        head = file.read(_HEAD_BYTES)
    if "\x00" in head:
        raise _error("not_a_table", language, name=path.name)
    delimiter = _find_delimiter(head)
    rows = csv.reader(io.StringIO(head), delimiter=delimiter)
    header = next((row for row in rows if any(cell.strip() for cell in row)), [])
    if not header:
        raise _error("empty_file", language, name=path.name)
    _check_width(len(header), path, language)
    names, notes = _unique_names(header, language)
    if encoding not in ("utf-8", "utf-8-sig"):
        notes.append(TEXTS.render("encoding", language, encoding={"gb18030": "GBK"}.get(encoding, encoding.upper())))
    widest = len(names)
    if path.stat().st_size <= _SCANNED_BYTES:
        try:
            widest, told = _scan_ragged(path, encoding, delimiter, len(names), language)
        except csv.Error as error:
            raise _error("open_quote", language, name=path.name) from error
        notes += told
    options: dict[str, Any] = {"kind": "csv", "encoding": encoding, "sep": delimiter, "names": names, "width": widest}
    try:
        frame = read_table(str(path), options)
    except (pd.errors.ParserError, csv.Error, UnicodeError):
        try:
            widest, told = _scan_ragged(path, encoding, delimiter, len(names), language)
            notes += told
            options["width"] = widest
            frame = read_table(str(path), options)
        except (pd.errors.ParserError, csv.Error) as error:
            raise _error("open_quote", language, name=path.name) from error
    return Loaded(frame, options, (*notes, *_note_formulas(frame, language)))


def _find_encoding(path: Path) -> str:
    """UTF-8 or UTF-16 by its mark, else UTF-8 if all of it is, else GB18030, else Latin-1, which reads anything."""
    with path.open("rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if marked is not None:
        return marked
    if b"\x00" in head:
        return "utf-16-le" if head[1:2] == b"\x00" else "utf-16-be"
    return next((name for name in ("utf-8", "gb18030") if _is_encoded(path, name)), "latin-1")


def _is_encoded(path: Path, encoding: str) -> bool:
    import codecs

    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK_BYTES):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _find_delimiter(head: str) -> str:
    lines = [line for line in head.splitlines()[:20] if line.strip()]
    counts = {one: [line.count(one) for line in lines] for one in _DELIMITERS}
    return max(_DELIMITERS, key=lambda one: (counts[one][0] if lines else 0, sum(counts[one])))


def _unique_names(header: Sequence[str], language: Language) -> tuple[list[str], list[str]]:
    names: list[str] = []
    cleaned = [cell.strip().lstrip("\ufeff") for cell in header]
    for at, cell in enumerate(cleaned, 1):
        name = cell or TEXTS.render("unnamed", language, number=at)
        known = name
        number = 2
        while name in names:
            name, number = f"{known} ({number})", number + 1
        names.append(name)
    twice = [name for name, count in Counter(cell for cell in cleaned if cell).items() if count > 1]
    return names, [TEXTS.render("duplicate_names", language, names=twice)] if twice else []


def _scan_ragged(path: Path, encoding: str, delimiter: str, width: int, language: Language) -> tuple[int, list[str]]:
    """Widest row, and notes about rows with more or fewer cells than the header, by line."""
    csv.field_size_limit(1 << 24)
    longer, shorter, widest = [], [], width
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        reader = csv.reader((line.replace("\x00", "") for line in file), delimiter=delimiter)
        for row in reader:
            if len(row) > width:
                widest = max(widest, len(row))
                longer.append(reader.line_num)
            elif 0 < len(row) < width and any(row):
                shorter.append(reader.line_num)
    found = (("rows_long", longer), ("rows_short", shorter))
    notes = [
        TEXTS.render(code, language, count=len(lines), lines=", ".join(map(str, lines[:_MAX_LINES])))
        for code, lines in found
        if lines
    ]
    return widest, notes


def _note_formulas(frame: "pd.DataFrame", language: Language) -> Iterator[str]:
    count = 0
    for name in frame.columns:
        values = frame[name].dropna()
        signs = values[values.str.startswith(_FORMULA_SIGNS)]
        count += int((~signs.str.fullmatch(r"[+@]?[\d.,%]+")).sum()) if len(signs) else 0
    if count:
        yield TEXTS.render("formula_cells", language, count=count)


def _load_workbook(path: Path, language: Language, sheet: str) -> Loaded:
    from openpyxl import load_workbook

    try:
        with open_zip(path, max_entries=_MAX_ENTRIES, max_bytes=0) as archive:
            if archive.stated_bytes > _MAX_UNPACKED_BYTES:
                raise _error("file_too_large", language, name=path.name, size="> 1024", most=MAX_BYTES >> 20)
            if not archive.is_plain:
                raise _error("not_a_workbook", language, name=path.name)
        book = load_workbook(path, read_only=True, data_only=True)
    except (*UNREADABLE_ARCHIVE, KeyError) as error:
        raise _error("not_a_workbook", language, name=path.name) from error
    sheets = list(book.sheetnames)
    chosen = sheet if sheet in sheets else _find_first_filled(book, sheets)
    book.close()
    rows = list(islice(read_sheet(str(path), chosen), _HEAD_ROWS)) if chosen else []
    if not rows or chosen is None:
        raise _error("empty_file", language, name=path.name)
    widest = max(map(_count_cells, rows))
    skip = next(at for at, row in enumerate(rows) if _count_cells(row) * 2 >= widest)  # titles above the header
    width = max(at for at, cell in enumerate(rows[skip], 1) if cell is not None)
    names, notes = _unique_names([cell or "" for cell in rows[skip][:width]], language)
    if len(sheets) > 1:
        others = [one for one in sheets if one != chosen]
        notes.append(TEXTS.render("sheet", language, name=chosen, others=others))
    options = {"kind": "xlsx", "sheet": chosen, "skip": skip, "names": names}
    frame = read_table(str(path), options)
    notes += _note_uncomputed(path, chosen, frame, language)
    return Loaded(frame, options, (*notes, *_note_formulas(frame, language)))


def _note_uncomputed(path: Path, sheet: str, frame: "pd.DataFrame", language: Language) -> list[str]:
    """A note if columns without any value hold formulas: who wrote the file did not store their results."""
    from openpyxl import load_workbook

    empty = {str(name) for name in frame.columns if frame[name].isna().all()}
    if not empty:
        return []
    book = load_workbook(path, read_only=True)
    formulas = sum(
        isinstance(cell, str) and cell.startswith("=")
        for row in book[sheet].iter_rows(values_only=True, max_row=_HEAD_ROWS)
        for cell in row
    )
    book.close()
    return [TEXTS.render("formulas_uncomputed", language, names=sorted(empty))] if formulas else []


def _count_cells(row: Sequence[str | None]) -> int:
    return sum(cell is not None for cell in row)


def _find_first_filled(book: Any, sheets: Sequence[str]) -> str | None:
    for name in sheets:
        if any(any(cell is not None for cell in row) for row in islice(book[name].iter_rows(values_only=True), 50)):
            return name
    return None


def _load_json(path: Path, language: Language) -> Loaded:
    options = {"kind": "json", "encoding": _find_encoding(path)}
    try:
        records = list_records(path.read_bytes().decode(str(options["encoding"]), "replace"))
    except (ValueError, RecursionError) as error:
        raise _error("bad_json", language, name=path.name) from error
    if not records:
        raise _error("no_records", language, name=path.name)
    frame = read_table(str(path), options)
    return Loaded(frame, options, tuple(_note_formulas(frame, language)))
