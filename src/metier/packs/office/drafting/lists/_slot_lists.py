"""Lists that belong to a word of the request: the names after or before `columns`, in ordinals, or as steps."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CONSUMED, RequestText, TextSpan
from metier.packs.office.drafting.lists._carriers import (
    COLUMN_WORDS,
    LEAD_WORDS,
    LIST_WORDS,
    TAIL_WORDS,
    is_alike,
    split_range,
    strip_article,
    strip_lead,
    strip_tail,
)
from metier.packs.office.drafting.lists._joins import AND_EN, AND_ZH, BEGS

__all__ = ["find_slot_lists"]

_STOP: Final = re.compile(rf"[。;:!?\n()\[\]{CONSUMED}]|\.(?=\s|$)")
_AFTER: Final = re.compile(
    rf"(?<!、)(?:(?:{COLUMN_WORDS})(?!\s*、)|(?:{LIST_WORDS})(?!\s*[、/|])(?=\s*(?:[为是有从:]|分别|包括|包含|分为|"
    rf"[A-Za-z\s]))){LEAD_WORDS}",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(TAIL_WORDS, re.IGNORECASE)
_ORDINAL: Final = re.compile(
    r"第([一二三四五六七八九十\d])(?:[列栏]|个?(?:格子?|单元格|字段))(?:的)?(?:名字|标题|名)?(?:是|为|写|叫|放|填|用|:)*\s*"
    r"([^,，、。;:!?\n\d\ufffc]{1,14})"
)
_STEPS: Final = re.compile(
    r"(?:首)?先(?:写|是|放|来|讲|列)?([^,，、。;:!?\n\d\ufffc]{2,12})(?:[,，、]\s*)"
    r"((?:(?:再|然后|接着|其次|接下来|中间)(?>(?:写|是|放|来|讲|列)*[^,，、。;:!?\n\d\ufffc]{2,12})[,，、]\s*)*)"
    r"(?:最后|末尾|末了)(?:再)?(?:写|是|放|来|讲|列)*([^,，、。;:!?\n\d\ufffc]{2,12})"
)
_STEP: Final = re.compile(r"(?:再|然后|接着|其次|接下来|中间)(?:写|是|放|来|讲|列)*([^,，、]{2,12})")
_NAME: Final = r"[^,，、。;:!?\n\d\ufffc\"]"
_LED: Final = re.compile(
    rf"(?:(?<=[,，。;:])|^)\s*(?P<lead>要有|得有|有|一列是?|一栏是?|一个是?|一列叫|一格)(?P<first>{_NAME}{{1,10}}?)"
    rf"(?P<rest>(?:[,，、]\s*(?P=lead){_NAME}{{1,10}}?)+)"
    rf"(?P<more>(?:[,，]\s*(?:再|还|另|最后|外)+(?:加|要|有|来|补|是)*上?(?:一?[列栏格项个])?{_NAME}{{1,8}})?)(?=[,，。;!\n]|$)"
)
_LED_NEXT: Final = re.compile(
    rf"[,，、]\s*(?:要有|得有|有|一列叫|一列是?|一栏是?|一个是?|一格)(?P<name>{_NAME}{{1,10}})"
)
_MORE: Final = re.compile(
    rf"[,，]\s*(?:再|还|另|最后|外)+(?:加|要|有|来|补|是)*上?(?:一?[列栏格项个])?(?P<name>{_NAME}{{1,8}})"
)
_FOLLOWED_ONE: Final = re.compile(
    rf"(?:(?<=[,，、。;:])|^)\s*(?P<name>{_NAME}{{2,10}}?)(?:单独|各|占|放|写|要)*(?:一|1)(?:段|列|栏|块|部分|节|格)(?=[,，、。;!\n]|$)"
)
_FOLLOWED: Final = re.compile(
    rf"(?:(?<=[,，、。;:])|^)\s*{_NAME}{{2,10}}?(?:单独|各|占|放|写|要)*(?:一|1)(?P<m>段|列|栏|块|部分|节|格)"
    rf"(?:[,，、]\s*(?>{_NAME}{{2,10}}?(?:单独|各|占|放|写|要)*(?:一|1)(?P=m)))+(?=[,，、。;!\n]|$)"
)
_BLANKS: Final = re.compile(
    rf"(?:(?<=[,，。:;!?\n])|^)\s*(?P<names>(?:[\u4e00-\u9fff]{{1,8}} +){{2,}}(?![这那共等])[\u4e00-\u9fff]{{1,8}}?)"
    rf"(?=(?:\s+[这那共等]?{CONSUMED}*|\s*[这那共等](?:{COUNT})?个?[列栏项]?)?{CONSUMED}*(?:[,，。;!?\n]|$))"
)
_SINGLE: Final = re.compile(
    r"\b(?i:an?|the|one)\s+(?P<first>[A-Z][\w-]*(?: [\w-]+)?)\s+column\b,?"
    r"(?:\s+(?:then|and|plus|and then|followed by))?\s+"
    r"(?P<rest>(?:(?:an?|the|one for)\s+)?[A-Z][\w-]*(?: [\w-]+)?"
    r"(?:,?\s+(?:and\s+)?(?:(?:an?|the|one for)\s+)?[A-Z][\w-]*(?: column)?"
    r"|,\s*(?:and\s+)?(?:(?:an?|the|one for)\s+)?[A-Z][\w-]*(?: [a-z][\w-]*)?)*+)"
)
# What no name of a list has in it.
_NO_ITEM: Final = re.compile(
    rf"(?:^|[^第]){COUNT}\s*(?:个|空|条|张)?\s*(?:行|列|空行|rows?|columns?|blank|empty|lines|entries)|插入|添加|新建|{BEGS}|帮我|"
    rf"我要|就行|即可|就好|"
    r"留出?[一二两三四五六七八九十\d]|(?<![级性类识鉴区差个分特])别(?![名墅称])|不要|下面|"
    r"\b(?:insert|add|create|make|put|draw|please|then|build|write|give|draft|need|want|with|that|which|so|if|i|we|"
    r"leave|rows?|have|has|it|below|under|underneath|don't|do not)\b",
    re.IGNORECASE,
)
_CHINESE_RUN: Final = re.compile(
    r"[\u4e00-\u9fff]{1,12}(?:\s*(?:,\s*(?:and\s+)?|[/|]\s*|\band\b\s*)[\u4e00-\u9fff]{1,12}(?!\s*\d))+(?!\s*\d)"
)
_COMMA: Final = r"(?<!\d),|,(?!\d{3}(?!\d))|，"  # none of 12,000
_MIN_ENGLISH: Final = 4
_MAX_WORDS: Final = 5
_MAX_CHARS: Final = 24
_MAX_CUES: Final = 40  # words for columns that are tried: an order for a table has a few
_MAX_OTHERS: Final = 30  # names that the next one is compared with; all of a long list would take quadratic time


def find_slot_lists(text: RequestText) -> "list[tuple[tuple[str, ...], int, int]]":
    """Lists that a word of the request claims, in order, each with where it stands; overlaps are left out."""
    found = [
        *_find_ordinals(text),
        *_find_steps(text),
        *_find_repeated(text),
        *_find_blanks(text),
        *_find_singles(text),
        *_find_chinese(text),
        *_find_after(text),
        *_find_before(text),
    ]
    kept: list[tuple[tuple[str, ...], int, int]] = []
    for one in sorted(found, key=lambda one: (-len(one[0]), one[1])):
        if all(one[2] <= other[1] or one[1] >= other[2] for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one[1])


def _find_ordinals(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """第一列甲，第二列乙."""
    run: list[re.Match[str]] = []
    for one in [*_ORDINAL.finditer(text.mask), None]:
        if one is not None and read_count(one[1]) == len(run) + 1:
            run.append(one)
            continue
        if len(run) >= 2:
            yield (
                tuple(strip_tail(text.raw[a[0] : a[1]].strip(), ()) for a in (got.span(2) for got in run)),
                run[0].start(),
                run[-1].end(),
            )
        run = [one] if one is not None and read_count(one[1]) == 1 else []


def _find_steps(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """先写甲，再写乙，最后丙."""
    for one in _STEPS.finditer(text.mask):
        if not one[2] and not re.search(r"写|列|讲", one[0]):
            continue
        yield (
            (one[1].strip(), *(step[1].strip() for step in _STEP.finditer(one[2])), one[3].strip()),
            one.start(),
            one.end(),
        )


def _find_repeated(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """有甲，有乙，再加一列丙; 甲一段，乙一段: names between words that come again with each of them."""
    for one in _LED.finditer(text.mask):
        names = [one["first"], *(got["name"] for got in _LED_NEXT.finditer(one["rest"]))]
        names += [got["name"] for got in _MORE.finditer(one["more"] or "")]
        yield tuple(strip_tail(name.strip(), ()) for name in names), *one.span()
    for one in _FOLLOWED.finditer(text.mask):
        yield tuple(got["name"].strip() for got in _FOLLOWED_ONE.finditer(one[0])), *one.span()


def _find_blanks(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """序号 需求描述 响应情况 说明: Chinese has blanks only between names."""
    for one in _BLANKS.finditer(text.mask):
        first, *rest = one["names"].split()
        yield (strip_lead(first, rest), *rest), *one.span("names")


def _find_singles(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """An Item column, then Standard, Result and Remark."""
    for one in _SINGLE.finditer(text.mask):
        names = re.split(r",?\s+and\s+|,\s*", one["rest"])
        bare = [strip_article(name.strip()) for name in (one["first"], *names) if name.strip()]
        if len(bare) > 1 and all(name[:1].isupper() and _is_item(name) for name in bare):
            yield tuple(bare), *one.span()


def _find_chinese(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Chinese names one after the other in an English sentence."""
    if len(re.findall(r"[A-Za-z]{2,}", text.mask)) < _MIN_ENGLISH or re.search(r"[，。、；]", text.raw):
        return
    for one in _CHINESE_RUN.finditer(text.mask):
        names = re.split(r"\s*(?:,\s*(?:and\s+)?|[/|]|\band\b)\s*", one[0])
        if len(names) > 2:
            yield tuple(name.strip() for name in names), *one.span()


