"""Outlines: numbered headings of several levels, from the items of the request or a general outline."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_theme
from metier.packs.office.drafting._unclear import DraftNote, Unclear
from metier.packs.office.drafting.lists import find_lists, split_items

__all__ = ["draft_outline", "write_outline"]

Node = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
_GENERAL: Final[Mapping[str, tuple[Node, ...]]] = MappingProxyType(
    {
        "zh": (
            ("背景与目标", (("背景", ("现状", "主要问题")), ("目标", ("总体目标", "阶段目标")))),
            ("主要内容", (("总体思路", ("基本原则", "总体架构")), ("重点任务", ("任务分解", "关键措施")))),
            ("实施与保障", (("实施安排", ("进度计划", "责任分工")), ("保障措施", ("资源保障", "风险应对")))),
        ),
        "en": (
            (
                "Background and goals",
                (("Background", ("Present state", "Main problems")), ("Goals", ("Overall goal", "Stages"))),
            ),
            ("Content", (("Approach", ("Principles", "Structure")), ("Main tasks", ("Work packages", "Key measures")))),
            ("Implementation", (("Plan", ("Schedule", "Responsibilities")), ("Support", ("Resources", "Risks")))),
        ),
    }
)
# Names of writings end with their kind.
_WORK: Final = re.compile(
    r"(?!.*[我你他她们了吧呢吗帮请给要])[\u4e00-\u9fffA-Za-z\d]{2,24}(?:方案|计划|报告|规划|办法|制度|手册|总结|论文|研究|建议书?|策划书?|说明书|标书|指南|规范|设计|汇报|预案)"
)
# A clause about the outline itself is none of its headings: 主题是乡村振兴.
_OF_OUTLINE: Final = re.compile(
    r"(?:主题|题目|标题)(?:是|为|叫|写)|[大提]纲|[一二三两\d]级|\b(?:outline|levels?)\b", re.IGNORECASE
)
_CHINESE: Final = "一二三四五六七八九十"
_MAX_LEVELS: Final = 3


def draft_outline(text: RequestText, language: Language) -> DraftBlock:
    """Outline of the levels that the request names; its own items become the first level."""
    levels = 3
    named = text.take(
        r"(?:[一二1-2][级层](?:标题)?、?)+(?P<last>[二三2-3])[级层](?:标题)?(?:都要有|都得有|都要|都写|都列|都有)?"
    )
    if named:
        levels = read_count(named["last"]) or 3
    elif found := text.take(
        rf"(?:down )?to (?:the )?(?:level )?({COUNT})(?: level)?(?=\W|$)|"
        rf"({COUNT})\s*(?:个)?(?:级|层)(?:的)?(?:标题)?的?|({COUNT})[\s-]+(?:heading[\s-]+)?levels?"
        rf"(?: of headings?)?|with ({COUNT}) (?:heading )?levels"
    ):
        levels = read_count(found[1] or found[2] or found[3] or found[4]) or 3
        if levels > _MAX_LEVELS:
            raise Unclear("unsupported", part=found[0])
    text.take(r"(?:每级|每层|每一级)(?:至少|不少于)?.{1,6}?(?:条目|小节|项|个)+|with at least [^.;]*? each")
    items = _take_items(text)
    theme = take_theme(text) or _take_named_work(text)
    if not theme and not items:
        raise Unclear("no_title", what=choose(language, zh="大纲主题", en="outline"))
    return write_outline(theme, levels, items, language)


def write_outline(theme: str, levels: int, items: Sequence[str], language: Language) -> DraftBlock:
    """The block of an outline; without items of its own it is a general one."""
    block = DraftBlock("outline", theme, language)
    if theme:
        block.add("insert_text", text=theme[:1].upper() + theme[1:], new_paragraph_after=True)
        block.add("apply_paragraph_style", bold=True, size=18, alignment="center")
    if items:
        for at, item in enumerate(items):
            block.add_heading(f"{_number((at,), language)}{item}", 1)
        return block
    block.explain(DraftNote.of("default_outline"))
    _add_general(block, levels, language)
    return block


def _take_named_work(text: RequestText) -> str:
    """A clause that is nothing but the name of a piece of writing: 智慧园区建设方案，列个大纲."""
    for clause in re.finditer(r"[^,，。;:!?\n]+", text.mask):
        name = re.sub(r"^(?:我要写|要写|写|做|关于|给)", "", text.raw[clause.start() : clause.end()].strip())
        if _WORK.fullmatch(name):
            text.consume(*clause.span())
            return name
    return ""


def _take_items(text: RequestText) -> Sequence[str]:
    colon = re.search(r":", text.mask)
    items = split_items(text, colon.end(), len(text.mask)) if colon else ()
    are_headings = all(len(one) > 1 and not _OF_OUTLINE.search(one) for one in items)
    if colon and len(items) >= 2 and are_headings:
        text.consume(colon.end(), len(text.mask))
        return items
    found = next((one for one in find_lists(text) if "、" in text.mask[one.start : one.end]), None)
    if found is None:
        return ()
    text.consume(found.start, found.end)
    return found.items


def _add_general(block: DraftBlock, levels: int, language: Language) -> None:
    for first, (title, parts) in enumerate(_GENERAL[language]):
        block.add_heading(f"{_number((first,), language)}{title}", 1)
        for second, (part, points) in enumerate(parts if levels > 1 else ()):
            block.add_heading(f"{_number((first, second), language)}{part}", 2)
            for third, point in enumerate(points if levels > 2 else ()):
                block.add_heading(f"{_number((first, second, third), language)}{point}", 3)


def _number(place: tuple[int, ...], language: Language) -> str:
    chinese = (f"{_CHINESE[place[-1]]}、", f"（{_CHINESE[place[-1]]}）", f"{place[-1] + 1}.")[len(place) - 1]
    return choose(language, zh=chinese, en=f"{'.'.join(str(one + 1) for one in place)} ")
