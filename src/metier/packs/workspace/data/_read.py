"""Read a file as a frame of texts, as its options say: the same call gives the same frame.

Only pandas, openpyxl and the standard library: `analysis.py` takes this file along, so that it reads the same.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pandas as pd


def read_table(path: str, options: Mapping[str, Any]) -> pd.DataFrame:
    """Read all cells as texts. Options: kind, names; encoding, sep, width (csv); sheet, skip (xlsx).

    The label of a row is its line in the file less two, as a spreadsheet counts: empty lines count.
    """
    if options["kind"] == "csv":
        return _read_csv(path, options)
    if options["kind"] == "xlsx":
        rows = list(_number_rows(path, options["sheet"]))[options["skip"] + 1 :]
        return _to_frame(rows, list(options["names"]))
    return _read_json(path, options)


def _read_csv(path: str, options: Mapping[str, Any]) -> pd.DataFrame:
    """Cells beyond the header are left out, rows that are too short are filled up.

    The header is read as a row: pandas would else take its width for the widest of all rows.
    """
    names = list(options["names"])
    extra = [f"\x00{at}" for at in range(max(0, options["width"] - len(names)))]
    frame = pd.read_csv(
        path,
        sep=options["sep"],
        encoding=options["encoding"],
        encoding_errors="replace",
        header=None,
        names=[*names, *extra],
        index_col=False,
        dtype=str,
        keep_default_na=False,
        na_values=[""],
        skip_blank_lines=False,
    )[names]
    kept = frame.dropna(how="all").iloc[1:]
    return kept.set_axis(kept.index - 1)


def read_sheet(path: str, sheet: str) -> Iterator[list[str | None]]:
    """Rows of a sheet as texts, empty ones left out; a formula gives its last value."""
    return (cells for _, cells in _number_rows(path, sheet))


def _number_rows(path: str, sheet: str) -> Iterator[tuple[int, list[str | None]]]:
    """Rows of a sheet with their numbers, the first is 1."""
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True, data_only=True)
    for at, row in enumerate(book[sheet].iter_rows(values_only=True), 1):
        cells = [_to_text(cell) for cell in row]
        if any(cell is not None for cell in cells):
            yield at, cells
    book.close()


def _to_frame(rows: list[tuple[int, list[str | None]]], names: list[str]) -> pd.DataFrame:
    width = len(names)
    body = [[*row[:width], *([None] * (width - len(row)))] for _, row in rows]
    return pd.DataFrame(body, index=[at - 2 for at, _ in rows], columns=pd.Index(names), dtype="str")


def _read_json(path: str, options: Mapping[str, Any]) -> pd.DataFrame:
    flat = pd.json_normalize(list_records(Path(path).read_bytes().decode(options["encoding"], "replace")))
    frame = flat.map(_json_text)
    return frame.astype("str").where(frame.notna())


def list_records(text: str) -> list[dict[Any, Any]]:
    """Records of a document: a list of objects, one under a key, a mapping of lists, or one object a line."""
    text = text.lstrip("\ufeff")
    try:
        found = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(found, dict):
        lists = [one for one in found.values() if isinstance(one, list)]
        flat = lists and not any(isinstance(one, dict) for each in lists for one in each[:1])
        if flat and len({len(one) for one in lists}) == 1 and len(lists) == len(found):
            return [dict(zip(found, row, strict=True)) for row in zip(*lists, strict=True)]
        found = max(lists, key=len, default=[found])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _json_text(value: object) -> str | None:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return None if isinstance(value, float) and value != value else _to_text(value)  # noqa: PLR0124 - NaN


def _to_text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M:%S")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)
