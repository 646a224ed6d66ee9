"""Lists of names in a request: columns, sections, items."""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting.lists._carriers import (
    COLUMN_WORDS,
    is_alike,
    split_range,
    strip_article,
    strip_lead,
    strip_tail,
)
from metier.packs.office.drafting.lists._joins import AND, AND_ZH, BEGS
from metier.packs.office.drafting.lists._slot_lists import find_slot_lists

__all__ = ["FoundList", "find_columns_lists", "find_lists", "find_marks", "split_items"]

_CALLED_COLUMNS: Final = re.compile(rf"(?:{COLUMN_WORDS})[^,，。;、]*$", re.IGNORECASE)
_MIN_BLANK: Final = 3
_MAX_LIKE: Final = 12
_MAX_ITEM_CHARS: Final = 40
_MAX_WEAK_CHARS: Final = 24
_MAX_ITEM_WORDS: Final = 5
_MIN_SENTENCE: Final = 4  # words; the article of a sentence is its own
_STRONG: Final = (r"、", r"\s*\|\s*", r"(?<=[^\s\d])\s*/\s*(?=[^\s\d])")
# Signs that separate clauses as well: they make a list only where something leads to it.
_WEAK: Final = (r"(?<!\d),|,(?!\d{3}(?!\d))|，", rf"\band\b|{AND_ZH}")
# Words that lead to a list and are no part of its first item.
_LEAD: Final = re.compile(
    (
        r"^.*?(?:表头|列名|列|字段|栏目|项目|内容|条目|任务|标题行|分|"
        r"部分)?(?:分别)?(?:包括|包含|含有|含(?!税|量|水|糖)|列出|列举|"
        r"分为|设有|设为|要有|写上|写明|写|为|是|有(?!效|关|限)|用)了?\s*"
    ),
)
# The same after a colon, where only a lead that names columns is one.
_NAMED_LEAD: Final = re.compile(
    (
        r"^[^、,，]*?(?:(?:表头|列名|列|字段|栏目|标题行)(?:分别)?(?:包括|"
        r"包含|为|是|有)|\b(?:columns?|fields|headers?)\b\s*(?:are|is)?|"
        r"\b(?:one|the (?:first|second|third|other)|another)(?: one| table)? (?:has|have|with|lists)\b)\s*"
    ),
    re.IGNORECASE,
)
# English leads, the surest first.
_EN_LEADS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"^.*\b(?:columns?|fields|headers?|sections?|headings|tasks|items|"
            r"points)\b(?:\s+(?:should be|are|is|being|named|called|titled|"
            r"for|of|like|such as))*\s*(?:the\s+)?(?=\S)"
        ),
        r"^\W*(?:and\s+|then\s+)*the (?:first|second|third|other)(?: one| table)?\s+(?=[\u4e00-\u9fff])",
        r"^.*?\b(?:having|has|have|with|listing|lists|includ(?:ing|es?)|contain(?:ing|s)?|cover(?:ing|s)?)\b\s+"
        r"(?:the\s+)?(?=\S)",
        r"^.*?\b(?:for|of)\b\s+(?:the\s+)?(?=\S)",
    )
)
# Words of a command; something that contains one is no name in a list.
_COMMAND: Final = re.compile(
    (
        r"插入|添加|新建|制作|生成|删|补一|再插|画一|写一|做一|放在|把第|"
        rf"{BEGS}|\b(?:insert|add|create|make|put|draw|email (?:this|it)|delete|"
        r"remove|please|then|build|write|give|draft|need|want)\b"
    ),
    re.IGNORECASE,
)
# How an order begins, where a name between blanks could stand.
_ORDERS: Final = re.compile(
    r"(?:请|麻烦|帮我?|给我|再|先|然后|最后)*(?:插入|新建|制作|生成|[插加来做弄搞画建写放排整添补出](?:入|上|出)?一?[个张份页])"
)
_TAIL: Final = re.compile(
    rf"\s*(?:等?(?:这|共|共计|一共)?(?:{COUNT}|几)\s*(?:个|大)?(?:列|"
    rf"栏|项|块|部分|字段|条|点|章|方面|内容|板块|任务|页|行|条目|项目)(?:内容)?(?:都要有|都要|都得有|要有|"
    rf"缺一不可|就行|即可)?|"
    rf"这(?:{COUNT}|几)(?:件|步|道|样|种)(?:事情?|工作|工序|步骤|任务|活)?|"
    rf"等|"
    r"\s+(?:columns?|fields|sections?))$",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(
    r"(?:^|(?<=[\s,，;。、:\ufffc]))(?:(?:第?[一二三四五六七八九十]+(?:是|"
    r"、|点[是:]?|,|，|:))|[(]?\d{1,2}(?:[.)](?!\d)|、)|[(][一二三四五六七八九十]+[)]|"
    r"[-•*](?=\s)|(?:首先|其次|再次|(?i:first|second|third|fourth|fifth|final|last)(?:ly)?)\s*[,，:])\s*|[①②③④⑤⑥⑦⑧⑨]\s*"
)
_NO_NAME: Final = re.compile(
    r"^(?:表头|列名|字段|栏目)|\bas (?:its|the|their|columns?)\b|\b(?:with|has|have|"
    r"and|please|then|also)\b",
    re.IGNORECASE,
)
# A word in the middle of a clause after which the names begin.
_MIDDLE_LEAD: Final = re.compile(
    r"\b(?:columns?|fields|headers?|sections?|headings|tasks|items|points)\b\s*(?:are|is|for|of)?\s+\S|"
    r"^\s*(?:with|including|containing|having|covering|listing)\s+(?=\S)|"
    r"\b(?:table|matrix|register|check ?list|grid)\b[^,]{0,20}?\bwith\s+(?=[A-Z])",
    re.IGNORECASE,
)
_SECOND_LIST: Final = re.compile(
    r"(?<!\bNo)\.(?=\s+[A-Z\ufffc]|\s*$)|(?P<sep>[,;]?\s*(?:and\s+)?(?:then\s+)?)\b(?:the (?:first|"
    r"second|third|other)|another|one)(?: one| table)? (?:(?:has|have|"
    r"with|lists)\b|(?=[\u4e00-\u9fff]))|"
    r",?\s*\b(?:and|with)\s+(?:the\s+)?(?:rows|data)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundList:
    """Items of a list and where they stand. `count` is the number the request says there are, if it does."""

    items: tuple[str, ...]
    start: int
    end: int
    count: int | None = None


def find_lists(text: RequestText) -> Iterator[FoundList]:
    """Lists of at least two names in what is left of a request, in order."""
    rest = copy(text)
    lists = []
    claimed = find_slot_lists(text)
    for items, start, end in claimed:
        lists.append(FoundList(items, start, end))
        rest.mask = f"{rest.mask[:start]}{CONSUMED * (end - start)}{rest.mask[end:]}"
    for start, end in _clauses(rest.mask):
        found = _read_list(rest, start, end)
        body = rest.mask[found.start : found.end] if found else ""
        is_like = found is not None and claimed and CONSUMED not in body and _is_like(found, claimed[0][0])
        if found and (not claimed or "、" in body or is_like):
            lists.append(found)
    yield from sorted(lists, key=lambda one: one.start)


def find_columns_lists(text: RequestText) -> list[FoundList]:
    """Lists that the request itself calls columns."""
    claimed = [FoundList(*one) for one in find_slot_lists(text)]
    return [one for one in claimed if _CALLED_COLUMNS.search(text.mask[max(0, one.start - 12) : one.start])]


def find_marks(text: RequestText, start: int) -> int | None:
    """Start of the first item, where the list has a mark before each of them (一是, 1., ①); else None."""
    marks = _list_marks(text.mask, start, len(text.mask))
    return marks[0].start() if len(marks) >= 2 else None


def split_items(text: RequestText, start: int, end: int) -> tuple[str, ...]:
    """Items of a stretch that is known to be a list: by numbering, else by the strongest separator it has."""
    marks = _list_marks(text.mask, start, end)
    if len(marks) >= 2:
        edges = [*(mark.start() for mark in marks), end]
        pieces = [(mark.end(), edge) for mark, edge in zip(marks, edges[1:], strict=True)]
        return _clean(text, pieces)
    for separator in (r";|\n", r"、|\|", r"，|(?<!\d),|,(?!\d{3}(?!\d))", r"/", r"。"):
        pieces = _split(text.mask, start, end, separator)
        if len(pieces) >= 2:
            return _clean(
                text, [last for piece in pieces for last in _split_and(text.mask, *piece, piece == pieces[-1])]
            )
    return _clean(text, _split_and(text.mask, start, end, True))


def _list_marks(mask: str, start: int, end: int) -> list[re.Match[str]]:
    """Marks before the items of a stretch; a dash between two words of an item (Anna - lead; Bo - design) is none."""
    marks = list(_MARKS.finditer(mask, start, end))
    is_inside = marks and marks[0][0][0] in "-•*" and re.search(r"\w[ \t]+$", mask[start : marks[0].start()])
    return [one for one in marks if one[0][0] not in "-•*"] if is_inside else marks


def _clauses(mask: str) -> Iterator[tuple[int, int]]:
    """Stretches that may hold one list: between the signs that end a sentence, a clause with `、`, or a bracket."""
    for part in re.finditer(r"(?:[^。;!?\n()\[\]:]|[?!](?=[,，、)]))+", mask):
        for piece in _cut_sentences(mask, *part.span()):
            yield from _cut_commas(mask, *piece)


def _cut_sentences(mask: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A full stop ends a sentence before a blank and a capital letter, except after `No`; so does a second list."""
    at = start
    for stop in _SECOND_LIST.finditer(mask[start:end]):
        yield at, start + stop.start()
        at = start + stop.end() if stop[0] == "." else start + stop.start() + len(stop["sep"] or "")
    yield at, end


def _cut_commas(mask: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """With `、`, `/` or `|` in it a comma ends the list, else the comma is what separates its items."""
    if not re.search(r"[、|]|[^\s\d]\s*/[^/,，]+/\s*[^\s\d]", mask[start:end]):
        yield start, end
        return
    at = start
    for comma in re.finditer(r"[,，]", mask[start:end]):
        yield at, start + comma.start()
        at = start + comma.end()
    yield at, end


def _read_list(text: RequestText, start: int, end: int) -> FoundList | None:
    body = text.mask[start:end]
    separator = _find_separator(body)
    if separator is None:
        return _read_blank_list(text, start, end)
    pieces = [(start + a, start + b) for a, b in _pieces(body, separator)]
    if separator in _WEAK:
        led = [at for at, (a, b) in enumerate(pieces) if _MIDDLE_LEAD.search(text.mask[a:b])]
        pieces = pieces[led[-1] :] if led and led[-1] < len(pieces) - 1 else pieces
    is_led, count, pieces = _trim(text.mask, pieces)
    while len(pieces) > 2 and (last := _clean(text, pieces[-1:])) and not is_alike(last[0], _clean(text, pieces[:-1])):
        if separator == "、" and re.fullmatch(r"[A-Z][A-Za-z.]{0,14}", last[0]):
            break  # Owner beside 编号、风险
        pieces = pieces[:-1]
    if separator != _WEAK[-1] and (count is None or count > len(pieces)):
        pieces = [*pieces[:-1], *_split_and(text.mask, *pieces[-1], True)]
    items = _clean(text, pieces)
    if len(items) >= 2:
        items = (strip_lead(items[0], items[1:]), *items[1:-1], strip_tail(items[-1], items[:-1]))
        items = split_range(items)
    is_named = separator == "、" and re.fullmatch(r"[A-Z][A-Za-z.]{0,14}", items[-1]) if items else None
    while len(items) > 2 and not is_named and not is_alike(items[-1], items[:-1]):
        items = items[:-1]
    is_led = is_led or _is_plain_list(items, text.mask[:start])
    longest = _MAX_ITEM_CHARS if separator in _STRONG else _MAX_WEAK_CHARS
    if separator == _WEAK[0] and len(items) == 2 and not text.mask[:start].rstrip().endswith((":", "(")):
        items = items if re.search(r"[A-Za-z]", body) else ()
    if len(items) < 2 or (separator in _WEAK and not is_led) or any(not _is_name(item, longest) for item in items):
        return None
    return FoundList(items, pieces[0][0], end, count)


def _is_like(found: FoundList, other: Sequence[str]) -> bool:
    """Whether a list between commas is written as one that the request calls by its name."""
    return (len(found.items) > 2 or len(found.items) == len(other)) and all(
        len(one) <= _MAX_LIKE and is_alike(one, other) for one in found.items
    )


def _is_plain_list(items: Sequence[str], before: str) -> bool:
    """Names of one shape that are a sentence by themselves: Task, Owner, Deadline and Status."""
    is_sentence = before.rstrip()[-1:] in ("", "?", "!", "。", ".", "\n")
    return (
        is_sentence and len(items) > 2 and all(re.fullmatch(r"[A-Z][A-Za-z]*(?: [A-Za-z]+){0,2}", one) for one in items)
    )


def _find_separator(body: str) -> str | None:
    """The strongest separator; a slash inside one of several names between commas is none."""
    slash, comma = _STRONG[-1], _WEAK[0]
    found = next((one for one in (*_STRONG, *_WEAK) if len(_pieces(body, one)) >= 2), None)
    return comma if found == slash and len(_pieces(body, comma)) >= len(_pieces(body, slash)) else found


def _is_name(item: str, longest: int) -> bool:
    words = len(item.split())
    if len(item) > longest or words > _MAX_ITEM_WORDS or _NO_NAME.search(item) or re.search(r"[“”\"].", item):
        return False
    return (words == 1 and item.isascii()) or not _COMMAND.search(item)


def _read_blank_list(text: RequestText, start: int, end: int) -> FoundList | None:
    """Chinese names between blanks, as in 学号 姓名 班级."""
    words = re.fullmatch(
        r"[\s\ufffc]*((?:[\u4e00-\u9fffA-Za-z]{1,8}\s+){2,}[\u4e00-\u9fffA-Za-z]{1,8}?)"
        r"(?P<tail>\s*[这那共]?)[\s\ufffc]*",
        text.mask[start:end],
    )
    if not words or not re.search(r"[\u4e00-\u9fff]", words[1]):
        return None
    is_own = not start or text.mask[start - 1] in ":," or text.mask[start - 1] in "，。\n"
    items = words[1].split()
    if _ORDERS.match(items[0]) or text.mask[end : end + 1] == "(":
        return None  # 插个表 品名 单位（件）: an order is no name, and a bracket belongs to its name
    if not is_own or (text.mask[start - 1 : start] != ":" and not words["tail"].strip() and len(items) < _MIN_BLANK):
        return None
    return FoundList((strip_lead(items[0], items[1:]), *items[1:]), start, end)


def _pieces(body: str, separator: str) -> list[tuple[int, int]]:
    return [(a, b) for a, b in _split(body, 0, len(body), separator) if body[a:b].strip(f" {CONSUMED}")]


def _split(mask: str, start: int, end: int, separator: str) -> list[tuple[int, int]]:
    edges = [start]
    for found in re.finditer(separator, mask[start:end], re.IGNORECASE):
        edges += [start + found.start(), start + found.end()]
    edges.append(end)
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if mask[a:b].strip(f" {CONSUMED}.")]


def _split_and(mask: str, start: int, end: int, is_last: bool) -> list[tuple[int, int]]:
    """The last item may hold two, joined by `and` or 和."""
    if not is_last:
        return [(start, end)]
    pieces = _split(mask, start, end, AND)
    return pieces or [(start, end)]


def _trim(mask: str, pieces: Sequence[tuple[int, int]]) -> tuple[bool, int | None, list[tuple[int, int]]]:
    """Cut the words that lead to the first item and the count after the last one; whether something led to the list."""
    (first, first_end), *rest = pieces
    body = mask[first:first_end]
    is_led = mask[:first].rstrip(f" {CONSUMED}")[-1:] in (":", "(")
    if is_led:
        lead = _NAMED_LEAD.match(body)
        first += lead.end() if lead else 0
    else:
        after_consumed = body.rfind(CONSUMED) + 1
        tail = body[after_consumed:]
        if named := re.match(
            r"[\s,]*(?:namely|called|named|as follows|being|which are|that is|i\.e\.)\s+(?=\S)", tail, re.IGNORECASE
        ):
            after_consumed, tail = after_consumed + named.end(), f"for {tail[named.end() :]}"[4:]
            is_named = True
        else:
            is_named = False
        lead = next((found for one in _EN_LEADS if (found := one.match(tail))), None) or (
            None if '"' in tail else _LEAD.match(tail)
        )
        is_led = bool(lead and lead.end() < len(tail)) or is_named
        first += after_consumed + (lead.end() if lead and is_led and lead.end() < len(tail) else 0)
    trimmed = [(first, first_end), *rest]
    last_start, last_end = trimmed[-1]
    tail_match = _TAIL.search(mask[last_start:last_end].rstrip(f" {CONSUMED}."))
    count = None
    if tail_match and tail_match.start() > 0:
        is_led = True
        said = re.search(COUNT, tail_match[0], re.IGNORECASE)
        count = read_count(said[0]) if said else None
        trimmed[-1] = (last_start, last_start + tail_match.start())
    return is_led, count, trimmed


def _clean(text: RequestText, pieces: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    items = []
    for start, end in pieces:
        mark = _MARKS.match(text.mask, start + len(text.mask[start:end]) - len(text.mask[start:end].lstrip()), end)
        item = text.text_of(mark.end() if mark else start, end)
        item = re.sub(
            r"^(?:and|和|以及|及)\s+|^(?:还有|以及|外加|最后是)(?=[\u4e00-\u9fff]{2})", "", item, flags=re.IGNORECASE
        ).strip(" ,，;；。、:：—–")
        if not re.fullmatch(r"(?i)(?:.*\b)?no\.|.*\betc\.", item):
            item = item.rstrip(".")
        if item:
            items.append(item if len(item.split()) >= _MIN_SENTENCE else strip_article(item))
    return tuple(items)
