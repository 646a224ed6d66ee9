"""A message as clauses, and the values of each clause: the new ones, the old ones, by how much."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._clauses import is_comment, is_reason
from metier.packs.office.orders._leftovers import is_chatter, strip_courtesy
from metier.packs.office.orders.grounded._values import TextValue, find_values

__all__ = [
    "WRONG_AFTER",
    "SaidClause",
    "asks",
    "has_limit",
    "has_other_verb",
    "is_aside",
    "split_clauses",
    "stays",
    "wishes",
]

_CUT: Final = re.compile(
    r"(?<!\d)[,，](?!\d)|(?<=\d)[,，](?!\d{3})|(?<!\d)[,，](?=\d)|[;；。!！?？\n]+|(?<=[a-z\d%\")])\.(?:\s+|$)|"
    r"\s+[-–—]+\s+|"
    r"[,，]?\s+(?:so|but|because|since|and)\s+(?=(?:wherever|it|that|this|they|he|she|we|i|you|there|the|a|an|his|"
    r"her|our|my|"
    r"[A-Z\d][\w.:]*|week|please)\b['’\w]*\s+\w)|\s+(?=rather than\b|instead of\b)|(?:[,，]\s*)?(?:顺便|然后|而且|"
    r"并且|另外)|"
    r"[,，]?\s+(?:and (?:then )?(?=(?:put|take|make|change|set|add|delete|remove|move)\b))"
)
_NOT: Final = re.compile(
    r"(?:\bnot|\binstead of|\brather than|\bno longer|\bused to be|不是|并非|而非|原来是?|之前是?|原先是?|原为)"
    r"\s*(?:the|at|on|in|for|before)?\s*$",
    re.IGNORECASE,
)
WRONG_AFTER: Final = re.compile(
    r"\s*\S{0,12}?\s*(?:is|are|was|were)(?:n['’]t| not| no longer| wrong)|\s*\S{0,2}(?:不对|错了|不再|作废)",
    re.IGNORECASE,
)
# The value behind it belongs to what is described, which is wrong: the number of desks in lab 2 is wrong.
_DESCRIBED: Final = re.compile(
    r"(?:correct |fix )?(?:the )?(?:number|amount|count|price|quantity|total|figure|date|time)s? (?:of|for|in|on|at) "
    r".*[A-Za-z]\s*$|.*第$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"(?:\bfrom|从|由)\s*$", re.IGNORECASE)
_INTO: Final = re.compile(
    r"\s*\S{0,3}?\s*(?:(?:改|换|变|降|涨|提|调|升|减|加)[成为到至]?(?:了)?|到|→|->|\bto\b)\s*$", re.IGNORECASE
)
_SHIFT: Final = re.compile(
    r"(?:推迟|提前|延后|延期|顺延|推后)了?\s*$|\b(?:postponed|delayed|moved)(?: (?:by|back))?\s*$", re.IGNORECASE
)
_MORE: Final = re.compile(
    r"(?:又|再|还|多|新)(?:来|加|增加|增|到|添|进|招|报名|有)?了?\s*$|(?:增加|加|添|增)了?\s*$|"
    r"\b(?:another|extra|additional)\s*$",
    re.IGNORECASE,
)
_LESS: Final = re.compile(r"(?:减少|减去|减|减掉|去掉)\s*$|(?:少|减|走|退)了\s*$")
# By how much, not to what: no value that could stand in the document.
_BY: Final = re.compile(
    r"(?:[涨降升延]|上涨|下降|延长|缩短|提高|降低)了?\s*$|\b(?:up|down|by|fell|rose|grew|falls?|rises?|"
    r"grows?|increas\w+|decreas\w+|"
    r"rais\w+|reduc\w+|extend\w*|drop\w*)\s*(?:another|about)?\s*$",
    re.IGNORECASE,
)
_MORE_AFTER: Final = re.compile(r"\s*(?:\w+\s+)?(?:more|extra)\b", re.IGNORECASE)
_LIMITS: Final = re.compile(
    r"除了|除外|每[个人次]|各[个自]|只[改换有在]|仅|如果|若|否则|之间|以上|以下|超过|至少|大约|\b(?:except|"
    r"unless|only|if|apart|both|each|all|between|"
    r"at least|"
    r"up to|more than|less than|below|above|about)\b",
    re.IGNORECASE,
)
_OTHER_VERBS: Final = re.compile(
    r"[删插挪筛冻藏拆拷]|标[红黄绿蓝橙出注记成上]|排(?:序|列|名|一|到|在)|移[到动除]|画[个张一]|合并|复制|居中|对齐|"
    r"加粗|加上|加一|补上|去掉|不要了|新增|增加一|打印|汇总|统计|平均|合计|"
    r"放[在到]|[前后]面|之[前后]|还有|少了|缺|一节|编号|"
    r"[行列页段节栏条](?:字|话)?(?:加|补|放)|加[^班油]{0,4}[行列页段节栏条图表]|"
    r"\b(?:add|insert|delete|remove|drop|sort|filter|hide|merge|copy|highlight|bold|cent(?:er|re)d?|align|freeze|print|"
    r"calculate|sum|total|average|move|swap|split|column|row|slide|chart|section|paragraph|bullet|note|heading|table|"
    r"take out|take the|get rid|red|yellow|green|font|bigger|smaller)\b|"
    r"\b(?:underlin|highlight|shad|colou?r|sort|merg|delet|remov|hidd|ital|wrapp|indent)\w+",
    re.IGNORECASE,
)
_DO_IT: Final = re.compile(
    r"(?:请|麻烦|帮忙?|帮我|给我|都|也|就|相应|对应|文[档件]|里面?|一起|把它)*(?:改|换|更新|修改|调整|"
    r"订正)(?:一?下|过来|掉|了|好)?(?:吧|啊|哈)?|"
    r"(?:please |can you |could you |just )*(?:fix|change|update|correct|amend) (?:it|that|this|"
    r"them)?(?: (?:everywhere|throughout|"
    r"accordingly|please|for me|now))*|.{0,20}\b(?:wherever|everywhere)\b.{0,50}|合计.{0,4}(?:别漏|要算|要包括|"
    r"跟着).{0,6}|(?:please|thanks|thank you|ok|okay)+",
    re.IGNORECASE,
)
_STAYS: Final = re.compile(
    r"(?:但是?|不过)?.{0,24}(?:不动|不变|照旧|照常|没变|没改|没有变|依旧|还是(?:老样子|原来的)|保持原样|"
    r"不用(?:动|改)|别动|不要动)|"
    r".{0,40}\b(?:stays?|remains?|unchanged|untouched|as (?:it is|they are|before)|leave (?:the )?rest)\b.{0,20}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SaidClause:
    """What one clause says: its words, the new values, the old ones, and by how much one changes."""

    text: str
    new: tuple[TextValue, ...] = ()
    old: tuple[TextValue, ...] = ()
    more: tuple[tuple[int, TextValue], ...] = ()

    @property
    def subject(self) -> str:
        """The words without the values."""
        text = self.text
        for one in sorted((*self.new, *self.old, *(value for _, value in self.more)), key=lambda one: -one.start):
            text = f"{text[: one.start]} {text[one.end :]}"
        return text


def split_clauses(said: str) -> list[SaidClause]:
    """Clauses of a message, each with the parts its values play."""
    mask = RequestText(said).mask
    edges = [(0, 0), *(found.span() for found in _CUT.finditer(mask) if found.start()), (len(said), len(said))]
    parts = [said[start:end].strip() for (_, start), (end, _) in pairwise(edges)]
    return [_read(part) for part in parts if part.strip(" ,，。.")]


def _read(part: str) -> SaidClause:
    clause = SaidClause(part)
    values = [one for one in find_values(part) if one.kind != "code" and not _SHIFT.search(part[: one.start])]
    for at, one in enumerate(values):
        before, after = part[: one.start], part[one.end :]
        following = values[at + 1] if at + 1 < len(values) else None
        is_from = following is not None and bool(_INTO.fullmatch(part[one.end : following.start]))
        is_wrong = WRONG_AFTER.match(after) is not None and not _DESCRIBED.match(before)
        if _NOT.search(before) or is_wrong or is_from or (_FROM.search(before) and is_from):
            clause = replace(clause, old=(*clause.old, one))
        elif _BY.search(before):
            clause = replace(clause, more=(*clause.more, (0, one)))
        elif one.kind in ("number", "money") and (_MORE.search(before) or _MORE_AFTER.match(after)):
            clause = replace(clause, more=(*clause.more, (1, one)))
        elif one.kind in ("number", "money") and _LESS.search(before):
            clause = replace(clause, more=(*clause.more, (-1, one)))
        else:
            clause = replace(clause, new=(*clause.new, one))
    return clause


_ASKS: Final = re.compile(
    r"[?？吗呢]\s*$|多少|几[个天月年次人条行]|哪|什么|怎么|怎样|如何|为何|是否|是不是|有没有|对不对|"
    r"(?:^|[,.;!] |\b(?:know|tell me|wonder|ask(?:ing)?|see) )(?:how|what|which|why|who|whose|when|where|whether|if)\b|"
    r"^(?:is|are|was|were|do|does|did|has|have|can|could|should) ",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"(?:请|麻烦)?(?:能不能|可不可以|可以|能否)|\b(?:can|could|would|will) (?:you|we|i)\b(?! (?:see|know|tell))",
    re.IGNORECASE,
)


def asks(said: str) -> bool:
    """Whether a message wants to know something; a request in the form of a question does not."""
    if _REQUEST.search(said):
        said = re.sub(r"[?？吗]", "", _REQUEST.sub("", said))
    return _ASKS.search(said) is not None


_WISH: Final = re.compile(r"就好了|该多好|多好啊|\b(?:would|'d) be (?:nice|great|lovely)\b", re.IGNORECASE)
_TOLD_TO: Final = re.compile(r"改|换|写|填|设|标|删|加|\b(?:if you|could you|can you)\b", re.IGNORECASE)


def wishes(said: str) -> bool:
    """Whether a message only wishes that something were so."""
    return _WISH.search(said) is not None and _TOLD_TO.search(said) is None


def stays(text: str) -> bool:
    """Whether a clause says that something stays as it is."""
    return _STAYS.fullmatch(strip_courtesy(text).strip(" .。!！,，")) is not None


def is_aside(text: str) -> bool:
    """Whether a clause beside an order asks for nothing: a reason, thanks, or only to do it."""
    plain = strip_courtesy(text).strip(" .。!！,，")
    if not plain or _DO_IT.fullmatch(plain) or is_chatter(plain):
        return True
    if _STAYS.fullmatch(plain) or _FORBIDS.search(plain):
        return False
    if has_other_verb(plain) or has_limit(plain):
        return False
    if is_comment(plain):
        return True
    return _CHANGES.search(plain) is None and _is_statement(plain)


def _is_statement(text: str) -> bool:
    """Whether a clause tells something, and is no part of an order: it has a subject and a verb."""
    if re.search(r"[\u4e00-\u9fff]", text):
        return _PARTS_ZH.search(text) is None and is_reason(text)
    return _TOLD_EN.match(text) is not None


_FORBIDS: Final = re.compile(
    r"但|不要|别[^的人处]|不能|不许|请勿|保留|"
    r"(?<!we )(?<!they )(?<!i )\b(?:don['’]t|do not|never|keep|leave|without)\b",
    re.IGNORECASE,
)
# Words of an order that lacks its verb: by which column, in which colour, where.
_PARTS_ZH: Final = re.compile(
    r"按|从|用|每|各|同[一样]|同.{1,3}的|第[一二三四五六七八九十\d]|先|再|字|号[^了]|[颜红黄蓝绿灰]色?|体[^育]|格式|"
    r"[行列页段句图表](?![示现达演])|标题|"
    r"公式|左|右|上方|下方|顶部|底部|[大小粗细宽窄高低]一?[点些]|降序|升序|倒序|其[他它余]|\d"
)
_TOLD_EN: Final = re.compile(
    r"(?:and |so |but |because |since |as )*(?:(?:the|an?|this|that|these|those|my|our|his|her|their|"
    r"its) (?:[\w'’-]+ ){1,4}?|"
    r"(?:it|he|she|we|they|i|you|there|somebody|someone|nobody|everybody|everyone|people|which|that|this)(?= |['’])\s?|"
    r"(?!(?:and|so|but|because|since|as|then|also|please)\b)[A-Za-z][\w'’-]+ (?:and \w+ )?)(?:(?:just|"
    r"already|now|finally|never|really|always|also|still) )*"
    r"(?:['’]?(?:s|re|ve|d|ll|m)\b|is|are|was|were|has|have|had|will|won['’]t|would|did|does|do|doesn['’]t|don['’]t|"
    r"didn['’]t|isn['’]t|"
    r"aren['’]t|wasn['’]t|can|can['’]t|cannot|could(?:n['’]t)?|came|come|left|got|went|gave|took|put|made|sent|told|"
    r"paid|bought|sold|"
    r"wants?|needs?|says?|said|keeps?|kept|likes?|prefers?|thinks?|thought|asks?|hates?|looks?|changed|uses?|wrote|"
    r"forgot|"
    r"\w{2,}ed)\b(?!.*\b(?:should|must|first|second|third|the last|next to|bold|colou?r)\b)",
    re.IGNORECASE,
)
_CHANGES: Final = re.compile(
    r"[改换变替顶写填调]|统一|应该|也|同样|\b(?:too|as well|likewise)\s*$|\b(?:also|the same)\b|"
    r"[“\"「]|\b(?:change|replace|make|set|put|should|must|needs? to|rename)\b"
)


def has_other_verb(text: str) -> bool:
    """Whether a clause has a verb of another kind than giving a value."""
    return _OTHER_VERBS.search(text) is not None


def has_limit(text: str) -> bool:
    """Whether a clause narrows or excludes something."""
    return _LIMITS.search(text) is not None
