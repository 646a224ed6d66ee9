"""What a request calls the thing: its title, subject and note, and the kind of a chart."""

from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import CONSUMED, END, QUOTED, RequestText

if TYPE_CHECKING:
    import re

__all__ = ["take_chart_type", "take_note", "take_subject", "take_theme", "take_title"]

# Where names with figures begin behind a title: Headcount: London 45, Leeds 18.
_FIGURES: Final = r":[^,，、。;:\n]{1,20}?\d[\d.,]*\s*[^\d,，、。;:\n]{0,4}[,，、;]"
# Headings of parts (三个小标题：, 二级标题为) are no title, and neither are several names between 、.
_ONE_TITLE: Final = r"(?<![小分子级个各条节章项下组])"
_IS: Final = r"(?:为(?!什么|何)|是(?!否)|叫|写)"
_NO_LIST: Final = r"(?!\s*[^,，。;:、\n]{1,16}(?:、[^,，。;:、\n]{1,16}){2,})"


def take_title(text: RequestText) -> str:
    """Title in quotes, or after a cue up to the end of the clause."""
    quoted = (
        text.take_quote(
            rf"{_ONE_TITLE}(?:图题|图表标题|标题|题目|表名|图名|名称|题名|名)(?:用|为|是|叫|写|叫做|改为|要|做|:)*"
        )
        or text.take_quote(r"(?:题为|名为|叫做?|命名为)")
        or text.take_quote(
            r"\b(?:titled?|called|named|title|heading|headed|call (?:it|this|that))\b(?:\s+(?:is|as|of|"
            r"should be))?\s*:?"
        )
    )
    return quoted or text.take_value(
        rf"{_ONE_TITLE}(?:标题|题目|图题|图名)(?:{_IS}*:|{_IS}+){_NO_LIST}|(?<!columns )(?<!headers )"
        r"(?<!headings )(?<!fields )(?<!tasks )(?<!sections )\b(?:(?:titled|called|with the title|call (?:it|"
        r"this|that))\b\s*:?|"
        r"(?<!sub)(?<!sub-)title\s*[:=])",
        stop=_FIGURES,
    )


def take_theme(text: RequestText) -> str:
    """Subject of an outline."""
    if found := text.take(rf"以\s*({QUOTED})\s*为(?:主题|题|题目|标题)"):
        return text_in_span(text, found)
    if found := text.take(rf"(?:围绕|关于|针对|就)\s*({QUOTED})"):
        return text_in_span(text, found)
    quoted = text.take_quote(r"(?:主题|题目|标题|题)(?:为|是|:)*|\b(?:about|on|for|titled|called)\b")
    plain = quoted or text.take_value(r"(?:主题|题目)(?:为|是|叫|:)+|\b(?:subject|topic|theme)\b\s*(?:is|:)")
    if plain:
        return plain
    if found := text.take(r"(?:以|围绕|关于|针对)([^,，。;:\n\ufffc\"]{2,30}?)(?:为主题|为题|的|,|，|$)"):
        return text.raw[found.start(1) : found.end(1)].strip()
    if found := text.take(rf"\b(?:about|on|for)\s+(?:an?\s+|the\s+|our\s+|my\s+)?((?:(?!{END}|\bwith\b).)+)"):
        return text.raw[found.start(1) : found.end(1)].strip()
    return text.take_any_quote()


def take_subject(text: RequestText) -> str:
    """What a slide is about, where the request names it right beside the slide: 关于风险的一页, a slide about risks."""
    found = text.take(rf"关于([^,，。;:\"\n{CONSUMED}的]{{2,16}})的(?={CONSUMED}|$)") or text.take(
        rf"(?<={CONSUMED})\s+(?:about|on)\s+(?:(?:the|our|my)\s+)?(?!left|right|top|page|slide|it\b|this|that)"
        rf"([a-z][a-z'’-]*(?: [a-z][a-z'’-]*){{0,3}}?)(?=\s+with\b|\s*[:,.;]|\s*$)"
    )
    subject = text.raw[found.start(1) : found.end(1)].strip() if found else ""
    return subject[:1].upper() + subject[1:]


def text_in_span(text: RequestText, found: "re.Match[str]") -> str:
    """Original text of the first group, without its quotation marks."""
    return text.raw[found.start(1) : found.end(1)].strip("\"'“”‘’「」『』《》 ")


def take_note(text: RequestText) -> str:
    """Note under a chart or picture."""
    cue = (
        r"(?:说明|注明|备注|注释|附注|标注|标明|标上?|图注|图题|题注|图名|写一句话?|"
        r"写上?|注)(?:文字|一下|一句|:|为|是|写|写着|上)*"
    )
    english = (
        r"\b(?:note|write|remark|caption(?:ed)?|comment|footnote|legend text|"
        r"text)\b(?:\s+(?:below|underneath|under it|saying|reading|that says|"
        r"with the text|of|:|is))*\s*:?"
    )
    return (
        text.take_quote(cue)
        or text.take_quote(english)
        or text.take_value(r"(?:说明|注明|备注|注释|附注|标注|图注|图题|题注|注)(?:文字)?(?:为|是|写上?|:)+")
        or text.take_value(
            r"\b(?:note|caption(?:ed)?|remark)\b(?:\s+(?:below|underneath|saying|reading))*\s*:?\s+(?=\S)"
        )
    )


def take_chart_type(text: RequestText) -> int | None:
    """Office's number of the chart type that the request names; None if it names none."""
    kinds = (
        (4, r"[折曲]线的?(?:统计)?图?|[趋走]势图|线图|\bline[ \-]?(?:chart|graph|diagram|plot)\b|\bas (?:a )?lines?\b"),
        (5, r"饼[状形]?的?(?:统计)?图|\bpie[ \-]?(?:chart|graph|diagram)?\b"),
        (57, r"条形图|\bhorizontal bar(?: chart)?\b"),
        (
            51,
            r"(?:簇状)?柱[状形子]?的?(?:统计)?图表?|直方图|柱[状形](?!物|体)|"
            r"\b(?:bar|column)s?[ \-]?(?:chart|graph|diagram)?s?\b",
        ),
        (1, r"面积图|\barea[ \-]?chart\b"),
    )
    text.take_all(
        r"[,，]?\s*(?:而?不(?:要|用|是)|别(?:用|画|做)?)(?:[折曲]线|柱[状形子]?|饼[状形]?|条形)的?图?|"
        r",?\s*\b(?:not|no|instead of|rather than)(?: as)?(?: an?| the)? (?:line|bar|pie|column)s?(?: chart|"
        r" graph)?\b"
    )  # what the chart is not
    return next((number for number, pattern in kinds if text.take_all(pattern)), None)