def _find_after(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    done = 0
    for word in islice(_AFTER.finditer(text.mask), _MAX_CUES):
        if word.end() <= done:
            continue  # a word inside of a long list: its list would be a part of that one
        stop = _STOP.search(text.mask, word.end())
        body = text.mask[word.end() : stop.start() if stop else len(text.mask)]
        if "、" in body:
            comma = re.search(r"[,，]", body)
            body = body[: comma.start()] if comma else body
        kept: list[TextSpan] = []
        for piece in _cut(body, word.end()):
            others = [one.text for one in kept[:_MAX_OTHERS]]
            bare = strip_tail(piece.text, others)
            if not _is_item(bare) or not is_alike(bare, others):
                break
            kept.append(piece)
        if len(kept) >= 2:
            yield _read_items(text, kept), kept[0].start, kept[-1].end
        done = kept[-1].end if len(kept) > _MAX_OTHERS else done


def _find_before(text: RequestText) -> Iterator[tuple[tuple[str, ...], int, int]]:
    stops = [one.end() for one in _STOP.finditer(text.mask)]
    for word in islice((one for one in _BEFORE.finditer(text.mask) if one[0].strip()), _MAX_CUES):
        at = bisect_right(stops, word.start())
        start = stops[at - 1] if at else 0
        body = text.mask[start : word.start()]
        if re.search(r"[\u4e00-\u9fff]", word[0]):
            cut = max(body.rfind(","), body.rfind("，")) + 1
            start, body = start + cut, body[cut:]
            if "、" not in body:
                continue
        pieces = _cut(body, start)
        kept: list[TextSpan] = []
        for piece in reversed(pieces):
            others = [one.text for one in kept[-_MAX_OTHERS:]]
            bare = strip_lead(piece.text, others)
            if not _is_item(bare) or not is_alike(bare, others):
                break
            start = piece.end - len(bare) if piece.text.endswith(bare) else piece.start
            kept.insert(0, TextSpan(start, piece.end, bare))
            if bare != piece.text:
                break
        if len(kept) >= 2:
            yield _read_items(text, kept), kept[0].start, word.end()


def _cut(body: str, start: int) -> list[TextSpan]:
    """Pieces of a stretch between its separators; the last may hold two."""
    separator = next((one for one in ("、", _COMMA, r"\s*[/|]\s*") if re.search(one, body)), r"\s+and\s+")
    joined = rf"{AND_EN}|^and\s+|{AND_ZH}(?=[\u4e00-\u9fff])"
    edges = list(_split(body, 0, len(body), separator))
    edges = (
        [*edges[:-1], *_split(body, *edges[-1], joined)]
        if separator == "、"
        else [part for edge in edges for part in _split(body, *edge, joined)]
    )
    pieces = []
    for a, b in edges:
        inner = body[a:b]
        left = a + len(inner) - len(inner.lstrip())
        if inner.strip():
            pieces.append(TextSpan(start + left, start + a + len(inner.rstrip()), inner.strip()))
    return pieces


def _split(body: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    at = start
    for found in re.finditer(separator, body[start:end], re.IGNORECASE):
        yield at, start + found.start()
        at = start + found.end()
    yield at, end


def _is_item(item: str) -> bool:
    if re.fullmatch(r"[A-Z][a-z]+", item):
        return True  # Build, between Design and Review
    return bool(item) and len(item) <= _MAX_CHARS and len(item.split()) <= _MAX_WORDS and not _NO_ITEM.search(item)


def _read_items(text: RequestText, pieces: Sequence[TextSpan]) -> tuple[str, ...]:
    shown = [text.raw[one.start : one.end].strip(" \"“”'‘’「」") for one in pieces]
    shown = [one if re.search(r"\bno\.$", one, re.IGNORECASE) else strip_article(one.rstrip(".")) for one in shown]
    is_said = text.mask[: pieces[0].start].endswith(("是", "为", "叫"))
    shown[0] = strip_lead(shown[0], shown[1:], is_said=is_said)
    shown[-1] = strip_tail(shown[-1], shown[:-1])
    return split_range(shown)
