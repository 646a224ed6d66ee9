"""Reads a message as ordinary orders about a deck: one new slide of a known form, or changes of the only slide."""

import re
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders.decks.ordinary._forms import FORMS, SlideForm

__all__ = ["read_deck_orders"]

_REMARKS: Final = (
    r"(?:最好)?(?:要)?(?:能)?一眼(?:就)?(?:能)?看(?:得)?出(?:来)?(?:先后|顺序|区别|对比)?|(?:文?字|内容|文本框?)?(?:都)?(?:别|不要|不能|勿)(?:互相)?(?:叠|重叠|挤|盖)(?:在一起|住)?|"
    r"(?:文?字|内容)?(?:别|不要|不能)(?:超出|跑出|溢出)(?:页面|幻灯片|边界)?|(?:每[项个条])?(?:风险|问题)?(?:和|与|跟)(?:它的?|各自的?)?(?:对策|应对|措施)要?(?:能)?(?:一一)?(?:对上|对应|对得上)|"
    r"数字(?:要)?大(?:一?[点些])?[,，、]?说明(?:要)?小(?:一?[点些])?|(?:标题|其他|其它|别的)(?:都)?(?:保持)?(?:不动|不变|别动|不要动|不用动)|"
    r"(?:不要|别|不用|无需)(?:再)?(?:新增|新加|增加|加|新建)(?:新的?)?(?:页|幻灯片)|你看着排版?(?:就行)?|排版你定|"
    r"(?:please )?(?:don'?t|do not) let (?:the |any )?(?:text|words|it|boxes) (?:run off|overlap|touch|"
    r"overflow|fall off|leave)(?: (?:the slide|each other|one another))?(?: like last time)?|"
    r"(?:the )?(?:text|boxes|words) (?:must|should) not (?:overlap|touch|run off the slide)|"
    r"(?:there should be )?no (?:other|further|more|new|extra|additional) slides?|"
    r"(?:please )?(?:don'?t|do not) add (?:a |any )?(?:new |other |more )?slides?|(?:keep|leave) the (?:title|"
    r"rest)(?: as (?:it )?is| alone| unchanged)?|"
    r"(?:please )?(?:don'?t|do not) (?:touch|change) the title|谢谢|thanks?|thx|please|lol"
)
_REMARK: Final = rf"(?:(?<=^)|(?<=[,，。;；.!！\s]))(?:{_REMARKS})\s*(?:哈|啊|吧|lol|thanks)?(?=[,，。;；.!！\s]|$)"
_NEW: Final = (
    r"(?:加|新增|新加|增加|添加|做|来|要|放|插入?|弄|建)(?:上|个|入)?(?:新的?)?一(?:张|个)?(?:页|幻灯片)|"
    r"(?:加|新增|新加|做|来|弄)(?:上)?(?:一)?(?:个|张)?(?:新)?(?:左右)?(?:对比|结束|结尾)?(?:页|幻灯片)|"
    r"\b(?:an?|one|another|closing|last|final|next)\s+(?:[a-z]+ ){0,2}?slide\b|^closing slide\b|"
    r"\b(?:have|like|want|need|do|make|add) (?:something|a (?:comparison|page))\b"
)
_TITLE: Final = (
    rf"标题(?:就)?(?:写|叫|为|是|用)*\s*:?\s*(?P<zh>{QUOTED}|[^\s,，。;:\"][^,，。;:\"]{{0,30}})|"
    rf"(?:\b(?:titled|called|entitled|headed|with the title|title)(?: is)?\s*:?\s*)(?P<en>{QUOTED})|"
    rf"(?<=[页张片\ufffc])\s*[,:，]?\s*(?P<quoted>{QUOTED})|\bslide\b,?\s*(?P<slide>{QUOTED})"
)
_FILLER: Final = re.compile(
    r"引言|引用|语录|金句|名言|结束语|致谢|请|帮我|麻烦|给我|我|想要|想|要|新增|加|做|放|来|写|列出?|页|幻灯片|在|后面|最后|结束|结尾|左右|对比|两边|两栏|分栏?|分|成|的|一|个|张|上|用|这|"
    r"那种|时间|安排|哈|嗯|项|条|并|再|"
    r"\b(?:please|can|could|we|you|i'd|i|we'd|like|want|need|have|add|make|create|show|put|give|me|us|our|plan|as|an?|one|the|on|new|"
    r"slide|with|and|of|for|each|in|to|at|end|something|comparing|compare|comparison|two|side by side|that|"
    r"which|short|captions?|"
    r"closing|last|final|next|timeline|before|get|into|detail|from|customer|client|guest|quotation|quote|it|so|hi|ok|type)\b",
    re.IGNORECASE,
)
_COMPARED: Final = r"\b(?:comparing|compare|comparison of) (?:the )?(?:two )?[a-z]+ (?=side by side)"
_BEFORE: Final = r"^before we [a-z ]{3,30}?(?=,? i\b)"
_THIS: Final = r"(?:当前|目前|现在|现有|已有|本|这)(?:的)?(?:这)?(?:一)?(?:[页张](?:幻灯片)?)"
_THIS_EN: Final = r"(?:the |this )(?:existing |current |present |only |open )?slide"
_RETITLE: Final = re.compile(
    rf"(?:请)?(?:把|将)?(?:{_THIS})(?:上|里)?的?标题\s*(?P<old>{QUOTED})?\s*(?:改成|改为|换成|换为|改叫)\s*(?P<new>{QUOTED})|"
    rf"(?:please )?(?:change|set) the title (?:of|"
    rf"on) {_THIS_EN}(?: from (?P<old_en>{QUOTED}))? to (?P<new_en>{QUOTED})",
    re.IGNORECASE,
)
_WRITE: Final = re.compile(
    rf"(?:请)?(?:在)?(?:{_THIS})?(?:上|里)?(?:标题)?(?:的)?(?:下面|下方|底下|正文)?(?:再)?(?:加|放|插入|添加|写|新增)(?:上|入)?(?:一?个|一?行|一?句|一?段)?(?:文本框|文字|字|话)\s*"
    rf"(?:[,，]?(?:内容|写)(?:是|为|上)?)?\s*[:,，]?\s*(?P<zh>{QUOTED}|(?<=:)[^\s。\"][^。\"]*|(?<=: )[^。\"]+)|"
    rf"(?:please )?(?:(?:on|to) {_THIS_EN},? )?(?:please )?(?:put|add|write|place|insert) (?:an? |"
    rf"the )?(?:text(?: ?box)?|line|sentence|"
    rf"words?)(?: of text)?\s*(?:(?:below|under|underneath|beneath)(?: (?:it|that|the title))?|on {_THIS_EN})*"
    rf"(?: saying| that says| reading| with)?\s*:?\s*(?P<en>{QUOTED})",
    re.IGNORECASE,
)
_JOIN: Final = re.compile(r"\s*(?:[,，。;；.]|and|并|再|然后|then)*\s*", re.IGNORECASE)


