"""Second reading of a plan by one who did not draft it: what it writes must stand in the request as it is written."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText, find_spans
from metier.packs.office.drafting._plan_texts import list_lines, list_rows, list_texts
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison._numbers import (
    NUMBER,
    join_values,
    list_displaced,
    list_unused_numbers,
)
from metier.packs.office.drafting.comparison.additions._cut_names import find_cut_name, find_lost_rest, find_order
from metier.packs.office.drafting.comparison.additions._name_form import MAX_NAME, is_broken, is_name, is_whole
from metier.packs.office.drafting.lists import (
    AND_EN,
    find_said_lists,
    is_marked_off,
    list_unkept,
    strip_article,
    strip_tail,
)

__all__ = ["check_support", "list_cut_texts"]

_BRACKETS: Final = (("(（", ")）"), ("[【", "]】"), ("“", "”"), ("《", "》"), ("「", "」"))
_ITEM_LINE: Final = re.compile(r"^(?:(#+) |\d+\. )?(.*)$")
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
    headers = [[cell.strip() for cell in one] for one in _list_headers(actions)]
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
                and not (is_name(name, others, request.raw) and is_whole(name, others, request.raw))
            ):
                yield name
    for cell in _list_cells(actions):
        if cell not in quoted and cell in request.raw and (is_broken(cell, request.raw)):
            yield cell
    yield from (one for one in list_cut_texts(actions) if one in request.raw and one not in quoted)
    written = join_values(actions)
    for found in _SLASHED.finditer(request.mask):
        for item in re.split(r"\s*[/|]\s*", found[0]):
            if len(item) > 1 and not NUMBER.fullmatch(item) and not _is_in(item, written):
                yield item
    yield from _list_marked(request, [one for names in list_names(actions) for one in names])
    yield from _list_lost(request, [one for names in list_names(actions) for one in names])
    yield from list_unused_numbers(request, actions)
    yield from list_displaced(request, actions)
    if (top := _TOP.search(request.mask)) and place.kind not in ("start", "anchor"):
        yield top[0]


def _list_headers(actions: Sequence[JsonObject]) -> Iterator[list[str]]:
    """First rows of the tables of a plan."""
    yield from (rows[0] for one in actions if one.get("op") == "insert_table" and (rows := list_rows(one)))


def list_cut_texts(actions: Sequence[JsonObject]) -> Iterator[str]:
    """Texts with half of a pair of brackets or quotation marks: what stood beside them was taken with them, or cut."""
    fields = [str(one[name]) for one in actions for name in ("text", "title", "content", "caption") if one.get(name)]
    names = (name for listed in list_names(actions) for name in listed)
    texts = [*(line for one in fields for line in one.splitlines()), *names, *_list_cells(actions)]
    for text in texts:
        bare = re.sub(r"^#+ (?:[(（][一二三四五六七八九十]+[)）])?|^\d+[.)）] ", "", text)
        if any(_count(one, bare) != _count(other, bare) for one, other in _BRACKETS):
            yield bare


def _count(signs: str, text: str) -> int:
    return sum(text.count(sign) for sign in signs)


def list_names(actions: Sequence[JsonObject]) -> Iterator[list[str]]:
    """Names that stand beside each other in a plan: a header, the first cells of rows, headings, items of a list."""
    headings: list[str] = []
    for action in actions:
        if isinstance(action.get("data"), list):
            rows = [[cell.strip() for cell in row] for row in list_rows(action) if row]
            yield [one for one in rows[0] if one] if rows else []
            yield [row[0] for row in rows[1:] if row[0]]
        lines = [_ITEM_LINE.match(one) for one in list_lines(action)]
        if action.get("op") in ("insert_text", "add_slide"):
            items = [
                one[2].strip(" ：:")
                for one in lines
                if one and (one[1] or len(lines) > 1 or one[2].endswith(("：", ": ")))
            ]
            headings += items if len(lines) == 1 else []
            if len(lines) > 1:
                yield [one for one in items if 0 < len(one) <= MAX_NAME]
    yield headings


def _list_cells(actions: Sequence[JsonObject]) -> Iterator[str]:
    """Texts in the cells beside the first ones: they may be sentences, but no halves of words and no two clauses."""
    for action in actions:
        for row in list_rows(action)[1:]:
            yield from (one for one in (cell.strip() for cell in row) if re.match(r"[^\W\d_]", one))


def _list_marked(request: RequestText, names: Sequence[str]) -> Iterator[str]:
    """Names with a question mark behind them in a sentence that asks nothing: the mark belongs to the name."""
    for name in names:
        for at, end in find_spans(name, request.raw):
            if len(name) < 2 or request.raw[end : end + 1] not in ("?", "？"):
                continue
            start = max((one.end() for one in re.finditer(r"[。.!！\n]", request.raw[:at])), default=0)
            if not _ASKS.search(request.raw[start:at]):
                yield request.raw[at : end + 1]


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


def _is_in(item: str, written: str) -> bool:
    return item.strip(" \"“”'").lower() in written
