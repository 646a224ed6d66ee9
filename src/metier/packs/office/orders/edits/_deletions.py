"""What a message may not mean by an order to delete: an exception, a value for its line, a place that is empty."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["check_deletions"]

_DELETES: Final = frozenset({"delete_lines", "delete_paragraphs", "delete_slide", "delete_point", "delete_sheet"})
# 第一段居中，第三段不要: behind an order that deletes nothing, the other one may only be left as it is.
_NOT_THIS: Final = re.compile(
    r"[,，;；。]\s*(?:但是?|不过)?(?P<it>[^,，;；。]{1,16}?)(?:就|都|也|则)?(?:不要|不用|不)\s*(?=$|[,，;；。!！])"
)
_LABELLED: Final = re.compile(r"\s*(?P<label>[^:：]{1,20})[:：]\s*(?P<value>\S.*?)\s*$")
_NAMES_LINE: Final = re.compile(
    r"[行条段句项]|第\s*[\d一二三四五六七八九十]|\b(?:lines?|paragraphs?|rows?|entr(?:y|ies)|sentences?|bullets?|items?)\b",
    re.IGNORECASE,
)


def check_deletions(said: str, steps: Sequence[JsonObject], reading: Reading) -> None:
    """Ask where something would be deleted that the message may want to keep, or where there is nothing to delete."""
    deletes = [one for one in steps if one["op"] in _DELETES]
    if deletes and len(deletes) < len(steps) and (found := _NOT_THIS.search(said)):
        raise OrderUnclear("part", part=found[0].strip(" ,，;；。"))
    for value, line in _list_values(said, deletes, reading):
        raise OrderUnclear("which_of", first=value, second=line)
    for step in deletes:
        if step["op"] == "delete_lines":
            _check_columns(step, reading)


def _list_values(said: str, deletes: Sequence[JsonObject], reading: Reading) -> Iterator[tuple[str, str]]:
    """Values of labelled lines that are to go though the message names no line and no label: remove Al Reyes."""
    if _NAMES_LINE.search(said):
        return
    gone = {str(at) for one in deletes if isinstance(found := one.get("addresses"), list) for at in found}
    lowered = said.lower()
    for piece in reading.pieces:
        line = _LABELLED.fullmatch(piece.line) if piece.address in gone else None
        if line is None or line["label"].strip().lower() in lowered or piece.line.strip().lower() in lowered:
            continue
        yield line["value"], piece.line.strip()


def _check_columns(step: JsonObject, reading: Reading) -> None:
    """Ask where a column is to be deleted behind the last one that has something."""
    sheet = next((one for one in reading.sheets if one.name == step.get("sheet_name")), None)
    lines = step.get("lines")
    if sheet is None or not isinstance(lines, list) or not sheet.cells:
        return
    last = max(column_index(re.sub(r"\d", "", one.address)) for one in sheet.cells)
    for line in lines:
        if (letters := re.fullmatch(r"[A-Z]{1,3}", str(line))) and column_index(letters[0]) > last:
            raise OrderUnclear("nothing_there", text=str(line), known=column_letters(last))
