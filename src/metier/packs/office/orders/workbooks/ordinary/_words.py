"""Words that the orders about an open sheet have in common."""

import re
from collections.abc import Iterable
from typing import Final

from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._lexicon import find_synonyms
from metier.packs.office.orders.workbooks._view import SheetPlace, find_headers

__all__ = [
    "ADDS",
    "NAME",
    "NEW_COLUMN",
    "NUMBER",
    "adds_column",
    "is_filled",
    "list_labels",
    "match_headers",
    "names_new_sheet",
    "strip_sheet",
    "take_headers",
]

NUMBER: Final = r"-?\d[\d,]*(?:\.\d+)?"
ADDS: Final = r"(?:添加|新增|增加|加上|加入|加|插入|插|补上|补|添上|添|录入|来|放)"
NAME: Final = rf"(?:{QUOTED}|[^\s,，。;:\"=()]{{1,10}}?)"
_NEW_SHEET: Final = re.compile(
    r"新(?:建|增|开|加|做)?(?:的)?(?:一?[张个份])?(?:\"[^\"]*\")?(?:工作)?(?:表(?![头格])|sheet)|"
    r"\b(?:new|another|separate|extra) (?:work)?(?:sheet|tab)\b|\bsheet (?:called|named)\b|\bsheet \"|新(?:建|"
    r"增)\"[^\"]*\"表",
    re.IGNORECASE,
)
_SIDE: Final = r"(?:在?(?:表格?的?)?(?:最右边?|最后|右边|右侧|旁边|后面|末尾)(?:面)?(?:再)?)?"
NEW_COLUMN: Final = (
    rf"(?:{_SIDE}再?{ADDS}(?:上|个)?[一1](?:个)?新?[列栏](?:叫做?|名为|名叫|标题为|表头为|:)?\s*(?P<name>{NAME})(?:这?一?列)?|"
    r"(?:add|insert|append|put in|create|make)\s+(?:an?|one|another|the)\s+(?:new |extra |further |"
    r"(?P<nth>\w+(?:rd|th|nd)) )?"
    rf"column\s+(?:called |named |titled |headed |with the header |for )?(?P<name_en>{QUOTED}|"
    rf"[^\W\d][\w%]*(?: (?-i:[A-Z])[\w%]*)?)|"
    rf"(?:add|insert|append|create|make)\s+an?\s+(?:new )?(?P<before>{QUOTED}|"
    r"(?-i:[A-Z])\w*|rank(?:ing)?|"
    rf"position) column)"
)
_BEFORE: Final = (
    r"(?:^|[\s,，。;!?在给对把将从为按据用以照]|那个|这个|根据|按照|请|\b(?:sort|in|on|to|of|from|for|the)\s)"
)
_AFTER: Final = r"$|[\s,，。;加添新增补插删末最按排首底右左下]"


def adds_column(said: str) -> bool:
    """Whether a message has an order for a new column of a name."""
    return re.search(NEW_COLUMN, RequestText(said).mask, re.IGNORECASE) is not None


def names_new_sheet(said: str, known: Iterable[str] = ()) -> bool:
    """Whether a message is about a sheet that is to be made, and names none that is there."""
    return _NEW_SHEET.search(RequestText(said).mask) is not None and not any(one in said for one in known)


def is_filled(mask: str, words: "re.Pattern[str]") -> bool:
    """Whether words that say nothing more, signs and blanks are all that is left."""
    return not words.sub(" ", mask).strip(f" \n\t,，、。;；.:：!！()-{CONSUMED}")


def match_headers(place: SheetPlace) -> dict[str, int]:
    """Pattern of the names of each column with its number; names that two columns share are left out."""
    found: dict[str, int] = {}
    twice: set[str] = set()
    for column in place.columns:
        header = place.table.header(column)
        for name in (header, *find_synonyms(header)):
            twice |= {name.lower()} if name.lower() in found else set()
            found[name.lower()] = column
    return {name: column for name, column in found.items() if name not in twice}


def take_headers(text: RequestText, place: SheetPlace) -> list[int]:
    """Columns that stand in a clause by name, in its order."""
    found = list(find_headers(text, place))
    for start, end, _ in found:
        text.consume(start, end)
    return list(dict.fromkeys(column for _, _, column in found))


def list_labels(place: SheetPlace) -> dict[str, int]:
    """Rows by what stands in their first column; a text that stands there twice names none."""
    shown = {
        row: str(cell.value).strip() for row in place.table.body if (cell := place.table.cell(row, place.columns[0]))
    }
    texts = [one for one in shown.values() if one]
    return {value: row for row, value in shown.items() if value and texts.count(value) == 1}


def strip_sheet(said: str, context: OrderContext, name: str) -> str:
    """The message without the name of the sheet where it only says which one: 台账:…, 在台账最下面, sort 台账 by."""
    held = [str(cell.value) for one in context.reading.sheets for cell in one.cells]
    if any(name in one for one in held):
        return said
    mask = RequestText(said).mask
    headers = "|".join(re.escape(one) for one in held if one) or "(?!)"
    form = re.compile(
        rf"(?P<before>{_BEFORE})(?P<it>(?:\b(?:in|on|to|into|of|from|"
        rf"for)\s(?:the )?)?(?:[那这]个)?{re.escape(name)}(?:工作表|表)?(?:(?:里面?|中|上)的?|的|"
        rf"\s*(?P<colon>:)|(?={_AFTER}|(?:{headers}))))",
        re.IGNORECASE,
    )
    for found in reversed(list(form.finditer(mask))):
        colon = ":" if found["colon"] and found.start("it") else ""
        said = f"{said[: found.start('it')]}{colon}{said[found.end('it') :]}"
    return re.sub(r"(?:在|给|对|把|将)(?=\s*[,，。;]|$)|\b(?:in|on|to|of|from|for)(?= *$)", "", said).strip(" ,，")
