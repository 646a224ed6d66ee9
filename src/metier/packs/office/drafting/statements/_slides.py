"""New slides from a message that is read to its last word: a cover, an agenda, a key figure, pairs, a timeline."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting._topics import assume_mention
from metier.packs.office.drafting.content._slide_blocks import (
    write_agenda,
    write_cover,
    write_figures,
    write_pairs,
    write_timeline,
)
from metier.packs.office.drafting.statements._rest import cut_out, is_all_read, is_subject
from metier.packs.office.drafting.statements._spans import SaidSpan, list_items, list_pairs, list_steps
from metier.packs.office.drafting.statements._words import list_words

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_slide"]

_THINGS: Final = MappingProxyType(
    {
        "cover": re.compile(r"封面|标题页|标题幻灯片|首页|[头扉]页|开[场篇]页|\b(?:title (?:slide|page)|cover|(?:opening|front|first) (?:slide|page))\b", re.IGNORECASE),
        "agenda": re.compile(
            r"议程|目录|日程|流程|今[天日](?:内容|要点|讲|安排|都)|会议安排|本次要点|讲(?:[一二三四五六七八九]件事|哪些|什么)|\b(?:agenda|overview slide|topics|what we will cover|order of the day|contents)\b", re.IGNORECASE
        ),
        "kpi": re.compile(
            r"KPI|指标|数字|数据页|大字|大号|特大|超大|放大|醒目|突出|大大的|\b(?:KPIs?|key (?:figure|number|metric)|(?:big|one|single|large) (?:number|figure)|"
            r"large (?:type|print)|(?:huge|giant|big) (?:letters|digits|type|figure)|very (?:large|big)|really (?:large|big)|huge|giant|figure|stands out)\b", re.IGNORECASE
        ),
        "pairs": re.compile(r"风险|问题|隐患|困难|难点|岔子|对策|\b(?:risks?|problems?|issues?|threats?|challenges?|go wrong)\b", re.IGNORECASE),
        "timeline": re.compile(r"时间[线轴]|里程碑|路线图|进度页|\b(?:timeline|roadmap|milestones)\b", re.IGNORECASE),
    }
)
_NO_OVERLAP: Final = (
    r"(?:[两各几]行|节点|文字|它们|几个框)?(?:之间)?(?:谁也)?(?:都)?(?:别|不要|不能|不)(?:互相|重)?(?:叠|压|挤|盖)(?:着|在|到)?(?:一起|谁|一块)?|\b(?:without|not|no) overlap\w*(?: each other)?\b|"
    r"(?:and |so that )?(?:nothing|they) (?:overlaps?|do(?:es)? not overlap)\b"
)
_ONE_LINE: Final = (
    r"(?:每|一)(?:项|条|点|个|行)(?:一|1|各占?一?|单独一?|占一?)(?:行|项)|各占一行|一行一[项条个]|一项一行|逐[条项]|\b(?:one|each on (?:its|a) own) (?:line|row|bullet)(?: (?:each|per (?:item|point|topic)))?\b|"
    r"(?:用)?项目符号|\bas bullets\b|\b(?:with|in|as) bullet points\b"
)


def state_slide(request: str, language: "Language") -> DraftBlock | None:
    """The block of the one slide that a message asks for; None unless every word of it is read."""
    readers = {"timeline": _state_timeline, "pairs": _state_pairs, "kpi": _state_figure, "agenda": _state_agenda, "cover": _state_cover}
    for thing, read in readers.items():
        if _THINGS[thing].search(request):
            block = read(RequestText(request), language)
            if block is not None:
                return block
    return None


def _is_read(text: RequestText, thing: str, data: int) -> bool:
    text.take_all(_NO_OVERLAP)
    return is_all_read(text, list_words(thing), _THINGS[thing], data)


def _try_spans(text: RequestText, thing: str, spans: "Sequence[SaidSpan]", forms: str = "") -> SaidSpan | None:
    """The first list with which all the rest of the message is read."""
    mask = text.mask
    for one in spans:
        text.mask = mask
        cut_out(text, one.start, one.end)
        if forms:
            text.take_all(forms)
        if _counts_agree(text, len(one.rows)) and _is_read(text, thing, one.start):
            return one
    text.mask = mask
    return None


_COUNTED: Final = (
    rf"(?:一?共|总共|这|那)?(?P<zh>{COUNT})(?:大)?(?:项|条|点|个(?!月)|件|步|部分|种|类|行|周|星期)(?:内容|风险|节点|步骤?|事|主要风险)?(?!\s*到)|"
    rf"\b(?P<en>{COUNT})[\s-](?=(?:points?|items?|topics?|steps?|risks?|weeks?|parts?|lines|problems?|months?|things)\b)"
)


def _counts_agree(text: RequestText, count: int) -> bool:
    """Whether every count that the message gives is that of the list; one of a slide is a slide."""
    said = [found["zh"] or found["en"] for found in text.take_each(_COUNTED)]
    return all(read_count(one) in (count, 1) for one in said)


_PAGE_TITLE: Final = (
    rf"(?<=[页张])(?:叫|名为|标题为?)?({QUOTED})|(?:页标题|页面标题|标题|题目|题)(?:写|是|为|叫|用|:)*\s*({QUOTED})|"
    rf"({QUOTED})(?=页)|\b(?:titled?|called|headed|with the (?:title|heading)|(?:the )?(?:title|heading) (?:is|should be))\s*:?\s*({QUOTED})"
)


def _take_page_title(text: RequestText) -> str:
    found = text.take(_PAGE_TITLE)
    if not found:
        return take_title(text)
    quote = next(one for one in found.groups() if one)
    start = found.start() + found[0].index(quote)
    return text.raw[start + 1 : start + len(quote) - 1].strip()


def _state_agenda(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    text.take_all(_ONE_LINE)
    found = _try_spans(text, "agenda", [*list_items(text)])
    if found is None:
        return None
    usual = choose(language, zh="目录" if "目录" in text.raw else "议程", en="Agenda")
    return write_agenda(title or usual, [one[0] for one in found.rows], language)


_HEADS: Final = (
    r"左(?:边|侧|列)?(?:写|放|是|列)?(?P<a1>[\u4e00-\u9fff]{2,4})[,，、]?\s*右(?:边|侧|列)?(?:写|放|是|列)?(?P<b1>[\u4e00-\u9fff]{2,4})(?=[,，。:;]|$)|"
    r"(?P<a2>风险|问题|隐患|困难)(?:和|与|、)(?P<b2>措施|对策|办法|应对|应对措施|解决办法)(?:分)?[两二2]列"
)
_FOLLOWED: Final = r"每[条个项](?:风险|问题)?(?:后面|旁边|下面)?(?:跟上|写上|配上|对应|带上)(?:措施|对策|办法|应对)"


def _state_pairs(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    said = text.take(_HEADS)
    text.take_all(_FOLLOWED)
    found = _try_spans(text, "pairs", [*list_pairs(text)])
    if found is None:
        return None
    topic = assume_mention("risk_slide").topic
    heads = [said["a1"] or said["a2"], said["b1"] or said["b2"]] if said else list(topic.default_columns(language))
    pairs = [(one[0], one[1]) for one in found.rows]
    return write_pairs(title, heads, pairs, language, heading=title or topic.title(language))


_ALONG: Final = (
    r"(?:从左到右|由左至右|从左往右|横向|横着)(?:地)?(?:排开?|排列|展开)?(?:着)?|\b(?:running |going )?from left to right\b|\b(?:running |going )?left to right\b|沿(?:着)?(?:一条)?|排开"
)


def _state_timeline(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    text.take_all(_ALONG)
    steps = list_steps(text)
    found = _try_spans(text, "timeline", [steps] if steps else [])
    rows = found.rows if found else ()
    if found is None:
        labels = _take_weeks(text, language)
        items = _try_spans(text, "timeline", [one for one in list_items(text) if len(one.rows) == len(labels)]) if labels else None
        rows = tuple((label, one[0]) for label, one in zip(labels, items.rows, strict=True)) if items else ()
    if not rows:
        return None
    topic = assume_mention("timeline").topic
    return write_timeline(title, [(a, b) for a, b in rows], language, heading=title or topic.title(language))


_SPAN: Final = (
    rf"第(?P<first>{COUNT})周\s*(?:到|至|-|~)\s*第?(?P<last>{COUNT})周|\bweek (?P<first_en>{COUNT}) (?:to|through) week (?P<last_en>{COUNT})\b|"
    rf"(?:一?共)?(?P<zh>{COUNT})(?:个)?(?:周|星期)(?:内|里)?|\b(?P<en>{COUNT})[\s-]weeks?\b"
)


def _take_weeks(text: RequestText, language: "Language") -> tuple[str, ...]:
    """The weeks of a timeline whose steps are listed without them: 一共四周，分别是…, “one step per week”."""
    text.take_all(r"(?:每|一)周一(?:步|项)|\bone (?:step|task|item) per week\b")
    found = list(text.take_each(_SPAN))
    counts = {read_count(one["last"] or one["last_en"] or one["zh"] or one["en"] or "") for one in found}
    starts = {read_count(one["first"] or one["first_en"] or "1") for one in found}
    if len(counts) != 1 or None in counts or starts != {1}:
        return ()
    weeks = range(1, (counts.pop() or 0) + 1)
    return tuple(choose(language, zh=f"第{week}周", en=f"Week {week}") for week in weeks)


_ON_SLIDE: Final = r"页|幻灯片|\b(?:slide|page)\b"  # else something that is there may be meant
_MAX_LABEL: Final = 24
_VALUE: Final = re.compile(r"[-+]?[¥￥$€£]?\d[\d,.]*\d?\s?(?:%|％|‰|/\s?\d+|[\u4e00-\u9fff]{1,3}|[A-Za-z]+)?(?: [a-z]+)?")
_BARE_VALUE: Final = (
    r"(?<![\w.])[-+]?[¥￥$€£]?\d(?:[\d,.]*\d)?\s?(?:%|％|‰|万吨|亿元|万元|万人次?|万|亿|吨|元|天|小时|分钟?|分|人次?|台|件|家|户|次|倍|"
    r"(?:days?|hours?|minutes?|weeks?|months?|years?|people|stars?|points|million|billion|t|kg|km)\b)?"
)
_LARGE: Final = (
    r"(?:用|以)?(?:特别|非常|超级|很|特|超|巨|更)?(?:大号|加大|大|大大|醒目|突出|放大)(?:的)?(?:字(?:号|体)?|数字)?(?:显示|展示|写|弄|放|地|的)?|弄得|要大|放大|"
    r"\b(?:in |as )?(?:an? )?(?:very |really |extra |nice and )?(?:large|big|huge|giant|enormous)(?: (?:type|print|letters|digits|figure|number|font))?\b|\bstands? out\b"
)
_LABEL_CUE: Final = (
    r"(?:在)?(?:它)?(?:下面|下方|底下|旁边|下边)?(?:的)?(?:用)?(?:小字|小号字|配文|标签|说明文字|说明|注明|标注|文字|写上?|注上?)(?:是|为|写|写着|上|:)*|"
    r"\b(?:with |and )?(?:the |an? )?(?:label(?:led|ed)?|caption(?:ed)?|words?)(?: should)?(?: reads?| says?| is| reading| saying)?\s*:?|\b(?:below|underneath|under)(?: it)?(?: put| write)?\s*:?"
)


def _state_figure(text: RequestText, language: "Language") -> DraftBlock | None:
    title = take_title(text)
    value, start = _take_value(text)
    if not value or not text.has(_ON_SLIDE):
        return None
    text.take_all(r"只(?:突出|放|显示|看)一?个?(?:大)?(?:数字|数)?|一页一个数字")
    label = _take_label(text, start)
    text.take_all(_LARGE)
    if not label or not _is_read(text, "kpi", start):
        return None
    heading = title or assume_mention("kpi").topic.title(language)
    return write_figures(title, [(label, value)], language, heading=heading)


def _take_value(text: RequestText) -> tuple[str, int]:
    """The figure: the one quotation that begins with a number, else the only number; empty if it is not to be told."""
    quotes = [one for one in text.left_quotes() if _VALUE.fullmatch(one.text)]
    for one in quotes[:1]:
        _drop_named(text, one.text)
    found = list(re.finditer(_BARE_VALUE, text.mask, re.IGNORECASE))
    if len(quotes) == 1 and not found:
        cut_out(text, quotes[0].start - 1, quotes[0].end + 1)
        return quotes[0].text, quotes[0].start
    if len(found) == 1 and not quotes:
        cut_out(text, *found[0].span())
        return text.raw[slice(*found[0].span())].strip(), found[0].start()
    return "", 0


def _take_label(text: RequestText, at: int) -> str:
    """What the figure is: in quotation marks, behind the word for a label, or right before the figure."""
    quotes = list(text.left_quotes())
    if len(quotes) == 1:
        one = quotes[0]
        cut_out(text, one.start - 1, one.end + 1)
        text.take_all(rf"(?:{_LABEL_CUE})(?=\s*;)|(?<=;)\s*(?:as )?(?:the )?(?:label|caption|标签|说明)(?=\s*(?:[,，。.;]|$))")
        _drop_named(text, one.text)
        return one.text
    if quotes:
        return ""
    if label := text.take_value(_LABEL_CUE):
        return label if len(label) <= _MAX_LABEL and not names_look(label) and not re.search(r"\d", label) else ""
    before = re.search(r"(?:^|[,，。;:\n]|\b(?:our|the)\s)\s*([^,，。;:\n\d]{2,30}?)\s*(?:是|为|达到?|\bis\b|\breached\b|,)?\s*$", text.mask[:at])
    if before is None or not is_subject(before[1].strip()):
        return ""
    label = text.raw[slice(*before.span(1))].strip()
    cut_out(text, *before.span(1))
    return label


def _drop_named(text: RequestText, label: str) -> None:
    """Consume the label where the message says it once more: On-time departures reached 97%."""
    form = rf"(?:\bour |\bthe )?{re.escape(label)}(?:是|达到?|\s+(?:reached|is|are))?"
    text.take_all(form)


_SUBTITLE: Final = (
    rf"(?:副标题|副题|落款(?:单位)?|署名|单位|小标题)(?:用|是|为|写|叫|放|:)*\s*(?P<a>{QUOTED})|(?P<b>{QUOTED})\s*(?:作为?|做|当|是)?(?:底下的?|下面的?)?(?:副标题|副题|落款|署名)|"
    rf"(?:标题)?(?:下面|底下|下方|下头|标题下)(?:一行|有副题|有)?(?:的)?(?:用)?(?:小字|小号字)?(?:写上?|是|放|为)*\s*(?P<c>{QUOTED})|"
    rf"\bsub-?title\b(?: (?:is|of|reading|says))?\s*:?\s*(?P<d>{QUOTED})|(?P<e>{QUOTED})\s*(?:as|for|is|should be)?\s*(?:the |its |a )?sub-?title\b|"
    rf"\b(?:and )?(?:below|underneath|under)(?: it| that)?(?: put| write)?\s*:?\s*(?P<f>{QUOTED})|(?P<g>{QUOTED})\s*(?:in smaller (?:letters|type) )?(?:below|underneath|under)(?: it| that)?\b"
)
_TITLE: Final = (
    rf"(?:大标题|主标题|标题|题目|题)(?:用|是|为|写|叫|:)*\s*(?P<a>{QUOTED})|(?P<b>{QUOTED})\s*(?:作为?|做|当|是)(?:大|主)?(?:标题|题目)|"
    rf"\b(?:main )?(?:title|heading|headline)\b(?: (?:is|of|reading|says))?\s*:?\s*(?P<c>{QUOTED})|(?P<d>{QUOTED})\s*(?:as|for|is|should be)\s*(?:the |its |a )?(?:main )?(?:title|heading|headline)\b|"
    rf"(?P<e>{QUOTED})\s*in (?:big|large) (?:letters|type)|\b(?:called|titled|reading|that says|saying)\s*(?P<f>{QUOTED})|(?:写上?|叫)\s*(?P<g>{QUOTED})"
)
_BARE_TITLE: Final = r"(?<!副)(?:大标题|主标题|标题|题目)(?!页)(?:是|为|写|叫|:)+\s*(?P<v>[^\s,，。;:\"\n][^,，。;:\"\n]*?)(?=\s*(?:[,，。;\n]|$))|(?<!sub)\btitle\s*:\s*(?P<w>[A-Z][^,.;:\"\n]*)"
_BARE_SUB: Final = r"(?:副标题|副题|落款|署名)(?:是|为|写|叫|:)+\s*(?P<v>[^\s,，。;:\"\n][^,，。;:\"\n]*?)(?=\s*(?:[,，。;\n]|$))|\bsubtitle\s*:?\s*(?P<w>[A-Z][^,.;:\"\n]*)"


def _state_cover(text: RequestText, language: "Language") -> DraftBlock | None:
    subtitle = _take_quoted(text, _SUBTITLE) or _take_bare(text, _BARE_SUB)
    title = _take_quoted(text, _TITLE) or _take_bare(text, _BARE_TITLE)
    quotes = list(text.left_quotes())
    if len(quotes) == 1 and subtitle and not title:
        title = text.take_any_quote()
    elif len(quotes) == 1 and title and not subtitle:
        return None  # what the other quotation is, nothing says
    text.take_all(r"\bin smaller (?:letters|type)\b(?: under it)?|(?:上面|底下|下面)(?:是|写)?")
    if not title or not subtitle or not _is_read(text, "cover", 0):
        return None
    return write_cover(title, subtitle, language)


def _take_quoted(text: RequestText, form: str) -> str:
    found = text.take(form)
    if found is None:
        return ""
    name = next(one for one, value in found.groupdict().items() if value)
    start, end = found.span(name)
    return text.raw[start + 1 : end - 1].strip()


def _take_bare(text: RequestText, form: str) -> str:
    found = text.take(form)
    if found is None:
        return ""
    start, end = found.span("v" if found["v"] else "w")
    return text.raw[start:end].strip()
