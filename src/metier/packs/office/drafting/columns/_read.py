"""The names of columns behind the word for them, with brackets, quotation marks and signs of their own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, CONSUMED, QUOTED, RequestText
from metier.packs.office.drafting.columns._split import find_sign, split_outside
from metier.packs.office.drafting.lists import AND_EN, AND_ZH

__all__ = ["NamedColumns", "is_plain_name", "read_columns"]

_MODE: Final = r"(?:分别|依次|依序|就|统一|设置|命名|如下|\s)*"
_IS: Final = r"(?:为|是(?![否非])|有(?![无效关害])|叫做?|包括|包含|设为|设有|写着?|:)"
_LEADS: Final = (
    re.compile(
        rf"(?:(?:(?<=[,，。;:的表格各其共张个份(（\s])|^)列|(?<![编排])列(?:名称?|标题)|表头|列头|字段名?|"
        rf"栏目名?|栏名|标题行)"
        rf"{_MODE}(?:{_IS}{_MODE}:?\s*|(?=[\"]))(?:以下|下列)?"
    ),
    # Three columns, with their names behind the count: 三列：姓名、电话、备注.
    re.compile(
        rf"(?<![第占每各\d行、])(?P<count>{COUNT})\s*个?(?:列|栏|"
        rf"字段)(?:的(?:空白?)?表格?)?{_MODE}(?:{_IS}|[,，]\s*(?:(?:分别|依次)(?:填写?|写|放|记|叫做?)(?=[\u4e00-\u9fff]{{2}}))?)\s*(?![表列栏字])"
    ),
    re.compile(
        r"\b(?:column (?:names|headings|headers|titles|labels)|columns(?! (?:charts?|graphs?)\b(?!,))|"
        r"headings|headers?|"
        r"header row|fields)\b(?:\s+(?-i:should|must|will|shall|would|could|might|ought|to|be|are|is|being|called|"
        r"named|titled|labell?ed|as follows|"
        r"of|for|read|say|reading|saying|include|like)\b)*"
        r"\s*[:,]?\s*(?=[\"\w])",
        re.IGNORECASE,
    ),
)
# A table with its names in a bracket: 插入表格（姓名、电话、备注）.
_BRACKETED: Final = re.compile(r"表格?\s*(?=\([^、:]{1,12}、)\(")
# Words that name the parts of a text as well.
_OF_TEXT: Final = re.compile(r"栏|headings|headers", re.IGNORECASE)
_HAS: Final = r"包含|包括|含有?(?![量税])|带有?(?![宽队])|设有?(?![备计施定想])|有(?![效关无限害])"  # 设备 is a name
# Names before the count of the columns: 包含姓名、电话（手机）、备注三列, 插入姓名、职务两列的表.
_BEFORE: Final = re.compile(
    rf"(?:{_HAS}|(?:插入?|添加|新建|做|建|画)(?![图座工议设筑家册])(?:入|"
    rf"成)?(?:一?[个张份])?(?:空白?)?(?:表格?)?)[,，:]?\s*"
    rf"(?:{_HAS})?"
    rf"(?P<names>[^。;:!?\n]+?)(?P<tail>(?:这|共|等)?(?P<count>{COUNT})\s*个?(?:列|栏|字段))"
)
_STOP: Final = re.compile(r"[。;!?\n:)\]]|\.(?=\s+[A-Z]|\s*$)|(?<!\bNo)\.(?=\s)")
_COMMA: Final = re.compile(r",(?!\d{3}(?!\d))|，")
_ZH_TAIL: Final = re.compile(
    rf"\s*[(\[]?(?:这|等)?(?:共|一共|总共|以上|共计|合计)*(?P<count>{COUNT})\s*个?(?:列|栏目?|字段|项|"
    rf"格)(?:内容|的.*)?[)\]]?$|"
    r"(?:的)(?:空白?)?(?:表格?|登记表|记录表|清单)$|(?:即可|就行|就好|就够了?|就可以|[吧呢啦])$"
)
# What goes on behind the last name of an English list.
_EN_TAIL: Final = re.compile(
    r",?\s+(?:(?:and|with|plus|then)\s+(?:then\s+)?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|no|the|leave|"
    r"make|put|give|add|keep|please|empty|blank|some|room|space)\b|with\b|(?:at|in|on|to|for|into|under|below|above|"
    r"after|before) (?:the|this|my|our|a|an|each|every|all|\d+|two|three|four|five|six|ten|"
    r"twelve)\b|please\b|thanks\b|thank you\b|titled\b|called\b|columns?\b|"
    r"(?:as|in that) (?:the )?(?:columns?|headers?|order)\b|here\b)"
)
_NUMBER_OF: Final = re.compile(
    rf"^(?:and\s+)?(?:{COUNT})\s+(?:(?:\w+\s+)?(?:rows?|lines?|entries|records|columns?)\b|(?-i:[a-z]))", re.IGNORECASE
)
# What no name begins, ends or has in it: an order, a refusal, a condition, what joins clauses.
_NO_NAME: Final = re.compile(
    rf"插入|添加|新建|帮我|不要|别[加放写]|居中|空行|{COUNT}\s*(?:个|空)?行|就行|即可|等等?$|[=→]|"
    r"^(?:先(?!进)|再(?!生)|然后|最后|从(?!业)|没有|除|请(?!假|示)|把|将|要(?![点求素])|或|还有?|另|以及|"
    r"这|那|我(?![方司院校店局们])|你|就|都|也|只(?!读)|共(?!同|享)|"
    r"不(?:用|需|含(?!税)|带))|"
    r"(?:[的了吧呢吗等]|为主|优先|靠前|在前|前面|后面|最前|最后)$|(?<=.)(?:加粗|粗体|标红)|"
    r"[(\[](?:可选|可有可无|可要可不要|待定|暂定|如有|有的话|看情况|或.*|optional|if any|tbd|maybe)[)\]]|"
    r"(?-i:\b(?:not|without|but|or|except|then|should|must|ought|shall|would|could|need|want|i|we|please|if|make|sorted|left|blank|"
    r"with|it|rows?|"
    r"columns?|bold|insert|add|that|which|so)\b)|^no\b(?!\.)|^(?:列名|表头|字段)[为是]|"
    r"^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty)\s+(?-i:[a-z])|"
    r"^the (?:first|second|third|other|former|latter)\b|\bthose of\b|"
    r"[ (\[](?-i:drop|skip|omit|remove|"
    r"leave|no|for|minus)\s|\s[-–—]\s|[(\[][^)\]]{0,6}(?:不要|不用|去掉|删|除|别)",
    re.IGNORECASE,
)
_YU: Final = re.compile(r"(?<=[\u4e00-\u9fff)\]])(?<![参赠给授付])\s*(?:与|[&＆])\s*(?=[\u4e00-\u9fff])(?!与会)")
# Columns that stand by themselves: 备注 of 电话与备注 is one more name.
_ALONE: Final = re.compile(
    r"备注|说明|签[名字]|(?:手机|电话|联系)(?:号码?|方式|电话)?|邮箱|姓名|性别|年龄|日期|时间|地[点址]|"
    r"单位|数量|单价|金额|部门|职[务位]|状态|"
    r"(?:负责|责任|联系|经办)人|编号|序号|规格|型号|名称|品名|结果|价格|班级|学号|工号"
)
_PAIRED: Final = re.compile(r"(?i:q|m|r|p|t|h|d|f)\s*(?:&|and)\s*(?i:a|d|l|c|s|i|e|b)$")
# What leads to a name and is no part of it; 是否合格, 有效期, 用途 and 要求 are names.
_LEADS_TO: Final = re.compile(
    r"\s*(?:(?:分别|依次|嘛)(?:就?是(?![否非])|为(?!期)|有(?![效关无限货]))?|就是(?![否非])|[呢啊呀](?=就|是)|还有|另外|以及|再加上?|加上|外加|"
    r"(?:分别|依次)(?:填写?|写|记|列|放)?(?=[\u4e00-\u9fff]{2})|填(?:写|上|入)(?![人日时])|(?-i:(?:headed|called|named|labell?ed|titled|says?|reads?)\s+)|"
    r"(?-i:(?:would|will|should|could|can|must) be|are|is|being|also|plus|then|finally|lastly|namely|just|simply)\s+)"
)
_DASH: Final = re.compile(r"\s*[-–—]+\s*$")
_ONE_MORE: Final = re.compile(
    r"\s*[,，]\s*(?:还有|以及|另有|外加|再加上?)(?:一[列栏个])?\s*(?P<name>(?![别其一什没先请])"
    r"[^,，。;:、\s\d\"再了请留空行吧的]{1,8})(?=[,，。;\n]|$)"
)
_REFUSES: Final = re.compile(
    r"不[要用需必含带写列]|去掉|除|免|省|[别勿]|没|无|\b(?:not|without|no|except|skip|omit|"
    r"drop|remove|minus|leave out|n['’]t|never)\b",
    re.IGNORECASE,
)
_MAX_CHARS: Final = 40
_MAX_WORDS: Final = 6
_PAIR: Final = 2
_MAX_REQUEST_CHARS: Final = 1_000
_MAX_LISTS: Final = 4


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Names of the columns of one table, and where they stand in the request; no names if "
    "they can be read in two ways."""

    names: tuple[str, ...]
    start: int
    end: int
    is_of_table: bool = True  # else their word may name the parts of a text


