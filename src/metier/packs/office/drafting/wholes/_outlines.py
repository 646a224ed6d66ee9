"""Outlines told in running words: what they are about and how many levels they have."""

from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CONSUMED, QUOTED
from metier.packs.office.drafting.templates import write_outline
from metier.packs.office.drafting.wholes._scan import Grammar
from metier.packs.office.drafting.wholes._words import PLAIN_EN, PLAIN_ZH, compile_tokens

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.drafting._blocks import DraftBlock
    from metier.packs.office.drafting.wholes._slots import ToldSlots

__all__ = ["OUTLINES", "write_told_outline"]

_MAX_LEVELS: Final = 3
_LEVEL_ZH: Final = r"(?:级|层)(?:的)?(?:标题|目录|结构|层级|层次)?"
_WORK_ZH: Final = (
    r"(?:方案|计划|报告|规划|办法|制度|手册|总结|论文|研究|建议书|策划书?|说明书|标书|指南|规范|设计|预案|白皮书)"
)
_ZH: Final = compile_tokens(
    r"(?:(?:主题|题目|标题|题|名称?|名字)(?:就)?(?:定为|定成|为|是|叫做?|写|用|:)*|以|围绕着?|关于|针对|为|给|"
    rf"就|按照?|对)?(?:编写|撰写|起草|写)?\s*(?P<topic>{QUOTED})(?:为|作为?|做)?(?:主题|题目|标题|题)?",
    rf"(?:主题|题目)(?:就)?(?:定为|为|是|叫做?|写|:)+\s*(?P<topic>[^,，。;:、\s\"{CONSUMED}]{{3,24}})(?=[,，。;]|$)",
    r"(?:我们?)?(?:马上|准备|打算|要|想)*(?:开始)?(?:写|编)(?:一?[份篇个])?(?P<topic>(?!要|一|个|"
    rf"份)[^,，。;:、\s\"{CONSUMED}我你了的]{{2,18}}{_WORK_ZH})(?=[,，。;]|$)",
    r"一级(?:标题)?[、和,，]?二级(?:标题)?(?:(?P<is_two>(?![、和,，]?三级))|"
    r"[、和,，]?三级(?:标题)?)(?:都)?(?:要|得)?(?:有|写出来|列出来)?",
    r"一级(?:标题)?(?:下面|之下|下|里)(?:再)?(?:有|分|设|带)二级(?:标题)?|二级(?:标题)?(?:下面|之下|下|"
    r"里)(?:再)?(?:有|分|设|带)(?P<is_third>三级)(?:标题)?",
    r"(?:(?:标题|层级|层次|结构|一直|细|一共)*(?:要|带|按|分成?|分为|共|做|写|列|有|到|细化?到|至|成|用|为|是|"
    rf"能|需|得|请)*)?(?:第)?(?P<levels>(?!一级){COUNT}){_LEVEL_ZH}(?:式)?(?:都?要?有)?",
    r"(?P<is_chapters>(?:分(?:成|为)?)?章、节、(?:小节|条|目))",
    r"(?P<is_outline>[大提纲]纲|纲要)(?:的)?(?:架子|框架|骨架)?|(?:框架|骨架|架子|目录)(?:式)?(?:的)?(?=[大提]纲)",
    r"(?:(?:马上|就|正)?要?(?:开始|着手|动笔)(?:写|编)?|做准备|编写|撰写|动笔|起草|要开始写|"
    r"开个头)(?:了)?(?:前|之前)?|结构|层级|层次|标题|主题",
    PLAIN_ZH,
)
_LEVELS_EN: Final = rf"(?P<levels>{COUNT})[ -](?:heading[ -])?(?:level|tier|layer)s?(?: of headings?| deep| of depth)?"
_EN: Final = compile_tokens(
    r"(?:(?:the |its |with the |whose )?(?:topic|subject|theme|title)(?: is|:|,)*|about|on|for|titled|called|"
    rf"entitled|headed|of|under the title)\s*(?P<topic>{QUOTED})",
    rf"(?P<topic>{QUOTED})",
    rf"(?:with |in |of |that has |having |down to |, )*{_LEVELS_EN}\b",
    r"(?:levels?|headings?) (?:deep|of headings?)",
    r"(?:that |which |it |should |going |goes? |down |all the way )+to (?:the )?(?P<levels>third|second|first|"
    r"3rd|2nd|level \d)(?: heading)?(?: level)?",
    r"(?P<is_chapters>(?:with )?chapters, sections(?:,? and|,) sub-?sections)",
    r"(?:with )?(?:headings?|levels?) (?:of |at )?(?:levels? )?(?P<is_chapters>(?:one|1), (?:two|2)(?:,? and|"
    r",) (?:three|3))",
    r"(?P<is_outline>outline|table of contents skeleton|document structure)",
    r"(?:a )?skeleton(?: for)?|(?:a |my |our |the )?(?:paper|report|document|concept|plan|thesis|essay|article"
    r"|handbook|manual|guide)(?= (?:on|about|for|called|titled|\"))|deep|levels?|headings?|"
    r"(?:i|we)(?:['’]m| am|['’]re| are) (?:about|going) to (?:write|start)|before (?:i|we) (?:start|"
    r"begin)(?: writing)?|(?:about|going) to write|first|whose|to be",
    PLAIN_EN,
)
OUTLINES: Final = (
    Grammar("outline", _ZH, frozenset({"is_outline"})),
    Grammar("outline", _EN, frozenset({"is_outline"})),
)


def write_told_outline(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of an outline; None without a topic, or with more levels than there are."""
    topic = slots.texts.get("topic", "")
    levels = slots.levels or (2 if "is_two" in slots.flags else 3)
    if not topic or levels > _MAX_LEVELS or ("is_two" in slots.flags and levels != 2):
        return None
    if slots.levels is not None and slots.levels != 3 and slots.flags & {"is_chapters", "is_third"}:
        return None
    return write_outline(topic, levels, (), language)
