"""Subject of a short follow-up: 4号鼓风机 of 4号鼓风机呢, "fan 2" of "and fan 2?"."""

from typing import Final

from metier.patterns import compile_later

_MAX_CHARS: Final = 40
_MAX_WORDS: Final = 5
_CHINESE: Final = compile_later(
    r"(?:那么?|还有|另外|好的?|嗯|哦|再|，|,|\s)*(?:(?:如果|要是)?(?:换成?|改成|换作)|看看?|对于|关于)?\s*"
    r"(?P<subject>[^，,。；;？?！!\n]{1,24}?)\s*(?:的(?:话|情况)?)?(?:呢|又?怎么样|又?如何|也(?:看一?看|看一?下|来一份|做一下))[？?。.！!\s]*"
)
_ENGLISH: Final = compile_later(
    r"(?i)(?:ok(?:ay)?|so|then|now|well|thanks|[,.\s])*"
    r"(?:and\s+(?:what|how)\s+about|what\s+about|how\s+about|and(?:\s+(?:for|of|in|with|at))?|(?:the\s+|do\s+the\s+)?same\s+(?:for|with)"
    r"|what\s+if\s+it\s+(?:is|was|were)|now\s+for)\s+"
    r"(?P<subject>(?!by\s)[^,;?!\n]{1,40}?)(?:\s+(?:then|instead|too|please))?[?.!\s]*"
)
_ARTICLE: Final = compile_later(r"(?i)^(?:the|a|an|for|of|in|with)\s+")


def read_subject(message: str) -> str:
    """What a short follow-up asks about; empty if the message is none."""
    said = message.strip()
    if len(said) > _MAX_CHARS:
        return ""
    found = _CHINESE.fullmatch(said) or _ENGLISH.fullmatch(said)
    if found is None:
        return ""
    subject = _ARTICLE.sub("", found["subject"].strip())
    return subject if len(subject.split()) <= _MAX_WORDS else ""
