"""Lists told in running words: an appendix with numbered items, and a summary of points."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED
from metier.packs.office.drafting.lines import write_points
from metier.packs.office.drafting.wholes._lists import read_entries, read_points
from metier.packs.office.drafting.wholes._scan import Grammar
from metier.packs.office.drafting.wholes._words import (
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

__all__ = ["APPENDICES", "SUMMARIES", "write_told_appendix", "write_told_summary"]

_LISTS_ZH: Final = r"(?:列出来|列出|列好|列示|列举|列着|列上|列明|排列|排好|列|写出来|写上|写|排|标|:)"
_NUMBERED_ZH: Final = (
    r"(?:按顺序|依次|逐条|逐项|分条|都|请|要|并|一一|用|以|按|标|前面|带上?|带有|加)*(?P<is_numbered>(?:数字|"
    r"阿拉伯数字|有序)?(?:编(?:上|好|着)?(?:序)?号|序号|有序|1、?2、?3、?4?))(?:的)?(?:形式|方式|列表|"
    rf"清单)?(?:地)?{_LISTS_ZH}*(?:下来|出来)?"
)
_ITEMS_ZH: Final = (
    r"(?:条目|内容|材料|项目|清单|列表|单位|资料|文件|物品|要列的|要提交的材料|要交的材料)(?:分别|依次)?(?:有|"
    r"为|是|包括|如下|:)"
)
_LEAD_ZH: Final = (
    rf"(?:{_NUMBERED_ZH}|{_ITEMS_ZH}|(?:里面|里头|下面|下边|底下|其中|接着|后面|其下|后|里)|(?:分别|依次|逐条|"
    r"逐项|按顺序|请|要|再|把|将|共|一共)|"
    rf"(?P<count>{COUNT})[项条个样]|(?:包括|包含|含|有|是|为|列着|列出|列上|列|写|:))"
)
_CUE_ZH: Final = rf"{_LEAD_ZH}[,，]?\s*[:：]?\s*"
_TAIL_ZH: Final = (
    rf"(?:这|等|共)?(?P<count>{COUNT}|几)[项条个样份](?:东西|材料|内容|资料)?",
    r"[一1每](?:行|个|样|条|项)[一1占](?:单独)?[一1]?[个条样项行]|每[样条项个](?:单独)?(?:占|一)?一?行|"
    r"一行一[条项个样]|一[项样条个]一行|逐[条项](?=[,，。]|$)",
    r"列(?:出来|进去|上去|上|下来)|放进去|写进去",
)
_APPENDIX_ZH: Final = r"(?P<is_appendix>附录|附件(?:清单)?)|另起一节|(?P<is_list>清单|列表)"
_ZH: Final = compile_tokens(
    *TITLE_ZH,
    rf"(?P<title>{QUOTED})",
    _NUMBERED_ZH,
    *_TAIL_ZH,
    _APPENDIX_ZH,
    r"(?:以下|下列|下面的?)内容|(?:这份|本)?[\u4e00-\u9fff]{2,4}(?:文件|文档|报告|方案|标书|材料)(?:里|中|"
    r"后面)?(?:还|也|就)?(?=差|缺|少|要|需)|以(?=附录)|的?形式|叫|题为|(?:放|附)在?(?=[,，。]|$)|一节|作为",
    PLAIN_ZH,
)
_CUE_EN: Final = (
    r"(?:(?:with|and|then|it|that|which|should|lists?|listing|contains?|containing|has|having|under it|"
    r"below it|below|underneath|the|these|following|"
    r"put|a|items?|entries|of|include|including|as|in|consisting of|comprising|for|points?|things|documents|"
    rf"papers|(?P<count>{COUNT})|(?P<is_numbered>with numbers|numbered(?: list| items)?|number|ordered list))\b"
    r"[,]?\s*)[:\-–—]?\s*"
)
_NUMBERED_EN: Final = (
    r"(?:(?:in|as|with|using|and|please|make it|put them in) )*(?:an? |the )?(?P<is_numbered>numbered(?: list|"
    r" items| form)?(?: 1 to \d+| from 1(?: to \d+)?)?|ordered list|with numbers|number (?:them|the items|"
    r"each(?: of them)?|these))"
)
_EN: Final = compile_tokens(
    _NUMBERED_EN,
    *TITLE_EN,
    rf"(?P<title>{QUOTED})",
    r"(?:an? |the )?(?:final |last |closing |new |extra )*(?P<is_appendix>appendix|annex|attachments? list|"
    r"section|list)\b(?: (?=\"))?",
    r"items(?=,)|belongs? in|goes? in|under(?: the)?|below it|items|each on its own line|one per line|"
    r"all numbered|heading|title",
    PLAIN_EN,
)
APPENDICES: Final = (
    Grammar("appendix", _ZH, frozenset({"is_numbered"}), compile_token(_CUE_ZH), read_entries),
    Grammar("appendix", _EN, frozenset({"is_numbered"}), compile_token(_CUE_EN), read_entries),
)
_NAMES_APPENDIX: Final = re.compile(r"附录|附件|附表|清单|目录|appendix|annex|attachment", re.IGNORECASE)


def write_told_appendix(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of an appendix with its title and numbered items; None where one of them is missing."""
    title = slots.texts.get("title", "")
    is_appendix = "is_appendix" in slots.flags or _NAMES_APPENDIX.search(title) is not None
    if not title or not is_appendix or slots.counts - {1, len(slots.items)}:
        return None
    return write_points("appendix", title, slots.items, language) if len(slots.items) > 1 else None


