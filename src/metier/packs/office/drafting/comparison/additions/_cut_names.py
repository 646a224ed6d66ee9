"""Texts that are cut out of the request in the wrong place: 人数 of 入住人数, "ed list" of "bulleted list"."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._request_text import find_spans

__all__ = ["find_cut_name", "find_lost_rest", "find_order"]

_SIGNS: Final = r"、，,。；;：:？?！!“”\"‘’「」『』《》（）()\[\]【】|/=＝+＋\n\t"
_PART: Final = re.compile(rf"[^{_SIGNS}]+")
# What may stand before the first name of a list, between two, and behind the last: 列为甲、乙和丙三列.
_LEAD: Final = re.compile(
    r"(?:[为是有含括设置用写把列出成叫作将填到加按记以分别次要于即示现\s]|表头|[列栏]头|抬头|字段|栏目?|标题行?|[列栏段]名称?|内容|任务|"
    r"(?<=[写填列加放标注])上(?![海级市线报限传])|写[明清])$"
)
_JOIN: Final = re.compile(r"^$|(?:[和及与跟或加\s]|还有|另外)$")
_TAIL: Final = re.compile(r"^(?:$|[一二两三四五六七八九十几\d等这那共各列项栏个的都即和及与跟或并作当为做成\s])")
# A name beside its number, or a count of names, has more in its part of the list than the name.
_COUNTED: Final = re.compile(r"[\d一二两三四五六七八九十几\s]")
# What stands between the last name and the count of all is no part of the name: 负责人共七列, 措施——以这六列.
_OVERHANG: Final = re.compile(r"(?:[共等这以计]|[—–-]+\S?)$")
_COUNT_NEXT: Final = re.compile(r"[这共计]*\s*(?:\d+|[一二两三四五六七八九十]+)\s*[个]?[列项栏条]")
# What goes on behind a name of a header: its bracket, or a further name.
_GOES_ON: Final = re.compile(
    r"\s*(?:[（(](?![^）)]*(?:[行列]|表头|header|rows?))[^（）()]{1,20}[）)])?\s*"
    r"(?:(?:、|以?及|和|与)\s*(?![\d一二两三四五六七八九十]+\s*[个空行条列张])[\w\u4e00-\u9fff]+)?",
    re.IGNORECASE,
)
_MIN_NAMES: Final = 2
_MAX_GAP: Final = 8
_JOINED: Final = re.compile(r"[）)]\s*[和与及、]")
_CHOICE: Final = re.compile(r"(?<=[\u4e00-\u9fff])[（(][^（）(),，、]{1,30}/[^（）(),，、]{1,30}[）)]")
# 一 and 共 of 一共30人 are no names.
_TOGETHER: Final = re.compile(r"一共|总共")
# An order for the thing itself: 插入表格, 做个登记表, "insert table". Names of it (制作表格的人) go on behind it.
_ORDER: Final = re.compile(
    r"(?:请|帮我|给我|麻烦)*(?:(?:插入|添加|增加|新建|新增|创建|生成|制作)[一这个张份页]*|[插加添做建画排放弄](?:入|上|成)?[一这]?[个张份页])"
    r"[\u4e00-\u9fff]{0,5}(?:表格?|图|清单|页|大纲|提纲|模板|附录|横幅)|[插加做建画]表格?|"
    r"(?:please )?(?:insert|add|make|create|draw|build|put)(?: \w+){0,3} "
    r"(?:table|chart|list|slide|page|outline|template)|"
    r"the (?:first|second|third|other|former|latter)(?: one| table)?|.*\bthose of (?:the|my|our)\b.*|"
    r"(?:[嘛呢呀]|就是|分别[为是]|依次[为是]|(?:would|will|should) be |also |namely ).+",
    re.IGNORECASE,
)
_ASCII: Final = re.compile(r"[a-z]", re.IGNORECASE)


def find_cut_name(request: str, written: Sequence[str]) -> str:
    """The words of a request of which a written text is only a part; empty if every text that stands in it is whole."""
    texts = list(dict.fromkeys(one for text in written if (one := text.strip(" 。.：:"))))
    for text in texts:
        places = [start for start, _ in find_spans(text, request, any_case=True)]
        if _OVERHANG.search(text) and any(_COUNT_NEXT.match(request, at + len(text)) for at in places):
            return text
        if text in ("一", "共", "总") and (together := _TOGETHER.search(request)):
            return together[0]
        cut = [_find_whole(request, start, start + len(text)) for start in places]
        if cut and all(cut) and not any(one != text and one not in text and one in cut[0] for one in texts):
            return cut[0]
    return ""


def find_lost_rest(request: str, header: Sequence[str]) -> str:
    """What stands in a request behind the last name of a header and belongs to it: its bracket, or a further name."""
    end = 0
    for name in header:
        start = request.find(name, end) if name else -1
        if start < 0 or (end and start - end > _MAX_GAP):
            return ""  # no list: the names of a usual table, or of a sum
        end = start + len(name)
    joined = next((one for one in header if _JOINED.search(one)), "")
    inside = next((one[0] for one in _CHOICE.finditer(request) if all(name in one[0] for name in header)), "")
    found = _GOES_ON.match(request, end) if len(header) >= _MIN_NAMES else None
    return joined or (inside if len(header) >= _MIN_NAMES else "") or (found[0].strip() if found else "")


def find_order(header: Sequence[str]) -> str:
    """A name of a header that is the order for the thing itself; empty if there is none."""
    return next((one for one in header if len(header) >= _MIN_NAMES and _ORDER.fullmatch(one.strip())), "")


def _find_whole(request: str, start: int, end: int) -> str:
    """The whole name that the words from start to end are cut out of; empty if they are no part of another."""
    if _ASCII.match(request[start]):
        first = start
        while first and _ASCII.match(request[first - 1]):
            first -= 1
        return request[first:end] if first < start else ""
    part = next((one for one in _PART.finditer(request) if one.start() <= start and end <= one.end()), None)
    if part is None:
        return ""
    before, behind = request[part.start() : start], request[end : part.end()]
    follows = request[: part.start()].rstrip()[-1:] == "、"
    precedes = request[part.end() :].lstrip()[:1] == "、"
    if not (follows or precedes) or _COUNTED.search(before + behind):
        return ""
    begins = not before or (_JOIN if follows else _LEAD).search(before) is not None
    begins = begins and not (before.endswith("名") and request[start] == "称")
    ends = not behind.strip() if precedes else _TAIL.match(behind) is not None
    return "" if begins and ends else part[0].strip()
