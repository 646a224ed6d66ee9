"""Subject of a short follow-up or correction: 4号鼓风机 of 4号鼓风机呢, "fan 2" of "no, I meant fan 2"."""

from typing import Final

from metier.patterns import compile_later

_MAX_CHARS: Final = 40
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
_FORMS: Final = (_CHINESE, _SWITCHED, _ENGLISH, _CORRECTED, _MEANT, _CORRECTED_EN, _INSTEAD)
_ARTICLE: Final = compile_later(r"(?i)^(?:the|a|an|for|of|in|with)\s+")


def read_subject(message: str) -> str:
    """What a short follow-up asks about, or what a correction says was meant; empty if the message is neither."""
    said = message.strip()
    if len(said) > _MAX_CHARS:
        return ""
    found = next((hit for form in _FORMS if (hit := form.fullmatch(said)) is not None), None)
    if found is None:
        return ""
    subject = _ARTICLE.sub("", found["subject"].strip())
    return subject if len(subject.split()) <= _MAX_WORDS else ""
