"""Short orders that name one change: a last paragraph, header, footer, page numbers, a cell, a title, notes of a slide.

An order is only taken if the whole request reads as one; nothing beside it is left out in silence.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office.drafting._blocks import DraftBlock, build_plan
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.plan import OPERATIONS, PLAN_VERSION, HostApp

__all__ = ["draft_order"]

_DIGITS: Final = "零一二三四五六七八九十"
_OPEN, _CLOSE = "[“\"'「『]", "[”\"'」』]"
_QUOTED: Final = rf"{_OPEN}(?P<text>[^”\"'」』]{{1,200}}){_CLOSE}"
_ALIGN_ZH: Final = r"(?:[,，、\s]*(?P<align>居中|居左|居右|靠左|靠右)(?:显示|对齐)?)?"
_ALIGN_EN: Final = r"(?:,?\s*(?:and\s+)?(?P<align>centered|centred|left|right)(?:[- ]aligned)?)?"
_SLIDE: Final = r"第(?P<{}>[一二三四五六七八九十]{{1,3}}|\d{{1,3}})(?:页|张)(?:幻灯片|PPT)?"
_POLITE: Final = re.compile(r"^(?:请|麻烦你?|帮我|帮忙|给我|please\s+)+", re.IGNORECASE)
_END: Final = "。.!！~～ "
_LONG_NUMBER: Final = 16  # digits from which a number stays text: identity and card numbers

Build = Callable[[re.Match[str], Language], "list[JsonObject] | DraftBlock"]


@dataclass(frozen=True, slots=True)
class _Order:
    hosts: frozenset[HostApp]
    pattern: re.Pattern[str]
    build: Build


def draft_order(request: str, host: HostApp, language: Language) -> JsonObject | None:
    """Plan of a request that is one short order; None if it is none, or not one for this kind of file."""
    said = _POLITE.sub("", request.strip())
    for order in _ORDERS:
        if host not in order.hosts:
            continue
        # First as it is: the last mark may belong to the text that is to be written.
        if found := order.pattern.fullmatch(said) or order.pattern.fullmatch(said.rstrip(_END)):
            made = order.build(found, language)
            if isinstance(made, DraftBlock):
                return build_plan([made], host, DraftPlace("end"), language)
            actions: list[JsonValue] = [{"id": f"s{number}", **one} for number, one in enumerate(made, 1)]
            return {"schema_version": PLAN_VERSION, "host_app": host, "meta": {}, "actions": actions}
    return None


def _act(op: str, language: Language, /, **fields: JsonValue) -> JsonObject:
    given = {name: value for name, value in fields.items() if value is not None}
    return {"title": OPERATIONS[op].title.text(language), "op": op, **given}


def _build_paragraph(found: re.Match[str], language: Language) -> DraftBlock:
    text = found["text"].strip()
    block = DraftBlock("paragraph", text[:80], language)
    block.add("insert_text", text=text, new_paragraph_after=True)
    return block


def _build_page_numbers(found: re.Match[str], language: Language) -> list[JsonObject]:
    position = "header" if (found["where"] or "") in ("页眉", "header") else "footer"
    return [_act("set_page_numbers", language, position=position, alignment=_alignment(found) or "center")]


def _build_header(found: re.Match[str], language: Language) -> list[JsonObject]:
    op = "set_header" if found["part"].casefold() in ("页眉", "header") else "set_footer"
    return [_act(op, language, text=found["text"].strip(), alignment=_alignment(found))]


def _build_cell(found: re.Match[str], language: Language) -> list[JsonObject]:
    text = found["value"].strip()
    is_number = re.fullmatch(r"-?\d+(?:\.\d+)?", text) and len(text) < _LONG_NUMBER and not re.match(r"-?0\d", text)
    value: JsonValue = (float(text) if "." in text else int(text)) if is_number else text
    return [_act("set_cells", language, cells=[{"cell": found["cell"].upper(), "value": value}])]


def _build_slide(found: re.Match[str], language: Language) -> DraftBlock:
    block = DraftBlock("slide", found["text"].strip(), language)
    block.add("add_slide", title=found["text"].strip())
    return block


def _build_slide_title(found: re.Match[str], language: Language) -> list[JsonObject]:
    text, slide = found["text"].strip(), _number(found["slide"])
    return [_act("fill_placeholder", language, text=text, slide_index=slide, placeholder_kind="title")]


def _build_notes(found: re.Match[str], language: Language) -> list[JsonObject]:
    return [_act("set_notes", language, text=found["text"].strip(), slide_index=_number(found["slide"]))]


def _build_swap(found: re.Match[str], language: Language) -> list[JsonObject]:
    first, second = sorted((_number(found["first"]), _number(found["second"])))
    moves = [(second, first)] if second - first == 1 else [(second, first), (first + 1, second)]
    return [_act("reorder_slides", language, from_index=here, to_index=there) for here, there in moves]


def _alignment(found: re.Match[str]) -> str | None:
    words = {"居中": "center", "居左": "left", "靠左": "left", "居右": "right", "靠右": "right", "left": "left"}
    said = (found["align"] or "").casefold()
    return words.get(said, "right" if said == "right" else "center") if said else None


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return ((_DIGITS.index(tens) if tens else 1) * 10 if ten else 0) + (_DIGITS.index(ones) if ones else 0)


def _orders(hosts: tuple[HostApp, ...], build: Build, *patterns: str) -> tuple[_Order, ...]:
    return tuple(_Order(frozenset(hosts), re.compile(one, re.IGNORECASE), build) for one in patterns)


_ORDERS: Final = (
    *_orders(
        ("wps",),
        _build_paragraph,
        r"(?:在|到)?(?:这份|这个|本)?(?:合同|文档|文章|通知|全文|正文|文件|报告)?的?(?:最后|末尾|结尾|文末)面?(?:再)?"
        r"(?:加|添加|添|补|写|插入)(?:上|入)?一?(?:段|句|行)(?:话|文字)?[:：]\s*(?P<text>.+)",
        r"add (?:a|one|this) (?:paragraph|sentence|line) (?:at|to) the end(?: of the \w+)?:\s*(?P<text>.+)",
    ),
    *_orders(
        ("wps", "et", "wpp"),
        _build_page_numbers,
        rf"(?:在)?(?P<where>页脚|页眉|页面底部|页底)?(?:里|处)?(?:加上?|插入|添加|设置|加个|标上?)页码{_ALIGN_ZH}",
        rf"(?:add|insert|put) page numbers(?: (?:in|to|at|into) the (?P<where>footer|header|bottom))?{_ALIGN_EN}",
    ),
    *_orders(
        ("wps", "et"),
        _build_header,
        rf"(?:在|把)?(?P<part>页眉|页脚)(?:里|处|上)?(?:写上?|加上?|改成|改为|设为|设置为|填上?)\s*{_QUOTED}{_ALIGN_ZH}",
        rf"(?:put|write|set|add) {_QUOTED} (?:in|into|to|as) the (?P<part>header|footer){_ALIGN_EN}",
    ),
    *_orders(
        ("et",),
        _build_cell,
        r"(?:把|将)?(?P<cell>[a-z]{1,3}[1-9]\d{0,6})(?:单元格)?(?:的?(?:值|内容))?(?:改成|改为|设为|设成|填成?|写成?|换成)"
        r"\s*[“\"]?(?P<value>[^=“”\"，。,;；][^“”\"，。,;；]{0,99})[”\"]?",
        r"(?:set|change) (?:cell )?(?P<cell>[a-z]{1,3}[1-9]\d{0,6}) to\s+[“\"]?(?P<value>[^=“”\"][^“”\"]{0,99})[”\"]?",
    ),
    *_orders(
        ("wpp",),
        _build_slide,
        rf"(?:在)?(?:最后|末尾|结尾)面?(?:再)?(?:加|添加|新增|插入)一?(?:页|张)(?:幻灯片)?[,，]?\s*标题(?:写|为|是|叫|写上)?{_QUOTED}",
        rf"add (?:a|one) slide at the end(?:,)? (?:with the title|titled|called) {_QUOTED}",
    ),
    *_orders(
        ("wpp",),
        _build_slide_title,
        rf"(?:把|将)?{_SLIDE.format('slide')}的?标题(?:改成|改为|换成|写成){_QUOTED}",
        rf"(?:change|set) the title of slide (?P<slide>\d{{1,3}}) to {_QUOTED}",
    ),
    *_orders(
        ("wpp",),
        _build_notes,
        rf"(?:给|在)?{_SLIDE.format('slide')}(?:加上?|写上?|添加)(?:演讲者?)?备注[:：]\s*(?P<text>.+)",
        r"add (?:speaker )?notes to slide (?P<slide>\d{1,3}):\s*(?P<text>.+)",
    ),
    *_orders(
        ("wpp",),
        _build_swap,
        rf"(?:把|将)?{_SLIDE.format('first')}(?:和|与|跟){_SLIDE.format('second')}(?:换个?位置|对调|交换(?:位置)?|互换)",
        r"swap slides? (?P<first>\d{1,3}) and (?:slide )?(?P<second>\d{1,3})",
    ),
)
