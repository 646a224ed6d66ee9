"""Things that a request names and its plan does not make: a chart; and orders for pieces that were written as text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText

__all__ = [
    "find_lost_chart",
    "find_lost_number",
    "find_lost_place",
    "find_lost_sheet",
    "find_lost_title",
    "find_written_order",
]

_QUOTES: Final = str.maketrans("“”「」", '""""')
_CHART: Final = re.compile(
    r"(?<!、)(?:[折曲]线|柱[状形]|饼[状形]?|条形)图(?![、标题])|"
    r"\b(?:line|bar|pie|column) (?:chart|graph|diagram)\b",
    re.IGNORECASE,
)
_REFUSED: Final = re.compile(r"(?:不|别|勿|没|除|\bno|\bnot|\bwithout|n['’]t)[^,，。;.]{0,8}$", re.IGNORECASE)
_DRAWS: Final = frozenset({"add_chart", "insert_chart_from_selection", "set_chart"})
_MAKES: Final = frozenset({"add_slide", "upsert_block", "insert_table", "ensure_sheet"})
_SHEET: Final = re.compile(
    r"(?:工作表|sheet|表)\s*(?:叫做?|名为|名叫|命名为|called|named)\s*\"?(?P<behind>[^\s,，。;:\"]{1,20})|"
    r"叫(?P<before>[^\s,，。;:\"的]{1,20})的(?:工作表|sheet|表)",
    re.IGNORECASE,
)
_BESIDE_SLIDE: Final = re.compile(
    r"(?:在)?[^,，。;:]{1,16}?(?:后面?|之后|前面?|之前)(?:再)?(?:加|新增|增加|插入?|添加|新建)(?:上|入)?(?:一|1|新)|"
    r"\b(?:after|before|behind) (?:the )?(?:slide|page|\"|[A-Za-z]+ (?:slide|page)|[A-Z]\w+)[^,.;:]{0,20}",
    re.IGNORECASE,
)
# A title by its name, in words that say nothing else: 标题叫值班表, “a heading called Costs”.
_NAMED_TITLE: Final = re.compile(
    r"(?:标题|题目)(?:就|要|可以)?叫(?:做|作)?\s*(?P<zh>[^\s,，。;；:：\"“”的]{2,20})"
    r"|\b(?:title|heading)s? (?:called|named)\s+(?P<en>[A-Z][\w'’-]*)",
)
# How many tables there are to be, and orders for slides, of which each is one.
_TABLES: Final = re.compile(
    r"\b(?P<en>two|three|four) (?:\w+ )?tables\b|(?P<zh>[两三四])(?:张[^,，。;、]{0,4}|个)表格?(?![头示达单])",
    re.IGNORECASE,
)
_NUMBERS: Final[Mapping[str, int]] = MappingProxyType({"two": 2, "两": 2, "three": 3, "三": 3, "four": 4, "四": 4})
_NEW_SLIDE: Final = re.compile(
    r"\b(?:add|insert|create|make|append)\s+(?:me\s+)?(?:an?\s+|one\s+|another\s+)?(?:new\s+)?(?:[\w-]+\s+){0,3}?(?:slide|page)\b",
    re.IGNORECASE,
)
_BULLETS: Final = re.compile(
    r"\b(?:two|three|four|five|six|some|\d+) bullets?(?: points?)?\b(?! (?:each|per))", re.IGNORECASE
)
# The name of a piece before a quotation: it is an order and no text.
_ORDER: Final = re.compile(
    r"(?:\b(?:heading|subheading|paragraph|sentence|title|text)(?: \d)?|(?:[一二三]级)?标题|"
    r"一[段句行](?:话|文字)?|正文)"
    r"\s*[:：]?\s*[\"“][^\"”]+[\"”]",
    re.IGNORECASE,
)


def find_lost_chart(request: RequestText, steps: Sequence[JsonObject]) -> str:
    """A chart that a request for something new names and that no step draws."""
    ops = {str(one["op"]) for one in steps}
    if ops & _DRAWS or not ops & _MAKES:
        return ""
    found = _CHART.search(request.mask)
    is_meant = found is not None and not _REFUSED.search(request.mask[: found.start()])
    return request.raw[found.start() : found.end()] if found is not None and is_meant else ""


def find_lost_sheet(request: RequestText, steps: Sequence[JsonObject]) -> str:
    """The name of a new sheet that no sheet of the plan has."""
    made = [str(one.get("sheet_name")) for one in steps if one["op"] == "ensure_sheet"]
    for found in _SHEET.finditer(request.raw.translate(_QUOTES)) if made else ():
        name = found["behind"] or found["before"]
        if not any(one.startswith(name) or name.startswith(one) for one in made):
            return found[0]
    return ""


def find_lost_number(request: RequestText, steps: Sequence[JsonObject]) -> str:
    """Tables, slides or bullets that the request counts and the plan has fewer of."""
    ops = Counter(str(one["op"]) for one in steps)
    if not {"insert_table", "add_slide"} & set(ops):
        return ""
    for found in _TABLES.finditer(request.mask):
        if 0 < ops["insert_table"] < _NUMBERS[(found["en"] or found["zh"]).lower()]:
            return request.raw[found.start() : found.end()]
    slides = list(_NEW_SLIDE.finditer(request.mask))
    if 0 < ops["add_slide"] < len(slides):
        return request.raw[slides[-1].start() : slides[-1].end()]
    bullets = _BULLETS.search(request.mask)
    if bullets and not any(len(str(one.get("content") or one.get("text") or "").splitlines()) > 1 for one in steps):
        return request.raw[bullets.start() : bullets.end()]
    return ""


def find_lost_title(request: RequestText, texts: Sequence[str]) -> str:
    """The name of a title that no text of the plan has."""
    for found in _NAMED_TITLE.finditer(request.mask):
        name = request.text_of(*found.span("zh" if found["zh"] else "en")).rstrip("吧啊哈呀哦")
        if texts and not any(name in one for one in texts):
            return request.raw[found.start() : found.end()]
    return ""


def find_lost_place(request: RequestText, steps: Sequence[JsonObject]) -> str:
    """The slide beside which a new one is to stand, where the plan puts it at the end."""
    # Steps of a block; an order of its own reads the place, and its last one needs no position.
    added = [one for one in steps if one["op"] == "add_slide" and "." in str(one.get("id"))]
    if not added or any(one.get("position") for one in added):
        return ""
    colon = request.mask.find(":")
    found = _BESIDE_SLIDE.search(request.mask, 0, colon if colon > 0 else len(request.mask))
    is_end = found is not None and re.search(r"最后|末|last|end", found[0], re.IGNORECASE) is not None
    return "" if found is None or is_end else request.raw[found.start() : found.end()].strip(" ,，")


def find_written_order(texts: Sequence[str]) -> str:
    """A text of the plan that is the order for a heading or a paragraph with its quotation."""
    return next((one for one in texts if _ORDER.search(one)), "")
