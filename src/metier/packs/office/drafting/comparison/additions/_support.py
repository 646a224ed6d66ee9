"""Second reading of a plan by one who did not draft it: what it writes must stand in the request as it is written."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import COUNT, read_amount, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting._wording import drop_asides
from metier.packs.office.drafting.comparison.additions._cut_names import find_cut_name, find_lost_rest, find_order
from metier.packs.office.drafting.comparison.omissions._fit import list_texts
from metier.packs.office.drafting.lists import (
    AND_EN,
    COLUMN_WORDS,
    find_said_lists,
    is_marked_off,
    list_unkept,
    strip_article,
    strip_tail,
)

__all__ = ["check_support", "list_cut_texts"]

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
_BRACKETS: Final = (("(（", ")）"), ("\\[【", "\\]】"), ("“", "”"), ("《", "》"), ("「", "」"))
_ITEM_LINE: Final = re.compile(r"^(?:(#+) |\d+\. )?(.*)$")
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
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_BLANK: Final = re.compile(r"[\u4e00-\u9fff）)] +[\u4e00-\u9fff]")
_MAX_NAME: Final = 14
_ANY_NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_NUMBER: Final = re.compile(r"(?<![A-Za-z\d.#])\d+(?:,\d{3})*(?:\.\d+)?%?(?![.\d]|[A-Za-z\d]*[A-Za-z])")
_MARK: Final = re.compile(r"[)）、.](?!\d)")
_DIGITS: Final = frozenset("123456789")
_NUMBERED: Final = re.compile(r"\s*(?:这样|地|的)?(?:顺着)?(?:排|列|编|标|往下|下来)")
_TOP: Final = re.compile(
    r"(?:文档|文章|文件|全文|整篇|页面)的?(?:一上来|打头|开头|最前|最上|顶|首)|第一[行段](?:之前|前面|的?前|上面)|"
    r"\b(?:before|above) (?:everything|all|the first)\b|\b(?:first thing|very top|right at the top)\b",
    re.IGNORECASE,
)
_CHAIN_ZH: Final = re.compile(r"[是为叫]([^,，、。;:!?()\[\]\n\d\"]{2,14})(?=、)")
_CHAIN_EN: Final = re.compile(
    r"\b(?:columns?|headings|headers|fields|tasks|sections)\s+((?:[^,.;:?!()\n]+,)+[^,.;:?!()\n]+)", re.IGNORECASE
)
_NO_PIECE: Final = re.compile(r"\d|\b(?:rows?|columns?|lines?|weeks?|please|thanks|table)\b", re.IGNORECASE)
_SLASHED: Final = re.compile(r"[^\s,，、。;:!?()/|]{1,12}(?:\s*[/|]\s*[^\s,，、。;:!?()/|]{1,12}){2,}")


_ASKS: Final = re.compile(
    r"能|可以|可否|好吗|吗|^\s*(?:(?:hi|hello|hey|please|so|and)\b[, ]*)*"
    r"(?:could|can|would|will|may|might|do|is|are|shall|any chance)\b",
    re.IGNORECASE,
)


def check_support(request: RequestText, actions: Sequence[JsonObject], place: DraftPlace) -> None:
    """Raise `Unclear` with a name or a number of the request that the plan does not bear out.

    Nothing of the drafting is used: names must have the form of names and of their neighbours, slashed lists and
    numbers must be written.
    """
    for part in _list_faults(request, actions, place):
        raise Unclear("not_understood", part=part)


def _list_faults(request: RequestText, actions: Sequence[JsonObject], place: DraftPlace) -> Iterator[str]:
    yield from list_unkept(request, actions)
    headers = [[str(cell).strip() for cell in one] for one in _list_headers(actions)]
    lost = [find_lost_rest(request.raw, one) or find_order(one) for one in headers]
    yield from filter(None, [find_cut_name(request.raw, list_texts(actions)), *lost])
    quoted = {one.text for one in request.quotes}
    # Things to do begin with any verb; that each is written whole was looked at above.
    quoted |= {item for said in find_said_lists(request) if said.is_to_do for item in said.items}
    for names in list_names(actions):
        for name in names:
            others = [one for one in names if one != name]
            if (
                name not in quoted
                and not is_marked_off(name, request.raw)
                and not (is_name(name, others, request.raw) and _is_whole(name, others, request.raw))
            ):
                yield name
    for cell in _list_cells(actions):
        if (
            cell not in quoted
            and cell in request.raw
            and (_BROKEN.search(cell) or _is_cut_everywhere(request.raw, cell))
        ):
            yield cell
    yield from (one for one in list_cut_texts(actions) if one in request.raw and one not in quoted)
    written = _join(actions)
    for found in _SLASHED.finditer(request.mask):
        for item in re.split(r"\s*[/|]\s*", found[0]):
            if len(item) > 1 and not _NUMBER.fullmatch(item) and not _is_in(item, written):
                yield item
    yield from _list_marked(request, [one for names in list_names(actions) for one in names])
    yield from _list_lost(request, [one for names in list_names(actions) for one in names])
    yield from _list_unused_numbers(request, actions)
    yield from _list_displaced(request, actions)
    if (top := _TOP.search(request.mask)) and place.kind not in ("start", "anchor"):
        yield top[0]


def _list_headers(actions: Sequence[JsonObject]) -> Iterator[list[JsonValue]]:
    """First rows of the tables of a plan."""
    for one in actions:
        data = one.get("data")
        if one.get("op") == "insert_table" and isinstance(data, list) and data and isinstance(data[0], list):
            yield data[0]


def list_cut_texts(actions: Sequence[JsonObject]) -> Iterator[str]:
    """Texts with half of a pair of brackets or quotation marks: what stood beside them was taken with them, or cut."""
    fields = [str(one[name]) for one in actions for name in ("text", "title", "content", "caption") if one.get(name)]
    names = (name for listed in list_names(actions) for name in listed)
    texts = [*(line for one in fields for line in one.splitlines()), *names, *_list_cells(actions)]
    for text in texts:
        bare = re.sub(r"^#+ (?:[(（][一二三四五六七八九十]+[)）])?|^\d+[.)）] ", "", text)
        if any(len(re.findall(f"[{one}]", bare)) != len(re.findall(f"[{other}]", bare)) for one, other in _BRACKETS):
            yield bare


def list_names(actions: Sequence[JsonObject]) -> Iterator[list[str]]:
    """Names that stand beside each other in a plan: a header, the first cells of rows, headings, items of a list."""
    headings: list[str] = []
    for action in actions:
        data = action.get("data")
        if isinstance(data, list):
            rows = [[str(cell).strip() for cell in row] for row in data if isinstance(row, list) and row]
            yield [one for one in rows[0] if one] if rows else []
            yield [row[0] for row in rows[1:] if row[0]]
        lines = [_ITEM_LINE.match(one) for one in str(action.get("text") or action.get("content") or "").splitlines()]
        if action.get("op") in ("insert_text", "add_slide"):
            items = [
                one[2].strip(" ：:")
                for one in lines
                if one and (one[1] or len(lines) > 1 or one[2].endswith(("：", ": ")))
            ]
            headings += items if len(lines) == 1 else []
            if len(lines) > 1:
                yield [one for one in items if 0 < len(one) <= _MAX_NAME]
    yield headings


def _list_cells(actions: Sequence[JsonObject]) -> Iterator[str]:
    """Texts in the cells beside the first ones: they may be sentences, but no halves of words and no two clauses."""
    for action in actions:
        data = action.get("data")
        for row in data[1:] if isinstance(data, list) else []:
            cells = [str(cell).strip() for cell in row] if isinstance(row, list) else []
            yield from (one for one in cells if re.match(r"[^\W\d_]", one))


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
    if _BROKEN.search(name) or _MADE.search(name) or _is_cut_everywhere(request, name):
        return False
    if any(_CARRIED.fullmatch(name.removesuffix(one)) for one in others if len(one) > 1 and name.endswith(one)):
        return False  # 流水是市场部 beside 市场部
    if _CHINESE.search(name):
        return _is_chinese_name(name, others, is_inner, (before, after))
    return _is_english_name(name, others, is_inner, after)


def _join_words(text: str) -> str:
    return "".join(text.split()).lower()


def _is_cut_everywhere(request: str, name: str) -> bool:
    """Whether a word of the request always goes on over an edge of a name: 途 of 用途, 总 of 总和, `no` of `no.,`."""
    return all(
        _WORD_STARTS.search(request[max(0, one.start() - 2) : one.start() + 1]) or _WORD_ENDS.match(request, one.end())
        for one in re.finditer(re.escape(name), request)
    )


def _is_whole(name: str, others: Sequence[str], request: str) -> bool:
    """Whether a name stands somewhere by itself, and not only inside of a longer one: 场部 of 市场部."""
    longer = [one for one in others if name in one and one in request]
    return not longer or name.isdecimal() or name in re.sub("|".join(re.escape(one) for one in longer), "\n", request)


def _is_chinese_name(name: str, others: Sequence[str], is_inner: tuple[bool, bool], beside: tuple[str, str]) -> bool:
    before, after = beside
    if len(others) > 1 and not any(_CHINESE.search(one) for one in others):
        return False  # 英文的 Item beside Standard and Result
    if re.search(r"(?:^|\s)[a-z]{2,}\s", name) and not any(re.search(r"[a-z]{2,}\s", one) for one in others):
        return False  # should read 序号
    if _BLANK.search(name) and others and not any(_BLANK.search(one) for one in others):
        return False  # 对策 行数 beside 后果
    if len(name) > _MAX_NAME or _EXCEPT.fullmatch(name):
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


def _list_marked(request: RequestText, names: Sequence[str]) -> Iterator[str]:
    """Names with a question mark behind them in a sentence that asks nothing: the mark belongs to the name."""
    for name in names:
        for found in re.finditer(rf"{re.escape(name)}[?？]", request.raw):
            start = max((one.end() for one in re.finditer(r"[。.!！\n]", request.raw[: found.start()])), default=0)
            if len(name) > 1 and not _ASKS.search(request.raw[start : found.start()]):
                yield found[0]


def _list_lost(request: RequestText, names: Sequence[str]) -> Iterator[str]:
    """Items of lists that stand in the plan cut short or not at all."""
    known = {one.lower() for one in names}
    for found in _CHAIN_ZH.finditer(request.mask):
        first = request.raw[found.start(1) : found.end(1)].strip()
        if first.lower() not in known and any(one and first.lower().endswith(one) for one in known):
            yield first
    for found in _CHAIN_EN.finditer(request.mask):
        pieces = [
            one.strip()
            for one in re.split(
                rf",\s*(?:and\s+)?|{AND_EN}", request.raw[found.start(1) : found.end(1)], flags=re.IGNORECASE
            )
        ]
        items = [strip_tail(strip_article(one), ()) for one in pieces if one and not _NO_PIECE.search(one)]
        if sum(one.lower() in known for one in items) < 2:
            continue
        is_lower = all(one[:1].islower() for one in items)
        yield from (
            one for one in items if one.lower() not in known and (one[:1].isupper() or (is_lower and " " not in one))
        )


def _list_unused_numbers(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Numbers of the request, outside of its quotations, that the plan neither writes nor counts."""
    counts = {len(actions), sum(str(one.get("text") or "").startswith("#") for one in actions)}
    for action in actions:
        data = action.get("data")
        rows = [row for row in data if isinstance(row, list)] if isinstance(data, list) else []
        counts |= {
            len(rows),
            len(rows) - 1,
            len(rows) - 2,
            *(len(row) for row in rows),
            *(len(row) - 1 for row in rows),
        }
        counts.add(len(str(action.get("text") or action.get("content") or "").splitlines()))
    known = {str(one) for one in counts} | _read_numbers(_join(actions))
    kept = RequestText(drop_asides(request.raw)).mask
    for found in _NUMBER.finditer(kept):
        number = _normalise(found[0])
        is_run = len(number) > 1 and "123456789".startswith(number)  # 1234排下来
        after = _NUMBERED if is_run else _MARK
        is_mark = (is_run or number in _DIGITS) and after.match(kept, found.end())
        if number not in known and not is_mark:
            yield found[0]


