"""Lists of names in a message about tables, whatever signs stand between them, and what leads to each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, QUOTED, RequestText
from metier.packs.office.drafting.columns import is_plain_name
from metier.packs.office.drafting.lists import AND_ZH

__all__ = ["NameList", "find_names"]

_ITEM: Final = r"[^,，、。;；:：!?！？()（）\[\]/|\n\"\ufffc— ]{1,24}"
_QUOTED_ITEM: Final = rf"(?:{QUOTED})"
_SIGN: Final = r"[ ]?[、/|][ ]?"
_RUN_ZH: Final = re.compile(
    rf"{_ITEM}(?:{_SIGN}{_ITEM})+|{_QUOTED_ITEM}(?:(?:{_SIGN}|\s*(?:和|及|以及|与)\s*)?{_QUOTED_ITEM})+"
)
# What leads to the first name: 表头依次为, 第一行写, 四列分别填, 有.
_COLUMNS: Final = (
    r"(?:列(?:名称?|标题|头)?(?!举|出|支|车|表)|栏目?(?:名称?)?|左起|从左数|字段名?|表头|标题行?(?!为|是)|抬头|首行|第一行|表格?(?:里面?|中|上)|"
    r"里面|横[着向]|项目(?=是|为|有)|内容(?=是|为|有))"
)
_MODES: Final = r"(?:分别|依次|顺次|从左到右|从左往右|依序|按顺序)"
_IS: Final = (
    rf"(?:{_MODES}?(?:就|要|应|得|需要?|统一|请)?{_MODES}?(?:为(?!期)|是(?![否非])|有(?![效无关害限功机色氧声价偿期源线轨])|写(?![字作])[上着明]?|叫做?|"
    r"设(?![备计施])[为有]?|填(?![报表写土料充方])[上写]?|放(?![置大])|包含|包括|含(?![量税水])有?|用(?![途量户工时料水电具]|品(?!名))|"
    rf"记(?![录事])|登记(?=.{{2}})|上(?=.{{2,}}[、])|列(?!车|支|席))(?:{_MODES})?|{_MODES})"
)
_LEAD: Final = re.compile(
    rf"^(?:每[条个行项份][\u4e00-\u9fff]{{0,4}}?|其中|内容){_IS}(?=\S)|^.*?{_COLUMNS}(?:{COUNT}\s*个?(?:列|栏|项)?)?(?:{_IS})?(?=\S)|^(?:先|后|再|又|接着|然后|随后|其次|最后)?{_IS}(?=\S)|^.*[个张份](?:[^、]{{0,6}}表格?)?{_IS}(?=\S)|^(?:第[一二12]|[上下前后另头]一?)[个张份]?表格?的?(?:{_IS})?(?=\S)"
)
# What no name begins with: the rest of what leads to it, or another table.
_LEADS: Final = re.compile(
    r"^(?:[上下前后]表|第[一二12][个张份]|[一两][个张份]|列(?![支席位出])|有(?![效关限害无])|分别|依次|包括|包含|是(?!否)|写(?![字作])|填(?![报表写人])|表头|各)"
)
_COUNTED_TAIL: Final = re.compile(
    rf"(?:等|这|那|共|一共|总共|共计)*(?P<count>{COUNT})\s*(?:个)?(?:列|栏|项|个|字段|样|大?类)(?:内容|信息|列)?(?P<rest>.*)$|"
    r"(?:这|那)(?:几|些)(?:个)?(?:列|栏|项|个|字段|样)(?:内容)?(?P<rest2>.*)$"
)
# What stands right behind the last name and is no part of it.
_PLAIN_TAIL: Final = re.compile(
    r"(?:(?:是|为|作|成|放)?(?:另?一|第[一二])[个张份]表格?|(?:做|作|当|为|作为|当作|做成)(?:表头|列名|列|第一行|标题行?)|(?:就)?(?:即可|就行|就好|就够了?)|吧|"
    r"(?:就)?可以了?|等(?=$))(?P<rest>.*)$"
)
# English: names begin with a capital letter, or stand behind the word for them.
_WORD: Final = r"[A-Za-z0-9][\w'’&%#°/-]*"
_STOPS: Final = (
    r"(?:and|with|plus|in|at|on|for|please|as|to|is|are|then|leave|leaving|give|giving|make|that|which|columns?|rows?|headers?|"
    r"headings?|across|here|thanks|below|under|underneath|beneath|above|so|but|or|should|must|will|would|from|of|into|each|the|a|an)"
)
# Small words inside of a name: Date of birth, By when, Assigned to, Start and end.
_INSIDE: Final = rf"(?!(?!(?:of|to)\b){_STOPS}\b|of\b(?! [A-Za-z])|to\b(?!\s*[,.;:|/]|\s+and\b|\s*$)){_WORD}"
_NAME_EN: Final = (
    rf"(?:(?:No\.|(?!No\.)[A-Z#][\w'’&%#°/-]*)(?: {_INSIDE}){{0,4}}(?:\s?\([^()\n]{{1,14}}\))?|{_QUOTED_ITEM})"
)
_RUN_EN: Final = re.compile(
    rf"{_NAME_EN}(?:\s*,\s*(?!(?:and|then|with) \d){_NAME_EN})+(?:\s*,?\s+(?:and|&)\s+{_NAME_EN})?|"
    rf"{_NAME_EN}(?:(?: / | ?\| ?){_NAME_EN})+|{_NAME_EN}\s+and\s+{_NAME_EN}"
)
# Words with a capital letter at the beginning of a sentence that lead to a name.
_LEAD_EN: Final = re.compile(
    r"^(?:(?:the|its|with|four|five|three|six|use|put|make|have)\s+)*(?:columns?|column (?:names|headings|"
    r"headers|titles|heads)|headings?|headers?(?: row)?|cols?|fields|first row|top row)"
    r"(?:\s+(?:are|is|should be|being|called|named|headed|titled|will be|as follows|should read|reads?|"
    r"for))*\s*:?\s+(?=[A-Z#\"])",
    re.IGNORECASE,
)
# The mark of an item, or a blank between Chinese words: two lists may stand there.
_MARK: Final = re.compile(r"^[①②③④⑤⑥⑦⑧⑨]|[\u4e00-\u9fff]\s+\S|\s[①②③④⑤⑥⑦⑧⑨]")
_GRID: Final = re.compile(rf"[横竖][着向]?\s*{COUNT}\s*格")
# A sign or word that may join two names.
_JOINED: Final = re.compile(
    rf"[&＆]|[这那]几|[改换删变]成|列表|插入|^[^\x00-\x7f]{{15,}}$|(?<=[\u4e00-\u9fff])(?:{AND_ZH}|与)(?=[\u4e00-\u9fff])"
)
_MAX_NAMES: Final = 12


@dataclass(frozen=True, slots=True)
class NameList:
    """Names, where they stand, and how many the words behind them say there are."""

    names: tuple[str, ...]
    start: int
    end: int
    count: int | None = None


def find_names(text: RequestText) -> list[NameList] | None:
    """The lists of names; None if one of them cannot be read in one way only."""
    is_chinese = CHINESE.search(text.mask) is not None
    found: list[NameList] = []
    for run in _find_runs(text.mask, is_chinese=is_chinese):
        one = _read_zh(text, run) if is_chinese else _read_en(text, run)
        if one is None:
            return None
        found.append(one)
    return found


def _find_runs(mask: str, *, is_chinese: bool) -> Iterator["re.Match[str]"]:
    for run in (_RUN_ZH if is_chinese else _RUN_EN).finditer(mask):
        if is_chinese and _GRID.search(run[0]):
            continue
        if is_chinese and not CHINESE.search(run[0]) and '"' not in run[0] and not re.search(r"[A-Za-z]", run[0]):
            continue
        yield run


def _read_zh(text: RequestText, run: "re.Match[str]") -> NameList | None:
    spans, at = [], run.start()
    for sign in [*re.finditer(r"\s*、\s*" if "、" in run[0] else _SIGN, run[0]), None]:
        end = run.end() if sign is None else run.start() + sign.start()
        spans.append((at, end))
        at = end if sign is None else run.start() + sign.end()
    if '"' in run[0]:
        spans = [(run.start() + one.start(), run.start() + one.end()) for one in re.finditer(QUOTED, run[0])]
    first = text.mask[slice(*spans[0])]
    lead = _LEAD.match(first)
    spans[0] = (spans[0][0] + (lead.end() if lead else 0), spans[0][1])
    start, count = spans[0][0], None
    last = text.mask[slice(*spans[-1])]
    tail = _COUNTED_TAIL.search(last)
    end = spans[-1][1]
    if tail is None and lead is not None and re.search("[个张份]", lead[0]) and last.endswith("的表"):
        spans[-1] = (spans[-1][0], spans[-1][1] - 2)
    if tail is not None and tail.start() > 0:
        rest = tail["rest"] if tail["rest"] is not None else tail["rest2"] or ""
        end = spans[-1][1] - len(rest)
        count = read_count(tail["count"]) if tail["count"] else None
    else:
        tail = _PLAIN_TAIL.search(last)
        end = 0
    if tail is not None and tail.start() > 0:
        spans[-1] = (spans[-1][0], spans[-1][0] + tail.start())
    spans = _split_last(text.mask, spans, count)
    found = _build(text, spans, start, count)
    return found and replace(found, end=max(found.end, end))


def _split_last(mask: str, spans: list[tuple[int, int]], count: int | None) -> list[tuple[int, int]]:
    """The names with the last two apart that a word joins: 电话和备注."""
    start, end = spans[-1]
    if count == len(spans) or '"' in mask[start:end]:
        return spans
    joined = [one for one in re.finditer(AND_ZH, mask[start:end]) if one.start() > 0 and one.end() < end - start]
    if len(joined) != 1:
        return spans
    return [*spans[:-1], (start, start + joined[0].start()), (start + joined[0].end(), end)]


def _read_en(text: RequestText, run: "re.Match[str]") -> NameList | None:
    start = run.start()
    if lead := _LEAD_EN.match(text.mask[start : run.end()]):
        start += lead.end()
    spans, at = [], start
    signs = r"\s*,\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+"
    body = text.mask[start : run.end()]
    for sign in [*re.finditer(signs if "," in body else rf"{signs}|\s*[|/]\s*", body), None]:
        end = run.end() if sign is None else start + sign.start()
        spans.append((at, end))
        at = end if sign is None else start + sign.end()
    return _build(text, spans, start, None)


def _build(text: RequestText, spans: list[tuple[int, int]], start: int, count: int | None) -> NameList | None:
    names = tuple(text.raw[slice(*one)].strip(' “”"「」') for one in spans)
    is_read = 1 < len(names) <= _MAX_NAMES and len({one.casefold() for one in names}) == len(names)
    masks = [text.mask[slice(*one)].strip() for one in spans]
    is_read = is_read and all('"' in mask or (is_plain_name(mask) and not _LEADS.match(mask)) for mask in masks)
    is_read = is_read and not any(_JOINED.search(mask) for mask in masks)
    is_read = is_read and not any(_MARK.search(mask) for mask in masks)
    is_read = is_read and (count is None or count == len(names))
    is_read = is_read and not re.match(r"\s*(?:[?(\[](?!\s*$)|[^\W\d_]*\()", text.mask[spans[-1][1] :])
    return NameList(names, start, spans[-1][1], count) if is_read else None
