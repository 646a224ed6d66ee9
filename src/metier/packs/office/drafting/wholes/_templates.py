"""Templates told in running words: minutes and reports with their title, word art and parts."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED
from metier.packs.office.drafting.templates import write_template
from metier.packs.office.drafting.wholes._lists import read_names
from metier.packs.office.drafting.wholes._scan import Grammar
from metier.packs.office.drafting.wholes._words import (
    ASKS,
    PLAIN_EN,
    PLAIN_ZH,
    TITLE_EN,
    TITLE_ZH,
    compile_token,
    compile_tokens,
)

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.drafting._blocks import DraftBlock
    from metier.packs.office.drafting.wholes._slots import ToldSlots

__all__ = ["TEMPLATES", "write_told_template"]

_FORM_ZH: Final = (
    r"(?:的)?(?:空白|空的?|标准|通用|固定)?(?:模板|模版|框架|格式|空架子|架子|框子|样子|样式|骨架|样板|底稿|底子|提纲)"
)
_NAMED_ZH: Final = (
    r"(?:空白的?|标准的?|通用的?|统一的?|"
    r"简单的?)?(?P<named>(?![一二两三四五六七八九十])(?:(?![给写做我你他她要把请用弄搞帮])[\u4e00-\u"
    r"9fff]){0,10}?"
    r"(?:会的?(?:会议)?纪要|会议纪要|纪要|会议记录|[班晨夕例]会记录|[\u4e00-\u"
    r"9fff]{2}记录(?=的?(?:空白)?(?:模板|模版|框架|格式))|周报|月报|日报))"
)
_PART_ZH: Final = r"(?:小标题|一级标题|二级标题|标题|部分|[小各]?小?节|板块|版块|栏目|项目|要素|[块项段]|位置)"
_LEADS_ZH: Final = (
    r"(?:(?:正文|内容|主体(?:部分)?|填写项|里面|里头|里|其中|下面|底下|下边|后面|往下|之后|接下来|接着|然后|"
    r"再(?:是|往下)?|主要|具体|一共|共|以下)|"
    rf"(?P<is_headed>(?:小|一级|二级|分)?标题)|(?:各|分)?(?:小节|部分|栏目|项目|板块|要素|大部分)|的|"
    rf"(?:请|要|需要?|必须|应当?|得|依次|分别|顺次|按顺序|都|就|能|先)|"
    r"(?:涵盖|包括|包含|含有?|分成|分为|分|由|按照?|下设|设置|设立|设有?|列出|列明|列|写清楚?|写明|写上|写|留出|留好|留|"
    r"体现|叫做?|名为|放|有|是|为|填)|"
    rf"(?P<count>{COUNT})(?:个|大|小)*{_PART_ZH})"
)
_CUE_ZH: Final = rf"{_LEADS_ZH}[,，]?\s*(?:[:：]|——|[-–—])?\s*"
_HEADED_ZH: Final = (
    r"(?:(?:都|并|要|全部?)?(?:各|每(?:一|个)?(?:个)?(?:部分|[块项节段]|栏目|板块)(?:都|各|要|均|各自)*)(?:起|"
    r"占|设|写|有|用|带|配|加|来|是|放)?(?:上|着|自己的?)?(?:一|1)?个?(?:单独的?|独立的?)?(?P<is_headed>(?:小|"
    r"二级|一级)?标题)|"
    r"(?:都)?(?:做成?|作为?|当作?|用作)(?P<is_headed1>小标题|标题))"
)
_TAIL_ZH: Final = (
    rf"(?:这|那|等|一?共|总共)?(?P<count>{COUNT})(?:个|大|小)*(?:(?P<is_headed>(?:小|一级|二级)?标题)|部分|"
    r"小?节|[块项段栏点样]|板块|版块|方面|栏目|要素|位置)(?:内容)?|"
    r"(?:这|那)?(?:几|些)(?:个|大)?(?:部分|小?节|[块项段栏]|板块|方面|栏目|内容|位置|要素)(?:内容)?|"
    r"的(?:先后)?顺序|组成|构成|(?:都)?要?有|缺一不可|即可|内容"
)
_ART_ZH: Final = (
    r"(?P<is_art>艺术字)的?(?:大)?标题(?:写|叫|为|是|用|:)+\s*(?P<title>[^,，。;:、\s\"]{2,16})(?=[,，。;]|$)",
    r"(?:(?:大|主)?标题(?:文字|内容)?[,，]?)?(?:请|都|要|得)?(?:用|采用|使用|做成|做|以|是|为|打成|写成|"
    r"要)*(?P<is_art>艺术字)(?:体|效果|样式|形式|字样)?(?:呈现|显示|展示|书写|来?写着?|做|打出|处理|标题|的|来"
    r"|效果|为|是|叫|当|作为?|出来|:|,(?=\s*\"))*(?:标题)?",
    rf"(?P<title>{QUOTED})(?:这)?(?:[两三四五六七八九十\d几]个(?:大)?字)?",
)
_EMPTY_ZH: Final = (
    r"(?:每次|每回|每周|每月|老是|总是|总|经常)(?:都)?(?:要|得)?(?:重新?|现|从头|"
    r"手工?)[写打做排编敲弄](?:一[遍份])?(?:格式)?(?:太麻烦了?|太费事了?|很麻烦|麻烦)?(?=[,，。;]|$)",
    r"(?:正文|主体|内容)(?:部分)?(?=[,，:])|作为(?=标题)|(?:大|主)?标题(?=[,，])|当(?:大)?标题|给大家填|用的|"
    r"这个|在?(?:最)?上面(?=用|是|写|放|艺)|开头(?=用|是|写|放|艺)|先是|报头(?=做|用)",
)
_ZH: Final = compile_tokens(
    rf"(?:{'|'.join(_EMPTY_ZH)})",
    *TITLE_ZH,
    *_ART_ZH,
    _HEADED_ZH,
    rf"(?P<is_thing>)(?<=[个份张篇套])的?{_NAMED_ZH}(?:{_FORM_ZH})?",
    rf"(?P<is_thing>)(?!{PLAIN_ZH}){_NAMED_ZH}(?:{_FORM_ZH})?",
    rf"(?P<is_form>){_FORM_ZH}",
    _TAIL_ZH,
    PLAIN_ZH,
)
_FORM_EN: Final = r"(?:template|form|skeleton|outline|framework|structure)"
_LOOK_EN: Final = r"(?:(?:an?|the|our|my|blank|empty|simple|short|standard|new|reusable|fill-in|plain) )*"
_THING_EN: Final = (
    rf"{_LOOK_EN}{_FORM_EN} (?:for|of) (?:taking )?(?:the |our |my )?(?P<named>(?:[a-z]+ ){{0,2}}?(?:minutes|"
    r"meetings?(?: minutes)?|weekly (?:status |progress )?reports?))(?: of (?:the )?meeting)?\b|"
    rf"{_LOOK_EN}(?P<named1>(?:(?!a |the |an |to |with |and )[a-z]+ ){{0,2}}?minutes)(?: {_FORM_EN})?\b|"
    rf"{_LOOK_EN}(?P<named2>(?:weekly|monthly|daily) (?:status |progress |team )?report)(?: {_FORM_EN})?\b"
)
_PARTS_EN: Final = (
    r"(?:(?P<is_headed>sections?|(?:sub)?headings?|headers)|spots|places|spaces|fields|room|parts|lines|"
    r"entries|slots|blanks|points|items|boxes)"
)
_CUE_EN: Final = (
    r"(?:(?:with|containing|including|covering|comprising|and|then|it|should|must|has|have|having|leave|"
    r"leaving|provide|needs?|the|(?:split|divided?|broken?)(?: the (?:report|body|rest))? (?:up )?into|"
    r"consisting of|consists of|followed by|below(?: it| that)?(?: come| comes)?|"
    r"which|that|also|these|following|its|for each of|each|body|is|be|contain|include|cover|in|of|(?P<count>"
    rf"{COUNT})|{_PARTS_EN}|for|namely|named|called|are|as follows)\b[,]?\s*)"
    r"[:\-–—]?\s*"
)
_HEADED_EN: Final = (
    r"(?:and )?(?:each|every)(?: (?:one|part|section|item|point)| of (?:them|these))?(?: with| gets| has|"
    r" having| under| on| in)? (?:its|a|their)(?: own)? (?P<is_headed>(?:sub)?heading|section|title)|"
    r"(?:each )?(?:as|under) (?:(?:their|its) own )?(?:separate )?(?P<is_headed1>(?:sub)?headings?|sections)"
)
_ART_EN: Final = (
    r"(?:fancy |nice |big )?(?:\()?(?:(?:should|must) be |be |done |set |shown |written |made |goes )*(?:in|as"
    r"|with|using|use|a|that starts with)? ?(?:a )?(?P<is_art>word ?art)(?: title| heading| headline|"
    r" banner)?(?: reading| saying| that (?:says|reads)| text)?(?: for| on)?\b",
    rf"(?P<title>{QUOTED})",
)
_EN: Final = compile_tokens(
    _HEADED_EN,
    *TITLE_EN,
    *_ART_EN,
    rf"(?P<is_thing>)(?:{_THING_EN})",
    r"(?:the |its |a )?(?:title|heading)(?=,| (?:is|in|as|with|should)|\s*\()|is split|starts with|that starts"
    r"|reading|titled|called|fancy|then|followed by|body|each|that is|also|filled? in(?: by hand| later)?|"
    r"to be filled in(?: by hand| later)?|sections?|at the start|at the top",
    ASKS,
    PLAIN_EN,
)
TEMPLATES: Final = (
    Grammar("template", _ZH, frozenset(), compile_token(_CUE_ZH), read_names),
    Grammar("template", _EN, frozenset(), compile_token(_CUE_EN), read_names),
)
_NAMES_TEMPLATE: Final = re.compile(r"纪要|记录$|[周月日]报$|\bminutes\b|\b(?:weekly|monthly|daily)\b", re.IGNORECASE)


def write_told_template(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of a template; None where it has no parts or counts others."""
    is_named = _NAMES_TEMPLATE.search(slots.texts.get("title", "")) is not None
    if not (is_named or "is_thing" in slots.flags) or len(slots.items) < 2 or slots.counts - {1, len(slots.items)}:
        return None
    named, title = slots.texts.get("named", ""), slots.texts.get("title", "")
    is_report = re.search(r"[周月日]报|report|weekly|monthly|daily", named or title, re.IGNORECASE) is not None
    is_art = "is_art" in slots.flags
    if is_art and not title:
        return None
    kind = "weekly_report" if is_report else "minutes"
    return write_template(
        kind,
        language,
        art=title if is_art else None,
        title="" if is_art else title or _name(named, language),
        sections=slots.items,
        name=title,
        is_headed="is_headed" in slots.flags,
    )


def _name(named: str, language: "Language") -> str:
    """What a template is called that has no title of its own."""
    if re.search(r"[\u4e00-\u9fff]", named):
        return {"纪要": "会议纪要"}.get(said := named.replace("的", ""), said)
    said = re.sub(r"^(?:the|our|my)\s+", "", named.strip(), flags=re.IGNORECASE)
    said = re.sub(r"meetings?$", "meeting minutes", said, flags=re.IGNORECASE)
    said = choose(language, zh=said, en="Meeting minutes" if said.lower() == "minutes" else said)
    return said[:1].upper() + said[1:]
