"""An enumeration said in running text as a plain list: behind a colon, between 、, commas or semicolons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText, TextSpan
from metier.packs.office.drafting._asides import asks, begins_with_order
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.lists import AND_ZH, COLUMN_WORDS, SaidList, strip_tail
from metier.packs.office.drafting.sequences._steps import SaidSequence, find_sequence
from metier.packs.office.drafting.sequences._ways import restate_ways
from metier.packs.office.drafting.sequences._written import list_compared, normalize

__all__ = ["PlainSequence", "list_sequence"]

_MAX_CHARS: Final = 1_000
_MAX_NAME_CHARS: Final = 12
_MAX_NAME_WORDS: Final = 5
# What no item says: whom it asks, what is done with a part, a measure with which an order begins.
_NO_ITEM: Final = re.compile(
    r"^(?:一?[个张份页]|一[行列段条]|[两三四五六七八九十几]\s*[个张份页行列段条]|在|把|将|给|请|帮|用|让|放在|插|不要|别|不用)|(?<![申邀聘敬])请(?![假示柬帖款购])|麻烦|帮我|给我|"
    r"[吧呢吗啦]$|"
    r"\b(?:please|i|we|you|it|they)\b|^(?:the|a|an) (?:table|chart|slide|document|title|heading)\b|"
    r"^(?:an? |one |two |three )?(?:new |blank |empty )*(?:rows?|columns?|table|chart|slide)\b",
    re.IGNORECASE,
)
# Parts of the thing itself: 先是标题，然后是正文.
# How a part looks, which is no name of it: the second one should be narrow.
_LOOK: Final = re.compile(
    r"[\u4e00-\u9fff]{0,4}(?:色|加粗|粗体|居中|对齐|空|空白|(?<![大长高])[宽窄大小粗细长短])(?:一?[点些])?的?|"
    r"(?:very |quite |a bit |a little )?(?:wide|narrow|wider|narrower|bold|italic|red|green|blue|gr[ae]y|empty|blank|"
    r"short|long|large|small|bigger|smaller|larger|cent(?:er|re)d|numbered|hidden|locked|sorted|optional|left|right)",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"标题|正文|落款|表头|表格|图表|艺术字|封面|目录|图片|空行|"
    r"the usual ones?|heading|table|chart|body(?: text)?|header",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"^(?:next|then|second|third|last|finally|lastly|also|plus|after|followed|and)\b|^(?:然后|接着|最后是|再)"
)
# Names that begin with a word of an enumeration: first name, last update, 最后更新时间.
_NAMED_SO: Final = re.compile(
    r"^(?:name|names|aid|class|floor|language|quarter|half|day|draft|line|place|shift|visit|payment|use|contact|grade|"
    r"party|check|review|version|edition|round|year|month|week|steps?|of)\b",
)
# What leaves open whether or which one it is.
_HEDGE: Final = re.compile(
    r"^(?:可能|也许|大概|应该|最好|比如|例如|类似)|或者|或是|还是|要么|\b(?:maybe|perhaps|probably|possibly|or|e\.g)\b",
    re.IGNORECASE,
)
_NO_NAME_ZH: Final = re.compile(
    r"[我你](?![方司])|[您他她咱别将吧呢吗]|(?<![\d每一两二三四五六七八九十])把|(?<![申邀聘敬])请(?![假示柬帖款购])|不要|[都也就再]|这[列项个行]|那[列项个行]"
)
_COUNTED: Final = re.compile(
    rf"(?<![第前后每])(?P<count>{COUNT})\s*(?:个|大)?(?:列|栏|项|块|部分|字段|条|点|节|章|段|格|个|步|环节|任务|columns?|items|points|parts|sections|"
    r"tasks|lines|bullets|bullet points|topics|steps)",
    re.IGNORECASE,
)
_NAME_EN: Final = re.compile(r"[A-Z][a-z]+")  # Build, between Design and Review
_TO_DO: Final = frozenset({"checklist", "todo"})
_COLUMNS: Final = re.compile(rf"{COLUMN_WORDS}|(?:{COUNT})\s*[列栏]", re.IGNORECASE)
# Rows to fill in under the items, which are columns then; further ones would be behind items that are rows.
_EMPTY_ROWS: Final = re.compile(
    rf"(?:{COUNT})\s*(?:空白?行|行空)|(?:空|留)(?:出)?(?:{COUNT})\s*行|\b(?:{COUNT}) (?:empty|blank) (?:rows|lines)\b",
    re.IGNORECASE,
)
_MORE_ROWS: Final = re.compile(
    r"(?:再|另外?|多|额外|备用)[\u4e00-\u9fff]{0,4}[空行]|\b(?:more|extra|additional|further|spare|other)\b",
    re.IGNORECASE,
)
_BLOCK: Final = re.compile(r"一(?:块|部分|章|节|段)")  # of a table it is no column
_LEVELS: Final = re.compile(r"[二三23][级层]|\blevels\b", re.IGNORECASE)  # the items would be one of them
_TABLE: Final = re.compile(r"[张个]表|表格")
_ONE_OF: Final = re.compile(r"(?:单独|各)?(?:占)?一[列栏项块格行条]$")
_MAX_ARTICLED: Final = 3
_TEMPLATES: Final = frozenset({"template"})
_LEADS: Final = re.compile(r"(?:\s*(?:里面|其中|and|in it|with|it has|is|are))+\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlainSequence:
    """A request with its enumeration as a plain list, and the items of it."""

    text: str
    items: tuple[str, ...]

    def is_kept(self, plan: JsonObject) -> bool:
        """Whether a plan writes each item, in this order, as a text of its own or with its parts in several."""
        written = list_compared(plan)
        places = [_find(one, written) for one in self.items]
        return None not in places and places == sorted(one for one in places if one is not None)


def _find(item: str, written: Sequence[str]) -> int | None:
    said = normalize(item)
    for at, text in enumerate(written):
        if text == said or (_is_compound(item) and text and said.startswith(text)):
            return at
    return None


def list_sequence(request: str) -> PlainSequence | None:
    """The request with its only enumeration as a plain list; None if it has none that can be read."""
    if len(request) > _MAX_CHARS:
        return None
    request = restate_ways(request)
    text = RequestText(request)
    said = find_sequence(text)
    before = text.mask[: said.start] if said else ""
    if said is None or _LEVELS.search(text.mask):
        return None
    if _BLOCK.search(text.mask, said.start, said.start + 4) and _TABLE.search(before):
        return None
    if not any(asks(one) for one in re.split(r"[,，。;!?\n]|\.\s", before)):
        return None
    parts = _strip_articles(_list_items(said, text.mask))
    if _is_to_do(text.mask, parts) or _is_mixed(parts):
        return None
    if len(parts) < 2 or any(_is_no_item(one, said) for one in parts):
        return None
    return _write(request, text.mask, said, parts)


def _strip_articles(items: Sequence[str]) -> list[str]:
    """Names without the article that all of them have; sentences keep it."""
    if all(re.match(r"the \S", one) and len(one.split()) <= _MAX_ARTICLED for one in items):
        return [one.removeprefix("the ") for one in items]
    return list(items)


def _is_mixed(items: Sequence[str]) -> bool:
    """Whether one of several English words begins small and others do not: Date, narrow."""
    kinds = {one[:1].isupper() for one in items if re.match(r"[A-Za-z]", one) and not _is_compound(one)}
    return len(kinds) > 1


def _is_to_do(mask: str, items: Sequence[str]) -> bool:
    """Whether the items may be what is checked or done, where the request does not say that they are columns."""
    if _COLUMNS.search(mask) or (_EMPTY_ROWS.search(mask) and not _MORE_ROWS.search(mask)):
        return False
    if not any(one.id in _TO_DO and one.pattern.search(mask) for one in list_topics()):
        return False
    return not SaidList(tuple(items), is_to_do=True).names_columns() and re.search(r"表|table", mask) is not None


def _list_items(said: SaidSequence, mask: str) -> list[str]:
    """Items of the stretches: each by itself where they have parts, else between the signs inside of them."""
    masked = [mask[one.start : one.end] for one in said.stretches]
    if _have_parts(said.stretches, masked):
        return [one.text.strip() for one in said.stretches]
    items: list[str] = []
    for at, one in enumerate(said.stretches):
        pieces = _split(one, masked[at], said, is_last=at == len(masked) - 1)
        if pieces is None:
            return []
        items += pieces
    if items and all(_ONE_OF.search(one) for one in items):
        items = [_ONE_OF.sub("", one) for one in items]
    if items:
        items[-1] = strip_tail(items[-1], items[:-1])
    return _split_joined(items, mask, said)


def _have_parts(stretches: Sequence[TextSpan], masked: Sequence[str]) -> bool:
    """Whether each stretch is a pair or a record: as many commas in all and alike behind them, or with numbers."""
    if any("、" in one for one in masked):
        return False
    pieces = [re.split(r"[,，]|\s[-–—]\s|——|→", one) for one in masked]
    if len({len(one) for one in pieces}) == 1 and len(pieces[0]) > 1:
        seconds = [one[1].strip()[:2] for one in pieces]
        return (
            len(set(seconds)) == 1
            or all(re.search(r"\d", one[1]) for one in pieces)
            or not re.search(r"[,，]", masked[0])
        )
    is_long = any(len(one.text.split()) > _MAX_NAME_WORDS or re.search(r"\d", one.text) for one in stretches)
    return is_long and all(len(one) == 1 for one in pieces)


def _split(stretch: TextSpan, masked: str, said: SaidSequence, *, is_last: bool) -> list[str] | None:
    if (said.has_ordinals and "、" in masked) or ("、" in masked and re.search(r"[,，]", masked)):
        return None  # a row, or a thing and what it has
    form = r"、|[,，]" if said.is_chinese else r",\s*"
    edges = [0, *(at for one in re.finditer(form, masked) for at in one.span()), len(masked)]
    pieces = [stretch.text[a:b].strip() for a, b in zip(edges[::2], edges[1::2], strict=True)]
    if said.is_chinese and re.search(r"[,，]", masked):
        is_told = is_last or said.has_ordinals or any(_NO_NAME_ZH.search(one) or "是" in one for one in pieces)
        return None if is_told else pieces
    if not said.is_chinese and not is_last:
        pieces[-1] = re.sub(r"\s+and$", "", pieces[-1])
    return pieces if all(pieces) else None


def _split_joined(items: list[str], mask: str, said: SaidSequence) -> list[str]:
    """Names joined by 和 or `and`, where the count that the request says decides whether they are one or two."""
    join = rf"(?<=[\u4e00-\u9fff]{{2}}){AND_ZH}(?=[\u4e00-\u9fff]{{2}})" if said.is_chinese else r"\s+and\s+"
    halves = [re.split(join, one) for one in items]
    if all(len(one) == 1 for one in halves):
        return items
    around = re.split(r"[。!?\n]", mask[: said.start])[-1] + "\n" + re.split(r"[。!?\n]", mask[said.end :])[0]
    counts = {read_count(one["count"]) for one in _COUNTED.finditer(around)}
    apart = [name for one in halves for name in one]
    if len(items) in counts:
        return items
    return apart if len(apart) in counts else []


def _is_no_item(item: str, said: SaidSequence) -> bool:
    if len(re.findall(r"[(（]", item)) != len(re.findall(r"[)）]", item)) or not item:
        return True
    if (
        _HEDGE.search(item)
        or _NO_ITEM.search(item)
        or _PART.fullmatch(item)
        or _LOOK.fullmatch(item)
        or _JOINED.search(item)
    ):
        return True
    if not said.is_chinese:
        return _NAMED_SO.match(item) is not None or (not _NAME_EN.fullmatch(item) and begins_with_order(item))
    return _NO_NAME_ZH.search(item) is not None and len(item) <= _MAX_NAME_CHARS


def _is_compound(item: str) -> bool:
    return re.search(r"\d|[,，]|\s[-–—]\s|——|→", item) is not None


def _write(request: str, mask: str, said: SaidSequence, items: Sequence[str]) -> PlainSequence:
    is_long = any(_is_compound(one) or len(one.split()) > _MAX_NAME_WORDS for one in items) or (
        said.is_chinese and any(len(one) > _MAX_NAME_CHARS for one in items) and not any("、" in one for one in items)
    )
    sign = ("；" if is_long else "、") if said.is_chinese else "; " if is_long else ", "
    before = request[: said.start].rstrip(" ,，、。;；:：.?？!！")
    after = request[said.end :]
    if said.is_chinese:
        lead = "："
        if is_long and re.match(r"[,，]", after):
            after = f"。{after[1:]}"
    else:
        lead, after = _lead_english(mask[: said.start], mask), _close_english(after)
        before = _LEADS.sub("", before).rstrip(" ,") if lead != ": " else before
    return PlainSequence(f"{before}{lead}{sign.join(items)}{after}", tuple(one.strip(' "“”') for one in items))


def _lead_english(before: str, mask: str) -> str:
    if any(one.id in _TO_DO and one.pattern.search(before) for one in list_topics()) and _EMPTY_ROWS.search(mask):
        return ", with columns "
    is_template = any(one.kind in _TEMPLATES and one.pattern.search(before) for one in list_topics())
    return ", with sections " if is_template else ": "


_GOES_ON: Final = re.compile(r"\s*(?:,\s*|\.\s+)?(?:and\s+)?(?=(?P<word>[a-z]+)\b)")


def _close_english(after: str) -> str:
    """A full stop before what follows, so that nothing of it is an item."""
    found = _GOES_ON.match(after)
    if found is None or not found["word"]:
        return after
    rest = after[found.end() :]
    return f". {rest[:1].upper()}{rest[1:]}" if after.startswith(",") and found["word"] != "with" else after
