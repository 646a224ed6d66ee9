"""Lists behind a colon as they stand in a request, and what a plan has made of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._plan_texts import list_tables, list_texts
from metier.packs.office.drafting.lists._joins import AND

__all__ = ["SaidList", "find_said_lists", "is_value", "list_unkept"]

_COLON: Final = re.compile(r"(?<!\d):(?!//)|:(?!\d|//)")
_STOP: Final = re.compile(r"[。;:!?\n]|(?<!\bNo)\.(?=\s|$)", re.IGNORECASE)
_STOP_TO_DO: Final = re.compile(r"[。:!?\n]|(?<!\bNo)\.(?=\s|$)", re.IGNORECASE)
_TO_DO: Final = re.compile(
    r"待办|(?<!报价)(?<!价格)清单|检查单|\bcheck[ -]?lists?\b|\bto[ -]?dos?\b|"
    r"\b(?:task|packing|shopping) list\b|\blist of tasks\b",
    re.IGNORECASE,
)
_NO_TO_DO: Final = re.compile(
    rf"列(?![出个一表])|栏|表头|字段|表格|{COUNT}\s*个?空?行(?![李程动])|"
    r"\b(?:columns?|headings?|headers?|fields|rows?|matrix)\b|list table\b|\b(?:in|as an?) table\b",
    re.IGNORECASE,
)
# What the columns of a list are called, whatever it lists.
_COLUMN: Final = re.compile(
    r"序号|编号|.{0,2}(?:名称|数量|单价|金额|型号|规格|单位|日期|时间|状态|备注|结果|标准|等级|部门)|事项|任务|"
    r"(?:检查|核对)?(?:项|项目|内容)|(?:负责|责任|检查|经办|联系)人|姓名|电话|优先级|进度|截止(?:日期|时间)?|期限|"
    r"no\.?|id|items?|tasks?|names?|owners?|due(?: dates?)?|deadlines?|dates?|status|state|priority|quantity|qty|"
    r"(?:unit )?prices?|amounts?|results?|remarks?|notes?|comments?|standards?|checks?|checked(?: by)?|who|when|done",
    re.IGNORECASE,
)
# A clause that says how the list is written, and is none of its items.
_ASIDE: Final = re.compile(
    rf"\d|{COUNT}\s*(?:个|张)?空?[行列栏项条页]|[放插加留填写做建画]|空[白行着]|谢|请|麻烦|就行|即可|就好|标题|表头|加粗|不要|别|"
    r"\b(?:rows?|columns?|lines?|weeks?|please|thanks?|table|chart|titles?d?|heading|bold|at the|empty|blank|leave|"
    r"with|without|not|no|in that order|plus|after|before|under|below|above)\b",
    re.IGNORECASE,
)
_JOIN: Final = re.compile(rf"{AND}|还有", re.IGNORECASE)
_FIRST: Final = re.compile(r"^(?:and\s+|以及|还有|和(?=\S{2}))?(?:an?\s+|the\s+)?", re.IGNORECASE)
# A sum or a count at the end of a name; a length of time as in 近30天 and a year are parts of names.
_SUM: Final = re.compile(
    r"(?<![第近前后每满超逾Q\d.])\d[\d,]*(?:\.\d+)?\s*(?:元|块钱?|万元?|亿元?|千元?|百元|[%％]|[台套件份吨]|公斤|kg|usd|eur|rmb|k)$|"
    r"[¥￥$€£]\s*\d[\d,.]*$|(?<=[\u4e00-\u9fff])(?!(?:19|20)\d\d$)\d[\d,]{2,}(?:\.\d+)?$",
    re.IGNORECASE,
)
_WORDS: Final = (
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)"
)
# So many people or things: no name of a column, but what the table is for.
_COUNTED: Final = re.compile(
    rf"^(?:\d+|{_WORDS})\s+[a-z]+(?: [a-z]+)?$|\b(?:for|with|among)\s+(?:\d+|{_WORDS})\s+[a-z]|"
    r"^\d+\s*[名位份]\S|[给供]\s*\d+\s*[个名位]?人"
)
# So many at a price: a position, and no name.
_PRICED: Final = re.compile(r"\d[^,，、;；]{0,24}?(?:@|×|\b(?:at|for|x)\b)\s*[£$€¥]?\d", re.IGNORECASE)
# The same in words that no name has; what is counted of the table itself is looked at elsewhere.
_COUNTED_IN_WORDS: Final = re.compile(
    rf"{_WORDS}\s+"
    r"(?:people|persons|(?!rows|columns|lines|cells|fields|head|points|bullets|items|entries|tables|lists|slides|pages|sections|"
    r"parts|chapters|levels|weeks|days|months|quarters|years|phases|steps|tasks|stages|milestones|sentences|paragraphs|"
    r"words|things|blanks|spaces|records|names|titles|charts|bars|series|values|numbers|figures|topics|decimals)[a-z]{3,}s)\b"
)


@dataclass(frozen=True, slots=True)
class SaidList:
    """The items between the separators of a list, and whether it is one of things to do or to check."""

    items: tuple[str, ...]
    is_to_do: bool

    def names_columns(self) -> bool:
        """Whether most items are names that columns have."""
        return 2 * sum(_COLUMN.fullmatch(one) is not None for one in self.items) > len(self.items)


def find_said_lists(request: RequestText) -> Iterator[SaidList]:
    """Lists behind a colon: of at least two items, or of things to do."""
    for colon in _COLON.finditer(request.mask):
        start = max((one.end() for one in _STOP.finditer(request.mask, 0, colon.start())), default=0)
        lead = request.mask[start : colon.start()]
        is_to_do = _TO_DO.search(lead) is not None and _NO_TO_DO.search(request.mask) is None
        stop = (_STOP_TO_DO if is_to_do else _STOP).search(request.mask, colon.end())
        spans = _split(request.mask, colon.end(), stop.start() if stop else len(request.mask))
        items = tuple(request.raw[a:b].strip() for a, b in spans if not re.search(QUOTED, request.mask[a:b]))
        if len(items) > (0 if is_to_do else 1):
            yield SaidList(items, is_to_do)


def _split(mask: str, start: int, end: int) -> list[tuple[int, int]]:
    """Items of a stretch: between semicolons, else between 、 in the first clause that has one, else between commas."""
    signs = next((one for one in (";", "、") if one in mask[start:end]), ",，")
    clauses = [one.span() for one in re.compile(r"[^,，]+").finditer(mask, start, end) if one[0].strip()]
    if signs == "、":
        start, end = next(one for one in clauses if signs in mask[slice(*one)])
    return [one.span() for one in re.compile(f"[^{signs}]+").finditer(mask, start, end) if one[0].strip()]


def is_value(name: str) -> bool:
    """Whether the words of a column have a value in them: 办公费8000元, 13 attendees, Role for 12 people."""
    return bool(_SUM.search(name) or _COUNTED.search(name) or _PRICED.search(name))


def list_unkept(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Items behind a colon that a plan leaves out, cuts or makes columns of, and columns that are values."""
    quoted = {one.text for one in request.quotes}
    header = [cell.strip() for table in list_tables(actions) if table for cell in table[0]]
    yield from (one for one in header if one not in quoted and one in request.raw and is_value(one))
    written = {_plain(one) for one in list_texts(actions)}
    joined = "\n".join(written)
    yield from (one[0] for one in _COUNTED_IN_WORDS.finditer(request.mask) if one[0].lower() not in joined)
    titles = [str(one.get("text"))[2:].strip() for one in actions if str(one.get("text") or "").startswith("# ")]
    for said in find_said_lists(request):
        if said.is_to_do:
            if not said.names_columns():
                yield from (one for one in said.items if one in header)
            yield from (one for one in said.items if any(_is_only_inside(name, one, request.raw) for name in titles))
        kept = [one for one in said.items if _plain(one) in written]
        if len(kept) < 2 and not said.is_to_do:
            continue
        kept += [] if said.is_to_do else _list_edges(said, written)
        yield from (
            one
            for one in said.items
            if one not in kept and not _is_joined(one, written) and (said.is_to_do or not _ASIDE.search(one))
        )


def _plain(item: str) -> str:
    return _FIRST.sub("", item.strip().rstrip(".。：: ")).lower()


def _list_edges(said: SaidList, written: set[str]) -> list[str]:
    """The first item with the words that lead to it and the last with those behind it, where the rest is written."""
    first, last = said.items[0], said.items[-1]
    names = tuple(one for one in written if len(one) > 1)
    return [*([first] if _plain(first).endswith(names) else []), *([last] if _plain(last).startswith(names) else [])]


def _is_joined(item: str, written: set[str]) -> bool:
    """Whether the last item of a list holds two that are written."""
    parts = [one for one in _JOIN.split(item) if one.strip()]
    return len(parts) > 1 and all(_plain(one) in written for one in parts)


def _is_only_inside(title: str, item: str, request: str) -> bool:
    """Whether a title stands in a request only as a part of an item: 周报 of 写周报."""
    return len(title) > 1 and title != item and title in item and title not in request.replace(item, "\n")
