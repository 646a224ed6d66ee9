"""Phrases that say in more words what the rules know in fewer: rows beside the header, what a formula takes from what."""

import re
from collections.abc import Callable
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText

__all__ = ["restate_phrases"]

_Q: Final = r"[“\"「][^”\"」\n]+[”\"」]"
_ROWS: Final = rf"(?:空白?)?(?P<rows>{COUNT})\s*(?:个|条)?(?:空白?|数据|内容)?行"
_HEADER: Final = r"(?:表头|标题行|首行|列名)(?:那?一?行)?"
_HEADER_EN: Final = r"(?:the |its |a )?(?:header|heading|title)(?: row| line)?s?"
_BUDGET: Final = r"[^\s,，。;；:：()（）=＝]{0,3}(?:预算|计划|批复|核定|定额|目标)[^\s,，。;；:：()（）减\-－]{0,2}"
_ACTUAL: Final = r"[^\s,，。;；:：()（）=＝]{0,3}(?:实际|执行|支出|花费|已用|完成|发生)[^\s,，。;；:：()（）]{0,2}"
_BUDGET_EN: Final = r"(?:the )?(?:budget(?:ed)?|plan(?:ned)?|target)"
_ACTUAL_EN: Final = r"(?:the )?(?:actual(?:s|ly spent)?|spent|spend|used)"

_PHRASES: Final[tuple[tuple[str, "str | Callable[[re.Match[str]], str]"], ...]] = (
    # rows that are counted without the header
    (rf"(?:除(?:了|去|开)?|不算|不含|不计|不包括|抛开|刨去|去掉){_HEADER}(?:以外|之外|外)?[,，]?\s*(?:还|再|另|下面|共|一共|要|需要?|有|留|给|放|来|空)*{_ROWS}",
     r"共\g<rows>行"),
    (rf"{_HEADER}(?:以外|之外|除外|不算|另算|不计)(?:在内)?[,，]?\s*(?:还|再|另|下面|共|一共|要|需要?|有|留|给|放|来|空)*{_ROWS}", r"共\g<rows>行"),
    (rf"{_ROWS}[,，]?\s*(?:\(|（)?(?:不含|不算|不包括|不计|除去){_HEADER}(?:在内)?(?:\)|）)?", r"\g<rows>行"),
    (rf"{_ROWS}[,，]?\s*(?:\(|（)?{_HEADER}(?:不算|另算|除外|不计|不计入)(?:在内)?(?:\)|）)?", r"\g<rows>行"),
    (rf"(?:空|数据|内容|正文|空白)行(?:数)?(?:先|给我|就|再)?(?:留|要|放|来|给|共|空|是|为)*(?P<rows>{COUNT})\s*(?:行|条|个)", r"共\g<rows>行"),
    (rf"\b(?P<rows>{COUNT}) (?:(?:empty|blank|data|free|body) )*(?:rows|lines),? (?:\()?(?:not (?:counting|including|with)|"
     rf"excluding|without(?: counting)?|besides|apart from|in addition to|on top of|below|under|beneath|plus) {_HEADER_EN}(?:\))?",
     r"\g<rows> rows"),
    (rf"\b{_HEADER_EN} (?:plus|and|\+) (?P<rows>{COUNT}) ((?:empty|blank|data|free|body) )*(?:rows|lines)\b", r"\g<rows> rows"),
    (rf"{_HEADER}(?:下面|底下|下方|以下)?(?:再|另|外)?(?:加|带|外加)(?P<rows>{COUNT})\s*(?:个)?(?:空白?|数据)?行", r"共\g<rows>行"),
    # what the difference of a budget is anyway
    (rf"[,，]?\s*[(（]?\s*(?:就?是|即|也就是|用|按|拿|以)?(?:(?:差额|差异|差值|偏差|结余|结果)(?:[列栏])?\s*(?:=|＝|等于|就是|是|为)\s*)?{_BUDGET}\s*(?:减去?|[-－−–])\s*{_ACTUAL}\s*[)）]?(?=[,，。;；]|$)",
     ""),
    (rf",?\s*\(?\s*(?:i\.?e\.?,? |that is,? |which is |meaning |as |= ?)?{_BUDGET_EN} (?:minus|less|-|–) {_ACTUAL_EN}\s*\)?(?=[\s,.;]|$)", ""),
    (r"\s*[(（]\s*(?P<unit>单位\s*(?:都|是|为|用)?\s*[:：]?\s*[^()（）\s,，。:：]{1,4})\s*[)）]", r"，\g<unit>，"),
    # marks of a numbered list, told instead of written
    (r"(?:按|用|标|以)?\s*1[、,，.]\s*2[、,，.]\s*3(?:[、,，.]\s*\d)*(?:……|…|\.\.\.)?(?:这样|这种)?(?:地|的)?(?:顺序|编号|列|排|写|标)+(?:出来?|好|下来)?[:：]?",
     "编号列出"),
    # as many parts as the list has names
    (r"(?:然后|接着|下面|后面|里面|正文|再)*(?:是|有|放|写|分)?(?P<list>[^,，。;；:：、\s“”\"]{2,10}(?:、[^,，。;；:：、\s“”\"]{2,10}){1,9}?)(?:这[几\d一二三四五六七八九十]+[块项个])?各(?:占|写|放|来|是|设|列|自)?(?:一|1)?个?(?:小标题|标题|部分|板块|小节|段落?|节|栏)",
     r"正文分为\g<list>"),
    # word art and templates beside their quoted title
    (rf"(?:大|主)?标题(?:为|是|用|写|叫)?(?P<it>{_Q})(?:这[几\d一二三四五六七八九十]+个字)?[,，]?(?:要|用|做成|以|搞成|弄成|得|请)+(?:用|做成)?(?:的是)?艺术字(?:体|的|形式|效果|样式|来写|写|做)*", r"艺术字标题\g<it>"),
    (rf"(?P<it>{_Q})(?:这[几\d一二三四五六七八九十]+个字)?(?:要|用|做成|以|搞成|弄成|得|请)+(?:用|做成)?艺术字(?:体|的|形式|效果|样式|来写|写|做)*", r"艺术字\g<it>"),
    (rf"(?P<it>[“\"「][^”\"」\n]*(?:纪要|周报|月报|会议记录)[”\"」])的?(?=模板|模版|框架|格式)", r"会议纪要模板，标题\g<it>，"),
)  # fmt: skip
_COMPILED: Final = tuple((re.compile(form, re.IGNORECASE), new) for form, new in _PHRASES)
_BOLD: Final = re.compile(
    r"(?<=[,，。;；])\s*(?:都|要|请|统一|一律|全部?|也|并)*(?:加粗|粗体|加黑)(?:显示|一下|的)?(?=[,，。;；]|$)|"
    r"(?<=[,.;])\s*(?:all |and |please )*(?:in )?bold(?: please)?(?=[,.;]|$)",
    re.IGNORECASE,
)
_NAMES_HEADER: Final = re.compile(r"表头|列名|标题行|首行|\bheaders?\b|\bheading row\b", re.IGNORECASE)


def restate_phrases(request: str) -> str:
    """The request in the plainer phrases; quotations stay as they are."""
    said = request
    for form, new in _COMPILED:
        said = form.sub(new, said)
    if _NAMES_HEADER.search(RequestText(said).mask):
        said = _BOLD.sub(lambda found: "表头加粗" if re.search(r"[\u4e00-\u9fff]", found[0]) else " the header bold", said)
    quotes = [[one.text for one in RequestText(text).quotes] for text in (request, said)]
    return said if quotes[0] == quotes[1] else request
