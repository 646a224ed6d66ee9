"""A message as clauses: where it divides, which give reasons only, and what a clause without a place is about."""

import re
from collections.abc import Iterator
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._leftovers import is_chatter, strip_courtesy

__all__ = [
    "VERBS",
    "count_clauses",
    "has_order_verb",
    "is_comment",
    "is_reason",
    "is_talk_beside",
    "list_divisions",
    "list_subjects",
]

_MAX_CLAUSES: Final = 6
_MAX_SUBJECT: Final = 24
_BREAK: Final = re.compile(
    r"(?:(?!(?<=\d),\d)[,，;；。!！?？\n])+\s*(?:然后|接着|再|并且|并|同时|另外|还有|最后(?=把|将|给|再)|顺便|而且|"
    r"and then|then|and also|and|also|plus)?\s*"
    r"|(?<=[a-z\d%\"”])\.\s+(?=[A-Z\"“])(?:and then|then|and also|and|also)?"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|然后|接着|并且|同时|顺便|并(?!列|排)|再(?!次)|\s+(?:and then|then|and also|and|plus)\s+",
    re.IGNORECASE,
)
# What narrows or excludes is never a mere reason.
_LIMITS: Final = re.compile(
    r"除|但|不要|别|不能|只|仅|如果|若|否则|其余|其他|不含|保留|优先|不动|不变|不用|\b(?:except|but|unless|only|if|"
    r"instead|"
    r"other|apart|without|not|don'?t|never|keep|leave)\b",
    re.IGNORECASE,
)
VERBS: Final = re.compile(
    r"[加删改换插移挪设排筛冻求画填补藏拆拷弄搞整调标]|[大小粗细宽窄高低]一?[点些]|放大|缩小|取消|合并|复制|生成|"
    r"居中|对齐|打印|统计|汇总|计算|不要|去掉|放[到在]|"
    r"\b(?:add|insert|delete|remove|change|replace|set|make|put|move|sort|filter|hide|merge|copy|rename|format|"
    r"draw|create|fill|write|swap|highlight|cent(?:er|re)|align|freeze|print|calculate|sum)\b",
    re.IGNORECASE,
)
_REASON_ZH: Final = re.compile(
    r"了$|太|不够|有点|不太|看不|难看|不好|不对|方便|一眼|这样|免得|省得|以便|为了|因为|由于|毕竟|不然|要不然|领导|"
    r"老板|老师说|"
    r"客户说|要交|要用|要开会|急|能看|看得|看出|清楚|好看|醒目|显眼|正式些?$|美观|漂亮|整齐|今年|去年|目前|没有?|"
    r"不在|错了|搞错|弄错|"
    r"写错|录错|漏了|忘了|辛苦|麻烦|拜托|提醒|引起注意|强调"
)
_REASON_EN: Final = re.compile(
    r"^(?:because|since|so that|so|as|it'?s|it is|it looks|that'?s|there'?s|there is|they|he|she|we|i|my|the boss|our|"
    r"this is|that is|for (?:the|my|our|tomorrow|a)|to (?:make it|be))\b|\b(?:is|was|are|were|has|have) (?:wrong|"
    r"outdated|missing|too \w+|left|gone|moved|ill|sick|cancell?ed|quit)\b|\b(?:typo|mistake|looks? (?:odd|bad|"
    r"ugly|off))\b",
    re.IGNORECASE,
)
# Where what an order is about ends: its verb, or the value it gives.
_SUBJECT_END: Final = re.compile(
    r"改|换|设|调|变|弄|搞|标|加|删|去|插|填|写|放|移|挪|排|筛|求|算|统一|应该|居中|靠|对齐|保留|\d|[“\"「:：]|"
    r"\b(?:to|should|is|are|in|with|as|by|bold|and)\b",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(
    r"^(?:就|给我|把|将)?(?:它们?|他|她|其|这个|那个|此处|这里|那里)(?:的|给)?|^(?:make|set|turn) (?:it|them|that|"
    r"this)\b\s*",
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    r"(?:把|将)?(?:这|那)(?:一)?(?:句(?:话)?|段(?:话|落)?|行|处)|\b(?:that|this|the) (?:sentence|line|paragraph)\b",
    re.IGNORECASE,
)


def count_clauses(said: str) -> int:
    """How many clauses a message may be divided into; quotations and what follows a colon count as one."""
    mask = RequestText(said).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    return sum(1 for _ in _BREAK.finditer(mask, 0, limit)) + 1


# A sentence behind a text that is to be written, which orders something of the document: …。然后删除第二段.
_NEXT: Final = re.compile(
    r"(?<=[。.;；!！])\s*(?:然后|接着|随后|最后|再|then|after that|and then|finally)[,，\s]*"
    r"(?=(?P<order>[^。.;；!！\n]+))",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"删|去掉|加粗|居中|改成|改为|换成|替换|插入|设为|标红|移到|排序|\b(?:delete|remove|bold|cent(?:er|re)|replace|insert|"
    r"change|move|highlight|sort)\b",
    re.IGNORECASE,
)
_OF_DOCUMENT: Final = re.compile(
    r"段|标题|表|[一二三四五六七八九十\d][行列页句条]|全文|页码|页眉|页脚|\b(?:paragraph|title|heading|table|row|column|page|slide|"
    r"header|footer|cell)s?\b",
    re.IGNORECASE,
)


def find_next_orders(mask: str) -> list[re.Match[str]]:
    """Where an order begins behind the text of another one; quotations are not looked into."""
    start = mask.find(":")
    listed = _NEXT.finditer(mask, start) if start >= 0 else ()
    return [one for one in listed if _ORDERS.search(one["order"]) and _OF_DOCUMENT.search(one["order"])]


def list_divisions(said: str) -> Iterator[list[str]]:
    """Ways to divide a message, those with few parts first; quotations and what follows a colon stay whole."""
    mask = RequestText(said).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    cuts = [found.span() for found in _BREAK.finditer(mask) if 0 < found.start() < limit and found.end() < len(mask)]
    cuts = [*cuts, *(found.span() for found in find_next_orders(mask))][:_MAX_CLAUSES]
    for number in sorted(range(1, 2 ** len(cuts)), key=lambda one: (one.bit_count(), one)):
        chosen = [cut for at, cut in enumerate(cuts) if number >> at & 1]
        parts, start = [], 0
        for begin, end in chosen:
            parts.append(said[start:begin])
            start = end
        parts.append(said[start:])
        if all(part.strip() for part in parts):
            yield parts


# Why something is not needed: no limit of the order, though it has a word of refusal.
_UNUSED: Final = re.compile(
    r"(?:we|i|they|you|people)(?: really| just)? (?:never|don'?t|do not|didn'?t|won'?t|no longer) "
    r"(?:uses?|used|needs?|wants?|reads?|likes?|looks? at)"
    r"(?: it| them| that| this| that one| those)?(?: any ?more| now)?",
    re.IGNORECASE,
)
# A finished statement about somebody: the company paid that one directly.
_STATED: Final = re.compile(
    r"^(?:the|our|my|this|that) [a-z]+(?: [a-z]+)? (?:ha(?:s|ve|d) (?:already |just )?|already |just )?"
    r"(?:paid|left|quit|forgot|bought|sold|decided|approved|confirmed|cancell?ed|rejected|complained|refunded|"
    r"retired|resigned|signed)\b",
    re.IGNORECASE,
)


def is_reason(clause: str) -> bool:
    """Whether a clause says why, and not what: it may be left out, or name what the next clause is about."""
    plain = strip_courtesy(clause)
    if _UNUSED.fullmatch(plain.rstrip(" .!")):
        return True
    if re.search(r"[“”\"「」『』:：\d,，;；。]|[改换变]成|[改换]为", plain) or _LIMITS.search(plain):
        return False
    return bool(_REASON_ZH.search(plain) or _REASON_EN.search(plain) or _STATED.search(plain))


_COMMENT_EN: Final = re.compile(
    r"(?:that'?s|it'?s|this is|it (?:looks|is)|the (?:boss|client|teacher|manager|supervisor|customer)|my \w+|our \w+|"
    r"i (?:want|need|have|can'?t|cannot|don'?t|keep|forgot|think)|we (?:want|need|have|can'?t)|they|he|she|people|"
    r"nobody|"
    r"otherwise|so (?:that )?(?:i|we|they|people|you|everyone) (?:can|know|see)|half (?:my|of)|what did i do|i'm|"
    r"we're|there'?s|for (?:the|my|our|a|this)) ?.*",
    re.IGNORECASE,
)
_COMMENT_ZH: Final = re.compile(
    r"(?:现在|目前|之前|以前|原来)?.{0,14}(?:乱七八糟|看不清楚?|看不见|太乱了?|不好看|太难看了?|不统一|乱得很|"
    r"一塌糊涂)|"
    r"(?:我|我们|领导|老师|老板|客户|同事|财务|主任|经理)(?:还|们)?(?:要|得|会|可能|等着?|想)(?:再)?(?:看|核对|"
    r"检查|用|问|确认|查|打印|汇报|开会|签字|审)(?:一?下|的)?|"
    r"(?:上台|开会|汇报)(?:的时候)?.{0,6}(?:用|念|看)的?|谢谢.{0,6}|急.{0,6}|.{0,6}(?:等着用|要交的?|要用的?)"
)


# A value, a name or a new state: such a clause says what is to stand somewhere.
_GIVES_EN: Final = re.compile(
    r"\d|[£$€¥￥%]|(?<=\w )(?-i:(?!I\b)[A-Z])\w|\b(?:gets?|becomes?|goes to|moved to|moves to|takes?|covers?|is called|"
    r"are called|(?:has|have) the)\b",
    re.IGNORECASE,
)


def is_comment(clause: str) -> bool:
    """Whether a clause only says why, or who wants it: it names no wish of its own."""
    if _LIMITS.search(clause) and not _COMMENT_ZH.fullmatch(clause):
        return False
    if _COMMENT_ZH.fullmatch(clause):
        return True
    return _COMMENT_EN.fullmatch(clause) is not None and _GIVES_EN.search(clause) is None


def is_talk_beside(clause: str) -> bool:
    """Whether a clause beside an order says by its form why, or who wants it, or nothing at all."""
    return is_chatter(clause) or is_reason(clause) or is_comment(clause)


def has_order_verb(clause: str) -> bool:
    """Whether a clause has a word of doing, so that leaving it out could lose a wish."""
    return VERBS.search(clause) is not None


def list_subjects(earlier: list[str], part: str, steps: list[JsonObject]) -> Iterator[tuple[str, str]]:
    """Readings of a clause with what an earlier clause is about, and that clause: 黄磊转学了，这行删掉."""
    plain = strip_courtesy(part)
    bare = re.sub(r"^(?:把|将|给)(?=[这那它])", "", plain)
    variants = list(dict.fromkeys((plain, bare, _PRONOUN.sub("", plain))))
    if re.fullmatch(r"[“\"「].+[”\"」]|[¥￥$]?-?[\d,.]+\s*(?:元|块|万|%|分|号|pt)?", plain):
        variants = [f"改成{plain}"]
    words = next((str(one[key]) for one in reversed(steps) for key in ("find_text", "anchor_text") if key in one), "")
    if words and (found := _BACK.search(plain)):
        yield f"{plain[: found.start()]}“{words}”那一段{plain[found.end() :]}", ""
    for clause in reversed(earlier):
        first = strip_courtesy(clause)
        thing = re.match(r"(?:make |set |turn )?[a-z]+ (the [a-z ]+|[a-z]+ \d+)$", first, re.IGNORECASE)
        if thing and re.search(r"\b(?:it|them)\b", plain):
            yield re.sub(r"\b(?:it|them)\b", thing[1], plain, count=1), clause
        verb = None if is_reason(clause) else _SUBJECT_END.search(first)
        most = min(verb.start() if verb else len(first), _MAX_SUBJECT)
        for end in range(most, 1, -1):
            if first[:end].isascii() and first[end : end + 1].isalnum():
                continue  # inside a word
            for variant in variants:
                space = " " if first[end - 1 : end].isascii() and variant[:1].isascii() else ""
                yield f"{first[:end]}{space}{variant}", clause
