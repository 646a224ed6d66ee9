"""What a sentence says without meaning it as work: conditions, examples, quotations, reports and refusals."""

import re
from typing import Final

__all__ = ["cut_unmeant"]

_CONDITION: Final = re.compile(
    r"如果|假如|要是|倘若|万一|除非|一旦|(?:^|[，,])若|的话[，,]|"
    r"(?:^|,\s*)(?:and |but |so )?(?:if|unless|in case)\b",
    re.IGNORECASE,
)
_EXAMPLE: Final = re.compile(
    r"例子|举例|打个比方|比方说|比如|譬如|假设|诈骗|念给|读给|念一下|读一下|念一段|读一段|原话|台词|"
    r"for example|for instance",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"“[^”]{4,}”|\"[^\"]{4,}\"|「[^」]{4,}」|‘[^’]{4,}’")
# A quotation is what somebody says or writes where a verb of saying or a text stands before it.
_SAYING: Final = re.compile(
    r"(?:说|讲|写|念|读|问|回复|邮件|短信|通知|消息|微信|里|是|道|said|says|wrote|reads)[着了过的：:，,\s]{0,3}$"
)
_REPORTED: Final = re.compile(
    r"(?:他|她|他们|她们|有人|客户|领导|老板|对方|供应商|厂家|甲方|乙方)(?:们)?(?:上次|昨天|刚才|之前|都|也|又|还)?(?:跟我|和我|对我)?(?:说|讲|问|写)"
)
_REFUSED: Final = re.compile(
    r"(?:不用|不必|不需要|无需|用不着|轮不到|不该|不应该|不归|不由|不是|别让|别叫)(?:由|让)?我"
    r"|我(?:们)?(?:就|也|都|可|实在|真的?|恐怕|可能|暂时|这边|现在)*(?:不(?!但|仅|如|妨|得不|光|断|只)|没(?:法|办法|时间|空|精力|人手)|来不及|无法)"
    r"|我[^，,]{0,6}?[\u4e00-\u9fff]不(?:了|完|成|动|到|出来|上)(?!解)"
    r"|做不了|做不到|来不及|办不了|办不到|完不成|交不了|弄不了"
)


def cut_unmeant(sentence: str) -> str:
    """The parts of a sentence that are meant; empty for a condition, an example or a quotation."""
    if _EXAMPLE.search(sentence):
        return ""
    plain = _QUOTED.sub(lambda match: "" if _SAYING.search(sentence[: match.start()]) else match[0], sentence)
    if _CONDITION.search(plain):
        return ""
    if not (_REPORTED.search(plain) or _REFUSED.search(plain)):
        return plain
    parts = re.split(r"(?<=[，,；;])", plain)
    return "".join(part for part in parts if not (_REPORTED.search(part) or _REFUSED.search(part))).strip("，,；; ")
