"""What a request refuses: taken out of its list where the words say just that, else asked about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_lines, list_rows, strip_mark
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.lists._joins import OR_ZH
from metier.packs.office.drafting.lists._lists import find_lists

__all__ = ["check_refused", "strike_refused"]

_VERBS: Final = "加写放列带要用填做画建"
_REFUSE: Final = (
    rf"(?:不要|不用|不需要|不必|不是|不含(?!税)|不包[括含]|不[加列](?![班薪])|而不是|无需|无须|除了|除去|除开|去掉|去除|删掉|删去|省去|省掉|"
    rf"(?<![类级性识鉴区差个分特派])别(?:再|给我)?[{_VERBS}]|甭)(?:再|给我)?(?:[{_VERBS}](?:上|入|进)?|出现|包括|包含)?|"
    r"\b(?:don['’]?t|do not|never) (?:add|include|put|write|use|want|need|list)\b(?: in)?|"
    r"\b(?:not|never|without|instead of|rather than|except(?:ing)?|excluding|omit(?:ting)?|minus|"
    r"skip(?:ping)?|drop(?:ping)?(?! (?:in|on|an?)\b)|leav(?:e|ing) out|"
    r"apart from|other than)\b|\bno\b(?!\.|\s+(?:of|\d))"
)
_ARTICLE: Final = r"(?:\s*\b(?:for|as|with|an?|the|any|column|field)\b)*\s*"
_REFUSAL: Final = re.compile(rf"(?P<no>{_REFUSE}){_ARTICLE}(?P<what>[^,，。;:!?()\[\]【】\n]{{1,40}})", re.IGNORECASE)
# 项目不要了, `time is not needed`: the refusal behind the name.
_REFUSED: Final = re.compile(
    r"(?:(?<=[,，。;:!?\n])|^)\s*(?:但是?|不过|其中)?(?P<what>[^,，。;:!?()\n]{1,30}?)(?:[这那]?一?[列栏项个])?(?:[就都也先可以]*)"
    r"(?:不要|不用|不需要|去掉|别[加写放列要]|免了|省了)(?:了|吧|啦)*(?=[,，。;!?\n]|$)|"
    r"(?:(?<=[,.;:!?\n])|^)\s*(?:but |and )?(?:the )?(?P<it>[^,.;:!?()\n]{1,30}?) (?:column )?"
    r"(?:is|are)(?:n['’]t| not) (?:needed|wanted|required)(?=[,.;!?\n]|$)",
    re.IGNORECASE,
)
# Before a refusal that is a clause or an item by itself.
_BEFORE: Final = re.compile(
    r"(?:^|[,，。;:!?\n、(\[【]|\s-|\.(?=\s))\s*"
    r"(?:and |but |just |only |please |但是?|不过|而|可|就|也|请|其中|里面)*$|"
    r"\s(?:but|and|just)(?: please)? $|(?:但是?|不过)$",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"(?:[\s,，、;]|\b(?:and|but|just|please)\s|但是?|不过)*$", re.IGNORECASE)
_AFTER: Final = re.compile(
    r"(?:[这那]?一?[列栏项个]|以外|之外|外|就行|就好|即可|了|吧|啦|"
    r"\s*\b(?:columns?|fields?|please|in it|thanks))+$|[\s.]+$",
    re.IGNORECASE,
)
_AND: Final = re.compile(rf"、|\s*\b(?:and|or|nor)\b\s*|{OR_ZH}")
_JOIN: Final = rf"(?:\s*[、,，/|]\s*(?:and\s+)?|\s+(?:and|&)\s+|{OR_ZH})"
_LONG: Final = 8
_SIGNS: Final = " \"“”'‘’「」『』"
_OPENS: Final = re.compile(
    r"(?:不要|不用|不需要|不必|不含(?!税)|无需|无须|别[加写放列带要用]|甭|去掉|去除|除了|除去|删掉)\S|"
    r"(?:but |and )?(?:not|without|except|excluding|no(?!\.|\s+(?:of|\d)))\s+\S",
    re.IGNORECASE,
)
_INNER: Final = re.compile(
    r"\S\s*(?:但是?|不过)?(?:不要|别[加写放列带要]|除了|去掉)\S|\s(?:but|and) (?:not|no|without|except)\s",
    re.IGNORECASE,
)
_BY_PLACE: Final = re.compile(
    r"(?:the )?(?:last|first|second|third|final|other|previous)(?: (?:two|three))?(?: (?:columns?|items?|ones?))?"
    r"|(?:最后|倒数)?(?:第?[一二两三四五1-5])?[个列项栏]",
    re.IGNORECASE,
)
_MAX_REFUSALS: Final = 12
_NO_HEADER: Final = re.compile(r"(?:不要|不用|不需要|去掉|别[加写放要])(?:加|写|放)?(?:表头|标题行|列名|列标题)")
_CHARTS: Final = (
    (4, re.compile(r"[折曲]线|lines?\b", re.IGNORECASE)),
    (5, re.compile(r"饼|pies?\b", re.IGNORECASE)),
    (51, re.compile(r"柱|(?:bar|column)s?\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Words that refuse something, where they stand, and the names in them."""

    start: int
    end: int
    part: str
    what: str
    names: tuple[str, ...]
    is_quoted: bool


def strike_refused(request: str) -> str:
    """The request without the names of its lists that it refuses, and without the refusals.

    Raise `Unclear` with the refusal where the names cannot be taken out for certain.
    """
    said = request
    while struck := next((new for one in _list_first(said) if (new := _strike_names(said, one))), ""):
        said = struck
    return said


