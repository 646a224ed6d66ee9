"""A document in words: outline and sizes."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.packs.office.conversation._preview import describe_place
from metier.packs.office.conversation._texts import TEXTS

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

_MAX_ROWS: Final = 60
_PLACE_KEYS: Final = frozenset({"place", "address"})
_PLACE: Final = re.compile(r"p\d+|t\d+\.r\d+\.c\d+|s\d+\.[a-z]\w*")
_HEADS: Final = (("place", "位置", "place"), ("level", "级别", "level"), ("text", "内容", "text"))


def describe_places(table: JsonObject, language: Language) -> JsonObject:
    """A table with its addresses in words."""
    rows = table.get("rows")
    if not isinstance(rows, Sequence):
        return table
    return {**table, "rows": [_describe_row(row, language) for row in rows]}


def _describe_row(row: JsonValue, language: Language) -> JsonValue:
    if isinstance(row, Mapping):
        return {
            key: describe_place(value, language) if key in _PLACE_KEYS and isinstance(value, str) and value else value
            for key, value in row.items()
        }
    if isinstance(row, list):
        return [
            describe_place(value, language) if isinstance(value, str) and _PLACE.fullmatch(value) else value
            for value in row
        ]
    return row


def describe_reading(reading: "Reading", versions: int, language: Language) -> JsonObject:
    """Summary and outline of a document that was written so many times."""
    writes = TEXTS.render("writes", language, count=versions) if versions else TEXTS.render("never_written", language)
    rows: list[JsonValue]
    if reading.sheets:
        return _describe_sheets(reading, writes, language)
    if reading.slides:
        rows = [{"place": describe_place(f"s{one.number}", language), "text": one.title} for one in reading.slides]
        count = sum(len(one.texts) for one in reading.slides)
        chars = sum(len(text) for one in reading.slides for text in (one.title, *one.texts))
        summary = TEXTS.render(
            "outline_slides", language, name=reading.name, count=len(reading.slides), texts=count, chars=chars
        )
        return {"summary": summary, "tables": [_table(rows, (_HEADS[0], _HEADS[2]), language)]}
    headings = [one for one in reading.pieces if one.kind == "heading"]
    shown = headings or [one for one in reading.pieces if one.text][:_MAX_ROWS]
    rows = [
        {"place": describe_place(one.address, language), "level": one.level or None, "text": one.line[:120]}
        for one in shown[:_MAX_ROWS]
    ]
    chars = sum(len(one.text) for one in reading.pieces)
    return {
        "summary": TEXTS.render(
            "outline", language, name=reading.name, count=len(reading.pieces), chars=chars, writes=writes
        ),
        "tables": [_table(rows, _HEADS, language)],
    }


def _describe_sheets(reading: "Reading", writes: str, language: Language) -> JsonObject:
    rows: list[JsonValue] = []
    for sheet in reading.sheets[:_MAX_ROWS]:
        formulas = sum(bool(cell.formula) for cell in sheet.cells)
        rows.append({"sheet": sheet.name, "cells": len(sheet.cells), "formulas": formulas})
    summary = TEXTS.render(
        "outline_sheets",
        language,
        name=reading.name,
        count=len(reading.sheets),
        cells=sum(len(sheet.cells) for sheet in reading.sheets),
        formulas=sum(bool(cell.formula) for sheet in reading.sheets for cell in sheet.cells),
        writes=writes,
    )
    heads = (("sheet", "工作表", "sheet"), ("cells", "单元格", "cells"), ("formulas", "公式", "formulas"))
    return {"summary": summary, "tables": [_table(rows, heads, language)]}


def _table(rows: Sequence[JsonValue], heads: Sequence[tuple[str, str, str]], language: Language) -> JsonObject:
    columns: list[JsonValue] = [{"key": key, "title": choose(language, zh=zh, en=en)} for key, zh, en in heads]
    return {"title": choose(language, zh="文件结构", en="outline"), "columns": columns, "rows": list(rows)}
