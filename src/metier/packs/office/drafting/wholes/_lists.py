"""Lists of a told message: names or sentences, with what stands behind the last of them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.drafting._asides import begins_with_order, is_aside, is_spoken
from metier.packs.office.drafting.lists import split_items
from metier.packs.office.drafting.remarks import may_remark

__all__ = ["ListReader", "ToldList", "read_entries", "read_names", "read_points"]

_UNIT_ZH: Final = r"(?:个|大|小|块)?(?:小?标题|部分|小?节|[项块条点样栏段件种]|板块|版块|方面|栏目|要素|位置|环节)"
# What follows the last name and is no part of it.
_TAIL_ZH: Final = (
    rf"(?:[,，]?(?<![第前后每])(?:这|那|等|一?共|总共)?(?:{COUNT}|几|些){_UNIT_ZH}|"
    r"(?:这|那)些(?:个)?(?:项目|位置|内容|部分|栏目|东西)?|的(?:先后)?顺序|(?:都)?[编标](?:上|好|着)?[序编]?号"
    r"|各(?:占|起|设|写|用|来|有|是|带|配|自)|"
    r"给(?:大家|我们|他们|人)|分(?=[两二三四五六七八\d成为])|三?部?分?组成|构成|列出来|列上|列好|都要?有|"
    r"都得?有|都要|缺一不可|(?:就)?(?:行|可以|好|够)了?(?=[,，。;!?]|$))"
)
# A name ends before the sign or the tail behind it; loops give nothing back.
_NAME_ZH: Final = (
    rf"(?>{QUOTED}|[^,，。;:、!?\n\"{CONSUMED}]{{1,20}}?(?=\s*(?:、|{_TAIL_ZH}|[,，。;!?\n(]|——|\s[-–—]|$)))"
)
_PART_ZH: Final = rf"[^,，。;:、!?\n\"{CONSUMED}]{{1,20}}"
_MARK_ZH: Final = r"(?:[①-⑨]|\d[.、)])"
_NAMES_ZH: Final = re.compile(
    rf"{_NAME_ZH}(?:、{_NAME_ZH})++|{_PART_ZH}?(?:和|及|与|以及){_NAME_ZH}(?![、;；])|{_PART_ZH}(?:[;；]{_PART_ZH})++(?=[。.]|$)|"
    rf"(?:(?>[一二三四五六七八九十]、{_PART_ZH})[;；,，]?){{2,}}+(?=[。]|$)|"
    rf"(?>{_MARK_ZH}(?:(?!{_MARK_ZH})[^。\n])+){{2,}}+(?=[。]|$)"
)
_BARE_NAMES_ZH: Final = re.compile(rf"{_NAME_ZH}(?:、{_NAME_ZH}){{2,}}+")
_WORD_EN: Final = r"[A-Za-z\d][\w'’/&+-]*"
_STOP_EN: Final = (
    r"(?!(?:and|or|so|then|each|every|all|in|with|as|under|which|that|please|to|it|they|at|numbered|below|I|we"
    r"|for|on)\b)"
)
_ENDS_EN: Final = (
    r"(?=\s*(?:[.;!?:\n)]|$|\s[-–—]|,?\s+(?:each|so|in that order|please|under|in (?:a|that)|numbered|as (?:a|"
    r"sections|headings|bullets)|"
    r"at the|with (?:its|their|a|numbers)|for (?:us|me|people|the|everyone)|to (?:be )?fill|belong|go|come|"
    r"thanks|one)\b|,\s+(?:I|we|and (?:please|put|add|leave|make|keep|number))\b))"
)
_NAME_EN: Final = (
    rf"(?>{QUOTED}|{_STOP_EN}{_WORD_EN}(?: (?!and\b){_WORD_EN}){{0,5}}?(?=\s*[,;]|\s+and\b|\s*\d[.)]|{_ENDS_EN}))"
)
_NAMES_EN: Final = re.compile(
    rf"{_NAME_EN}(?:\s*[,;]\s*(?:and\s+)?(?:then\s+)?{_NAME_EN})++(?:,?\s+and\s+(?:then\s+)?{_NAME_EN})?{_ENDS_EN}|"
    rf"{_NAME_EN}\s+and\s+{_NAME_EN}{_ENDS_EN}|"
    rf"(?>\d[.)]\s*{_NAME_EN}\s*[,;]?\s*){{2,}}+{_ENDS_EN}",
    re.IGNORECASE,
)
# A word of an order, a refusal or talk to the reader is no name.
_NO_NAME_ZH: Final = re.compile(
    r"^(?:不(?:要|用|必|需|写|含|加|留|包|能|得|许)|别|勿|甭|除|请|把|将|给[我大你他]|让|但|而|并|或|再|然后|还|也|就|都|帮|各|每|按|用|在|放|插|加|"
    r"写|列|做|是|为|有(?!效|关|限|无|害)|的)|"
    r"不要|不用|除外|[我你您他她咱]|[吧呢吗了]$|下面|上面|文末|末尾"
)
_NO_NAME_EN: Final = re.compile(
    r"(?-i:[a-z\d] (?:is|are|was|were|that|will|has|have) )|[a-z\d] (?:in|with|without|as|under|at|except|"
    r"from) |^(?:not?|except|without|but|only|please|don['’]?t|"
    r"add|put|insert|make|leave|write|keep)\b|\b(?:please|I|"
    r"we|you|my|your|should|must|don['’]t|doc(?:ument)?|below|above)\b",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_MAX_ITEMS: Final = 40
_MIN_POINT: Final = 4
_ARTICLE: Final = 4
_COMMA: Final = re.compile(r"[,，]")


@dataclass(frozen=True, slots=True)
class ToldList:
    """Items, and where they end."""

    items: tuple[str, ...]
    end: int


ListReader = Callable[[RequestText, int, bool], ToldList | None]


def read_names(text: RequestText, at: int, is_bare: bool) -> ToldList | None:
    """Names from a place on; a bare list must be in Chinese and have three of them."""
    forms: tuple[re.Pattern[str], ...] = (_BARE_NAMES_ZH,) if is_bare else (_NAMES_ZH, _NAMES_EN)
    if is_bare and text.mask[:at].rstrip(f" {CONSUMED}").endswith((":", "-", "–", "—")):
        forms = (_NAMES_ZH, _NAMES_EN)
    at = _skip_blanks(text.mask, at)
    is_chinese = _CHINESE.search(text.mask[at : at + 40]) is not None
    for form in forms:
        if (form is _NAMES_EN) == is_chinese and form is _NAMES_EN:
            continue
        found = form.match(text.mask, at)
        if found is None:
            continue
        items = split_items(text, *found.span())
        if len(items) > 1 and all(_is_name(one) for one in items):
            return ToldList(items, found.end())
    return None


def _is_name(item: str) -> bool:
    form = _NO_NAME_ZH if _CHINESE.search(item) else _NO_NAME_EN
    return bool(item.strip()) and form.search(item) is None and not re.search(r"[,，。;；:：]", item)


def read_entries(text: RequestText, at: int, is_bare: bool) -> ToldList | None:
    """Names with the articles that they are written with: the deed, the plan."""
    read = read_names(text, at, is_bare)
    if read is None:
        return None
    said = text.raw[max(0, at - _ARTICLE) : read.end]
    whole = (re.search(rf"\b(?:the|an?) {re.escape(one)}(?!\w)", said, re.IGNORECASE) for one in read.items)
    items = zip(read.items, whole, strict=True)
    return ToldList(tuple(found[0] if found else one for one, found in items), read.end)


def read_points(text: RequestText, at: int, is_bare: bool) -> ToldList | None:
    """Sentences between semicolons, marks or full stops, from a place to the end of the message or its sentence."""
    is_opened = text.mask[:at].rstrip(f" {CONSUMED}").endswith((":", "-", "–", "—"))
    at = _skip_blanks(text.mask, at)
    if is_bare and not is_opened and _MARKED.match(text.mask, at) is None:
        return None
    for form in _POINTS:
        found = form.match(text.mask, at)
        if found is None:
            continue
        items = tuple(one.strip(" .。;；,，?？!！") for one in _split_points(text.raw[found.start() : found.end()]))
        if 1 < len(items) <= _MAX_ITEMS and all(map(_is_point, items)) and not _has_tail(items):
            return ToldList(items, found.end())
    return None


_MARK: Final = (
    r"(?:[①-⑨]|\d[.、)）]|第?[一二三四五六][是、]|第[一二三四五六][,，、]|(?:first|second|third|fourth|finally"
    r"|last)(?:ly)?,)"
)
_POINTS: Final = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"(?>{_MARK}(?:(?!{_MARK})(?:[^\n。.!?？]|。(?=\s*{_MARK})|\.(?=\S|\s*{_MARK})))+){{2,}}+",
        r"(?:[^;；。\n?!.]|\.(?=\S))++(?:[;；](?:[^;；。\n?!.]|\.(?=\S))++)++",
    )
)
_MARKED: Final = re.compile(_MARK, re.IGNORECASE)
_BY_MARK: Final = re.compile(rf"(?:^|(?<=[,，;；。.\s])|(?=[①-⑨]))\s*{_MARK}\s*[,，、]?", re.IGNORECASE)


def _split_points(said: str) -> Sequence[str]:
    marked = [one for one in _BY_MARK.split(said) if one.strip()]
    if len(marked) > 1:
        return marked
    return [re.sub(r"^(?:and|以及)\s*", "", one.strip(), flags=re.IGNORECASE) for one in re.split(r"[;；]", said)]


def _has_tail(items: Sequence[str]) -> bool:
    """Whether only the last point has a comma: what stands behind it may be said of all of them."""
    return _COMMA.search(items[-1]) is not None and not any(map(_COMMA.search, items[:-1]))


def _is_point(said: str) -> bool:
    clauses = [one.strip() for one in re.split(r"[,，]", said)]
    return len(said) >= _MIN_POINT and not any(
        _ORDERS.match(one)
        or may_remark(one)
        or (at and (is_spoken(one) or is_aside(one) or begins_with_order(one) or _MANNER.match(one)))
        for at, one in enumerate(clauses)
    )


_ORDERS: Final = re.compile(
    r"请|把|将|帮|给我|麻烦|不要|别|并且?(?![\u4e00-\u9fff]{2,}了)|再|另外|(?:and |also |but |"
    r"please )*(?:please|put|add|insert|make|use|keep|leave|don['’]?t|do not)\b",
    re.IGNORECASE,
)


# 写成一段话, 用一段话说: how the points are to be written is no part of the last one.
_MANNER: Final = re.compile(
    r"(?:都)?(?:写|做|合|并|排|弄|改)成|[用按以]|每|各|最后|第[一二三四五\d]|最多|不超过|as |in |all |each |with ",
    re.IGNORECASE,
)


def _skip_blanks(mask: str, at: int) -> int:
    found = re.compile(rf"[\s{CONSUMED}:：]*").match(mask, at)
    return found.end() if found else at
