"""Names with numbers in a request: series of a chart, rows of a budget, positions of a quotation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from metier.packs.office._counts import COUNT, PERIODS, expand_periods, read_count
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting.content._limits import is_limit, read_measure

__all__ = [
    "NamedNumbers",
    "NumberRole",
    "find_period_labels",
    "find_records",
    "find_values",
    "order_numbers",
    "read_unit",
]

_CURRENCY: Final = "¥￥$€£"
_NUMBER: Final = r"[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|[-−]?\d+(?:\.\d+)?"
_UNIT: Final = (
    r"(?:万元|亿元|万人|万|亿|元|台|套|件|个|项|次|份|人次|人|单(?![价位])|笔(?!记)|户|家(?!具)|名(?![称字])|位(?!置)|票|场|亩|株|公里|升(?!级)|分钟|分(?![别类])|吨|公斤|千克|度|千瓦时|小时|天|张|把|本|箱|块|支|只|瓶|盒|包|辆|副|双|卷|桶|袋|盆|米|"
    r"扇|樘|顶(?![部级层端])|幅(?!度)|根(?![据本])|棵|床(?!位)|串|片(?!区)|颗|粒|捆|匹|栋|幢|艘|盏|枚|罐|筐|平方米|平米|㎡|立方米|毫升|课时|学时|公顷|"
    r"%|％|‰|pcs\b|units?\b|"
    r"hours?\b|usd\b|eur\b|k\b|m\b)"
)
# Words that name a number of a record and are no name of the next record.
_FIELD: Final = (
    r"(?:数量|单价|每[台套件个项次份人张把本箱块支只瓶盒包辆副双卷桶袋盆米]|预算数?|实际(?:数|支出|[花用](?!了)|支了)?|花了|用了|卖了|批(?:了|准|复)|核定|(?<![必主纪概摘提简需重首])要|掉到|涨到|降到|升到|达到|计划|金额|价格|售价|共|各|分别|为|是|约|"
    r"(?:vs\.?|versus|against)(?=\s*[£$€]?\d)|\b(?:qty|quantity|pieces|unit price|price|costs?|budget|planned|"
    r"plan|actual|amount|at|each|of|is|was|for)\b|(?<![a-z])x(?![a-z])|×|@)"
)
# Words after a number that say which of the two of a record it is.
_AFTER_NUMBER: Final = (
    r"(?:\s+(?:was |were |is )?(?:budgeted|planned|allotted|spent|used|actually spent|in fact|so far)\b)?"
)
NumberRole = Literal["quantity", "price", "budget", "actual"]
# Words beside a number that say what it counts.
_ROLES: Final[tuple[tuple[NumberRole, str], ...]] = (
    ("quantity", r"数量|件数|台数|\b(?:qty|quantity|pieces)\b"),
    (
        "price",
        r"单价|每[台套件个项次份人张把本箱块支只瓶盒包辆副双卷桶袋盆米]|价格|售价|\b(?:unit price|price|costs?|at)\b|@",
    ),
    ("budget", r"预算|计划|批(?:了|准|复)|核定|\b(?:budget(?:ed)?|plan(?:ned)?|allotted)\b"),
    ("actual", r"实际|实付|花了?|用了|支了|支出|\b(?:actual(?:ly)?|spent|used|in fact|so far)\b"),
)
_TOKEN: Final = re.compile(
    rf"(?P<period>{PERIODS})|(?<!(?-i:[A-Z]))(?P<number>{_NUMBER})(?![日号时点])"
    rf"(?!\d|(?-i:[A-JLN-Z]\b))(?P<unit>\s*{_UNIT})?{_AFTER_NUMBER}",
    re.IGNORECASE,
)
_TRAILING_FIELDS: Final = re.compile(rf"(?:\s*(?:[,，:=/|｜]\s*)?{_FIELD})*[\s,，:=/|｜—-]*$", re.IGNORECASE)
_SEGMENT_END: Final = re.compile(rf"[,，、;:。!?\n()\[\]{CONSUMED}]|\.(?=\s)")
_LEAD: Final = re.compile(
    r"^.*(?:数据为|数据是|数据|分别为|分别是|其中|如下|\b(?:rows?|data|from|with|and|of|as|are|for|the)\b|"
    r"\b(?:values|figures|numbers|amounts|points|following)\b(?=\s+[A-Z])|\b(?:put|enter|show|chart|plot|draw|compare)\b(?=\s+[A-Z])|和)\s*",
    re.IGNORECASE,
)
# A blank behind words that are no name, and Chinese words right before the number.
_LAST_BLANK: Final = re.compile(r"(?:的|吧|了|一下|合计|汇总|统计|总数|公式|金额|数据)\s+(?=[\u4e00-\u9fff]{1,8}\s*$)")
_HARD_END: Final = re.compile(rf"[;。\n()]|\.(?=\s|$)|{CONSUMED}")


@dataclass(frozen=True, slots=True)
class NamedNumbers:
    """A name and the numbers after it, plain and as they were written (1,280,000.00); units apart."""

    name: str
    numbers: tuple[str, ...]
    units: tuple[str, ...]
    start: int
    end: int
    roles: tuple[NumberRole | None, ...]
    written: tuple[str, ...]


def order_numbers(record: NamedNumbers, roles: tuple[NumberRole, NumberRole]) -> NamedNumbers | None:
    """A record of two numbers in the order of these roles, where the request says which is which.

    None if its words contradict each other; a record without such words stays as it is.
    """
    said = [roles.index(one) if one in roles else None for one in record.roles]
    if len(said) != 2 or said in ([None, None], [0, 1], [0, None], [None, 1]):
        return record
    if said in ([1, 0], [1, None], [None, 0]):
        numbers, units, roles_said = record.numbers[::-1], record.units[::-1], record.roles[::-1]
        return replace(record, numbers=numbers, units=units, roles=roles_said, written=record.written[::-1])
    return None


def find_records(text: RequestText) -> list[NamedNumbers]:
    """Names with numbers; empty if there are none, or if a name between them has more or fewer numbers than another.

    A limit (低于 60) is no record, and neither is a measure (满分 100, average 35) beside records or alone.
    """
    records = _drop_measures(text, [one for one in _read_records(text) if not is_limit(one.name)])
    if len({len(one.numbers) for one in records}) != 1:
        return []
    gaps = pairwise(records)
    return [] if any(_has_other_name(text.mask[one.end : other.start]) for one, other in gaps) else records


def _drop_measures(text: RequestText, records: list[NamedNumbers]) -> list[NamedNumbers]:
    """Records without the measures among them; where all of several records are measures, they are what is listed."""
    kinds = [read_measure(one.name) for one in records]
    if not any(kinds) or (len(records) > 1 and all(kinds)):
        return records
    signs = [text.mask[: one.start].rstrip()[-1:] for one in records]
    usual = {sign for sign, kind in zip(signs[1:], kinds[1:], strict=True) if kind is None}
    return [
        one
        for at, one in enumerate(records)
        if kinds[at] is None
        or (kinds[at] == "sum" and len(records) > 1)
        or (kinds[at] == "goal" and len(records) > 1 and (at == 0 or signs[at] in usual))
    ]


def _has_other_name(gap: str) -> bool:
    """Whether something stands between a record and the name of the next one that is no mere sign or joining word."""
    return bool(
        re.sub(
            r"\b(?:and|plus|then|each|apiece|pcs)\b|又一笔|一笔|和|以及|与|另有|还有|[\W\d_]",
            "",
            gap,
            flags=re.IGNORECASE,
        )
    )


def read_unit(records: Sequence[NamedNumbers]) -> str | None:
    """The unit that all numbers have, empty if none has one; None if they differ."""
    units = {unit for one in records for unit in one.units}
    return next(iter(units)) if len(units) == 1 else None


def find_values(text: RequestText, count: int) -> tuple[tuple[str, ...], int, int]:
    """Exactly `count` bare numbers in one list, and where they stand; empty if there is no such list."""
    one = rf"(?:{_NUMBER})(?:\s*{_UNIT})?"
    for part in re.finditer(rf"{one}(?:(?:\s*(?:[,，、/;]|和|and)\s*(?:and\s+)?|\s+){one})+", text.mask, re.IGNORECASE):
        for pattern in (_NUMBER, r"[-−]?\d+(?:\.\d+)?"):
            numbers = re.findall(pattern, part[0])
            if len(numbers) == count:
                return tuple(value.replace(",", "") for value in numbers), part.start(), part.end()
    return (), 0, 0


def find_period_labels(text: RequestText) -> tuple[str, ...]:
    """Labels of a range of periods (1到6月, January to April, 四个季度); the range is consumed."""
    through = r"\s*(?:到|至|-|–|—|~|～|\bto\b|\bthrough\b)\s*"
    found = re.search(
        rf"({PERIODS}|\d{{1,2}}|[一二三四五六七八九十]{{1,2}}){through}({PERIODS})", text.mask, re.IGNORECASE
    )
    if found:
        labels = expand_periods(found[1], found[2])
        if labels:
            text.consume(*found.span())
        return labels
    if found := text.take(
        rf"(周|星期|礼拜)([一二三四五六日天])(?:份)?{through}(?:\1)?([一二三四五六日天])(?![周月\d])"
    ):
        days = "一二三四五六日"
        first, last = (days.index(one.replace("天", "日")) for one in (found[2], found[3]))
        return tuple(f"{found[1]}{one}" for one in days[first : last + 1]) if first < last else ()
    if found := text.take(rf"({COUNT})个?季度|各季度|每季度"):
        return tuple(f"{one}季度" for one in "一二三四"[: read_count(found[1] or "四") or 4])
    if text.take(r"(?:the )?(?:four )?\bquarters\b"):
        return ("Q1", "Q2", "Q3", "Q4")
    if found := text.take(r"上半年|下半年|全年"):
        first, last = {"上": (1, 6), "下": (7, 12)}.get(found[0][0], (1, 12))
        return tuple(f"{month}月" for month in range(first, last + 1))
    return ()


def _read_records(text: RequestText) -> Iterator[NamedNumbers]:
    name, start, end = "", 0, 0
    found: list[tuple[str, str, NumberRole | None, str]] = []
    at = 0

    def build() -> Iterator[NamedNumbers]:
        if name and found:
            numbers, units, roles, written = zip(*found, strict=True)
            yield NamedNumbers(name, numbers, units, start, end, roles, written)

    for token in _TOKEN.finditer(text.mask):
        if token["period"]:
            continue
        gap_name, gap_start = _name_in_gap(text, at, token.start())
        if gap_name or _HARD_END.search(text.mask, at, token.start()):
            yield from build()
            name, start, found = gap_name, gap_start, []
        number, unit = token["number"].replace(",", "").replace("−", "-"), (token["unit"] or "").strip()
        sign = text.mask[at : token.start()][-1:]
        written = f"{sign if sign and sign in _CURRENCY else ''}{token['number']}"
        found.append((number, unit, _read_role(text.mask[at : token.start()], token[0]), written))
        at = end = token.end()
    yield from build()


def _read_role(gap: str, token: str) -> NumberRole | None:
    """What the words right before a number, or else those after it, say that it counts."""
    before = gap[_TRAILING_FIELDS.search(gap).start() :]  # type: ignore[union-attr]  # it matches the empty end
    for words in (before, token):
        role = next((role for role, form in _ROLES if re.search(form, words, re.IGNORECASE)), None)
        if role is not None:
            return role
    return None


def _name_in_gap(text: RequestText, start: int, end: int) -> tuple[str, int]:
    """Name that stands before a number, and where it starts."""
    body = text.mask[start:end]
    stripped = body[: _TRAILING_FIELDS.search(body).start()]  # type: ignore[union-attr]  # it matches the empty end
    periods = list(re.finditer(PERIODS, stripped, re.IGNORECASE))
    if periods and not stripped[periods[-1].end() :].strip():
        return text.raw[start + periods[-1].start() : start + periods[-1].end()].strip(), start + periods[-1].start()
    cut = max((found.end() for found in _SEGMENT_END.finditer(stripped)), default=0)
    lead = _LEAD.match(stripped[cut:])
    cut += lead.end() if lead else 0
    if blank := _LAST_BLANK.search(stripped[cut:]):
        cut += blank.end()  # 要用公式的 小李86
    name = text.text_of(start + cut, start + len(stripped)).strip(f" -—:：{_CURRENCY}")
    shorter = re.sub(
        r"^第[一二三四五六七八九十\d]+[行条项笔](?:是|为|写)?|^(?:明细|数据|其中|分别|如下|还有|另外)+(?:是|为|有)?|^[\u4e00-\u9fff]{1,6}是(?!否|非)(?=[\u4e00-\u9fff]{2})|(?:又|再|另|还|也)(?:有|是|来|花|报|用)?了?一?[笔次条]?$",
        "",
        name,
    )
    cut += name.find(shorter) if shorter else 0
    name = shorter or name
    return (name, start + cut) if re.search(r"[^\W\d_]", name) else ("", start)
