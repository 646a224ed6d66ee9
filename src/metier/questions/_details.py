"""Whether a message asks about details of the work in hand instead of ordering other work."""

import re
from typing import Final

from metier.names import is_command
from metier.questions._parse import _compile, parse_question
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 60
_ASKS: Final = _compile(
    r"[呢吗][？?。]?$|[？?]\s*$|为什么|为啥|为何|怎么(?:会|这么|那么|样|算)|多少|多[高低大小强弱]|哪|什么"
    r"|几[个条处台]|谁|是不是|有没有|是否",
    r"^(?:and|so|but)\b.{1,40}\?"
    r"|^(?:and |so |but |then )?(?:what|whats|how|why|which|who|when|where|is|are|was|were|does|do|did|any)\b",
)
_REFERS_BACK: Final = _compile(
    r"刚才|刚刚|上面|前面|之前说|你说的|[这那](?:个|些|几|里)",
    r"\b(?:above|earlier|just now|you said|you mentioned|these|those|there)\b",
)
# An order, politely or not; 分析, 优化 and the like order work wherever they stand.
_ORDERS: Final = _compile(
    r"^(?:请|麻烦|劳驾|帮|给我|替我|我想|我要|想要|需要|来[个份一]|去|再|把|将|对了|换|改|做|写|画|查|算|出|能不能"
    r"|能否|能给|能帮|可以|可不可以|可否)",
    r"帮我|给我|替我|帮忙|分析|优化(?!前|后)|仿真(?!之?后|结果)|模拟|下发|撤销|回退|诊断|生成|制定|安排|新建|排查|定位",
    r"^(?:please|can|could|would|will|i (?:want|need|would|d)|id|let|help|make|write|draw|create|run|do|check|btw)\b",
    r"^by the way\b",
    r"\b(?:analy[sz]e|analysis|optimi[sz]e|simulate|diagnose|draft|write|create|apply|undo|please|for me)\b",
)
_MAX_QUESTION_CHARS: Final = 120
_QUESTION: Final = _compile(
    r"[?？]\s*$|(?:吗|呢|么)[。.!！~]*$|什么|谁|多少|多[久长大高低远准快深重少]|几(?!乎)|哪|怎么|怎样|如何|为何|为啥|啥|是否"
    r"|(会|能|可|要|有|该|是|用|行|对|需)(?:不|没)(?:\1|可以|需要|应该|能|会)",
    r"^(?:and |so |but |then |ok(?:ay)?,? |well,? ){0,5}(?:what|whats|how|why|which|who|whose|whom|when|where|is|are"
    r"|was"
    r"|were|does|do|did|has|have|had"
    r"|(?:can|could|will|would|should|may|might|must) (?!you\b|we\b|i\b)\S)\b",
)
_DO_ZH: Final = (
    "写|做|画|改|换|加|删|列|查|算|出|发|整理|分析|审查|检查|核查|翻译|总结|生成|导出|修改|重|再|优化|仿真|模拟|诊断"
    "|制定|安排|新建|排查|定位|下发|撤销"
)
_WORK_ORDER: Final = _compile(
    r"帮[我忙]|[给替](?:我|大家|客户)|请(?!问)|麻烦|劳驾|(?:把|将).{1,20}(?:改|换|写|删|移|加|设|变|做|转|发|调)"
    rf"|^(?:那就?|就|先|再|然后|另外|顺便|还是|我[想要]|想要?|需要你|来[个份张一]){{0,5}}(?:{_DO_ZH})(?!了|过|的|得|完"
    rf"|出来的)"
    rf"|(?:能不能|能否|能|可以|可不可以|可否|要不)你?(?:先|也|就|也许)?(?:{_DO_ZH}|帮|给|把|将)",
    r"\b(?:please|for me)\b|^(?:and |so |then |but |ok(?:ay)?,? ){0,5}(?:can|could|would|will|may|shall) (?:you|we|i)\b"
    r"|^(?:and |so |then |but |ok(?:ay)?,? ){0,5}(?:i (?:want|need|would|d)|i'd|let|let's|help|how about|what about "
    r"(?:making|writing|doing)"
    r"|make|write|draw|create|run|check|show|give|list|add|change|remove|delete|translate|summari[sz]e|analy[sz]e"
    r"|review|redo|rewrite"
    r"|do (?:it|this|that|the)|have (?:it|them|the))\b",
)
# A sentence that orders something of its own, where a detail would name a part of what was asked for.
_REQUEST: Final = _compile(
    r"^(?:(?:那就?|就|先|再|另外|顺便|算了|不如|还是|请|麻烦|好的?|我想|我要|想要?|要不)[，,、\s]*){0,5}"
    r"(?:(?:帮|给|替|陪|教|带)(?:我|我们|大家)|讲[个一]|说[个一]|聊|唱|推荐|介绍|解释|告诉|提醒|订[个一张份]?(?!单)"
    r"|预订|买|打电话|打开|播放|搜索?|查一?[下查个]|找一?[个下找]"
    r"|翻译|计算|算一?[下算]|写[一个篇封份首]|画[一个张幅]|做[一个份张]|生成|整理|总结|分析|审查|检查|诊断|抽|占卜"
    r"|排盘|看看|对比|比较|起草|制作|设计|安排|创建|新建)",
    r"^(?:(?:and|so|then|well|ok(?:ay)?|please|just|instead|rather|actually|now|i (?:want|need|would like|'d "
    r"like)(?: you)? to|i'd like(?: you)? to|let's"
    r"|(?:can|could|would|will) you(?: please)?),? ){0,5}"
    r"(?:tell|give|show|find|book|order|buy|call|send|play|open|remind|explain|translate|write|draw|make|create"
    r"|calculate|compute|search|look|check"
    r"|review|analy[sz]e|diagnose|compare|summari[sz]e|sum up|plan|prepare|draft|help|read|recommend|suggest|sing"
    r"|recite|teach|schedule|set up|cook|turn|do)"
    r"\b(?! (?:with|only|for all)\b)",
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


def asks_only(message: str) -> bool:
    """Whether a message asks something and orders nothing, however it is put: 定金能退吗, "could they sue us?".

    An order in the form of a question is none: 能不能重新整理一下, "can you write it again?".
    """
    text = re.sub(r"\s+", " ", to_simplified(message.strip())).replace("’", "'")
    if not text or is_command(text) or len(text) > _MAX_QUESTION_CHARS:
        return False
    return _QUESTION.search(text) is not None and _WORK_ORDER.search(text) is None


def is_request(message: str) -> bool:
    """Whether a message begins by ordering something: 给我讲个笑话, "book me a flight"; 三列：姓名、电话 does not."""
    return _REQUEST.search(to_simplified(message.strip()).replace("’", "'")) is not None
