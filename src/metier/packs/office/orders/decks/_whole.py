"""Orders for a deck as a whole, for slides that are divided, and for the look of single words."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import DELETE, OrderContext, step
from metier.packs.office.orders._formulas import read_number_form
from metier.packs.office.orders._looks import COLOR, take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.decks._view import take_slides

__all__ = ["WHOLE_RULES"]

_ALL: Final = (
    r"(?:所有|全部|每一?|整个|各)(?:的)?(?:页面?|幻灯片|张|PPT|演示文稿)?(?:里面?|中|上)?的?|"
    r"\b(?:all|every|each|the (?:whole|entire)|of|the|in|on|from) |\b(?:deck|presentation|slides?|throughout|"
    r"everywhere)\b|幻灯片|PPT|演示文稿|都|全"
)
_LOOKS: Final = frozenset({"bold", "italic", "underline", "color", "size", "font"})


def _size(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Ratio of the slides: 换成4:3, make it widescreen."""
    found = text.take(
        r"(?P<four>4\s*[:：比]\s*3|四比三|\b4 (?:by|to) 3\b|标准屏|普屏|\bstandard(?: (?:size|screen|format))\b)|"
        r"(?P<wide>16\s*[:：比]\s*9|十六比九|\b16 (?:by|to) 9\b|宽屏|\bwide ?screen\b)"
    )
    if found is None:
        return None
    text.take_all(
        rf"{_ALL}|尺寸|大小|比例|页面|屏幕|宽高|的?格式|版式?|(?:设置?|改|换|调整?|变|用|转)(?:成|为|到)?|"
        r"\b(?:set|change|make|switch|turn|convert|put|use|to|into|it|size|ratio|aspect|format|a|as|be)\b"
    )
    return [step("set_slide_size", ratio="4:3" if found["four"] else "16:9")]


_THEMES: Final = (("blue", r"蓝|blue"), ("green", r"绿|green"), ("red", r"红|red"), ("gray", r"灰|gr[ae]y"))


