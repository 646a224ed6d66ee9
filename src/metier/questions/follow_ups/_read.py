"""Subject of a short follow-up or correction: 4号鼓风机 of 4号鼓风机呢, "fan 2" of "no, I meant fan 2"."""

import re
from collections.abc import Sequence
from typing import Final

from metier.patterns import compile_later

_MAX_CHARS: Final = 60
_MAX_WORDS: Final = 5
_CHINESE: Final = compile_later(
    r"(?:那么?|还有|另外|好的?|嗯|哦|再|，|,|\s)*(?:(?:如果|要是)?(?:换成?|改成|换作)|看看?|对于|关于)?\s*"
    r"(?P<subject>[^，,。；;？?！!\n]{1,24}?)\s*(?:的(?:话|情况)?)?(?:呢|又?怎么样|又?如何|也(?:看一?看|看一?下|来一份|做一下))[？?。.！!\s]*"
)
_SWITCHED: Final = compile_later(
    r"(?:那么?|那就|还是|好的?|嗯|再|，|,|\s)*(?:换成?|换到|改成|改看|换作)\s*(?P<subject>[^，,。；;？?！!\n]{1,24}?)\s*的?(?:再)?"
    r"(?:看一?看|看一?下|试试|试一?下|算一?下|查一?下|分析一?下|做一[下遍]|来一[下遍])[吧呢啊]?[。.！!\s]*"
)
_ENGLISH: Final = compile_later(
    r"(?i)(?:ok(?:ay)?|so|then|now|well|thanks|[,.\s])*"
    r"(?:and\s+(?:what|how)\s+about|what\s+about|how\s+about|and(?:\s+(?:for|of|in|with|at))?|(?:the\s+|do\s+the\s+)?same\s+(?:for|with)"
    r"|what\s+if\s+it\s+(?:is|was|were)|now\s+for)\s+"
    r"(?P<subject>(?!by\s)[^,;?!\n]{1,40}?)(?:\s+(?:then|instead|too|please))?[?.!\s]*"
)
# A correction: who or what was meant in place of what was said (不对，我说的是海淀区; "no, I meant fan 2").
_CORRECTED: Final = compile_later(
    r"(?:(?:不对|不是(?:这个|那个|它|这台|那台)?|错了|[说打选写搞弄]错了?|哦不|噢不|不好意思|抱歉|等等|不)[，,。.！!；;\s]+)+"
    r"(?:(?:我)?(?:应该|本来)?(?:是说|说的是|要的是|问的是|指的是|的意思是|想[说问]的是|要说的是|应该是|是|要|换成?|改成))"
    r"\s*(?P<subject>[^，,。；;？?！!\n]{1,24}?)(?:才对|[啊呀啦哦吧])?[。.！!\s]*"
)
_MEANT: Final = compile_later(
    r"(?:那个)?我(?:刚才)?(?:是说|说的是|要的是|问的是|指的是|的意思是|想[说问]的是|要说的是)"
    r"\s*(?P<subject>[^，,。；;？?！!\n]{1,24}?)(?:才对|[啊呀啦哦吧])?[。.！!\s]*"
)
_CORRECTED_EN: Final = compile_later(
    r"(?i)(?:(?:no|nope|sorry|oops|wait|actually|hm+|my\s+(?:mistake|bad)|not\s+(?:that|this)(?:\s+one)?|wrong\s+one)[,.!;\s-]+)*"
    r"(?:i\s+(?:meant|mean)(?:\s+to\s+say)?|i\s+was\s+(?:asking|talking)\s+about|i\s+(?:asked\s+)?about|it\s+should\s+be|make\s+(?:it|that))\s+"
    r"(?P<subject>[^,;?!\n]{1,40}?)(?:\s+(?:then|instead|please))?[?.!\s]*"
)
_INSTEAD: Final = compile_later(
    r"(?i)(?:no|nope|sorry|oops|wait|actually)[,.!;\s-]+(?P<subject>(?!i\s|it\s|that|this|the\s+other|not\s)[^,;?!\n]{1,40}?)"
    r"(?:\s+(?:instead|please)|,?\s+i\s+mean(?:t)?)?[.!\s]*"
)
# Back to what was the subject before: 回到朝阳, "back to pump 1".
_BACK: Final = compile_later(
    r"(?:那么?|好的?|先|还是|再|[，,\s])*(?:回到|回去看|说回|看回)\s*(?P<subject>[^，,。；;？?！!\n]{1,24}?)[吧呢啊]?[。.！!\s]*"
    r"|(?i:(?:ok(?:ay)?|so|now|then|[,.\s])*(?:(?:let's\s+)?(?:go|get)\s+)?back\s+to\s+(?P<subject_en>[^,;?!\n]{1,40}?)(?:\s+please)?[.!\s]*)"
)
_FORMS: Final = (_CHINESE, _SWITCHED, _ENGLISH, _CORRECTED, _MEANT, _CORRECTED_EN, _INSTEAD, _BACK)
# Set against something: 和广州比一下, "is that better than Guangzhou?"; what is compared is on screen.
_COMPARED: Final = (
    compile_later(
        r"(?:那么?|再|帮我|请|给我|能不能|可以|拿它|把它|这|它|结果|[，,\s])*(?:和|跟|与|同|拿)\s*(?P<subject>[^，,。；;？?！!\n和跟与]{1,16}?)(?:的|相|做|作|来|一起)*"
        r"(?:对比|比较|比)(?:一?[下比]|起来|看)*(?:呢|吗|怎么样|如何|哪个(?:更)?[好差严重]+)?[吧。.？?！!\s]*"
    ),
    compile_later(
        r"(?:那么?|这|它|[，,\s])*(?:对比|比较|compare(?=一?下)|比)(?:一?下)?\s*(?P<subject>(?!一?下|较|重|例|赛|如|一?比)[^，,。；;？?！!\n和跟与]{1,16}?)(?:还?要?更?)(?:[好差坏强弱高低重]|严重|糟)?(?:多少|一?些|一?点)?(?:呢|吗|么|了?吧)?[。.？?！!\s]*"
    ),
    compile_later(
        r"(?i)(?:and|so|now|then|ok(?:ay)?|please|can\s+you|[,\s])*(?:how\s+(?:does|do|would)\s+(?:that|it|this|they|these)\s+)?"
        r"compared?(?:\s+(?:that|it|this|them|the\s+result))?\s+(?:with|to|against)\s+(?P<subject>[^,;?!\n]{1,40}?)(?:\s+(?:please|too))?[?.!\s]*"
    ),
    compile_later(
        r"(?i)(?:and|so|[,\s])*(?:(?:is|are)\s+)?(?:that|it|this|they|these)\s+(?:(?:any|much)\s+)?(?:better|worse|higher|lower|more\s+\w+)\s+than\s+(?:in\s+|at\s+)?(?P<subject>[^,;?!\n]{1,40}?)[?.!\s]*"
    ),
    compile_later(r"(?i)(?:vs\.?|versus|against)\s+(?P<subject>[^,;?!\n]{1,40}?)[?.!\s]*"),
)
_ARTICLE: Final = compile_later(r"(?i)^(?:the|a|an|for|of|in|with)\s+")


def read_subject(message: str) -> str:
    """What a short follow-up asks about, or what a correction says was meant; empty if the message is neither."""
    said = message.strip()
    if len(said) > _MAX_CHARS:
        return ""
    return read_compared(message) or _find_subject(said, _FORMS)


def read_compared(message: str) -> str:
    """What a short message sets the result on screen against; empty if it compares nothing with it."""
    said = message.strip()
    return "" if len(said) > _MAX_CHARS else _find_subject(said, _COMPARED)


def _find_subject(said: str, forms: Sequence[re.Pattern[str]]) -> str:
    found = next((hit for form in forms if (hit := form.fullmatch(said)) is not None), None)
    if found is None:
        return ""
    subject = _ARTICLE.sub("", next((one for one in found.groups() if one), "").strip())
    return subject if all(len(one.split()) <= _MAX_WORDS for one in subject.split(" and ")) else ""
