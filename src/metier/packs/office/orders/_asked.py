"""Messages that ask about a change instead of ordering it: they draft nothing, whatever they name."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["asks_about_change"]

# Whether something is right, or would be; 可以…吗 and 能…吗 are requests.
_WHETHER_RIGHT: Final = re.compile(
    r"(?:对不对|对吗|对么|正确吗|正不正确|是否正确|准不准|准确吗|有没有(?:错|问题|毛病|算错)|算错了?(?:吗|没有?))[?？。]?$|"
    r"^(?:is|are|does|do|did)\b[^,;:]*\b(?:right|correct|add up|sums? up|ok|okay|match)\s*\??$|"
    r"^(?!.*(?:能|可以|可不|帮|麻烦|请|好吗|行吗|成吗)).*吗\s*[?？]?$|^(?:要是|假如|倘若|如果)[^,，]*$",
    re.IGNORECASE,
)
# The value itself is what is asked for: 改成多少合适, 放在哪里好.
_VALUE_ZH: Final = re.compile(
    r"(?:[改换写填设调变定降提涨减加排]|设置|命名|起名)(?:成|为|到|在|作|至)?了?(?:多少|什么|啥|哪[个种里些儿天家位]?|怎样|怎么样|谁|几[个天号成级点位]?)"
    r"(?:[^,，。;]{0,6}(?:合适|好|合理|妥|行|对)[^,，。;]{0,3})?\s*[?？]?\s*$|"
    r"(?:成|为|到|至)(?:多少|什么|啥|哪[个种里儿些]?|怎样的?|几[个天号成级点位]?)[^,，。;]{0,8}(?:合适|[才比更]?[较为]?好|合理|妥当|恰当|最佳|稳妥)"
)
# How many or how much, and nothing that is to be made of it: 各班分别有多少人.
_HOW_MANY: Final = re.compile(
    r"^(?!.*(?:统计|汇总|透视|求和|列[出成个一到]|列表|[做建画算写填放标出给加插]|生成|新[建增]|表|图|改|删|设|调|换))[^,，。;:]*多少[^,，。;:]{0,3}[?？]?$|"
    r"^(?:and |so |but )*how (?:many|much)\b"
    r"(?!.*\b(?:put|list|show|make|add|insert|write|sheet|table|chart|column|row)\b)"
    r"[^,;:]*$",
    re.IGNORECASE,
)
# Whether, why, who, when, with what effect.
_WHETHER_ZH: Final = re.compile(
    r"要不要|该不该|应不应该|需不需要|用不用|值不值得|合不合适|有(?:没有)?必要|是不是|是否|会不会|会怎么?样|会如何|"
    r"[有会](?:什么|啥|哪些|何|没有)(?:影响|后果|风险|问题|区别|不同|好处|坏处|依据|变化|麻烦)|(?:合适|合理|妥当|妥|违法|合法)[吗么]?\s*[?？]|"
    r"为什么|为何|为啥|凭什么|谁(?:把|将|要求|让|说)|(?:什么时候|何时|哪天|几号)(?:把|将|改|删|写)|"
    r"(?:怎么|如何)(?:把|将|才能|改|删|换|设置|调整)|[了过]没有?\s*[?？]?\s*$|呢\s*[?？]?\s*$"
)
_AUXILIARY: Final = (
    r"(?:should|shall|must|do|does|did|is|are|was|were|has|have|had|may|might|would|could|can|will)(?:n['’]t)?"
)
_SUBJECT: Final = (
    r"(?:i|we|you|it|they|he|she|that|this|these|those|there|the|a|an|any(?:one)?|all|each|clause|section)\b"
)
# "Should we", "why did you", "what should it be"; "can you" and "could we" are requests, "do the same" an order.
_ASKS_EN: Final = re.compile(
    r"^(?:and |so |but |ok(?:ay)?,? |then |hi,? |hello,? |well,? )*(?:"
    rf"(?:should|shall|must|did|does|may|might)(?:n['’]t)? {_SUBJECT}"
    r"|(?:do|have|had)(?:n['’]t)? (?:i|we|you|they|he|she)\b|(?:is|are|was|were|has)(?:n['’]t)? "
    r"|(?:would|could|can|will)(?:n['’]t)? (?:it|that|this|there|they|he|she|any(?:one)?|clause|section)\b"
    rf"|(?:what|which|who|whom|whose|why|when|where|how)(?: \w+){{0,2}} {_AUXILIARY} {_SUBJECT}"
    r"|(?:why|how) (?:to|come)\b|(?:what|which|who|whom|whose|why|when|where|how)\b(?! about| don['’]t| not).*\?$)"
    r"|\b(?:do you think|i wonder|wondering|i['’]d like to know|want to know|tell me (?:if|whether|why|what|how|when)|"
    r"what (?:happens|would happen) if|what if)\b",
    re.IGNORECASE,
)
_REQUEST_ZH: Final = re.compile(r"能不能|可不可以|能否|可否|可以(?:请)?(?:你|帮)")
_AFTER_COLON: Final = re.compile(r"[:：](?!\d)")


def asks_about_change(message: str) -> bool:
    """Whether a message wants to know something about a change; what it quotes or says after a colon does not count."""
    if _WHETHER_RIGHT.search(message.strip()):
        return True
    said = _AFTER_COLON.split(RequestText(message.strip()).mask, maxsplit=1)[0].strip()
    if _REQUEST_ZH.search(said):
        return False
    return any(one.search(said) for one in (_VALUE_ZH, _HOW_MANY, _WHETHER_ZH, _ASKS_EN))