def _theme(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """The colours of a deck: 配色换成蓝色的, make the colour scheme green."""
    if not text.take(
        r"(?:整体|整个|全部|统一)?(?:的)?(?:配色(?:方案)?|主题(?:颜?色|配色)?|主色调?|色调|色系)|"
        r"\bcolou?r (?:scheme|theme|palette)\b|\btheme colou?rs?\b"
    ):
        return None
    found = text.take(rf"({COLOR})(?:系|调)?的?(?:配色|主题)?")
    text.take_all(
        rf"{_ALL}|(?:设置?|改|换|调整?|变|用|转)(?:成|为|到|作)?|"
        r"\b(?:set|change|make|switch|turn|use|to|a|as|be)\b"
    )
    name = next((name for name, form in _THEMES if found and re.search(form, found[1], re.IGNORECASE)), "")
    if not name:
        raise OrderUnclear("which_theme")
    return [step("set_slide_theme", theme_name=name)]


def _animations(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Effects off: 把动画全去掉, switch off all animations."""
    thing = r"(?:自定义)?动画(?:效果)?|\b(?:animations?|animation effects?)\b"
    if not text.has(thing) or text.has(r"切换|翻页|转场|\btransition"):
        return None
    off = (
        rf"{DELETE}(?:掉|了)?|关(?:掉|闭|了)?|停用|(?:都|全)?(?:不要|不用|别)(?:有|用|加)?了?|"
        r"\b(?:turn|switch|take) (?:(?P<it>.{0,30}?) )?(?:off|out)\b|\b(?:disable|stop|clear|no|without|kill)\b"
    )
    if not (found := re.search(off, text.mask, re.IGNORECASE)):
        return None
    said = found.groupdict().get("it") or ""
    if said:  # switch the animations off
        start = found.start("it")
        text.consume(found.start(), start)
        text.consume(found.end("it"), found.end())
    else:
        text.consume(*found.span())
    text.take(thing)
    slides = take_slides(context, text)
    text.take_all(rf"{_ALL}|里面?|中|上|掉|了|[,，]|\b(?:any|please|them)\b")
    if slides:
        return [step("clear_animations", slide_index=one) for one in slides]
    return [step("clear_animations", apply_to_all=True)]


def _split(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """One slide becomes two with the same title: the first half of its points stays, the second goes on."""
    if not text.take(
        r"(?:拆|分|切)(?:开|分)?(?:成|为|到)?(?:两|二|2)(?:页|张|个|半)(?:幻灯片)?|"
        r"\b(?:split|divide|break|cut)\b(?=.{0,60}\b(?:in(?:to)? (?:two|2|half)|over two|across two)\b)"
    ):
        return None
    text.take_all(r"\b(?:in(?:to)? (?:two|2|half)|over two|across two)(?: (?:slides?|pages?))?\b")
    slides = take_slides(context, text)
    text.take_all(r"(?:的)?(?:内容|要点)|太多了?|[,，]|\b(?:slides?|up|the|page|content)\b")
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    shown = context.reading.slides[slides[0] - 1]
    blocks = [one for one in shown.texts if one.strip()]
    points = [line for block in blocks for line in block.split("\n") if line.strip()]
    if len(blocks) != 1 or len(points) < 2 or len(set(points)) != len(points):
        raise OrderUnclear("no_split_place", number=slides[0])
    half = (len(points) + 1) // 2
    if any(one in other for one in points for other in (*points, shown.title) if one != other):
        raise OrderUnclear("no_split_place", number=slides[0])
    return [
        step("duplicate_slide", source_index=slides[0], target_position=slides[0] + 1),
        *(step("delete_point", text=one, slide_index=slides[0] + 1) for one in points[:half]),
        *(step("delete_point", text=one, slide_index=slides[0]) for one in points[half:]),
    ]


def _notes_look(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Font and size of the notes: 备注的字体改成宋体."""
    if not text.take(r"(?:演讲者?)?备注(?:页|栏)?(?:里|中|上)?的?(?:文字|内容|字)?|\b(?:speaker )?notes\b"):
        return None
    look = take_look(text)
    if not look or set(look) - {"font", "size", "bold", "color"}:
        return None
    slides = take_slides(context, text)
    text.take_all(
        rf"{_ALL}|字体|字号|(?:统一|设置?|改|换|调)(?:成|为|到)?|用|"
        r"\b(?:make|set|change|put|use|for|to|font|text|size|letters)\b"
    )
    if not any(one.notes for one in context.reading.slides if not slides or one.number in slides):
        raise OrderUnclear("no_notes")
    if slides:
        return [step("set_slide_text_style", slide_index=one, notes=True, **look) for one in slides]
    return [step("set_slide_text_style", apply_to_all=True, notes=True, **look)]


def _words(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Look of words that stand in the deck: make "Carbon dioxide" bold."""
    quotes = list(text.left_quotes())
    if not quotes:
        return None
    look = take_look(text)
    if not look or set(look) - _LOOKS:
        return None
    slides = take_slides(context, text)
    named = [one for one in quotes if text.mask[one.start - 1] != "\ufffc"]
    if not named:
        return None
    steps: list[JsonObject] = []
    for one in named:
        hits = [
            slide.number
            for slide in context.reading.slides
            if (not slides or slide.number in slides) and any(one.text in line for line in (slide.title, *slide.texts))
        ]
        if not hits:
            raise OrderUnclear("no_text_here", text=one.text)
        text.consume(one.start - 1, one.end + 1)
        where: list[JsonValue] = [*hits]
        steps += [step("set_slide_text_style", slide_index=at, words=one.text, **look) for at in where]
    text.take_all(
        rf"{_ALL}|(?:这|那)(?:几|两|一)?(?:个|句|行|条)?(?:字|词|话)?|字样|文字|里面?|上|中|[,，、]|和|"
        r"(?:设置?|改|换|标|变)(?:成|为)?|\b(?:make|set|turn|put|words?|phrase|text|line|bullet|point|and|in|on)\b"
    )
    return steps


_CHARTS: Final = (
    ("column", r"柱(?:状|形)图|\bcolumn (?:chart|graph)\b|(?<!\bhorizontal )\bbar (?:chart|graph)\b"),
    ("bar", r"条形图|\bhorizontal bar (?:chart|graph)\b"),
    ("line", r"折线图|曲线图|\bline (?:chart|graph)\b"),
    ("pie", r"饼(?:状|形)?图|\bpie(?: chart| graph)?\b"),
)


def _chart(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A chart of numbers that the order gives: 第三页做成柱状图：华东500，华北400."""
    at = text.mask.find(":")
    kinds = [kind for kind, words in _CHARTS if re.search(words, text.mask, re.IGNORECASE)]
    if at < 0 or len(kinds) != 1:
        return None
    points = _read_points(text.raw[at + 1 :])
    if len(points) < 2:
        return None
    text.consume(at, len(text.mask))
    text.take_all(dict(_CHARTS)[kinds[0]])
    slides = take_slides(context, text)
    title = text.take_any_quote()
    text.take_all(
        r"(?:加|插入|插|添加|放|画|做|弄|来|生成)(?:上|入|成|出)?(?:一?[个张])?|改成|变成|数据(?:为|是|如下)?|"
        r"\b(?:add|insert|put|make|draw|create|a|an|on|to|of|with|showing|the|chart|for|data|values?)\b|[,，]|标题(?:为|是|叫)?"
    )
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    name = title or context.reading.slides[slides[0] - 1].title.strip()
    numbers: list[JsonValue] = [[label, value] for label, value in points]
    rows: list[JsonValue] = [["", name or "1"], *numbers]
    return [step("add_chart", title=title or None, chart_type=kinds[0], data=rows, slide_index=slides[0])]


def _read_points(words: str) -> list[tuple[str, float]]:
    """Labels with their numbers; empty if a part is something else, asked about if they count different things."""
    found = []
    units: set[str] = set()
    for part in re.split(r"[,，、;；\n]|\band\b", words.strip(" 。.")):
        one = re.fullmatch(
            r"\s*(?P<name>[^\d:：=]{1,40}?)\s*[:：=是为]?\s*"
            r"(?P<value>-?\d+(?:\.\d+)?\s*[千万亿]?)(?P<percent>\s*[%％])?\s*(?P<unit>元|个|人|台|件)?\s*",
            part,
        )
        value = read_number_form(one["value"]) if one is not None else None
        if one is None or value is None:
            return []
        units.add("%" if one["percent"] else one["unit"] or "")
        found.append((one["name"].strip(), float(value)))
    if len(units) > 1 and ("%" in units or len(units - {""}) > 1):
        raise OrderUnclear("mixed_units", known=tuple(sorted(units - {""})))
    return found


WHOLE_RULES: Final = (_size, _theme, _animations, _split, _chart, _notes_look, _words)
