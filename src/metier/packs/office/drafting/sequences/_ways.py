"""Other ways to say an enumeration: “X first, then Y and Z last”, 姓名打头，…，备注收尾."""

import re
from typing import Final

from metier.packs.office._request_text import CHINESE, RequestText

__all__ = ["restate_ways"]

_NAME_EN: Final = r"(?-i:[A-Z])[\w/&'’-]*(?: (?!first|last|then|and|as|on|at|with|is|are)[\w/&'’-]+){0,3}"
_UNIT_EN: Final = r"(?:column|section|item|one|part|heading|task|step|topic|point|line|bullet)"
_THEN: Final = r",? (?:and )?(?:then|next|followed by|after that)\b"
_DAYS: Final = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|"
    r"September|October|November|December)"
)
# What stands first: Checkpoint first, then …; Ref as the first column, then …; first column Hazard, then …
_FIRST_EN: Final = re.compile(
    rf"(?:\b(?:with|namely|so) )?(?:the )?(?P<after>\b{_NAME_EN}),?(?: (?:comes|goes|is|being|coming|going))?"
    rf" (?:first(?: of all)?|as (?:the|its) first(?: {_UNIT_EN})?|in (?:the|its) first {_UNIT_EN}|"
    rf"on the (?:far )?left)(?={_THEN})|"
    rf"(?:\bwith )?(?:(?:the|its|as) )?\bfirst(?: comes the)? {_UNIT_EN}(?: (?:is|being|to be|for|"
    rf"called))? (?P<before>{_NAME_EN})(?={_THEN})"
)
# What stands last: and Auditor last; with Remarks as the last column; and last Contact.
_LAST_EN: Final = re.compile(
    rf",? (?:and|with|then|and then) (?P<after>{_NAME_EN})(?: (?:comes|goes|is|being|"
    rf"coming))? (?:last(?: of all)?|as (?:the|its) last(?: {_UNIT_EN})?|"
    rf"in (?:the|its) last {_UNIT_EN}|at the (?:very )?end|on the (?:far )?right|to finish)(?=[,.;!?]|$)|"
    rf",? (?:and )?(?:(?:with|as) )?(?:the )?last(?: of all)?,?(?: {_UNIT_EN}(?: (?:is|being|to be|for|"
    rf"called))?)? (?!{_DAYS})(?P<before>{_NAME_EN})(?=[,.;!?]|$)",
)
_NAME_ZH: Final = r"[\u4e00-\u9fff]{1,8}?"
_FIRST_ZH: Final = re.compile(
    rf"(?<=[,，。;:：；])\s*(?P<name>{_NAME_ZH})(?:打头(?:阵)?|开头|(?:放|排|写|列|"
    rf"摆)?(?:在)?(?:第一[列栏个项位]|最?前(?:面|头)|头一[列栏个项]|最左边?))(?=[,，])"
)
_LAST_ZH: Final = re.compile(
    rf"(?<=[,，;；])\s*(?P<name>{_NAME_ZH})(?:收尾|殿后|垫底|压尾|(?:放|排|写|列|摆)(?:在)?(?:最后(?:面|"
    rf"头)?(?:一[列栏个项])?|末尾|最右边?))(?=[,，。;；!！]|$)"
)
# What is no item of the row: a total, a part of the thing, what is pointed to.
_NO_ITEM: Final = re.compile(
    r"合计|总计|小计|总数|汇总|标题|表头|表格?$|图$|正文|落款|[它这那其]|^(?:把|将|都|请|要|以|用|由|让)|[的是有]$"
)


def restate_ways(request: str) -> str:
    """The request with what stands first and last behind the words that lead to it; else as it is."""
    text = RequestText(request)
    if CHINESE.search(text.mask):
        return _restate_chinese(text)
    return _restate_english(text)


def _restate_english(text: RequestText) -> str:
    found = list(_FIRST_EN.finditer(text.mask))
    said, begin = text.raw, 0
    if len(found) == 1:
        one = found[0]
        said = f"{said[: one.start()]}first {one['after'] or one['before']}{said[one.end() :]}"
        begin = one.start()
    elif opened := re.search(r"\bfirst(?:ly)?,? (?=[A-Z])", text.mask):
        begin = opened.start()
    else:
        return text.raw
    stop = re.compile(r"[;!?\n]|\.(?=\s|$)|$").search(said, begin)
    end = stop.end() if stop else len(said)
    if '"' in RequestText(said).mask[begin:end]:
        return text.raw
    lasts = list(_LAST_EN.finditer(said, begin, end))
    if len(lasts) == 1:
        last = lasts[0]
        said = f"{said[: last.start()]}, and finally {last['after'] or last['before']}{said[last.end() :]}"
    return said


def _restate_chinese(text: RequestText) -> str:
    first, last = list(_FIRST_ZH.finditer(text.mask)), list(_LAST_ZH.finditer(text.mask))
    if len(first) != 1 or len(last) > 1 or any(_NO_ITEM.search(one["name"]) for one in (*first, *last)):
        return text.raw
    said = text.raw
    for one, lead in [*((one, "最后是") for one in last), (first[0], "先是")]:
        if one.start() < first[0].start():
            return text.raw
        said = f"{said[: one.start()]}{lead}{one['name']}{said[one.end() :]}"
    return said