def read_columns(request: str) -> tuple[NamedColumns, ...]:
    """The lists of columns that a request names by their word and that can be read in one way only."""
    if len(request) > _MAX_REQUEST_CHARS:
        return ()
    text = RequestText(request)
    found: list[NamedColumns] = []
    for one in (*_read_led(text), *_read_counted(text)):
        if all(one.end <= other.start or one.start >= other.end for other in found):
            found.append(one)
    rest = text.mask
    for one in found:
        rest = f"{rest[: one.start]}{CONSUMED * (one.end - one.start)}{rest[one.end :]}"
    refused = [clause for clause in re.split(r"[,，。;!\n]", rest) if _REFUSES.search(clause)]
    is_refused = any(name in clause for clause in refused for one in found for name in one.names)
    return () if is_refused or len(found) > _MAX_LISTS else tuple(sorted(found, key=lambda one: one.start))


def _read_led(text: RequestText) -> Iterator[NamedColumns]:
    at = 0
    leads = sorted(
        (found for form in (*_LEADS, _BRACKETED) for found in form.finditer(text.mask)), key=lambda one: one.start()
    )
    for lead in leads:
        if lead.start() < at:
            continue
        stop = find_sign(_STOP, text.mask, lead.end(), len(text.mask))
        found = _read(text, lead.end(), stop)
        count = lead.groupdict().get("count")
        if found is not None and (count is None or read_count(count) == len(found.names)):
            at = found.end
            yield replace(found, is_of_table=_OF_TEXT.match(lead[0]) is None)


