"""How far a step reaches: a look for “it” is for what was just changed, a deleted value is not its row."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._facts import TableGrid, list_grids
from metier.packs.office.orders.grounded._words import count_shared
from metier.packs.office.orders.grounded._written import list_written
from metier.textsearch import has_cjk

__all__ = ["bind_looks", "check_deleted", "match_whole_words"]

_IT: Final = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
_ALONE: Final = re.compile(
    r"(?:[,，]|并且?|再|同时)\s*(?:并|再|也|同时|且|把它|将其|给它)*(?:字体|文字)?[^,，。段章节条列行表页全整都各每它]{1,8}。?$"
)
_ROWS: Final = re.compile(
    r"[行条笔列单]|整|记录|数据|\b(?:rows?|lines?|entr(?:y|ies)|records?|columns?|items?|where|whose|duplicates?)\b",
    re.IGNORECASE,
)
_COMPARED: Final = (
    r"\s*(?:[是为等大小超低高不少多<>=有没]|(?:is|are|was|has|under|over|below|above|less|more|of 0|=)\b)"
)


def bind_looks(said: str, steps: Sequence[JsonObject], reading: Reading) -> list[JsonObject]:
    """The steps, with a look that names no place of its own given to the only place that the order changes."""
    written = [one for one in steps if one["op"] in ("set_cells", "replace_text", "fill_placeholder")]
    if len(written) != 1 or len(steps) < 2 or not (_IT.search(said) or _ALONE.search(said)):
        return list(steps)
    return [_bind_look(one, written[0], reading) for one in steps]


def _bind_look(step: JsonObject, written: JsonObject, reading: Reading) -> JsonObject:
    cells, addresses = written.get("cells"), step.get("addresses")
    if step["op"] == "set_cell_style" and isinstance(cells, list) and len(cells) == 1 and isinstance(cells[0], dict):
        return {**step, "range": cells[0]["cell"]}
    if step["op"] == "apply_paragraph_style" and isinstance(addresses, list) and written["op"] == "replace_text":
        old = str(written.get("find_text", ""))
        texts = {one.address: one.text for one in reading.pieces}
        inside = [one for one in addresses if old in texts.get(str(one), "")]
        return {**step, "addresses": inside} if len(inside) == 1 else step
    if step["op"] == "set_slide_text_style" and step.get("apply_to_all"):
        raise OrderUnclear("no_place")
    return step


def check_deleted(said: str, step: JsonObject, reading: Reading) -> None:
    """Ask where a row would go though the order names one of its columns: delete the owner of User testing."""
    deletes = step["op"] == "delete_lines" or step.get("change") == "delete_row"
    if not deletes or _ROWS.search(said):
        return
    for grid in list_grids(reading):
        if head := next((one for one in grid.head if _is_object(one, said, grid)), ""):
            raise OrderUnclear("which_of", first=head, second=" | ".join(grid.head[:3]))
        _check_key(said, step, grid)


def _check_key(said: str, step: JsonObject, grid: TableGrid) -> None:
    """Ask where a row is named by nothing but a whole cell that is no key of it: 删掉路路通."""
    lines = step.get("lines")
    gone = {str(one) for one in lines} if isinstance(lines, list) and grid.name == step.get("sheet_name") else set()
    rows = [cells for number, cells in grid.rows if str(number) in gone]
    for cells in rows:
        named = [at for at, cell in enumerate(cells) if has_cjk(cell) and cell.strip() in said]
        if named and min(named) > 1 and all(len(set(grid.column(at))) > 1 for at in named):
            raise OrderUnclear("which_of", first=cells[named[0]], second=" | ".join(cells[:3]))


def _is_object(head: str, said: str, grid: TableGrid) -> bool:
    """Whether words name a column, and not by comparing what it holds."""
    name = head.strip()
    if len(name) < 2 or re.search(rf"{re.escape(name)}{_COMPARED}", said, re.IGNORECASE):
        return False
    rest = said
    for cell in sorted({cell.strip() for _, row in grid.rows for cell in row if len(cell.strip()) > 1}, key=len)[::-1]:
        rest = re.sub(re.escape(cell), " ", rest, flags=re.IGNORECASE)
    return count_shared(rest, name) >= 1


def match_whole_words(step: JsonObject, reading: Reading) -> list[JsonObject]:
    """Steps that find whole words and whole numbers only: no title in Entitlement, no 10日 in 7月10日."""
    old = str(step.get("find_text", ""))
    form = _whole_form(old)
    texts = [(one.address, one.text) for one in reading.pieces if one.kind != "comment"]
    if form is None or step.get("address") or step.get("occurrence"):
        return [step]
    if reading.kind not in ("docx", "text"):
        held = [text for text in _list_held(step, reading) if old in text]
        if held and not any(form.search(one) for one in held):
            raise OrderUnclear("no_text_here", text=old)
        return [step]
    own = [(address, len(form.findall(text)), text.count(old)) for address, text in texts if old in text]
    if all(whole == count for _, whole, count in own) or re.fullmatch(r"[A-Za-z' ]+", old):
        return [step]
    if any(0 < whole < count for _, whole, count in own) or not any(whole for _, whole, _ in own):
        raise OrderUnclear("many_places", text=old, count=sum(count for _, _, count in own))
    return [{**step, "address": address} for address, whole, _ in own if whole]


def _list_held(step: JsonObject, reading: Reading) -> list[str]:
    if not list_written([step], reading):
        return []
    cells = [str(cell.value) for sheet in reading.sheets for cell in sheet.cells if isinstance(cell.value, str)]
    return [*cells, *(text for slide in reading.slides for text in (slide.title, *slide.texts))]


def _whole_form(old: str) -> re.Pattern[str] | None:
    """Words of letters with no letter beside them, numbers with no digit and no month before them."""
    if re.fullmatch(r"[A-Za-z][A-Za-z' -]*", old):
        return re.compile(rf"(?<![A-Za-z]){re.escape(old)}(?:e?s)?(?![A-Za-z])", re.IGNORECASE)
    if re.match(r"\d", old):
        return re.compile(rf"(?<![\d.月年]){re.escape(old)}" + (r"(?!\d)" if old[-1].isdigit() else ""))
    return None