def _list_displaced(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Rows whose numbers stand beside another name in the request, where it names every row."""
    said = _read_numbers(request.raw)
    for action in actions:
        data = action.get("data")
        rows = [[str(one) for one in row] for row in data if isinstance(row, list)] if isinstance(data, list) else []
        named = [row for row in rows[1:] if len(row) > 1 and _read_numbers(" ".join(row[1:])) & said]
        if not named or any(not row[0].strip() or row[0] not in request.raw for row in named):
            continue
        for row in named:
            if not _stand_beside(request.raw, row[0], _read_numbers(" ".join(row[1:]))):
                yield row[0]


def _stand_beside(request: str, name: str, numbers: set[str]) -> bool:
    for found in re.finditer(re.escape(name), request):
        before = [one[0] for one in _ANY_NUMBER.finditer(request, 0, found.start())]
        after = _ANY_NUMBER.search(request, found.end())
        if any(_normalise(one) in numbers for one in (*before[-1:], *([after[0]] if after else []))):
            return True
    return False


def _read_numbers(text: str) -> set[str]:
    return {_normalise(one[0]) for one in _ANY_NUMBER.finditer(text)}


def _normalise(number: str) -> str:
    return format(read_amount(number.rstrip("%")).normalize(), "f")


def _join(actions: Sequence[JsonObject]) -> str:
    parts = [str(value) for one in actions for name, value in one.items() if name not in ("id", "op")]
    return "\n".join(parts).lower()


def _is_in(item: str, written: str) -> bool:
    return item.strip(" \"“”'").lower() in written
