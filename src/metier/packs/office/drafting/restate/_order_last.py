"""Content that stands before its order becomes content behind it: 甲——乙；丙——丁。以上做成一页风险与对策."""

import re
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import list_topics

__all__ = ["restate_order_last"]

_THINGS_ZH: Final = r"(?:[条项点个句样种部分块]|句话|行字|件事|内容|数据|数字|文字|话)"
# What points back to the words before it; it is left out, for then the words follow.
_BACK_ZH: Final = re.compile(
    rf"^(?:请|麻烦|帮我|给我|再)*(?:就?(?:把|将|用|按|拿|根据)?(?:以上|上述|上面|前面|这些?|那些?)的?(?:{COUNT}|几)?(?:{_THINGS_ZH}{_THINGS_ZH}?)?的?(?:内容)?)[,，]?(?:都|请|帮我|给我|麻烦)*"
)
_BACK_EN: Final = re.compile(
    r"\b(?:(?:all )?(?:of )?(?:these|those|them|this|that|the above|it)"
    r"(?: (?:points|items|lines|things|words|risks|figures|numbers|text))?)\b"
    r"(?: in| down| up)?",
    re.IGNORECASE,
)
_ORDERS_EN: Final = re.compile(
    r"(?:please |kindly |now |so |then |could you |can you |would you )*"
    r"(?:put|make|turn|add|insert|write|set|use|show|list|give|draw|place)\b",
    re.IGNORECASE,
)
# Words of an order among the content: it is none then.
_ORDERS: Final = re.compile(
    r"插入|新建|新增|生成|制作|[加做画写建放来出列](?:上|出)?一?[个张份页条]|文末|末尾|开头|标题|表头|\b(?:please|insert|add|create|draw|table|slide|chart)\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r"[;；、→\n]|——|->|(?<=\d)[,，]")
_SENTENCE: Final = re.compile(r"[。!！?？\n]\s*(?=\S)|(?<=[a-z\d\")])\.\s+(?=[A-Z])")
_MIN_CHARS: Final = 5
_MAX_ORDER: Final = 90
# Openings of letters and other words that are no content.
_NO_CONTENT: Final = re.compile(r"[我你您他她咱]|\b(?:i|we|you|they|he|she|my|our|your)\b|请|麻烦|帮", re.IGNORECASE)


def restate_order_last(request: str) -> str:
    """The order before its content, where the last sentence points back to the only sentence before it."""
    mask = RequestText(request).mask
    stops = list(_SENTENCE.finditer(mask))
    if not stops:
        return _quote_line(request, mask)
    cut = stops[-1]
    order, content = mask[cut.end() :], mask[: cut.start()]
    if len(order) > _MAX_ORDER or not _LIST.search(content) or _NO_CONTENT.search(content):
        return request
    if _ORDERS.search(content) or ":" in order:
        return request
    found = _find_back(order)
    if found is None or not any(topic.pattern.search(order) for topic in list_topics()):
        return request
    said = f"{request[cut.end() : cut.end() + found.start()]}{request[cut.end() + found.end() :]}".strip(" 。.!！")
    said = re.sub(r"(?i)(?:,? (?:please|thanks|thank you))+$|[,，]?(?:谢谢|谢了|辛苦了?|麻烦了)$", "", said)
    is_chinese = re.search(r"[\u4e00-\u9fff]", said) is not None
    body = request[: cut.start() + (1 if not is_chinese and mask[cut.start()] == "." else 0)].strip()
    return f"{said}{'：' if is_chinese else ': '}{body}"


def _find_back(order: str) -> "re.Match[str] | None":
    if re.search(r"[\u4e00-\u9fff]", order):
        return _BACK_ZH.match(order)
    return _BACK_EN.search(order) if _ORDERS_EN.match(order) else None


# 热烈欢迎各位专家，这句话做成横幅: one clause, and what is to become of it.
_LINE: Final = re.compile(
    r"^(?P<line>[^,，。;；:：\"\n]{5,40})[,，]\s*(?P<order>(?:请|麻烦|帮我|给我)*(?:把|将|用|拿)?(?:这|以上|上面)(?:一|几)?(?:句话?|行字?|几个字|个|条)(?:话|字|标语)?)"
)


def _quote_line(request: str, mask: str) -> str:
    found = _LINE.match(mask)
    if found is None or len(found["line"].strip()) < _MIN_CHARS or _NO_CONTENT.search(found["line"]):
        return request
    line = request[found.start("line") : found.end("line")].strip()
    return f"“{line}”{request[found.start('order') :]}"