def _read_counted(text: RequestText) -> Iterator[NamedColumns]:
    for found in _BEFORE.finditer(text.mask):
        start, end = found.span("names")
        if find_sign(_COMMA, text.mask, start, end) < end:
            continue
        named = _read(text, start, end)
        if named is not None and len(named.names) == read_count(found["count"]):
            yield named


def _read(text: RequestText, start: int, stop: int) -> NamedColumns | None:
    spans = _cut(text.mask, start, stop)
    if not spans:
        return None
    spans, count = _strip_tail(text.mask, spans)
    whole = (spans[0][0], spans[-1][1]) if spans else (start, start)
    spans = _join_last(text.mask, spans, count)
    if not spans and whole[1] > whole[0]:
        return NamedColumns((), *whole)
    if any(_holds_two(text.mask[slice(*one)].strip()) for one in spans[:-1]):
        return NamedColumns((), *whole)
    if not spans:
        return None
    if more := _ONE_MORE.match(text.mask, spans[-1][1]):  # 甲、乙，还有丙
        spans = [*spans, more.span("name")]
        whole = (whole[0], more.end())
    spans = [_trim(text.mask, *one) for one in spans]
    names = tuple(_read_name(text, *one, is_last=one == spans[-1]) for one in spans)
    if len(names) < 2 or (count is not None and count != len(names)):
        return None
    is_plain = all(_is_name(text, name, *one) for name, one in zip(names, spans, strict=True))
    return NamedColumns(names, whole[0], max(whole[1], spans[-1][1])) if is_plain else None


def _trim(mask: str, start: int, end: int) -> tuple[int, int]:
    """A name without the words that lead to it (嘛就是, 分别为, “would be”, “also”) and a dash behind it."""
    while (lead := _LEADS_TO.match(mask, start, end)) and lead.end() < end:
        start = lead.end()
    return start, start + len(_DASH.sub("", mask[start:end]))


def _cut(mask: str, start: int, stop: int) -> list[tuple[int, int]]:
    """The pieces between the strongest sign of a list; with 、 a comma ends it."""
    comma = find_sign(_COMMA, mask, start, stop)
    for sign in (r"、", r"\|"):
        if len(pieces := split_outside(sign, mask, start, comma)) > 1:
            return pieces
    if CHINESE.search(mask, start, stop) and not re.search(r"[A-Za-z]{2,}.*[A-Za-z]{2,}", mask[:start]):
        for sign in (r"(?<=\")\s*(?:和|及|与|以及|跟|&|/)?\s*(?=\")", r"(?<=[^\s\d])\s*/\s*(?=[^\s\d])"):
            if len(pieces := split_outside(sign, mask, start, comma)) > 1:
                return pieces
        return [(start, comma)] if comma > start else []
    pieces = split_outside(_COMMA.pattern, mask, start, stop)
    kept = [pieces[0]] if pieces else []
    for piece in pieces[1:]:
        if not _goes_on(mask, kept[0], piece):
            break
        kept.append(piece)
    return kept


