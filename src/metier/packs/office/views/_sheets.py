"""A workbook as blocks: one table for each sheet."""

import re
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue

_MAX_ROWS: Final = 200
_MAX_COLUMNS: Final = 40
_ADDRESS: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")


def view_workbook(file: Path) -> JsonObject:
    """Blocks of a workbook: the first rows and columns of each sheet, as stored; a formula is told with its cell."""
    from metier.packs.office.sheets import read_workbook

    blocks: list[JsonValue] = []
    truncated = False
    for sheet in read_workbook(file):
        rows: dict[int, list[JsonValue]] = {}
        widest = 0
        for cell in sheet.cells:
            hit = _ADDRESS.fullmatch(cell.address.rpartition("!")[2].replace("$", ""))
            if hit is None:
                continue
            column, row = _column_number(hit[1]), int(hit[2])
            if row > _MAX_ROWS or column > _MAX_COLUMNS:
                truncated = True
                continue
            widest = max(widest, column)
            rows.setdefault(row, []).append(
                {
                    "address": f"{sheet.name}!{hit[0]}",
                    "column": column,
                    "text": _show(cell.value),
                    "formula": cell.formula,
                    "hidden": cell.hidden,
                }
            )
        lines: list[JsonValue] = [{"number": number, "cells": rows[number]} for number in sorted(rows)]
        blocks.append({"kind": "sheet", "address": sheet.name, "title": sheet.name, "columns": widest, "lines": lines})
    return {"kind": "xlsx", "blocks": blocks, "comments": [], "truncated": truncated}


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _show(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return f"{value:.10g}" if isinstance(value, float) else str(value)
