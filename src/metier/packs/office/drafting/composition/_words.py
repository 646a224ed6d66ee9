"""Words of a composition: what leads to a piece, and what names one."""

import re
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED

__all__ = ["BOUNDARY", "CENTRED", "CLOSING", "EMPHASIS", "LEAD", "PIECE", "QUOTES", "STRONG", "VALUE_CUE"]

_LEAD_ZH: Final = (
    r"请|麻烦|劳驾|帮我|帮忙|给我|我要|我想要?|想要|需要|要|首先|先|再|然后|接着|接下来|接|随后|之后|最后|紧接着|紧跟着?|"
    r"跟着|跟|另外|另|还|并且|并|和|以及|及|同时|(?:它|其|这|标题|大标题|表格?|图表?|这个标题|这段|段落|艺术字)?(?:的)?(?:下面|后面|下方|"
    r"下边|底下|之下|下|后)(?=[^一]|一[个张段行句条])|其下|其后|来|加上|加入|加|添加|插入|插|写上|写|放上?|做|画|建|列|附上?|配|"
    r"是|为|的|在|个|张|份|条|一|新"
)
_LEAD_EN: Final = (
    r"please|can you|could you|then|and|next|finally|lastly|first|after (?:that|it)|followed by|(?:just |right |directly |"
    r"immediately )?(?:below|under|underneath|beneath)(?: (?:it|that|this|the (?:heading|table|chart|title|list)))?|also|"
    r"plus|add|insert|put|place|write|create|make|include|give me|i (?:need|want)|with|an?|the|there|should (?:be|come)|"
    r"comes?|goes|new|one|in|as"
)
LEAD: Final = rf"(?:\s*[,，]?\s*(?:{_LEAD_ZH}|\b(?:{_LEAD_EN})\b))*\s*"
# One of these leads to a piece of its own; "and Note" in a list of columns does not.
STRONG: Final = re.compile(
    r"再|然后|接着|接下来|随后|之后|最后|紧|跟|另|还|下|后|底|加|插|写|放|附|配|画|列|"
    r"\b(?:then|next|finally|lastly|after|followed|below|under|underneath|beneath|also|plus|add|insert|put|place|write|"
    r"create|include)\b",
    re.IGNORECASE,
)
# Where a piece may begin: a sign, or a word that joins two pieces of one clause.
BOUNDARY: Final = re.compile(
    r"^|(?<=[,，。;!?\n])|(?<=\.)(?=\s)|(?<=[\"\s])(?=(?:followed by|and|then|with|plus|below|under|underneath)\b)|"
    r"(?<=[\"\u4e00-\u9fff])(?=再|然后|接着|随后|最后|下面|后面|其下|并)",
    re.IGNORECASE,
)
EMPHASIS: Final = r"加粗|粗体|\b(?:in )?bold(?:ed)?\b"
CENTRED: Final = r"居中|\bcent(?:er|re)d\b"
_LOOK: Final = rf"(?:(?:{EMPHASIS}|{CENTRED}|醒目|大号|short|plain|normal|brief|closing|opening|introductory|single)的?\s*)*"
_HEADING: Final = (
    rf"(?:(?P<some>{COUNT})个)?(?:(?P<level>[一二三123])级)?{_LOOK}(?:大|小|主|章节?)?标题(?![行栏列])|"
    rf"(?:(?P<first>main|top[- ]level)\s+|(?P<second>sub-?|section\s+)|(?:level|heading)[ -](?P<number>[1-3])\s+|"
    rf"(?P<nth>first|second|third)[- ]level\s+)?{_LOOK}(?:heading|headline|title)"
    r"(?:,? (?:of |at |on )?\(?level (?P<behind>[1-3])\)?|\s(?P<digit>[1-3])(?=[\s:,]))?\b(?! (?:row|line))|\bH(?P<tag>[1-3])\b"
)
_LINES: Final = (
    rf"{_LOOK}(?P<lines>(?![一1]\s*[行句段])(?:{COUNT}))\s*(?:行|句|段)(?:话|文字|正文|字)?|"
    rf"\b(?P<count>(?!an?\b|one\b)(?:{COUNT}))\s+{_LOOK}(?:lines|sentences|paragraphs)(?: of text)?\b"
)
_TEXT: Final = (
    rf"{_LOOK}(?:[一1]?(?:个)?(?:小|短)?(?:段(?:落|话|文字|正文|文本|说明)?|行(?:字|文字|正文|话|说明)?|句话?)|正文|文字|说明)的?{_LOOK}|"
    rf"\b{_LOOK}(?:paragraph|sentence|line(?: of text)?|text|note)\b"
)
_LIST: Final = (
    r"(?P<ordered>(?:带)?(?:编号|有序|数字)的?列表|numbered list|ordered list)|"
    r"(?P<marked>(?:项目符号|无序|圆点)的?列表|bullet(?:ed)?(?: point)? list|bullets|bullet points)"
)
PIECE: Final = rf"(?P<heading>{_HEADING})|(?P<list>{_LIST})|(?P<several>{_LINES})|(?P<text>{_TEXT})"
# Between the name of a piece and what it says.
VALUE_CUE: Final = re.compile(
    rf"\s*(?:{EMPHASIS}|{CENTRED}|[,，]?\s*(?:内容|文字|上面|里面)?\s*(?:写着|写上|写明|写的是|写|说的是|说|叫做?|名为|是|为|用)|"
    r"[,，]?\s*(?:that |which |it )?(?:says?|saying|reads?|reading|stating|states|called|named|titled|with the text|is|below|"
    r"underneath|under it)\b|[::])*\s*",
    re.IGNORECASE,
)
CLOSING: Final = re.compile(
    rf"\s*[,，]?\s*(?:(?:并|要|用|都|and|in)?\s*(?:{EMPHASIS}|{CENTRED})(?:显示|type|letters)?|的|作为正文)?\s*[,，。;.!\s]*", re.IGNORECASE
)
QUOTES: Final = re.compile(rf"(?:{QUOTED}\s*(?:[,，、;]|和|与|以及|then|and|followed by)*\s*)+", re.IGNORECASE)
