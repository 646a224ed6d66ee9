"""Words that carry a list and are no part of it: what leads to its first item, what follows its last one."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, QUOTED

__all__ = [
    "COLUMN_WORDS",
    "LEAD_WORDS",
    "LIST_WORDS",
    "TAIL_WORDS",
    "is_alike",
    "split_range",
    "strip_article",
    "strip_lead",
    "strip_tail",
]

# Words that say what the items of a list are.
COLUMN_WORDS: Final = (
    r"列标题|列名称?|列头|表头|栏目名?|栏名|字段名?|标题行|抬头|(?<![一二三四五六七八九十\d系并排陈罗下])列(?!出|举|表|成|个|在|入|一|明|张|好|上)|"
    r"\b(?:cols?|column (?:names?|headings?|headers?|titles?|labels?)|columns?(?! chart| graph)|headings|headers?|"
    r"header row|fields)\b"
)
LIST_WORDS: Final = (
    rf"{COLUMN_WORDS}|任务|工序|章节|板块|议题|条目|要点|小节|栏目|"
    r"\b(?:headed|labell?ed|sections?|tasks|items|points|bullets|lines|entries|topics|steps|phases)\b"
)
_WRITE: Final = (
    r"写(?!作)|填(?!报)|放(?!置)|叫做?|称(?!呼|号)|取名|命名|设置(?![项值])|设(?!计|备|施|立|想|防|限|问|宴|定值|置)|定(?!位|价|额)|标(?!准|题|签|的|段|号)|"
    r"排(?!名|序|放)|用(?!途|户|量|时|品(?!名)|电|水|地)|要(?!求|点|素)|有(?!效|关|限|无)|分(?!类|组|数|析|工|管|布|项|期|值|支|级|公)|"
    r"含(?!税|量|水)|包括|包含|涵盖"
)
# Between such a word and its first item.
LEAD_WORDS: Final = (
    rf"(?:\s*(?:里面|分别|依次|依序|从左到右|从左往右|按顺序|(?<![是为叫])(?:就|都|请|需要|应该|统一|{_WRITE}|从(?!业))|成(?!本|员|果|绩|立|交)|为|是(?!否)|"
    r"(?<=[写称叫记当列填设命名])作(?![者业用废息品文物风坊家战图答])|上(?![线报级限市传海])|了|着|如下|名字|的|英文(?=[\s:A-Za-z])|中文(?=[:\s])|一共|以下|下列|"
    rf"(?>(?:这|那)?(?:{COUNT}|几)(?:\s*(?:(?:个|大)?(?:列|栏|项|块|部分|字段|条|点|格子?|单元格)|个|大))?)(?=[是为叫:\s]|分别|依次)|[:,，=]|"
    r"(?-i:\b(?:should|must|shall|will|can|to|be|read|are|is|being|called|named|titled|label+ed|headed|say|saying|"
    r"reading|go|going|like|as|follows|follow|namely|for|of|with|in english|in chinese|the|"
    r"following|these|"
    r"left to right|from left to right|in order|i want|i need|we need|need|have|has|just|simply|please|use|using|"
    r"such as|i\.e\.|that is)\b)))*\s*"
)
# After the last item, where the list comes before the word that says what it is.
TAIL_WORDS: Final = (
    rf"\s*(?:(?:各|分别|单独|都)?(?:占|用|写|放|是|为|作为|做|当作?|算)?(?:成|一|每)*(?:{COUNT}|几)?(?:{COLUMN_WORDS})|"
    rf"(?:这|那|共|一共|总共)?(?:{COUNT}|几)\s*(?:个|大)?(?:列|栏|字段)|"
    rf"[,，]?\s*(?:就|以|用|拿|把)?(?:这|那|上述|以上|上面的?)(?:{COUNT}|几)?\s*(?:个|样|项|者)?(?:字段|名字)?(?:来)?(?:作为?|做|当作?|是|为)"
    rf"(?:一?行|整个)?(?:{COLUMN_WORDS})|"
    r"(?:各|每[项样个])(?:占|用|写|放|自)?(?:一|1)(?:列|栏|行|条|格)|"
    rf",?\s*\b(?:are|is|as|for|being|make|will be|should be|shall be|serve as|go in as)\b\s*(?:the |its |"
    rf"my |their |our |"
    rf"all )*(?:{COUNT}\s+)?(?:{COLUMN_WORDS})|"
    r"(?:across|along|at|on) the top\b)"
)
_ZH_LEAD: Final = re.compile(
    r"^.*(?:(?:第[一二三四五六七八九十\d]|[前后另]一|[头另]一|[一二两三])[张个份](?:表格?)?(?:的)?|表[一二三四五六\d]|表格[一二三四\d]|"
    r"包括|包含|分别[是为叫有]|依次[是为叫有写]|列(?:名|标题|头)[是为叫用写有]*|表头[是为叫用写有]*|字段[是为叫用写有]*|"
    r"栏目[是为叫用写有]*|写上|写明|列[是为]|着|(?:编号|序号)(?:列出?|排列?|写|放|是|为)|[:：])(?:是|为|有|:|：)?\s*"
)
_ZH_VERB: Final = re.compile(
    r"^(?:(?:一共|总共|共|就|需要|请|先|下面|底下|里面|正文|内容|往下|再往下|依次|分别)*(?:依次|分别|分(?:为|成)|分(?!类|组|数|析|工|管|布|项|期|值|支|级|公|店|厂)|有(?!效|关|限|无|害)|用(?![途户量时品电水地工人料印车房款药气能具章餐法费力])|以(?![往上下前后])|把|拿|是(?!否)|写(?!作)|"
    r"列(?![表支车席])|含(?!税|量|水)|[分下]?设(?:置|有|为|成)(?![值项])|[分下]设|(?<=[文容面里])设立|设(?!计|备|施|定|置|立|想)|[要得需](?:填写?|写上?|列出?|有|放)|"
    r"(?:每|第?一|头一?)[行格]里?(?:上)?(?:要|都|就|分别)*(?:填写?|写(?!作)上?|放(?!行|款)|是(?!否)|列(?!支|车)出?)))\s*(?=\S{2})"
)
_ZH_TAIL: Final = re.compile(
    rf"\s*(?:如下|(?:各|每[项样个条])(?:占|用|写|放|自)?(?:一|1)(?:列|栏|行|条|格|页)|一[项个样条](?:一|占一|各一)[行列条格页]|"
    rf"(?:作为?|做|当作?|是|为)(?:{COLUMN_WORDS})|(?<!第)(?:这|那|共|一共|总共|等)?(?:{COUNT}|几)\s*(?:个|大)?(?:样|者|列|栏|字段|块|项|部分|格|段|节|章)(?:东西|内容)?|"
    rf"[这那](?:{COUNT}|几)个|(?<!第)(?:{COUNT}|几)\s*[列栏]的(?:空白?)?(?:表格?|清单)?|"
    r"(?:按|用|带|标|加)?(?:编号|序号|数字)?(?:一条条|一条一条|逐条|逐个|一一|挨个)(?:地)?(?:列|排|写|标)(?:上|出来?|好|下来|明)?|"
    r"(?:按|用|带|标|加)(?:上)?(?:编号|序号|数字)(?:列|排|写|标)(?:上|出来?|好|下来)?|"
    r"(?:都|也)?(?:要有|得有|写上|写进去|列上|列进去|放进去|齐全|列出来)|(?:就|即)(?:行|可以?|好|够)了?|[好够行]了|吧|呢|啦|哦|(?<=[\u4e00-\u9fff]{2})[这那]|"
    r"(?<=[\u4e00-\u9fff]{2})的(?:空白?|新)?(?:表格?|登记表|记录表|一览表|清单)){1,6}$"
)
_GOODS: Final = "(?:items|positions|lines|products|articles|goods|things)"
_EN_TAIL: Final = re.compile(
    r"\s+(?:down the (?:side|left)|(?:across|along|at|on) the (?:top|side|left|right)|in (?:that|this|"
    r"the same) order|"
    r"for (?:the |each of the |all (?:of )?the |these )?"
    rf"(?:following(?: {_GOODS})?|{_GOODS} below)|"
    r"(?:are|is|as|for|being|will be|should be)\s+(?:the |its |my |their |our )*(?:\w+ )?"
    r"(?:columns?|headings?|headers?|fields|column \w+|tasks|sections?|rows)|please|respectively|each|thanks|"
    r"(?<!\bread )(?<!\bview )(?<!\binvite )(?<!\bmembers )only)$",
    re.IGNORECASE,
)
# What all the items are, with their number: 三个标题, 共四个小节.
_COUNTED_TAIL: Final = re.compile(
    rf"(?<=[\u4e00-\u9fff])(?<![前后第每近上下头这那首各])(?:这|等|共|一共|总共|以上)?(?P<count>{COUNT})\s*(?:个|大|项|条|道|类|块)"
    r"(?:(?:一|二|三|小|大|分|子)?级?(?:标题|题目|板块|版块|栏目|章节|小节|环节|议题|任务|工序|阶段|步骤|条目|要点|字段|项目|部分|内容|方面|模块|主题|段落|工作|节点|事项))"
    r"(?:(?:排|做|列|画|弄|写|整理|安排|放|编)(?:成|到|进|为|在|个|一|出|\d).*)?$"
)
_UP_TO: Final = re.compile(r"(.*?)(?:一直|直|再|最后)?到(?:最后的?)?(.{2,12})")
_LATIN: Final = re.compile(r"[A-Za-z]")
_WHOLE_QUOTE: Final = re.compile(QUOTED)
_QUOTED: Final = "quoted"
_MAX_KINDS: Final = 1_024


def strip_lead(item: str, others: Sequence[str], *, is_said: bool = False) -> str:
    """The first item without what led to it: by the words that lead to lists, and by the shape of the other items.

    An item that `is_said` stands right after 是 or 为 and may begin with any verb.
    """
    item = re.sub(r"^.*[=＝]\s*(?=\S)", "", item)
    if others and all(_LATIN.search(one) and not CHINESE.search(one) for one in others):
        rest = item[max((found.end() for found in CHINESE.finditer(item)), default=0) :].strip(" :：")
        words = rest.split()
        if all(one[:1].isupper() for one in others):
            starts = [at for at in range(1, len(words)) if words[at][:1].isupper() and words[at - 1][:1].islower()]
            rest = " ".join(words[starts[-1] :]) if starts else rest
        return rest or item
    if others and all(CHINESE.search(one) and not _LATIN.search(one) for one in others):
        rest = item[max((found.end() for found in re.finditer(r"[A-Za-z]", item)), default=0) :].strip(" :：'’")
        item = rest if CHINESE.search(rest) else item
    found = _ZH_LEAD.match(item)
    item = item[found.end() :] if found and found.end() < len(item) else item
    return item if is_said else _ZH_VERB.sub("", item)


def split_range(items: Sequence[str]) -> tuple[str, ...]:
    """A list that goes from its first item to its last one: 从甲、乙一直到丙."""
    if not items or not items[0].startswith("从") or not (last := _UP_TO.fullmatch(items[-1])):
        return tuple(items)
    first = _UP_TO.fullmatch(items[0][1:].strip()) if len(items) > 1 else None  # 从甲到乙、丙再到丁
    begin = first.groups() if first and first[1] else (items[0][1:],)
    return tuple(one.strip() for one in (*begin, *items[1:-1], *last.groups()) if one and one.strip())


def strip_tail(item: str, others: Sequence[str]) -> str:
    """The last item without what follows the list."""
    item = _EN_TAIL.sub("", item)
    counted = _COUNTED_TAIL.search(item)
    if counted and read_count(counted["count"]) == len(others) + 1 > 1:
        item = item[: counted.start()]  # 甲、乙、丙三个标题
    found = _ZH_TAIL.search(item)
    item = item[: found.start()] if found and found.start() else item
    if others and all(CHINESE.search(one) and not _LATIN.search(one) for one in others):
        cut = re.match(r"([^A-Za-z]*[\u4e00-\u9fff])\s+[A-Za-z]", item)
        item = cut[1] if cut else item
    return item.strip()


def strip_article(item: str) -> str:
    """An English name without the article and the words that only point to it: `the Risk itself`, `one for Owner`."""
    bare = re.sub(r"^(?:then |and |plus |also )*(?:(?:an?|the|our|its|one for|another for)\s+)?(?=[A-Z])", "", item)
    return re.sub(r"(?<=[A-Za-z])\s+(?:itself|column|too|as well)$", "", bare)


def is_alike(item: str, others: Sequence[str]) -> bool:
    """Whether an item is written as the others are: all Chinese, all Latin, or mixed; a quotation is like any other."""
    kind, kinds = _read_kind(item), {_read_kind(one) for one in others} - {_QUOTED}
    if kind == _QUOTED:
        return True
    if (
        kinds
        and item[:1].islower()
        and all(one[:1].isascii() and one[:1].isupper() for one in others if _read_kind(one) != _QUOTED)
    ):
        return False
    return len(kinds) != 1 or kind in kinds | {(True, True)}


@lru_cache(_MAX_KINDS)
def _read_kind(item: str) -> tuple[bool, bool] | str:
    """Whether an item has Chinese and whether it has Latin letters; `_QUOTED` for one in quotation marks."""
    if _WHOLE_QUOTE.fullmatch(item):
        return _QUOTED
    return bool(CHINESE.search(item)), bool(_LATIN.search(item))
