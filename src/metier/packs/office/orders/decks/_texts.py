"""Orders for the texts of a deck and their look."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import (
    ADD,
    CHANGE,
    OrderContext,
    split_values,
    step,
    take_old_new,
    take_text,
)
from metier.packs.office.orders._literal import match_case, settle_pair
from metier.packs.office.orders._looks import COLOR, is_look, read_color_word, take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.decks._view import take_except, take_slides

__all__ = ["TEXT_RULES"]


def _title(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    found = re.search(
        rf"(?:的)?(?P<what>副标题|标题|题目)(?:文字|内容)?(?:{CHANGE})\s*(?::\s*)?(?P<new>{QUOTED}|"
        rf"[^,，。;\"\ufffc]+)$",
        text.mask,
    ) or re.search(
        rf"\b(?:change|set|rename|make)\b.*?\b(?P<what>subtitle|title)\b.*?\b(?:to|as|into|"
        rf":)\s*(?P<new>{QUOTED}|[^,;\"\ufffc]+)$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return _rename_slide(context, text)
    new = text.text_of(*found.span("new"))
    if '"' not in found["new"] and is_look(new):
        return None
    start = found.start("what")
    if text.mask[found.start()].isascii() and text.mask[found.start()].isalpha():
        text.consume(*found.span("new"))
        text.take_all(r"\b(?:change|set|rename|make|subtitle|title|to|as|of|the)\b")
    else:
        text.consume(start, found.end())
    slides = take_slides(context, text)
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    kind = "subtitle" if found["what"] in ("副标题", "subtitle") else "title"
    return [step("fill_placeholder", text=new, slide_index=slides[0], placeholder_kind=kind)]


def _rename_slide(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """The title of a slide that is called by its old one: Rename the Budget slide to Costs."""
    found = re.search(
        rf"\b(?:rename) (?:the )?(?=.{{1,40}}\b(?:slide|page)\b).*?\bto\s*(?P<new>{QUOTED}|[^,;\"\ufffc]+)$|"
        rf"(?<=[页张])(?:的?(?:名字|名称)?(?:改名|改叫|叫做?|重命名)(?:为|成|叫)?)\s*(?P<name>{QUOTED}|"
        rf"[^,，。;\"\ufffc]+)$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return None
    group = "new" if found["new"] else "name"
    new = text.text_of(*found.span(group))
    text.consume(*found.span(group))
    text.take_all(r"\b(?:rename|to)\b|(?:的)?(?:名字|名称)?(?:改名|改叫|叫做?|重命名)(?:为|成|叫)?")
    slides = take_slides(context, text)
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    return [step("fill_placeholder", text=new, slide_index=slides[0], placeholder_kind="title")]


def _notes(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.has(r"备注|演讲稿|讲稿|\b(?:speaker )?notes?\b"):
        return None
    words = take_text(text)
    text.take_all(
        rf"(?:{ADD}|{CHANGE})?(?:上)?(?:演讲者?)?(?:备注|演讲稿|讲稿)(?:里|中)?|{ADD}|{CHANGE}|\b(?:add|"
        rf"set|put|write|speaker|notes?|to|for|of|on|in|saying|a|the)\b|[:,，]|内容"
    )
    slides = take_slides(context, text)
    if not words:
        raise OrderUnclear("no_text")
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    return [step("set_notes", text=words, slide_index=slides[0])]


def _point(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    unit = (
        r"(?:一|1)?(?:个)?(?:条|点|项|行|句)(?:新?的?)?(?:要点|内容|话|文字)?|要点|\b(?:a |one |"
        r"another )?(?:new )?(?:bullet(?: point)?|point|line|item)\b"
    )
    is_quoted = re.search(
        rf"(?:{ADD})\s*(?:上|个|一条)?\s*{QUOTED}|{QUOTED}\s*(?:这|那)?一?(?:句|条)?\s*(?:{ADD})",
        text.mask,
        re.IGNORECASE,
    )
    if text.has(
        r"页码|备注|文本框|标题|页眉|页脚|\b(?:notes?|titled?|text ?box|footer|header|slide (?:called|named))\b|"
        r"(?<!最后)(?<!第)(?<!末)(?:一|1|新)(?:页|张)"
    ):
        return None
    if not text.has(rf"(?:{ADD})\s*(?:上|入)?\s*(?:{unit})") and not is_quoted:
        return None
    words = take_text(text)
    more = text.take(
        r"\s*(?:和|以及|还有|跟|、|,|\band\b)\s*(?:我的|我们的|my |our )?(?:信箱|邮箱|电话|手机|邮件|网址|联系方式|"
        r"e-?mail|phone(?: number)?|"
        r"website)?\s*[:：]?\s*"
        r"(?P<it>[\w.+-]+@[\w.-]+\w|https?://\S+|www\.\S+|\+?\d[\d -]{6,}\d)"
    )
    text.take(rf"(?:{ADD})\s*(?:上|入)?\s*(?:{unit})") or text.take(rf"{ADD}")
    slides = take_slides(context, text)
    if not words:
        raise OrderUnclear("no_text")
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    text.take_all(
        r"(?:在|的)?(?:最后|末尾|下面|后面|里面?|上)(?:再)?|[:,，]|再|内容|\b(?:to|on|at the end|saying|of)\b"
    )
    lines = [words] if more is None else [words, text.raw[more.start("it") : more.end("it")]]
    return [step("add_point", text=one, slide_index=slides[0]) for one in lines]


def _background(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    found = text.take(
        rf"(?:的)?背景(?:颜色|色)?(?:都|全部|统一)?(?:设置?|改|换|变|调|用)?(?:成|"
        rf"为)?\s*({COLOR}|浅色|深色|亮色|暗色)(?:背景)?|({COLOR}|浅色|深色)(?:的)?背景|"
        rf"\bbackground(?: colou?r)?(?:s)?(?: of)?.{{0,30}}?(?:to|is)?\s*({COLOR}|\b(?:light|dark)\b)|\b({COLOR}|"
        rf"light|dark) background\b"
    )
    if found is None:
        return None
    said = next(one for one in found.groups() if one)
    color = _GROUNDS.get(said.lower(), "") or read_color_word(said)
    group = next(number for number in range(1, 5) if found[number])
    if group == 3:
        text.mask = text.mask[: found.start()] + text.raw[found.start() : found.end()] + text.mask[found.end() :]
        text.consume(*found.span(3))
        text.take_all(r"\bbackground(?: colou?r)?s?\b")
    without = take_except(context, text)
    slides = take_slides(context, text)
    every = bool(
        text.take(
            r"(?:所有|全部|每一?|整个|各)(?:的)?(?:页面?|幻灯片|张|PPT)|全部|统一|\b(?:all|every|"
            r"each) (?:the )?(?:slides?|pages?)\b|\b(?:the )?(?:whole|entire) (?:deck|presentation)\b"
        )
    )
    text.take_all(r"幻灯片|页|背景|改成|设为|换成|用|\b(?:slides?|background|to|colou?r)\b")
    if without and not slides:
        slides = [one.number for one in context.reading.slides if one.number not in without]
    if slides:
        return [step("set_slide_background", color=color, slide_index=one) for one in slides]
    if not every and text.has(r"这一?页|当前|\bthis\b"):
        raise OrderUnclear("no_place")
    return [step("set_slide_background", color=color, apply_to_all=True)]


def _style(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.has(r"背景|\bbackground\b"):
        return None
    look = take_look(text)
    if not look:
        return None
    if set(look) - {"bold", "italic", "underline", "color", "size", "font", "alignment"}:
        raise OrderUnclear("no_look")
    without = take_except(context, text)
    slides = take_slides(context, text)
    every = bool(
        text.take(
            r"(?:所有|全部|每一?|整个|各)(?:的)?(?:页面?|幻灯片|张|PPT)(?:的)?|\bevery(?:where|thing)\b|\bthroughout\b|"
            r"全部的?|所有的?|各页|每页|"
            r"统一|\b(?:all|every|each) (?:of )?(?:the )?(?:slides?(?:'s)?|pages?)\b|\ball (?:the )?|"
            r"\b(?:the )?(?:whole|entire) (?:deck|presentation)\b|全文|整个"
        )
    )
    kind: JsonValue = None
    if text.take(r"标题|\b(?:titles?|headings?)\b"):
        kind = "title"
    elif text.take(r"正文|要点(?![一二三四五六七八九十\d])|内容|\b(?:body(?: text)?|bullets?|bullet points)\b"):
        kind = "body"
    text.take_all(
        r"\b(?:increase|raise|enlarge|grow)\b|幻灯片|页|文字|字号|大小|[,，、]|里|\b(?:slides?|texts?|on|of|pages?|"
        r"size)\b|PPT|标题"
    )
    if without and not slides:
        slides = [one.number for one in context.reading.slides if one.number not in without]
    if slides:
        return [step("set_slide_text_style", slide_index=one, placeholder_kind=kind, **look) for one in slides]
    names_text = kind or re.search(r"字|文字|\b(?:texts?|fonts?|letters)\b", text.raw, re.IGNORECASE)
    if not every and (not names_text or text.has(r"这|那|当前|\b(?:this|that)\b")):
        raise OrderUnclear("no_place")
    return [step("set_slide_text_style", apply_to_all=True, placeholder_kind=kind, **look)]


def _replace(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    slides = take_slides(context, text)
    pair = take_old_new(text, context.reading)
    if pair is None:
        return None
    old, new = pair
    old = re.sub(r"^(?:的|里面?|中|上|所有|全部|PPT|全文|演示文稿)+", "", old).strip('“”"')
    lines = [line for one in context.reading.slides for line in (one.title, *one.texts)]
    old, new = settle_pair(text.raw, *match_case(old, new, lines), lines)
    hits = [one.number for one in context.reading.slides if any(old in line for line in (one.title, *one.texts))]
    if slides:
        hits = [one for one in hits if one in slides]
    if not hits:
        raise OrderUnclear("no_text_here", text=old)
    text.take_all(
        r"(?:所有|全部|每一?|整个)(?:的)?(?:页面?|幻灯片|PPT)|全部|里面?的?|中的?|上的?|\b(?:on|"
        r"throughout|everywhere|in|the|deck|all|slides?|every)\b|幻灯片|PPT"
    )
    if slides:
        return [
            step("replace_text", find_text=old, replace_text=new, max_matches=500, address=f"s{one}") for one in hits
        ]
    return [step("replace_text", find_text=old, replace_text=new, max_matches=500)]


# Grounds that are only called light or dark.
_GROUNDS: Final[Mapping[str, str]] = MappingProxyType(
    {"浅色": "F2F2F2", "亮色": "F2F2F2", "light": "F2F2F2", "深色": "262626", "暗色": "262626", "dark": "262626"}
)
_EFFECTS: Final = (
    ("fade", r"淡入淡出|淡入|淡出|\bfade\b"),
    ("push", r"推入|推进|\bpush\b"),
    ("wipe", r"擦除|\bwipe\b"),
    ("split", r"分割|劈裂|\bsplit\b"),
    ("zoom", r"缩放|\bzoom\b"),
    ("cover", r"覆盖|\bcover\b"),
    ("dissolve", r"溶解|\bdissolve\b"),
    ("random", r"随机|\brandom\b"),
)


def _transition(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(
        r"(?:页面|幻灯片)?切换(?:的?(?:效果|动画|方式|时候?))?|转场(?:效果)?|过渡(?:效果)?|翻页(?:效果|动画|的时候|"
        r"时)?|\btransitions?\b"
    ) and not (
        any(text.has(pattern) for _, pattern in _EFFECTS[:4])
        and text.take(
            r"(?:页|幻灯片)(?:与|和|跟)?(?:页|幻灯片)?之间(?:都)?(?:用|加)?|\bbetween (?:all |every |the )*slides?\b|"
            r"\bfrom slide to slide\b"
        )
    ):
        return None
    effect = next((name for name, pattern in _EFFECTS if text.take(pattern)), None)
    if effect is None:
        raise OrderUnclear("no_look")
    slides = take_slides(context, text)
    text.take_all(
        rf"{ADD}|{CHANGE}|(?:所有|全部|每一?|整个|各)(?:的)?(?:页面?|幻灯片|张|PPT)|的|效果|\b(?:all|every|"
        rf"each|slides?|to|on|between|the|effect|simple|plain|subtle|basic|just)\b|简单的?|统一"
    )
    if slides:
        return [step("set_slide_transition", effect=effect, slide_index=one) for one in slides]
    return [step("set_slide_transition", effect=effect, apply_to_all=True)]


def _hide(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    shows = bool(text.take(r"取消隐藏|\bunhide\b"))
    if not shows and not text.take(r"隐藏(?:掉|起来)?|\bhide\b"):
        return None
    slides = take_slides(context, text)
    if not slides:
        raise OrderUnclear("no_place")
    text.take_all(
        r"(?:先|明天|今天|这次|暂时)|\b(?:just )?for (?:tomorrow|today|tonight|now|this (?:time|meeting|talk)|"
        r"the (?:meeting|talk|"
        r"presentation))\b|幻灯片|起来|\bslides?\b|[,、]"
    )
    return [step("hide_slide", slide_index=one, hidden=not shows) for one in slides]


def _textbox(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(rf"(?:{ADD})(?:上)?(?:一?个)?文本框|\b(?:add|put|insert|place) (?:a )?(?:small )?text ?box\b"):
        return None
    words = take_text(text)
    slides = take_slides(context, text)
    if not words or len(slides) != 1:
        raise OrderUnclear("no_place" if words else "no_text")
    text.take_all(r"写上?|内容|[:,，]|\b(?:saying|with|on|to)\b|里")
    return [step("add_textbox", text=words, slide_index=slides[0])]


def _table(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    size = text.take(r"(\d+)\s*(?:x|×|\*|行)\s*(\d+)\s*列?的?表格?|(\d+)\s*(?:x|×|by)\s*(\d+)\s+table\b")
    if size is None:
        return None
    rows, columns = int(size[1] or size[3]), int(size[2] or size[4])
    heads = text.take_value(
        r"(?:表头|列名|标题行)(?:为|是|写|:)*|\b(?:w/|with) (?:the )?(?:headers?|columns?):?|"
        r"\bheaders?:?"
    )
    start = text.raw.find(heads) if heads else -1
    if start >= 0:
        heads = text.raw[start:]
        text.consume(start, len(text.mask))
    slides = take_slides(context, text)
    names: list[JsonValue] = list(split_values(heads)) if heads else []
    text.take_all(rf"{ADD}|w/|表头|[,，]|\b(?:table|on|headers?|a)\b|一个")
    if len(slides) != 1 or not 1 <= rows <= 100 or not 1 <= columns <= 50 or (names and len(names) != columns):
        raise OrderUnclear("no_place")
    data: list[JsonValue] | None = [names] if names else None
    return [step("add_table", rows=rows, cols=columns, data=data, slide_index=slides[0])]


TEXT_RULES: Final = (_table, _transition, _notes, _textbox, _hide, _point, _title, _background, _replace, _style)
