"""Words of a composition: what leads to a piece, and what names one."""

import re
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED

__all__ = [
    "BOUNDARY",
    "CENTRED",
    "CLOSING",
    "COLUMNS_CUE",
    "EMPHASIS",
    "PIECE",
    "QUOTES",
    "STRONG",
    "WRITES",
    "is_filled",
    "skip_cue",
    "skip_leads",
]

_THING_ZH: Final = r"(?:它|其|这|标题|大标题|小标题|表格?|图表?|[饼折柱]\w?图|图片|列表|清单|这段|段落|艺术字|列完)"
_THING_EN: Final = (
    r"(?:it|that|this|them|these|the (?:sub)?(?:heading|table|chart|graph|title|list|bullets|word art|picture|"
    r"caption|sentence|"
    r"paragraph|text|line))"
)
_LEAD_ZH: Final = (
    r"那个|嗯+|诶|哎|请|麻烦|劳驾|帮我|帮忙|给我|我要|我想要?|想要|需要|要|首先|先|再|然后|接着|接下来|接|随后|"
    r"之后|最后|紧接着|紧跟着?|跟着|跟|"
    r"另外|另起|另|还|并且|并|和|以及|及|同时|其下|其后|"
    rf"{_THING_ZH}?的?(?:的?下面|后面|下方|下边|底下|之下|之后|[下后])(?=[^一]|一[个张段行句条])|"
    r"来|加上|加入|加|添加|插入|插|补上?|写上?|注|放上?|做|画|建|列出?|附上?|配|留出?|"
    r"是|为|的|在|个|张|份|条|一|新|普通"
)
_LEAD_EN: Final = (
    r"please|(?:can|could|would) you|hey|hiya?|hello|ok(?:ay)?|so|well|then|and|next|finally|lastly|first|"
    r"second|third|after (?:that|it)|followed by|"
    rf"(?:just |right |directly |immediately )?(?:below|under|underneath|beneath|after)(?: {_THING_EN})?|also|"
    rf"another|"
    r"plus|add|append|insert|put|place|write|type|create|make|include|have|give me|i(?: need| want| would like|"
    r"['’]d like)|with|an?|"
    r"the|following(?: (?:outline|content|pieces|parts|lines))?|there|should (?:be|come)|comes?|goes|new|one|"
    r"in|as|just|simple|normal"
)
_LEAD: Final = re.compile(rf"\s*[,，]?\s*(?:{_LEAD_ZH}|\b(?:{_LEAD_EN})\b)(?:\s*:)?", re.IGNORECASE)
# One of these leads to a piece of its own; "and Note" in a list of columns does not.
STRONG: Final = re.compile(
    r"再|然后|接着|接下来|随后|之后|最后|紧|跟|另|还|下|后|底|加|插|写|放|附|配|画|列|补|注|留|"
    r"\b(?:then|next|finally|lastly|after|followed|below|under|underneath|beneath|also|another|plus|add|append|"
    r"insert|put|"
    r"place|write|type|create|include)\b",
    re.IGNORECASE,
)
# What leads to a text that nothing names: 再补“…”, "then write: …".
WRITES: Final = re.compile(r"写|注|补|\b(?:write|type|add|append|put|then)\b", re.IGNORECASE)
# Where a piece may begin: a sign, or a word that joins two pieces of one clause.
BOUNDARY: Final = re.compile(
    r"^|(?<=[,，。;:!?\n])|(?<=\.)(?=\s)|(?<=[\"\s])(?=(?:followed by|and|then|with|plus|below|under|underneath)\b)|"
    r"(?<=[\"\u4e00-\u9fff])(?=再|然后|接着|随后|最后|下面|后面|其下|并)",
    re.IGNORECASE,
)
EMPHASIS: Final = r"加粗|粗体|\b(?:in )?bold(?:ed)?\b"
CENTRED: Final = r"居中|\bcent(?:er|re)d\b"
_LOOK: Final = (
    rf"(?:(?:{EMPHASIS}|{CENTRED}|醒目|普通|不加粗|\b(?:short|plain|normal|brief|closing|opening|introductory|"
    rf"single|main|"
    rf"final)\b)的?\s*)*"
)
_HEADING: Final = (
    rf"(?:(?P<some>(?![一1]级){COUNT})个)?(?:(?P<level>[一二三123])级)?{_LOOK}(?P<small>小)?(?:大|主|"
    rf"章节?)?标题(?![行栏列下])|"
    rf"(?:(?P<sub>sub-?|section\s+)|(?:level|heading)[ -](?P<number>[1-3])\s+|"
    rf"(?P<nth>first|second|third)[- ]level\s+|top[- ]level\s+)?{_LOOK}(?:heading|headline|title)"
    r"(?:,?\s(?:of |at |on )?\(?(?:level )?(?P<behind>[1-3])\)?(?=[\s:,\"]|$))?(?!\w)(?! (?:row|line))|"
    r"\bH(?P<tag>[1-3])\b|\bheading \(level (?P<bracket>[1-3])\)"
)
_LINES: Final = (
    rf"{_LOOK}(?P<lines>(?![一1]\s*[行句段])(?:{COUNT}))\s*(?:行|句|段)(?:话|文字|正文|字)?|"
    rf"(?P<count>(?!an?\b|one\b)\b(?:{COUNT}))\s+{_LOOK}(?:lines|sentences|paragraphs)(?: of text)?\b"
)
_TEXT: Final = (
    rf"{_LOOK}(?:[一1]?(?:个)?(?:小|短)?(?:段(?:落|话|文字|正文|文本|说明)?|行(?:字|文字|正文|话|说明)?|句话?)|"
    rf"正文|文字|说明)的?{_LOOK}(?![总合]计|平均|空|数据)|"
    rf"{_LOOK}\b(?:(?:caption |bold )?(?:paragraph|sentence|line(?! chart| graph)(?: of text)?|text|note|caption))\b|"
    rf"(?P<bare>{_LOOK}(?=\")|(?:{EMPHASIS})(?: type)?\s*(?=:)|(?<=[写注补]:)(?=\S))"
)
_LIST: Final = (
    r"(?P<ordered>(?:带)?(?:编号|有序|数字)的?列表|编号(?=\s*:)|\bnumbered (?:list|steps|items)\b|\bordered list\b|"
    r"\bnumbered(?: below)?(?=\s*:))|"
    r"(?P<marked>(?:用)?(?:项目符号|无序|圆点)的?(?:列表|列)?|\bbullet(?:ed)?(?: point)? list\b|\bbullets\b|"
    r"\bbullet points\b)"
    rf"(?:(?:列)?({COUNT})条)?"
)
_TABLE: Final = (
    rf"(?P<table>(?:(?:{COUNT})列的?)?(?:(?:{COUNT})行的?)?(?:小|简单)?表格?(?![头中里格下后])|"
    rf"\b(?:[\w-]+-column )?table\b)"
)
PIECE: Final = rf"(?P<heading>{_HEADING})|(?P<list>{_LIST})|(?P<several>{_LINES})|{_TABLE}|(?P<text>{_TEXT})"
# Between the name of a piece and what it says.
_VALUE_CUE: Final = re.compile(
    rf"{EMPHASIS}|{CENTRED}|[,，]?\s*(?:内容|文字|上面|里面)?(?:就)?(?:写着|写上|写明|写的是|写|说的是|说|叫做?|名为|是|为|用)|"
    r"[,，]?\s*(?:that |which |it )?(?:says?|saying|reads?|reading|stating|states|called|named|titled|with the text|is|"
    r"below|underneath|under it|with (?:the |these )?(?:\w+ )?items)\b|[:：,，](?=\s*\")|[:：]|[^\S\n]+",
    re.IGNORECASE,
)
# Between the name of a table and the names of its columns.
COLUMNS_CUE: Final = re.compile(
    rf"\s*[,，:]?\s*(?:(?:表头|列名?|字段|栏目|(?:第一|首)行(?=[是为写放:]))(?:行)?(?:要)?(?:{EMPHASIS})?(?:分别|依次)?(?:是|为|有|写)?\s*:?|"
    r"(?:with|has|having) (?:the |these )?(?:bold )?(?:columns?|headers?(?: row)?|headings?|cols)?\s*:?|"
    r"(?:the )?(?:columns|header|headings|cols)(?: are| is)?\s*:?)?\s*",
    re.IGNORECASE,
)
CLOSING: Final = re.compile(
    rf"\s*[,，]?\s*(?:(?:并|要|用|都|and|in)?\s*(?:{EMPHASIS}|{CENTRED})(?:显示|type|letters)?|的|"
    rf"作为正文)?\s*[,，。;.!\s]*",
    re.IGNORECASE,
)
QUOTES: Final = re.compile(
    rf"{QUOTED}(?:\s*(?:(?:[,，、;]|和|与|以及)\s*)?(?:(?:then|and|followed by)\s+)?{QUOTED})*\s*", re.IGNORECASE
)


_BLANKS: Final = re.compile(r"\s*")
_MAX_LEADS: Final = 12  # words that lead to one piece


def skip_leads(mask: str, at: int) -> list[int]:
    """Where the words that lead to a piece may end, the longest run of them first."""
    ends = [at]
    while len(ends) <= _MAX_LEADS and (found := _LEAD.match(mask, ends[-1])) is not None and found.end() > ends[-1]:
        ends.append(found.end())
    return [_skip_blanks(mask, one) for one in reversed(ends)]


def skip_cue(mask: str, at: int, end: int) -> int:
    """Where the words end that stand between the name of a piece and what it says."""
    while (found := _VALUE_CUE.match(mask, at, end)) is not None and found.end() > at:
        at = found.end()
    return at


def _skip_blanks(mask: str, at: int) -> int:
    return _BLANKS.match(mask, at).end()  # type: ignore[union-attr]  # it matches the empty text


def is_filled(said: str, words: "re.Pattern[str]") -> bool:
    """Whether words that say nothing more of the thing, signs and blanks are all that is there."""
    return not words.sub(" ", said).strip(' \n\t,，、。;；.:：!！()（）"“”「」\ufffc')
