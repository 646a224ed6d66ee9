"""The name of an appendix with its number."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import TopicMention

__all__ = ["name_appendix"]

_APPENDIX: Final = re.compile(
    r"(?:附录|附[件表页])\s*(?:[A-Z\d]{1,2}(?![A-Za-z\d])|[一二三四五六七八九十]{1,2})"
    r"(?:[\s:：]*(?!列|包|用|按|放|写|有|是|为|的|在|里|并|给|中|"
    r"一?[个张份])(?:《?[^\s,，、。:：;；\n“”\"]{1,24})(?=\s*[,，:：]))?|"
    r"(?:(?-i:[Aa])ppendix|(?-i:[Aa])nnex) (?:(?-i:[A-Z])|\d{1,2})\b(?![-'’])"
    r"(?:\s*:?\s*(?-i:[A-Z])[\w&'’-]*(?: (?!listing|with|including|containing)[\w&'’-]+){0,5}(?=\s*[:,]))?",
    re.IGNORECASE,
)


def name_appendix(text: RequestText, mention: TopicMention) -> str:
    """The name of an appendix with its number: 附录B 资质文件; empty for another topic or a plain word."""
    found = _APPENDIX.match(text.raw, mention.start)
    if found is None:
        return ""
    text.consume(*found.span())
    return found[0].strip()
