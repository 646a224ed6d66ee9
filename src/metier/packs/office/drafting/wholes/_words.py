"""Words that every told message may have: whom it asks, verbs of making, and what names its title."""

import re
from itertools import count
from typing import Final

from metier.packs.office._request_text import CONSUMED, QUOTED

__all__ = ["ASKS", "COUNTER_ZH", "PLAIN_EN", "PLAIN_ZH", "TITLE_EN", "TITLE_ZH", "compile_token", "compile_tokens"]

COUNTER_ZH: Final = r"(?:[一1]|这|那)?(?:[个份张条段篇套节块行幅]|小段)"
_VERBS_ZH: Final = (
    r"插入|插|添加|加入|加上|加|新增|增设|增加|新建|创建|建立?|生成|制作|绘制|起草|拟好|拟定|拟|撰写|编写|编|搭建|搭|"
    r"做成|做好|做|写成|写好|写上|写|画|补上|补充|补|附上|附|放上|放|摆|列出来|列出|列|给出|弄|搞|整|起|出|来|"
    r"准备好|准备|设置|设|留出|预留|空出|留好|留|配上|配|提供|挂"
)
_SAYS_ZH: Final = (
    r"你好|您好|请问|请|麻烦(?:你|您)?|劳驾|拜托|帮我们?|帮忙|帮|给我们?|替我|能不能|可不可以|可以|可否|能否|能|"
    r"我们?(?:想要?|要|需要|希望)(?:的(?:就)?是)?|想要?|需要|要|希望有?|缺少?|还差|"
    r"首先|先|再|然后|接着|随后|另外|并且?|同时|还|就是|就|也|都|最好|把|将|以|于|吧|呢|吗|啊|哈|啦|了|一下|"
    r"一起|的|好|新|里|中"
)
PLAIN_ZH: Final = (
    rf"(?:{_VERBS_ZH}|{_SAYS_ZH}|位置(?:就)?(?:在|是)?|{COUNTER_ZH}|简单的?|标准的?|固定的?|通用的?|常用的?|"
    r"统一的?|新的|普通的?)"
)
_VERBS_EN: Final = (
    r"add|append|attach|insert|include|put(?: in| up| together)?|place|write(?: up)?|type|create|make(?: up)?|"
    r"draft|draw(?: up)?|"
    r"prepare|set up|build|generate|produce|compose|lay out|give(?: me| us)?|have|get me|start(?: off)?|do|"
    r"drop in|leave|"
    r"reserve|show|use|finish|end|close|design|work up|sketch"
)
PLAIN_EN: Final = (
    r"(?:please|kindly|(?:can|could|would|will) you(?: please)?|could (?:i|we) (?:have|get)|hi|hello|hey|"
    r"ok(?:ay)?|so|now|just|also|then|next|first|finally|"
    r"what (?:i|we)(?:['’]d like| need| want) is|(?:i|we)(?:['’]d| would)? (?:need|want|like)(?: to (?:have|"
    r"see))?|(?:i|we) (?:need|want|have) to|there (?:should|must) be|there|"
    rf"(?:{_VERBS_EN})|an?|the|our|my|this|some|new|simple|short|quick|brief|proper|standard|usual|one|"
    r"for (?:me|us)|thanks(?: a lot)?|thank you|and|with|"
    r"document|at|it|which|that|to|of|in|on|as|by|is)\b"
)
_IS_ZH: Final = (
    r"(?:就|请|要|则|写|叫做?|用|取名?|起名?|定为|设为|设置为?|打出|显示|改为|是|为|成|作|上|着|:|,(?=\s*\"))"
)
_NAMED_ZH: Final = r"(?:大|主|总)?(?:标题|题目|抬头|题头|报头|名字|名称|题名)(?:文字|内容)?"
# The title, in quotation marks or as the words up to the next sign.
TITLE_ZH: Final = (
    rf"{_NAMED_ZH}\s*{_IS_ZH}*\s*(?P<title>{QUOTED})(?:[两三四五六七八九十\d]个字)?",
    rf"(?:题为|名为|叫做?|命名为|取名|题作)\s*:?\s*(?P<title>{QUOTED})",
    rf"{_NAMED_ZH}\s*(?:就|请|要)?(?:写|叫|用|是|为|:)+\s*(?P<title>(?![^,，。;]*(?:艺术字|加粗|"
    rf"粗体))[^,，。;:、\s\"{CONSUMED}]{{2,20}}?(?: [^,，。;:、\s\"{CONSUMED}]{{2,16}})?)(?=[,，。;]|$)",
    rf"{_NAMED_ZH}(?=会议纪要|周报)(?P<title>[^,，。;:、\s\"]{{2,12}})(?=[,，。;]|$)",
)
_IS_EN: Final = r"(?:\s*(?:\b(?:is|reads?|reading|saying|says|should (?:be|read)|of|as|that (?:says|reads))\b|[:,]))*"
TITLE_EN: Final = (
    rf"(?:under )?(?:the |its |a |with the |with a )?(?:main )?(?:title|heading|headline|name|subject){_IS_EN}"
    rf"\s*(?P<title>{QUOTED})(?: as (?:its|the) (?:title|heading))?",
    r"(?:it (?:should|must) be |to be |and |please )?(?:titled?|called|call (?:it|this|that)|title it|name it|"
    rf"named|headed|entitled|captioned|labelled){_IS_EN}\s*(?P<title>{QUOTED})",
    rf"(?:with )?(?P<title>{QUOTED}) as (?:its|the|a) (?:title|heading)",
    r"(?:title|heading|headed|titled|called)\s*:?\s+(?P<title>(?-i:[A-Z])[\w&'’-]*(?: (?-i:[A-Z\d])[\w"
    r"&'’-]*){1,6})(?=\s*[,.;]|$)",
)
# What leads on to the next sentence of the same order.
ASKS: Final = (
    r"(?:it (?:should|must|needs to|has to) (?:have|contain|include|cover|start with|be)|it (?:has|contains|"
    r"includes|covers))\b"
)


_LOOP: Final = re.compile(r"(?<!\\)\)[*+](?![+?])")


def compile_tokens(*forms: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of tokens, in order."""
    return tuple(map(compile_token, forms))


def compile_token(form: str) -> re.Pattern[str]:
    """The pattern of a token; a slot that stands in it twice gets a number behind its name.

    Its loops give nothing back, so that no message can be read in two ways by one of them.
    """
    numbers = count(1)
    names = re.split(r"(?<=\(\?P<)([a-z_]+)\d*(?=>)", form)
    names[1::2] = [f"{name}{next(numbers)}" for name in names[1::2]]
    return re.compile(_LOOP.sub(r"\g<0>+", "".join(names)), re.IGNORECASE)