def _goes_on(mask: str, first: tuple[int, int], piece: tuple[int, int]) -> bool:
    """Whether a piece between commas is a further name: written as the first one is, and no number of rows."""
    said, model = mask[slice(*piece)].strip(), mask[slice(*first)].strip()
    bare = re.sub(r"^and\s+", "", said, flags=re.IGNORECASE)
    is_capital = not model[:1].isupper() or not bare[:1].islower()
    return bool(bare) and is_capital and _NUMBER_OF.match(said) is None


def _strip_tail(mask: str, spans: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int | None]:
    """The pieces without what follows the last name, and how many names it says there are."""
    start, end = spans[-1]
    count = None
    while found := _ZH_TAIL.search(mask[start:end].rstrip()):
        if not found.start():
            return [], None
        count = read_count(found["count"]) if found["count"] else count
        end = start + found.start()
    if found := _EN_TAIL.search(mask[start:end]):
        end = start + found.start()
    return ([*spans[:-1], (start, end)] if mask[start:end].strip() else []), count


def _join_last(mask: str, spans: list[tuple[int, int]], count: int | None) -> list[tuple[int, int]]:
    """The last piece holds two names where a joining word stands in it."""
    if not spans:
        return []
    *others, last = spans
    body = mask[slice(*last)]
    if (lead := re.match(r"\s*(?:and\b|以及|和(?=\"))\s*", body, re.IGNORECASE)) and others:
        return [*others, (last[0] + lead.end(), last[1])]
    if re.fullmatch(r"[A-Z][A-Za-z]?\s*&\s*[A-Z]|" + _PAIRED.pattern, body.strip()):
        return spans
    for sign in (
        r"(?<=\")\s*(?:和|及|与|以及|跟|and|&)\s*(?=\")",
        rf"{AND_EN}|{AND_ZH}|(?<=[)\]〉])\s*及\s*(?=[\u4e00-\u9fff])|(?<=[A-Za-z)])\s+&\s+(?=[A-Z(])",
    ):
        pieces = split_outside(sign, mask, *last)
        if len(pieces) > 1 and count != len(spans):
            return [*others, *pieces] if len(pieces) == _PAIR else []
    pieces = split_outside(_YU.pattern, mask, *last)
    if len(pieces) != _PAIR or count == len(spans):
        return spans
    is_two = count == len(spans) + 1 or not others or any(_ALONE.fullmatch(mask[slice(*one)].strip()) for one in pieces)
    return [*others, *pieces] if is_two else []


def _holds_two(name: str) -> bool:
    """Whether a name that is not the last one may be two: 姓名和性别, before 年龄."""
    parts = re.split(rf"{AND_ZH}|与|\s*[&＆]\s*", name)
    return len(parts) == _PAIR and all(_ALONE.fullmatch(one) for one in parts)


def _read_name(text: RequestText, start: int, end: int, *, is_last: bool) -> str:
    said = text.raw[start:end].strip()
    found = re.fullmatch(rf"\s*{QUOTED}\s*", text.mask[start:end])
    said = said[1:-1].strip() if found else said
    return said if not is_last or re.search(r"\bno\.$", said, re.IGNORECASE) else said.rstrip(".")


def _is_name(text: RequestText, name: str, start: int, end: int) -> bool:
    if not name or len(name) > _MAX_CHARS or len(name.split()) > _MAX_WORDS:
        return False
    mask = text.mask[start:end].strip()
    if '"' in mask:
        return re.fullmatch(QUOTED, mask) is not None
    return is_plain_name(mask)


def is_plain_name(said: str) -> bool:
    """Whether words without quotation marks may be a name: no order, refusal or condition is in them."""
    is_word = said.isalpha() and said[:1].isupper() and said.isascii()
    return is_word or (_NO_NAME.search(said) is None and _are_closed(said))


def _are_closed(name: Sequence[str]) -> bool:
    """Whether each bracket of a name has its other half."""
    return all(name.count(a) == name.count(b) for a, b in ("()", "[]", "〈〉", "〔〕", "{}"))