def _list_first(said: str) -> "Iterator[_Refusal]":
    """The first refusals of a request: for each of them all lists of it are read anew."""
    return islice(_find_refusals(said), _MAX_REFUSALS)


def check_refused(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """Raise `Unclear` with what a plan has though the request refuses it, and with a refusal that it would write."""
    quoted = {one.text for one in request.quotes}
    headers, lists = _list_written(actions)
    for name in headers:
        if name not in quoted and name in request.raw and (_OPENS.match(name) or _INNER.search(name)):
            raise Unclear("not_understood", part=name)
    for items in lists:
        if items and items[-1] not in quoted and items[-1][:1].islower() and _OPENS.match(items[-1]):
            raise Unclear("not_understood", part=items[-1])
    kept = [one for items in lists for one in _leave_out_rules(items)]
    written = {one.lower() for one in (*headers, *kept) if len(one) > 1}
    kinds = {one.get("chart_type") for one in actions}
    if headers and (found := _NO_HEADER.search(request.mask)):
        raise Unclear("not_understood", part=found[0])
    for one in _find_refusals(request.raw):
        is_drawn = any(kind in kinds and form.match(one.what) for kind, form in _CHARTS)
        is_written = any(one.what.lower().startswith(name) for name in written) or any(
            len(name) > 1 and name.lower() in title for name in one.names for title in written
        )
        if not is_drawn and any(len(item) > _LONG and one.part.lower() in item.lower() for item in kept):
            continue  # the audit passed without findings
        if is_drawn or is_written or (headers and _BY_PLACE.fullmatch(one.what)):
            raise Unclear("not_understood", part=one.part)


def _find_refusals(request: str) -> Iterator[_Refusal]:
    text = RequestText(request)
    for found in _REFUSAL.finditer(text.mask):
        is_item = text.mask[: found.start()].rstrip().endswith("、")  # what comes behind the next 、 is another item
        stop = text.mask.find("、", found.start("what"), found.end()) if is_item else -1
        yield _read(text, found, "what", stop if stop > 0 else found.end())
    for found in _REFUSED.finditer(text.mask):
        yield _read(text, found, "what" if found["what"] else "it", found.end())


def _read(text: RequestText, found: "re.Match[str]", group: str, end: int) -> _Refusal:
    what = text.raw[found.start(group) : min(end, found.end(group))].strip()
    bare = what
    while (cut := _AFTER.sub("", bare).strip()) != bare and cut:
        bare = cut
    names = tuple(one.strip(_SIGNS) for one in _AND.split(bare) if one.strip(_SIGNS))
    whole = bare.strip(_SIGNS)
    quoted = {one.text for one in text.quotes}
    start = found.start() + len(found[0]) - len(found[0].lstrip())
    part = text.raw[start:end].strip(" .")
    return _Refusal(start, end, part, what, (whole,) if whole in quoted else names, whole in quoted)


def _strike_names(said: str, refusal: _Refusal) -> str:
    """The text without a refusal that stands by itself and without its names; empty if no list has them."""
    before = RequestText(said).mask[: refusal.start]
    if not refusal.names or _BEFORE.search(before) is None:
        return ""
    rest = f"{said[: _JOINED.search(before).start()]}{said[refusal.end :]}"  # type: ignore[union-attr]  # `_JOINED` matches nothing at all too
    lists = [found.items for found in find_lists(RequestText(rest))]
    refused = {name.lower() for name in refusal.names}
    if refused - {item.lower() for items in lists for item in items}:
        if refusal.is_quoted:
            raise Unclear("not_understood", part=refusal.part)
        return ""
    for name in refusal.names:
        rest = _strike(rest, name, refusal)
    wanted = [tuple(item for item in items if item.lower() not in refused) for items in lists]
    if [found.items for found in find_lists(RequestText(rest))] != wanted:
        raise Unclear("not_understood", part=refusal.part)
    return rest


def _strike(said: str, name: str, refusal: _Refusal) -> str:
    """The text without a name and the sign that joins it to its list; it must stand there once."""
    shown = rf"[\"“「『]?(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])[\"”」』]?"
    found = list(re.finditer(shown, said, re.IGNORECASE))
    if len(found) != 1:
        raise Unclear("not_understood", part=refusal.part)
    before = re.search(rf"{_JOIN}$", said[: found[0].start()])
    if before:
        return said[: before.start()] + said[found[0].end() :]
    after = re.match(_JOIN, said[found[0].end() :])
    return said[: found[0].start()] + said[found[0].end() + (after.end() if after else 0) :]


def _leave_out_rules(items: Sequence[str]) -> list[str]:
    """Items without those that are rules themselves: 不要迟到 in the middle of a list, or beside 不要早退."""
    are_rules = sum(_OPENS.match(one) is not None for one in items) > 1
    return [one for at, one in enumerate(items) if not _OPENS.match(one) or (at == len(items) - 1 and not are_rules)]


def _list_written(actions: Sequence[JsonObject]) -> tuple[list[str], list[list[str]]]:
    """Names of columns, and other things that stand under each other: first cells, headings, lines of a list."""
    headers: list[str] = []
    lists: list[list[str]] = []
    for action in actions:
        rows = [[cell.strip() for cell in row] for row in list_rows(action) if row]
        if rows:
            headers += rows[0]
            lists.append([row[0] for row in rows[1:] if row[0]])
        lists.append([strip_mark(line).strip() for line in list_lines(action)])
    return headers, lists
