"""Whether words that a plan writes have the form of a name, in the request and among the names beside them."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, find_spans
from metier.packs.office.drafting.lists import (
    COLUMN_WORDS,
)

__all__ = ["MAX_NAME", "is_broken", "is_name", "is_whole"]

# Words whose first character may also lead to a list, and what else may stand over the edge of a name.
_WORD_STARTS: Final = re.compile(
    r"(?:用[途户量时品电水地工人料印车房款药气能例语具章餐法费力]|以[往上下前后]|就[业诊餐医职读地绪座寝]|列[支车席数]|要[求点素目价件闻]|有[效关无限害机色货价偿息毒功氧]|"
    r"成[绩本员果立交]|分[类组数析工管布项期值支级公店厂包摊红销配]|得[分票失奖率主]|请[假示购求款领教柬]|从[业属]|先[进生后]|再[生贷保]|还[款贷息清书]|填[报表充]|"
    r"是[否非]|里程|上[级限]|下[属级限]|写作|放[行款射]|含[税量水]|设[计备施立置定想防限]|[可使专公通适]用.)$"
)
_WORD_ENDS: Final = re.compile(r"(?<=[总饱])和|[和与](?=[,，。;；、!！)）]|$)|\.(?:\s*[,;|/、]|\.|\s+[a-z])")
# Adverbs of a clause; words like 就业 and 再生 begin with the same character.
_ADVERBS: Final = (
    r"就(?![业诊餐医职读地绪座寝])|都(?!市)|也(?!门)|还(?![款本贷息原清书])|"
    r"又|再(?![生贷保版审造投])|先(?![进生锋期后导行例驱烈天验])"
)
# Words of Chinese grammar with which a clause goes on, and words that lead to a list; a name begins with none of them.
_OPENS: Final = re.compile(
    rf"{_ADVERBS}|"
    r"每[行列页格项个条块]|各[自列行项]|[竖横]着|按(?!揭|钮|期|键|月|年|日|季)|从|自[左上]|当(?![前期月年日天地值选班事])|作为|拿|凭(?!证)|照(?![片明])|对于|关于|以及|及其|和(?![解谐平约])|与(?!会)|跟|或|而|且|但|"
    r"所以|因为|如果|比如|例如|像|叫|名叫|是(?!否|非)|为(?!期)|有(?![效关无限害机色货价偿息毒功氧人])|要(?![求点素目价件闻])|得(?![分票失奖率主])|需要|须(?!知)|"
    r"应该|该|可以|能够|会有|想(?!法)|请(?![假示购求款领教柬])|让|把(?!手|关)|将(?!来)|被(?![告试保审检])|用(?![途户量时品电水地工人料印车房款药气能例语具章餐法费力])|"
    r"以(?![往上下前后])|由|于|才(?!能|艺)|只(?!数)|仅|光(?![缆纤照谱功源驱衰盘伏学电])|"
    r"很|太(?!阳)|这|那|此(?!次)|它|她|我(?!方)|你(?!方)|您|咱|哪|什么|怎么|没(?!收)|别(?![名墅称])|填(?![报表充空料])|写(?![作法字])|放(?![行款射置映假疗大学电])|"
    r"含(?![税量水糖氧])|包括|包含|[\u4e00-\u9fff]{0,2}(?:设置|设定|拟定|命名|标注|设|定|填|拟|标)[为成]|[分下]?设置(?![值项])|"
    r"列(?![支车席明])|排(?![名序班放期水污量查产版课气位列])|设(?=[成为有上])|加(?=[上个一])|弄|搞|[做设改变换画]成|英文(?!名)|中文(?!名)|首先|然后|接着|"
    r"最后(?!期限|一次|交|还|更)|另外|一共|总共|共(?=[一二两三四五六七八九十几\d])|[下底上里]面|[下上底]头|底下|其中|中间(?!件|体|价)|旁边|正文|标题要|分别|依次|"
    r"分(?![类组数析工管布项期值支级公店厂包摊红销配机局行部院校])|第[一二三四五六七八九十\d][个张份]|表[一二三四]|[①-⑨]|"
    rf"(?:{COLUMN_WORDS})(?=\S)"
)
_CLOSES: Final = re.compile(
    r"(?:(?<!终)(?<!为)了|(?<!执)(?<!穿)着|吧|呢|啊|呀|嘛|呗|(?<!目)(?<!标)的|(?<!作)(?<!行)(?<!认)(?<!人)为|是|(?<![持所国公私保占拥享自专])有|"
    r"(?<![必主纪概摘提简需重首扼])要|就|(?<![成首古])都|也|还|这|那|(?<![存所现内实])在|(?<![迟签报收达])到|从|把|(?<![供补发])给|(?<![总饱中])和|(?<!参)(?<!赠)与|或|"
    r"等等|之类|什么|[这那共]?[一二两三四五六七八九十几\d]+[个列项样栏行条块段节章格]|当[表列标].+|做[列表标].+|作为.+|[批花卖]|(?<![级性类识鉴区差个分特])别(?![名墅称]).{1,4}|(?:不要|不能|不许|千万).{1,4})$"
)
# What all the names are, with their number, behind the last of them.
_COUNTED_END: Final = re.compile(rf"({COUNT})\s*(?:个|项|条|大|类|块|种|张|栏|列)[\u4e00-\u9fff]{{0,4}}$")
_CARRIED: Final = re.compile(r".*(?:[是为有了把按给从=＝:：]|(?<![所存])在|\b(?:is|are|for|of|with|and))\s*")
# What is done with all names, behind the last of them, however long it is.
_MADE: Final = re.compile(r"[排做画列弄写整编](?:理)?成(?:一|个|张|\d)|的(?:空白?|新)?表格?$")
_EXCEPT: Final = re.compile(r".*(?:等[级号])$|[一二三四五六七八九十\d]+")
_EN_OPENS: Final = re.compile(
    r"what|whats|what['’]s|who|whos|who['’]s|whose|which|where|when|why|how|that|this|these|those|there|"
    r"here|it|its|it['’]s|is|are|was|were|be|been|being|am|do|does|did|has|have|had|having|will|would|"
    r"shall|should|can|could|may|might|must|read|reads|reading|headed|called|named|labelled|labeled|titled|"
    r"with|within|without|into|onto|of|off|from|for|to|in|on|at|by|as|than|then|so|if|because|since|until|"
    r"while|and|or|but|nor|yet|also|plus|i|we|you|he|she|they|my|our|your|his|her|their|us|me|them|a|an|"
    r"the|please|just|only|simply|leave|leaving|make|making|put|use|using|say|saying|says|under|below|"
    r"beneath|underneath|above|across|along|down|such|like|namely|names"
)
_EN_CLOSES: Final = re.compile(
    r"is|are|was|were|be|been|being|do|does|did|has|have|had|will|would|shall|should|can|could|may|might|"
    r"must|of|from|for|with|to|in|on|at|by|as|than|then|so|if|because|and|or|but|that|this|these|those|"
    r"which|who|what|it|its|i|we|you|he|she|they|my|our|your|his|her|their|me|us|them|a|an|the|please|"
    r"thanks|only|too|each|across|along|down|below|beneath|underneath|under|respectively|etc|plenty"
)
# Signs and words inside of what is no single name: a dash, a mark of the next list, 甲到乙.
_BROKEN: Final = re.compile(
    r"\s[—–-]+(?:\s|$)|^[—–-]+\s|\s[—–]|[—–]\s|[?？!！]\s*[/|]|[①-⑨+＋→=＝]|[/|].*[/|]|[行列]数\s*\d|[,，;；。!！?？]\s*\S|^\d+\s*[台套件个张把本]\S|"
    r"(?<=[\u4e00-\u9fff]{2})(?:再|一直|直)?到(?![期货账岗位场达款访站会勤])(?=[\u4e00-\u9fff]{2})"
)
# Before the last item of a list.
_JOINS: Final = re.compile(r"(?:还|再|另外?|外)(?:要|有|加|来)|以及|最后(?:是|来|加)")
_LIST_SIGNS: Final = ("、", "/", "|")
_LISTED: Final = re.compile(r"[、/|]$")
# Right after such a word stands a name, whatever it begins with, unless it begins as a clause does.
_SAID: Final = re.compile(r"[是为叫]$|\b(?:columns?|headings?|headers?|fields|are|is|:)$", re.IGNORECASE)
_STRONG: Final = re.compile(
    rf"{_ADVERBS}|"
    r"每[行列页格项个条块]|[竖横]着|英文(?!名)|中文(?!名)|分别|依次|从[左上]|自[左上]|[下底上里]面|底下|标题要|正文分|第[一二三四五六七八九十\d][个张份列]|表[一二三四]|[①-⑨]|"
    r"[我你您她咱]|[这那]|[要得需]?[填写放]写?(?=[\u4e00-\u9fff]{2})(?!报|表|作|行|款)|先写|就是|都是|[=＝]|[a-z]"
)
_WORD: Final = re.compile(r"[A-Za-z][\w'’-]*")
_BLANK: Final = re.compile(r"[\u4e00-\u9fff）)] +[\u4e00-\u9fff]")
MAX_NAME: Final = 14


def is_name(name: str, others: Sequence[str], request: str) -> bool:
    """Whether words of a request that a plan writes have the form of a name there, and of the names beside them."""
    start = request.find(name)
    if start < 0:
        # Written by the program: a default, a total, a number of a row; or with other blanks than the request has.
        return _join_words(name) not in _join_words(request) or _BROKEN.search(name) is None
    before, after = request[:start].rstrip(), request[start + len(name) :].lstrip()
    is_joined = any(before.endswith((f"{one}和", f"{one}及", f"{one}与")) for one in others if one)
    is_inner = (is_joined or _LISTED.search(before) is not None, after.startswith(_LIST_SIGNS))
    if _SAID.search(before) and _STRONG.match(name) is None:
        is_inner = (True, is_inner[1])
    if _MADE.search(name) or is_broken(name, request):
        return False
    if any(_CARRIED.fullmatch(name.removesuffix(one)) for one in others if len(one) > 1 and name.endswith(one)):
        return False  # 流水是市场部 beside 市场部
    if CHINESE.search(name):
        return _is_chinese_name(name, others, is_inner, (before, after))
    return _is_english_name(name, others, is_inner, after)


def _join_words(text: str) -> str:
    return "".join(text.split()).lower()


def is_broken(name: str, request: str) -> bool:
    """Whether words have a sign in them that no single name has, or a word of the request goes on over their edge."""
    return _BROKEN.search(name) is not None or _is_cut_everywhere(request, name)


def _is_cut_everywhere(request: str, name: str) -> bool:
    """Whether a word of the request always goes on over an edge of a name: 途 of 用途, 总 of 总和, `no` of `no.,`."""
    return all(
        _WORD_STARTS.search(request[max(0, start - 2) : start + 1]) or _WORD_ENDS.match(request, end)
        for start, end in find_spans(name, request)
    )


def is_whole(name: str, others: Sequence[str], request: str) -> bool:
    """Whether a name stands somewhere by itself, and not only inside of a longer one: 场部 of 市场部."""
    longer = [one for one in others if name in one and one in request]
    return not longer or name.isdecimal() or name in re.sub("|".join(re.escape(one) for one in longer), "\n", request)


def _is_chinese_name(name: str, others: Sequence[str], is_inner: tuple[bool, bool], beside: tuple[str, str]) -> bool:
    before, after = beside
    if len(others) > 1 and not any(CHINESE.search(one) for one in others):
        return False  # 英文的 Item beside Standard and Result
    if re.search(r"(?:^|\s)[a-z]{2,}\s", name) and not any(re.search(r"[a-z]{2,}\s", one) for one in others):
        return False  # should read 序号
    if _BLANK.search(name) and others and not any(_BLANK.search(one) for one in others):
        return False  # 对策 行数 beside 后果
    if len(name) > MAX_NAME or _EXCEPT.fullmatch(name):
        return True
    if not is_inner[1] and _JOINS.match(name):
        return False
    opens = None if is_inner[0] else _OPENS.match(name)
    if opens is not None and len(name) > opens.end():
        return False
    counted = _COUNTED_END.search(name)
    if counted and others and read_count(counted[1]) == len(others) + 1:
        return False  # 丙三个单位 behind 甲、乙
    if after.startswith(("的表", "的清单")) and "表" in before:
        return False  # 插入表格，列为甲、乙、交来的表
    if is_inner[0] and name.endswith("的") and others and all(one.endswith("的") for one in others):
        return True  # 已解决的、还没解决的
    return is_inner[1] or len(name) < 2 or _CLOSES.search(name) is None


def _is_english_name(name: str, others: Sequence[str], is_inner: tuple[bool, bool], after: str) -> bool:
    words = _WORD.findall(name)
    if re.search(r"\b(?:as well as|along with|together with)\b", name):
        return False
    if not words or len(words) > 6:
        return True
    is_small, is_among_capitals = name[:1].islower(), any(one[:1].isupper() for one in others)
    all_capitals = len(others) > 1 and all(one[:1].isascii() and one[:1].isupper() for one in others)
    if is_small and (all_capitals or (is_among_capitals and any(word[:1].isupper() for word in words[1:]))):
        return False
    if is_small and (is_among_capitals or not is_inner[0]) and _EN_OPENS.fullmatch(words[0]):
        return False
    is_bounded = is_inner[1] or (name[:1].isupper() and re.match(r"[,，.;]|and\b", after) is not None)
    return len(words) == 1 or is_bounded or _EN_CLOSES.fullmatch(words[-1]) is None
