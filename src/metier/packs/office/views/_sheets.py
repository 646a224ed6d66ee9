"""A workbook as blocks: one table for each sheet."""

from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue

_MAX_ROWS: Final = 200
_MAX_COLUMNS: Final = 40


def view_workbook(file: Path) -> JsonObject:
    """Blocks of a workbook: the first rows and columns of each sheet as people see them, with the formulas."""
    from metier.packs.office.sheets import read_workbook

    blocks: list[JsonValue] = []
    truncated = False
    for sheet in read_workbook(file).sheets:
        rows: dict[int, list[JsonValue]] = {}
        shown = [one for one in sheet.cells if one.row <= _MAX_ROWS and one.column <= _MAX_COLUMNS]
        for cell in shown:
            rows.setdefault(cell.row, []).append(
                {
                    "address": f"{sheet.name}!{cell.address}",
                    "column": cell.column,
                    "text": cell.text,
                    "formula": f"={cell.formula}" if cell.formula else "",
                    "number": isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool),
                    "hidden": cell.is_hidden,
                }
            )
        truncated = truncated or len(shown) < len(sheet.cells)
        lines: list[JsonValue] = [{"number": number, "cells": rows[number]} for number in sorted(rows)]
        widest = max((one.column for one in shown), default=0)
        blocks.append({"kind": "sheet", "address": sheet.name, "title": sheet.name, "columns": widest, "lines": lines})
    return {"kind": "xlsx", "blocks": blocks, "comments": [], "truncated": truncated}
