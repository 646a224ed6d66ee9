"""Whether a message asks about details of the work in hand instead of ordering other work."""

import re
from typing import Final

from metier.names import is_command
from metier.questions._parse import _compile, parse_question

_MAX_CHARS: Final = 60
_ASKS: Final = _compile(
    r"[呢吗][？?。]?$|[？?]\s*$|为什么|为啥|为何|怎么(?:会|这么|那么|样|算)|多少|多[高低大小强弱]|哪|什么|几[个条处台]|谁|是不是|有没有|是否",
    r"^(?:and|so|but)\b.{1,40}\?"
    r"|^(?:and |so |but |then )?(?:what|whats|how|why|which|who|when|where|is|are|was|were|does|do|did|any)\b",
)
_REFERS_BACK: Final = _compile(
    r"刚才|刚刚|上面|前面|之前说|你说的|[这那](?:个|些|几|里)",
    r"\b(?:above|earlier|just now|you said|you mentioned|these|those|there)\b",
)
# An order, politely or not; 分析, 优化 and the like order work wherever they stand.
_ORDERS: Final = _compile(
    r"^(?:请|麻烦|劳驾|帮|给我|替我|我想|我要|想要|需要|来[个份一]|去|再|把|将|对了|换|改|做|写|画|查|算|出|能不能|能否|能给|能帮|可以|可不可以|可否)",
    r"帮我|给我|替我|帮忙|分析|优化(?!前|后)|仿真(?!之?后|结果)|模拟|下发|撤销|回退|诊断|生成|制定|安排|新建|排查|定位",
    r"^(?:please|can|could|would|will|i (?:want|need|would|d)|id|let|help|make|write|draw|create|run|do|check|btw)\b",
    r"^by the way\b",
    r"\b(?:analy[sz]e|analysis|optimi[sz]e|simulate|diagnose|draft|write|create|apply|undo|please|for me)\b",
)


def is_detail_question(message: str) -> bool:
    """Whether a short message only asks: 那 RSRP 呢？, "why is it so low?"; not an order in the form of a question."""
    text = re.sub(r"\s+", " ", message.strip())
    if not text or is_command(text) or len(text) > _MAX_CHARS or not _ASKS.search(text):
        return False
    return not _ORDERS.search(text) or (_REFERS_BACK.search(text) is not None and _is_plain_question(text))


def _is_plain_question(text: str) -> bool:
    question = parse_question(text)
    return question is not None and question.is_specific
