"""Names with numbers that a message gives in a row, whatever signs stand between them: W1 14, W2 15; 总店 560."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office._counts import PERIODS
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.content._limits import is_limit, read_measure
from metier.packs.office.drafting.content._records import find_period_labels, find_values
from metier.packs.office.drafting.statements._rest import cut_out

__all__ = ["DAYS", "NUMBER", "UNIT", "SaidRecord", "take_points", "take_rows"]

NUMBER: Final = r"[-−]?[¥￥$€£]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
UNIT: Final = (
    r"(?:万元|亿元|万吨|万人|万|亿|元|块钱?|台|套|件|个|项|次|份|人次|人|单|笔|户|家|名|位|票|场|亩|株|"
    r"公里|升|分钟|分|吨|公斤|斤|千克|"
    r"度|千瓦时|小时|天|张|把|本|箱|支|只|瓶|盒|包|辆|袋|米|棵|床|头|平米|立方米|课时|%|％|℃|°C|"
    r"(?:hours?|kwh|km|kg|litres?|people|units?|pcs|t)\b)"
)
DAYS: Final = r"(?:周|星期)[一二三四五六日天](?!\S*[计总])|(?:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)(?:[a-z]*day)?\b"
_PERIOD: Final = rf"(?:{PERIODS}|{DAYS}|[Ww]\d{{1,2}}\b|(?:19|20)\d\d)"
# Between two names with numbers; a comma between the thousands and a dash before the number are none.
_CUT: Final = re.compile(
    r",(?!\d{3}(?!\d))|，|[、;；。!?\n()\[\]]|\.(?=\s|$)|:(?!\s*[-−¥￥$€£]?\d)|\s[-–—]+\s(?!\d)|——+(?!\d)|"
    rf"(?<=\d)\s*(?:和|以及|及|\band\b)\s*|(?<=\d)\s+(?={PERIODS}|[\u4e00-\u9fff]{{2,}}\s*\d)",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(
    rf"(?P<label>.*?\S)??(?P<join>\s*(?:[:=—–-]|是|为|有|\bis\b|\bwas\b|\bat\b)?\s*)"
    rf"(?<![A-Za-z\d.])(?P<value>{NUMBER})(?P<unit>\s*{UNIT})?(?P<tail>\D*)$",
    re.IGNORECASE,
)
_ORDERS_EN: Final = re.compile(
    r"^(?:please )?(?:put|enter|show|compare|chart|plot|draw|list|use|take|track|type in|set out)\s+(?=[A-Z\d])",
    re.IGNORECASE,
)
_LEAD_ZH: Final = re.compile(r"^(?:请|麻烦)?(?:把|将|数据[是为]|(?:它们|分别|依次)[是为]|其中|如下)(?=.{2,})")
_IS_ZH: Final = re.compile(r"^.{2,16}?(?:分别|依次)?[是为](?=.{2,8}$)")
_LEAD_EN: Final = re.compile(
    r"^.*\b(?:for|of|with|are|is|from|these|values|numbers|figures|counts|and)\s+(?=\S)", re.IGNORECASE
)
# Words of a sentence about a number, which no name has.
_NO_NAME: Final = re.compile(
    r"改[成为]|换成|变成|超过|大于|小于|低于|高于|至少|不|如果|公式|平均|总计|约$|大约|大概|差不多|左右|估计|或|可能|也许|预计|"
    r"\b(?:about|around|roughly|approx\w*|circa|or|maybe|perhaps|nearly|almost|over|under|is|are|was|were|than|if|not|"
    r"change|instead)\b",
    re.IGNORECASE,
)
_MAX_LABEL: Final = 24
_MAX_WORDS: Final = 4
_MIN_SHARED: Final = 2


@dataclass(frozen=True, slots=True)
class SaidRecord:
    """A name and its numbers, and where they stand."""

    name: str
    numbers: tuple[str, ...]
    units: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _NumberPiece:
    start: int
    end: int
    label: str
    value: str
    unit: str
    value_end: int

    @property
    def has_tail(self) -> bool:
        return self.value_end < self.end


def take_points(text: RequestText) -> tuple[SaidRecord, ...]:
    """Names with one number each, or a range of periods with as many numbers; empty if there are none.

    They are consumed.
    """
    runs = [one for one in _find_runs(text) if len(one) > 1]
    if any(re.search(r"\d\s*\?", text.mask[one[0].start : one[-1].end]) for one in runs):
        return ()  # a number that is a guess
    if len(runs) == 1 and (records := _name_records(text, runs[0])):
        first = records[0]
        cut_out(
            text, first.start, first.start + len(first.name)
        )  # 一月份进货120箱: the word between them is read below
        cut_out(text, _start_of_value(text, first), records[-1].end)
        return records
    return () if runs else _take_range(text)


def _start_of_value(text: RequestText, record: SaidRecord) -> int:
    """Where the number of a record begins, or the sign before it."""
    found = re.compile(rf"\s*(?:[:=—–-]|是|为|有|\b(?:is|was|at)\b)?\s*{NUMBER}", re.IGNORECASE)
    at = record.start + len(record.name)
    return next((one.start() for one in found.finditer(text.mask, at, record.end)), at)


def _take_range(text: RequestText) -> tuple[SaidRecord, ...]:
    labels = find_period_labels(text)
    values, start, end = find_values(text, len(labels)) if labels else ((), 0, 0)
    if not values:
        return ()
    cut_out(text, start, end)
    return tuple(SaidRecord(one, (value,), ("",), start, end) for one, value in zip(labels, values, strict=True))


def _find_runs(text: RequestText) -> Iterator[list[_NumberPiece]]:
    """Pieces side by side that end with a number each; only the last may have words behind it."""
    run: list[_NumberPiece] = []
    for start, end in _cut(text.mask):
        piece = _read_piece(text.mask, start, end)
        if piece is None:
            yield run
            run = []
            continue
        run.append(piece)
        if piece.has_tail:
            yield run
            run = []
    yield run


def _cut(mask: str) -> Iterator[tuple[int, int]]:
    at = 0
    for sign in _CUT.finditer(mask):
        if mask[at : sign.start()].strip():
            yield at, sign.start()
        at = sign.end()
    if mask[at:].strip():
        yield at, len(mask)


def _read_piece(mask: str, start: int, end: int) -> _NumberPiece | None:
    said = mask[start:end]
    begin = start + len(said) - len(said.lstrip())
    found = _VALUE.fullmatch(said.strip())
    if found is None or not found["label"]:
        return None
    label = found["label"].strip(" :=—–-")
    is_digit = label[-1:].isdigit() and not found["join"]
    if not label or is_digit or not re.search(r"[^\W\d_]|^(?:19|20)\d\d$", label):
        return None
    unit = (found["unit"] or "").strip()
    value_end = begin + found.end("unit" if found["unit"] else "value")
    tail_end = value_end if not found["tail"].strip(" .。") else end
    return _NumberPiece(begin, tail_end, label, found["value"], unit, value_end)


def _name_records(text: RequestText, run: Sequence[_NumberPiece]) -> tuple[SaidRecord, ...]:
    """The records of a run, the first without the words that lead to it; empty if its name is not sure."""
    names = [one.label for one in run]
    if any(not _is_name(one) for one in names[1:]):
        return ()
    first = _cut_lead(run[0].label, names[1:])
    if not first or not _is_name(first):
        return ()
    offset = text.mask.index(first, run[0].start)
    starts = [offset, *(one.start for one in run[1:])]
    return tuple(
        SaidRecord(text.raw[start : start + len(name)], (_plain(one.value),), (one.unit,), start, one.value_end)
        for one, name, start in zip(run, [first, *names[1:]], starts, strict=True)
    )


def _plain(value: str) -> str:
    return re.sub(r"[,¥￥$€£]", "", value).replace("−", "-")


def _is_name(name: str) -> bool:
    is_short = len(name) <= _MAX_LABEL and len(name.split()) <= _MAX_WORDS
    if is_limit(name) or read_measure(name) in ("measure", "sum"):
        return False
    return is_short and '"' not in name and "\ufffc" not in name and not _NO_NAME.search(name)


def _cut_lead(first: str, others: Sequence[str]) -> str:
    """The first name without what leads to it; empty if that is not to be told from the name."""
    if all(re.fullmatch(_PERIOD, one, re.IGNORECASE) for one in others):
        said = [*re.finditer(_PERIOD, first, re.IGNORECASE)]
        return said[-1][0] if said and said[-1].end() == len(first) else said[0][0] if len(said) == 1 else ""
    if re.search(r"[\u4e00-\u9fff]", first):
        bare = _LEAD_ZH.sub("", first)
        if bare == first and (lead := _IS_ZH.match(first)) and _is_alike(first[lead.end() :], others):
            return first[lead.end() :]
        longest = max(map(len, others))
        return bare if len(bare) <= longest + _MIN_SHARED or _is_alike(bare, others) else ""
    bare = _ORDERS_EN.sub("", first)
    if all(one[0].isupper() or one[0].isdigit() for one in others):
        found = re.search(r"(?:^|(?<=[a-z] ))(?:[A-Z\d]\S*)(?: \S+)*$", bare)
        capital = re.search(r"(?:[A-Z\d]\S*)(?: [A-Z\d]\S*)*$", bare)
        return capital[0] if capital else found[0] if found else ""
    return _LEAD_EN.sub("", bare)


def _is_alike(name: str, others: Sequence[str]) -> bool:
    return all(one[-1] == name[-1] for one in others) or all(one[0] == name[0] for one in others)


_ROLE: Final = (
    r"(?:预算|计划|核定|批复|预估|预定|实际|实付|实花|实收|支出|花了|花|用了|"
    r"\b(?:budget(?:ed)?|planned|plan|actual|spent|used))\s*(?:数|额|金额)?(?:是|为|:)?"
)
_NAME: Final = (
    r"[^\d\s,，、;；。.:()\"\n\ufffc—–-](?:[^\d,，、;；。.:()\"\n\ufffc—–]{0,22}?[^\d\s,，、;；。.:()\"\n\ufffc—–-])?"
)
_ROW: Final = re.compile(
    rf"(?P<name>{_NAME})\s*[,，、:]?\s*(?:是|为)?(?P<role1>{_ROLE})?\s*(?P<one>{NUMBER})(?P<unit1>\s*{UNIT})?"
    rf"\s*(?:[,，、/]|和|\band\b|\bbut\b)?\s*(?P<role2>{_ROLE})?\s*(?P<two>{NUMBER})(?P<unit2>\s*{UNIT})?",
    re.IGNORECASE,
)
_GAP: Final = re.compile(r"\s*(?:[,，、;；。.\n]|\band\b|和|以及)*\s*", re.IGNORECASE)


def take_rows(text: RequestText) -> tuple[tuple[SaidRecord, tuple[str, str]], ...]:
    """Names with two numbers each and what the words beside these call them; consumed. Empty if there are none."""
    runs: list[list[re.Match[str]]] = []
    for found in _ROW.finditer(text.mask):
        if runs and _GAP.fullmatch(text.mask, runs[-1][-1].end(), found.start()):
            runs[-1].append(found)
        else:
            runs.append([found])
    runs = [one for one in runs if len(one) > 1]
    if len(runs) != 1:
        return ()
    run = runs[0]
    others = [re.sub(r"^and\s+", "", one["name"], flags=re.IGNORECASE) for one in run[1:]]
    first = _cut_lead(run[0]["name"], others)
    if not first or not all(map(_is_name, (first, *others))):
        return ()
    names = [first, *others]
    starts = [text.mask.index(name, one.start()) for one, name in zip(run, names, strict=True)]
    start = starts[0]
    rows = tuple(
        (
            SaidRecord(
                text.raw[begin : begin + len(name)],
                (_plain(one["one"]), _plain(one["two"])),
                ((one["unit1"] or "").strip(), (one["unit2"] or "").strip()),
                begin,
                one.end(),
            ),
            (one["role1"] or "", one["role2"] or ""),
        )
        for one, name, begin in zip(run, names, starts, strict=True)
    )
    cut_out(text, start, run[-1].end())
    return rows