def read_deck_orders(context: OrderContext, message: str) -> list[JsonObject] | None:
    """Steps of a message about a deck; None unless all of it is read."""
    if context.reading.kind != "pptx":
        return None
    text = RequestText(message.strip())
    for pattern in (_BEFORE, _COMPARED):
        text.take(pattern)
    refuses_new = text.has(r"(?:不要|别|不用|无需)(?:再)?(?:新增|新加|增加|加|新建)|(?:don'?t|do not) add")
    while text.take(_REMARK):
        pass
    if (made := _change_slide(context, text)) is not None:
        return made
    return None if refuses_new else _add_slide(context, text)


def _change_slide(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A title and a text of the only slide: “the existing slide” of several may be any of them."""
    if len(context.reading.slides) != 1:
        return None
    slide, steps, at = context.reading.slides[0], list[JsonObject](), 0
    mask = text.mask.replace(CONSUMED, " ").rstrip()
    while at < len(mask):
        at = _JOIN.match(mask, at).end()  # type: ignore[union-attr]  # it matches the empty text
        title, words = _RETITLE.match(mask, at), _WRITE.match(mask, at)
        found = title or words
        if found is None:
            break
        if title is not None:
            old = title["old"] or title["old_en"]
            if old and text.text_of(*title.span("old" if title["old"] else "old_en")) != slide.title.strip():
                return None
            new = text.text_of(*title.span("new" if title["new"] else "new_en"))
            steps.append(step("fill_placeholder", text=new, slide_index=1, placeholder_kind="title"))
        elif words is not None:
            said = text.text_of(*words.span("zh" if words["zh"] else "en")).strip()
            steps.append(step("add_textbox", text=said, left=1.7, top=5.0, width=22.0, height=3.0, slide_index=1))
        at = found.end()
    is_twice = len({one["op"] for one in steps}) < len(steps)
    names_slide = re.search(f"{_THIS}|{_THIS_EN}", text.raw, re.IGNORECASE) is not None
    is_whole = not mask[at:].strip(" ,，。.;；!！") and steps and names_slide and not is_twice
    return steps if is_whole else None


def _add_slide(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A new slide at the end whose words have one of the known forms."""
    if not text.has(_NEW) or text.has(
        r"第[一二三四五六七八九十\d]+页|开头|最前|\b(?:after|before) slide\b|\bslides\b|图|\bchart\b|"
        r"[两二三四2-9][页张]"
    ):
        return None
    number = len(context.reading.slides) + 1
    for read in FORMS:
        said = RequestText(text.raw)
        said.mask = text.mask
        form = SlideForm(said, _take_title(said), number, context.language)
        steps = read(form)
        if steps and is_read(form.text.mask):
            return steps
    return None


def is_read(mask: str) -> bool:
    """Whether nothing is left but words that ask for a slide."""
    return not _FILLER.sub(" ", mask).strip(f" \n\t,，、。;；.:：!！?？()—-{CONSUMED}")


def _take_title(text: RequestText) -> str:
    found = re.search(_TITLE, text.mask, re.IGNORECASE)
    if found is None:
        return ""
    group = next(name for name, value in found.groupdict().items() if value)
    title = text.text_of(*found.span(group))
    text.consume(*found.span())
    return title.strip()
