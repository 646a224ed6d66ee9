"""Orders for a new sheet, and what an order beside one may be about."""

import json
import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["NEW_SHEET_RULES", "check_new_sheet"]

# Words that name what is there already.
_THERE: Final = re.compile(
    r"这[张个份]|原来?|原有|现有|当前|旧|\b(?:this|the (?:old|existing|current|original|present)|these)\b",
    re.IGNORECASE,
)


def check_new_sheet(said: str, steps: Sequence[JsonObject], reading: Reading) -> None:
    """Ask where a message makes a sheet and changes another one that it does not name: its total may be the new one's.

    Steps of a new sheet alone, and words that name a sheet, column or cell value that is there, leave nothing open.
    """
    made = [name for one in steps if one["op"] == "ensure_sheet" and (name := str(one["sheet_name"])) in said]
    others = [
        one
        for one in steps
        if one["op"] != "ensure_sheet" and not any(name in json.dumps(one, ensure_ascii=False) for name in made)
    ]
    if not made or not others:
        return
    known = [one.name for one in reading.sheets]
    texts = [str(cell.value) for one in reading.sheets for cell in one.cells if isinstance(cell.value, str)]
    bare = said
    for one in made:
        bare = bare.replace(one, " ")
    names_sheet = _THERE.search(bare) is not None or any(one in bare for one in known)
    writes_old = any(one["op"] in ("set_cells", "set_cell_formula") for one in others)
    if not names_sheet and (writes_old or not any(len(one) > 1 and one in bare for one in texts)):
        raise OrderUnclear("which_sheet", known=(*known, *made))


_MAX_SHEET_NAME: Final = 31
# Words behind the name of a new sheet that say what is to be in it, or done with it.
_MORE_THAN_NAME: Final = re.compile(
    r"\b(?:with|and|columns?|headers?|rows?|make it|then|copy)\b|[、,，：:]|表头|[行列]|[把将]|复制|加粗",
    re.IGNORECASE,
)


_MAKES: Final = r"(?:新建|添加|新增|增加|加|插入|创建|建)"
_MAKES_SHEET: Final = rf"{_MAKES}(?:一)?(?:个|张)?(?:新的?)?"
_SHEETS: Final = r"(?:工作表|sheet页?|子表)"
_CALLED_SHEET: Final = re.compile(
    rf"{_MAKES_SHEET}(?:叫做?|名为|名叫|命名为)\s*(?P<it>{QUOTED}|[^\s,，。;:\"、]{{1,20}}?)的(?:新)?{_SHEETS}",
    re.IGNORECASE,
)


def _take_name_before(text: RequestText) -> str:
    """The name of a new sheet that stands before the word for it: 新建一个叫汇总的工作表; empty if there is none."""
    found = _CALLED_SHEET.search(text.mask)
    name = text.text_of(*found.span("it")) if found else ""
    if found:
        text.consume(*found.span())
    return name


def _new_sheet(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    del context
    before = _take_name_before(text)
    if not before and not text.take(
        rf"{_MAKES_SHEET}(?:空白?的?)?{_SHEETS}|"
        r"\b(?:add|create|insert|make) (?:a |one )?(?:new |blank )*(?:work)?(?:sheet|tab)\b"
    ):
        return None
    quoted = before or text.take_any_quote()
    name = quoted or text.take_value(
        r"(?:名字|名称)?(?:叫做?|名为|命名为|取名|为)|\b(?:called|"
        r"named)\b"
    )
    if len(name) > _MAX_SHEET_NAME or (not quoted and _MORE_THAN_NAME.search(name)):
        raise OrderUnclear("part", part=name[:60])
    text.take_all(
        r"(?:名字|名称)?(?:叫做?|名为|命名为|取名为?)|\b(?:called|named)\b|(?:在|到)?(?:最后|后面|末尾)|"
        r"\bat the end\b"
    )
    if not name:
        raise OrderUnclear("no_text")
    return [step("ensure_sheet", sheet_name=name, activate=False)]


_SHEET_NAME: Final = r"[^\\/?*\[\]:]{1,31}"
_NEW_SHEETS: Final = re.compile(
    rf"{_MAKES}(?P<zh>{COUNT})?(?:个|张)?(?:新的?)?(?:空白?的?)?{_SHEETS}\s*"
    r"(?:[:：,，]|分别|叫做?|名为|命名为)*\s*|"
    rf"(?:add|create|insert|make) (?P<en>{COUNT})?\s*(?:new |blank |empty )*(?:work)?sheets"
    r"(?:\s*:|,? (?:called|named))?\s*",
    re.IGNORECASE,
)


def _new_sheets(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Several new sheets by their names alone: 新建两个工作表：收入、支出; “add two sheets: Income and Costs”."""
    found = _NEW_SHEETS.match(text.mask)
    said = text.raw[found.end() :].strip(" 。.") if found else ""
    names = [one.strip(" \"“”'") for one in re.split(r"、|,|，|\s+and\s+|和|与|及", said)]
    count = found["zh"] or found["en"] if found else None
    is_listed = count is not None or re.search(r"、|,|\sand\s", said) is not None
    if found is None or len(names) < 2 or not is_listed or (count and read_count(count) != len(names)):
        return None
    known = {one.name.lower() for one in context.reading.sheets}
    for name in names:
        if not re.fullmatch(_SHEET_NAME, name) or name.lower() in known or _MORE_THAN_NAME.search(name):
            raise OrderUnclear("part", part=name[:60] or said[:60])
    text.consume(0, len(text.raw))
    return [step("ensure_sheet", sheet_name=name, activate=False) for name in names]


NEW_SHEET_RULES: Final = (_new_sheets, _new_sheet)
