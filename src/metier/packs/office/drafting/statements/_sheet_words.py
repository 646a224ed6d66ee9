"""What the readers of sheets share: the sheet and the halves that a message names, and the check of the rest."""

import re
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting.statements._rest import is_all_read
from metier.packs.office.drafting.statements._words import list_words

__all__ = ["is_sheet_read", "take_halves", "take_sheet"]

_SHEET_NAME: Final = (
    rf"(?:放进|放到|放在|写进|在|用)?(?:叫|名为|名叫)?(?:新的?|新建的?)?(?:一?[张个])?(?:叫|名为|"
    rf"名叫)?(?:新的?)?工作表(?:叫|名为|名叫|名称为|"
    rf"为)?\s*({QUOTED})里?|"
    rf"(?:放进|放到|放在|写进)(?:叫|名为|名叫)({QUOTED})的?新?(?:工作)?表|"
    rf"\bon a new sheet (?:called|named)\s*({QUOTED})"
)
_NEW_SHEET: Final = (
    r"(?:放进|放到|放在|写进|写在|在|另开|另建|新建|用)?(?:一?[张个])?(?:新的?|"
    r"另一?[张个])(?:一?[张个])?工作表(?:里|中|上)?(?:放|存|做)?|"
    r"(?:另开|新建|另建|新开)(?:一?[张个])?工作表(?:里|中)?(?:放|存)?|\b(?:on|in|into) a (?:new|"
    r"separate) (?:work)?sheet\b"
)

_HALVES: Final = (
    r"左(?:边|侧|列|边一列|面)?(?:一列)?(?:放|写|是|为|"
    r"填)?(?P<a1>[\u4e00-\u9fff]{1,6}?)[,，、;]?\s*右(?:边|侧|列|面)?(?:一列)?(?:放|写|"
    r"是|为|填)?(?P<b1>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"(?P<a2>[\u4e00-\u9fff]{1,6})(?:放|占|写)?一列[,，、]?\s*(?P<b2>[\u4e00-\u9fff]{1,8})(?:放|占|写)?一列|"
    r"(?P<a7>[\u4e00-\u9fff]{1,6})和(?P<b7>[\u4e00-\u9fff]{1,8})各(?:放|占)?(?:一|1)列|"
    r"(?:表格?里?)?(?:加|分|列|共|做成?|有)*[两二2]列[,，:]?(?:分别)?(?:是|为|写|"
    r"放)?\s*(?P<a3>[\u4e00-\u9fff]{1,6})[和与、](?P<b3>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"横轴(?:是|为|写|放)(?P<a4>[\u4e00-\u9fff]{1,6})[,，]\s*纵轴(?:是|为|写|"
    r"放)(?P<b4>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"\b(?:(?:keep|put|with|have) )?(?:the )?(?P<a5>[a-z]+(?: [a-z]+)?) in (?:one|the first|the left|"
    r"a) column(?:,? and|,) (?:the )?(?P<b5>[a-z]+(?: [a-z]+)?) "
    r"in (?:the (?:next|other|second|right)|another|a second)(?: (?:one|column))?\b|"
    r"\b(?:two-column |two column )?(?:list|table) of (?P<a6>[a-z]+) and (?P<b6>[a-z]+)\b"
)


_THINGS: Final = MappingProxyType(
    {
        "series": re.compile(r"图|折线|曲线|柱|\b(?:charts?|graphs?|lines?|bars?|plot\w*|diagram)\b", re.IGNORECASE),
        "budget": re.compile(r"表|\b(?:budget|table|sheet|compare|set (?:out|up))\b", re.IGNORECASE),
        "grouped": re.compile(
            r"汇总|合计|总|求和|加|统计|归|算|\b(?:total\w*|sum\w*|add|altogether|how much|how many)\b", re.IGNORECASE
        ),
        "gantt": re.compile(r"甘特|横道|\b(?:gantt|schedule)\b", re.IGNORECASE),
    }
)


def is_sheet_read(text: RequestText, thing: str, data: int) -> bool:
    """Whether every clause of what is left says nothing new."""
    return is_all_read(text, list_words(thing), _THINGS[thing], data)


def take_halves(text: RequestText) -> tuple[str, str] | None:
    """What the two columns are called, if the message says it."""
    found = text.take(_HALVES)
    if found is None:
        return None
    first, second = (next(found[f"{side}{at}"] for at in range(1, 8) if found[f"{side}{at}"]) for side in "ab")
    return first, second


def take_sheet(text: RequestText) -> str:
    """The name of the new sheet, if the message gives one."""
    found = text.take(_SHEET_NAME)
    text.take_all(_NEW_SHEET)
    quote = next((group for group in found.groups() if group), "") if found else ""
    start = found.group().index(quote) + found.start() if found and quote else 0
    return text.raw[start + 1 : start + len(quote) - 1].strip() if quote else ""
