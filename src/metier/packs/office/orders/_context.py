"""What the rules of an order have in common."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.patterns import compile_later

__all__ = [
    "ADD",
    "CHANGE",
    "DEFAULT_SCOPE",
    "DELETE",
    "OrderContext",
    "OrderRule",
    "has_order_inside",
    "split_values",
    "step",
    "take_old_new",
    "take_text",
]

DELETE: Final = (
    r"(?:删除|删掉|删去|删了|删|去掉|去除|移除|移掉|拿掉|清除|清掉|取消|不要了?|\b(?:delete|remove|drop|"
    r"erase|take out|get rid of|strip(?: out)?)\b)"
)
ADD: Final = (
    r"(?:添加|新增加?|增加|增添|加上|加入|加|插入|插|补充|补上|补|追加|写上|写入|写|放上|放|标上|附上|"
    r"\b(?:add|insert|append|put|write|place|include)\b)"
)
CHANGE: Final = (
    r"(?:修改为|修改成|更改为|更正为|改写成|改写为|改成|改为|改到|改叫|改名为|改名成|改名叫|更名为|"
    r"重命名为|命名为|换成|换为|替换成|替换为|替换|统一成|统一为|变成|变为|调成|调整为|调为|设置为|设置成|"
    r"设为|设成|补成|补为|定为|定成|填成|填为|填上|填|写成|写为|写上|写|更新为|更新成|\b(?:to|with|into|as|by)\b)"
)


# Marks a step whose place nobody named: a clause beside it may name it.
DEFAULT_SCOPE: Final = "default_scope"


@dataclass(frozen=True, slots=True)
class OrderContext:
    """The document and the language of an order."""

    reading: Reading
    language: Language


OrderRule: TypeAlias = Callable[[OrderContext, RequestText], "list[JsonObject] | None"]


def step(op: str, /, **fields: JsonValue) -> JsonObject:
    """One step of a plan; fields that are None are left out."""
    return {"op": op, **{name: value for name, value in fields.items() if value is not None}}


def take_text(text: RequestText) -> str:
    """Text that is to be written: after a colon, else a quotation, else what follows 内容为, 写, saying."""
    if found := re.search(r":\s*(?=\S)", text.mask):
        start = found.end()
        value = text.raw[start:].strip()
        text.consume(found.start(), len(text.mask))
        return _strip_quotes(value)
    if found := re.search(
        rf"(?:内容(?:为|是)?|文字(?:为|是)?|写着?|写上|saying|that says|reading|with the text|text)?\s*({QUOTED})",
        text.mask,
        re.IGNORECASE,
    ):
        value = text.text_of(*found.span(1))
        text.consume(*found.span())
        return value
    return text.take_value(r"内容(?:为|是)|文字(?:为|是)|\b(?:saying|that says|reading)\b(?:\s+that\b)?")


def _strip_quotes(value: str) -> str:
    inner = re.fullmatch(r"[“\"「『](.+)[”\"」』][。.]?", value, re.DOTALL)
    return inner[1] if inner and not re.search(r"[“”\"「」『』]", inner[1]) else value


_MARK: Final = re.compile(r"(?:^|(?<=[\s;；,，。]))\s*[(（]?(\d{1,2})(?:[、)）]|[.．](?!\d))\s*(?=\S)")  # 1. 甲 2. 乙


def split_values(value: str) -> list[str]:
    """Values of a list: separated by commas, enumeration marks, semicolons, bars or spaces."""
    if len(marks := list(_MARK.finditer(value))) > 1 and [int(one[1]) for one in marks] == list(
        range(1, len(marks) + 1)
    ):
        edges = [*(one.start() for one in marks[1:]), len(value)]
        return [value[one.end() : end].strip(' “”"「」。.;；,，') for one, end in zip(marks, edges, strict=True)]
    for separators in (r"[;；\n|]", r"[、]", r"，|,(?!(?<=\d,)\d{3}(?!\d))", r"\s+and\s+", r"\s+"):
        parts = [one.strip(' “”"「」。.') for one in re.split(separators, value.strip())]
        if len([one for one in parts if one]) > 1:
            joined = separators not in (r"[;；\n|]", r"\s+and\s+", r"\s+")
            last = re.split(r"\s*(?:和|以及)\s*|(?:^|\s+)and\s+", parts[-1]) if joined else [parts[-1]]
            return [one for one in (*parts[:-1], *last) if one]
    return [value.strip(' “”"「」。.')]


_ORDER_INSIDE: Final = re.compile(
    r"(?:\band|,)\s+(?:then\s+)?(?:make|add|delete|remove|change|set|put|bold|move|insert|sort|highlight|underline|"
    r"also|hide|freeze|cent(?:re|er)|colou?r|mark|rename|replace|italici[sz]e|filter|clear|duplicate|swap|align)\b|"
    r"(?:并|再|然后|同时|顺便)(?:把|将|给|加|删|改|标|设|在)|改成|改为|换成|保留.位|[,，].{0,12}(?:改成|改为|换成|"
    r"删|加)|但[是我他她你]|可是|是错的|(?:之后|以后)再说",
    re.IGNORECASE,
)


def has_order_inside(value: str) -> bool:
    """Whether a value that stands without quotes swallowed another order."""
    return _ORDER_INSIDE.search(value) is not None


# A comma inside of a number.
_THOUSANDS: Final = r"(?<=\d),(?=\d{3}(?!\d))"


# What stands between the old and the new words: 全部改成, 都换成, 统一修改为.
_BETWEEN: Final = (
    r"\s*(?:全部|都|统统|统一|一律|全|这几?个?字|这个词|一词)*(?:的?地方)?(?:都)?\s*"
    r"(?:修改为|修改成|更改为|更正为|改成|改为|换成|换为|替换成|替换为|统一成|统一为|更新为)\s*"
)
_BETWEEN_CORE: Final = re.compile(r"[改换成更][改正换新一]?[成为]|替换")
_SIGN_EN: Final = re.compile(r"\b(?:replace|change|swap|substitute|correct|update|fix|rename)\b", re.IGNORECASE)
_SIGN_BE: Final = re.compile(r"\bshould be\b", re.IGNORECASE)
_SIGN_ARROW: Final = re.compile(r"->|→|=>|－>")
_BETWEEN_WHOLE: Final = compile_later(_BETWEEN)


def take_old_new(text: RequestText, reading: Reading) -> tuple[str, str] | None:
    """Old and new words: 把X改成Y, replace X with Y; None if the order has no such form, or Y is a look of X."""
    value = rf"({QUOTED}|(?:[^\"\ufffc,，。;]|{_THOUSANDS})+?)"
    stop = rf"$|(?!{_THOUSANDS})[,;]|\.(?!\d)|\ufffc|\s+(?:throughout|everywhere|in\b|on\b)"
    zh = rf"(?:把|将)?{value}{_BETWEEN}{value}(?=$|(?!{_THOUSANDS})[,，。;\ufffc])"
    en = (
        rf"\b(?:replace|change|swap|substitute|correct|update|fix|rename)\s+(?:all\s+|every\s+|each\s+|the\s+|"
        rf"any\s+)*(?:words?\s+|occurrences?\s+of\s+|instances?\s+of\s+|text\s+)*(?:[a-z ]{{0,30}}?\bfrom\s+)?"
        rf"{value}\s+(?:with|to|by|into|for)\s+{value}(?={stop})"
    )
    be = rf"(?:\bthe\s+)?{value}\s+should be\s+{value}(?={stop})"
    arrow = rf"{value}\s*(?:->|→|=>|－>)\s*{value}(?=$|[,，.。;\ufffc])"
    for pattern, sign in ((zh, _BETWEEN_CORE), (en, _SIGN_EN), (be, _SIGN_BE), (arrow, _SIGN_ARROW)):
        if not sign.search(text.mask):
            continue  # each of these patterns tries every end for every start
        if found := re.search(pattern, text.mask, re.IGNORECASE):
            end = _end_of_new(text, found)
            old, new = text.text_of(*found.span(1)), text.text_of(found.start(2), end)
            if pattern is zh and '"' not in found[1]:
                old = _complete_old(old, text.mask[found.end(1) : found.start(2)], reading)
            new = re.sub(r"(?<=[\u4e00-\u9fff])了$", "", new) if pattern is zh and '"' not in found[2] else new
            if '"' not in found[2] and _is_look_for(old, new):
                return None
            if old and new and (text.mask[found.start(2)] == '"' or not _ORDER_INSIDE.search(new)):
                text.consume(found.start(), end)
                return old, new.strip()
    return None


def _is_look_for(old: str, new: str) -> bool:
    """Whether the new words say how the old ones are to look (标题改成红色); 13号 that becomes 14号 is a day."""
    return is_look(new) and not (is_look(old) and re.search(r"[\d一二三四五六七八九十]", old))


def _complete_old(old: str, between: str, reading: Reading) -> str:
    """Old words with the beginning of what was read as 都 or 修改, where they stand so in the document: 成都, 汽修.

    学生都改成同学 means 学生, unless these stand nowhere without 都.
    """
    longer = (between[:size] for size in range(len(between) - 1, 0, -1) if _BETWEEN_WHOLE.fullmatch(between[size:]))
    texts = [
        *(piece.text for piece in reading.pieces),
        *(str(cell.value) for sheet in reading.sheets for cell in sheet.cells),
        *(line for slide in reading.slides for line in (slide.title, *slide.texts)),
    ]
    count = sum(one.count(old) for one in texts)
    for taken in longer:
        found = sum(one.count(old + taken) for one in texts)
        if found and (len(old) == 1 or found == count):
            return old + taken
    return old


def _end_of_new(text: RequestText, found: re.Match[str]) -> int:
    """End of the new words: they go on over commas if the quoted old ones have as many."""
    old, tail = text.text_of(*found.span(1)), text.mask[found.end(2) :]
    is_open = text.mask[found.start(1)] == '"' and text.mask[found.start(2)] != '"'
    if is_open and (commas := len(re.findall(r"[,，]", old))) and len(re.findall(r"[,，]", tail)) == commas:
        return len(text.mask.rstrip("。."))
    return found.end(2)


def need(value: str, code: str) -> str:
    """The value; asked for if it is empty."""
    if not value:
        raise OrderUnclear(code)
    return value