_SUM_ZH: Final = (
    r"(?P<is_summary>(?:要点)?总结|小结|摘要|概括|归纳|结论|概述|要点(?:总结|小结)?|总结要点)(?:一下|成|为|的?要点)?"
)
_POINT_ZH: Final = (
    rf"(?:就|共|一共|总共|写|用|按|分|成|为|列)*(?P<count>{COUNT})(?:个|大|小)?(?:要点|[点条项句])式?(?:的)?"
)
_SZH: Final = compile_tokens(
    r"(?:请|都|要|并|用|以|按|成|做成|用成|逐条)*(?P<is_bullet>项目符号|圆点|无序列表)(?:的)?(?:形式|方式|"
    r"列表)?(?:列|写|排|标)*(?:出来|出|下来)?",
    _POINT_ZH,
    _SUM_ZH,
    r"(?:逐条|分条|逐项|每[条点项](?:单独)?(?:占)?一行|一[条点项]一行)(?:列出来?|写|列)?|放进(?:来|去)|"
    r"插进(?:来|去)|如下|分别|内容|一段|成",
    PLAIN_ZH,
)
# The points stand behind a colon, or each behind a mark; little else leads to them.
_SCUE_ZH: Final = r"(?:分别|依次)(?:是|为)?[:：]?"
_SUM_EN: Final = (
    r"(?P<is_summary>(?:executive |short |brief |quick |final )*(?:summary|recap|wrap-?up|conclusions?|"
    r"key takeaways|takeaways|key points|main points|overview|bottom line)|(?:sum(?:med)? (?:it|this|that|"
    r"things|everything|[a-z ]{3,24}?)? ?up|summari[sz]ed?|boil(?:ed)?(?: it| this| that| the \w+)? down|recap"
    r"|condensed?))"
)
_POINT_EN: Final = (
    rf"(?P<count>{COUNT})(?:[ -](?:short|main|key|brief|simple|"
    r"crisp))?[ -](?:(?P<is_bullet>bullets?(?: points?)?)|points?|items|lines|sentences|takeaways|statements)"
)
_SEN: Final = compile_tokens(
    r"(?:these |the |following |exactly |just |only |in |into |as |of |with |to |made up of |consisting of |"
    rf"made of )*{_POINT_EN}\b",
    r"(?:put them in |please |as |in |with |using |it |should be |a |"
    r"an )*(?P<is_bullet>bullet(?:ed)?(?: point)?s?(?: list| form| points?)?)\b(?: please)?",
    _SUM_EN,
    r"(?:for|of|about) (?:the|our|my) (?:[a-z]+ ){0,2}(?:quarter|month|week|year|project|committee|board|team|"
    r"management|report|meeting|document)\b|"
    r"the (?:quarter|month|week|year|project|results?|report|meeting)|(?:each )?on (?:its|their) own lines?|"
    r"put (?:them|these|it) in(?: as a list)?|as a list|made up of|consisting of|listing|list|here|with|into|"
    r"down|to summari[sz]e|following|these|points?|it|up|bullets?",
    PLAIN_EN,
)
_SCUE_EN: Final = r"(?:namely|these are)[,:]?\s*"
SUMMARIES: Final = (
    Grammar("summary", _SZH, frozenset({"is_summary"}), compile_token(_SCUE_ZH), read_points),
    Grammar("summary", _SEN, frozenset({"is_summary"}), compile_token(_SCUE_EN), read_points),
)


def write_told_summary(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of a summary; None where it has not as many points as are said."""
    if len(slots.items) < 2 or slots.counts - {1, len(slots.items)}:
        return None
    shown = choose(language, zh="总结", en="Summary")
    return write_points(
        "summary",
        slots.texts.get("title", ""),
        slots.items,
        language,
        shown=shown,
        is_marked="is_bullet" in slots.flags,
    )
