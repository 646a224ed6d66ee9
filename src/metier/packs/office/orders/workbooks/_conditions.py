"""Conditions on rows: 金额大于1000, 状态为已完成, region is North, amount between 10 and 20."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.analysis.workbooks import read_number
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import SheetPlace, take_columns

__all__ = ["AFTER_FORMS", "NUMBER", "NUMERIC_FORMS", "Condition", "Operator", "take_condition"]

Operator = Literal[
    "between",
    "equal",
    "not_equal",
    "greater_than",
    "less_than",
    "greater_or_equal",
    "less_or_equal",
    "contains",
    "blank",
]
NUMBER: Final = (
    r"(-?\d[\d,]*(?:\.\d+)?)\s*(万|亿|千|%|％|k\b)?\s*(?:元|块|人|天|个|分|岁|件|台|吨|月|小时|yuan|dollars?|days?)?"
)
NUMERIC_FORMS: Final[tuple[tuple[Operator, str], ...]] = (
    ("greater_or_equal", (
        r"(?:大于等于|大于或等于|不低于|不少于|不小于|至少|达到|>=|≥|\b(?:at least|no less than|"
        r"greater than or equal to|not (?:below|under|less than))\b)"
    )),
    ("less_or_equal", (
        r"(?:小于等于|小于或等于|不超过|不高于|不大于|不多于|至多|最多|<=|≤|\b(?:at most|no more than|"
        r"up to|less than or equal to|not (?:above|over|more than))\b)"
    )),
    ("greater_than", (
        r"(?:大于|超过|超出|超|高于|多于|高过|大过|>|\b(?:greater than|larger than|higher than|more than|"
        r"bigger than|over|above|exceed(?:s|ing)?)\b)"
    )),
    ("less_than", (
        r"(?:小于|低于|少于|不到|不足|不够|<|\b(?:less than|lower than|smaller than|fewer than|below|"
        r"under)\b)"
    )),
)  # fmt: skip
AFTER_FORMS: Final[tuple[tuple[Operator, str], ...]] = (
    ("greater_or_equal", r"(?:及|或)?以上|or (?:more|above|higher)"),
    ("less_or_equal", r"(?:及|或)以下|or (?:less|below|lower)"),
    ("less_than", r"以下|以内"),
)
_SIGNS: Final = (
    ("greater_than", ">"),
    ("less_than", "<"),
    ("greater_or_equal", ">="),
    ("less_or_equal", "<="),
    ("not_equal", "<>"),
    ("equal", ""),
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One test of a column."""

    column: int
    operator: Operator
    first: str
    second: str = ""

    def criteria(self) -> tuple[str, str, str]:
        """Criteria of a filter: one, or two with their operator."""
        if self.operator == "between":
            return f">={self.first}", f"<={self.second}", "and"
        if self.operator == "contains":
            return f"*{self.first}*", "", ""
        if self.operator == "blank":
            return "=", "", ""
        return f"{dict(_SIGNS)[self.operator]}{self.first}", "", ""

    def find_rows(self, place: SheetPlace) -> list[int]:
        """Rows of the body that meet the condition."""
        return [row for row in place.table.body if self._is_met(place, row)]

    def _is_met(self, place: SheetPlace, row: int) -> bool:
        cell = place.table.cell(row, self.column)
        shown = "" if cell is None or cell.value is None else str(cell.value).strip()
        if self.operator == "blank":
            return not shown
        if self.operator == "contains":
            return self.first in shown
        number, wanted = read_number(cell), _to_number(self.first)
        if number is None or wanted is None:
            same = shown == self.first
            return same if self.operator == "equal" else not same and self.operator == "not_equal"
        results = {
            "equal": number == wanted,
            "not_equal": number != wanted,
            "greater_than": number > wanted,
            "less_than": number < wanted,
            "greater_or_equal": number >= wanted,
            "less_or_equal": number <= wanted,
            "between": wanted <= number <= (_to_number(self.second) or wanted),
        }
        return results[self.operator]


def _to_number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def take_condition(text: RequestText, place: SheetPlace) -> Condition | None:
    """The condition of the order; None if it has none."""
    found = _take_numeric(text, place)
    if found is not None:
        return found
    return _take_named(text, place) or _take_value(text, place)


def _take_numeric(text: RequestText, place: SheetPlace) -> Condition | None:
    between = (
        rf"(?:在|介于)?{NUMBER}\s*(?:到|至|和|与|-|~)\s*{NUMBER}\s*(?:之间|区间)|"
        rf"\bbetween\s+{NUMBER}\s+and\s+{NUMBER}"
    )
    if match := re.search(between, text.mask, re.IGNORECASE):
        groups = match.groups()
        at = 0 if groups[0] else 4
        column = _column_for(text, place, match)
        return Condition(
            column,
            "between",
            _scale_number(place, column, groups[at], groups[at + 1]),
            _scale_number(place, column, groups[at + 2], groups[at + 3]),
        )
    for operator, words in NUMERIC_FORMS:
        if match := re.search(rf"{words}(?:了)?\s*{NUMBER}", text.mask, re.IGNORECASE):
            column = _column_for(text, place, match)
            return Condition(column, operator, _scale_number(place, column, match[1], match[2]))
    for operator, words in AFTER_FORMS:
        if match := re.search(rf"{NUMBER}\s*(?:{words})", text.mask, re.IGNORECASE):
            column = _column_for(text, place, match)
            return Condition(column, operator, _scale_number(place, column, match[1], match[2]))
    return None


def _column_for(text: RequestText, place: SheetPlace, match: re.Match[str]) -> int:
    """The column that a comparison is about: the last one named before it, else the first after it."""
    text.consume(*match.span())
    named = [
        (at, column)
        for column in place.columns
        if (at := _find_name(text, place.table.header(column))) >= 0 and place.can_compare(column)
    ]
    before = [one for one in named if one[0] < match.start()]
    if named:
        column = max(before)[1] if before else min(named)[1]
        found = re.search(
            rf"[“\"「']?{re.escape(place.table.header(column))}[”\"」']?(?:(?:这|那)?一?(?:列|栏)|\s+column)?",
            text.raw,
            re.IGNORECASE,
        )
        if found:
            text.consume(*found.span())
        return column
    saved = text.mask
    columns = [one for one in take_columns(text, place, most=1) if place.is_number(one) and place.can_compare(one)]
    if not columns:
        text.mask, columns = saved, [place.only] if place.only else []
    numbers = columns or place.measures
    if len(numbers) > 1 and not columns:
        numbers = [
            one for one in numbers if re.search(r"金额|总价|amount|total", place.table.header(one), re.IGNORECASE)
        ]
    if len(numbers) != 1:
        raise OrderUnclear("no_column", known=place.headers())
    return numbers[0]


def _find_name(text: RequestText, header: str) -> int:
    edge = r"(?<![A-Za-z0-9])" if header.isascii() else ""
    close = r"(?![A-Za-z0-9])" if header.isascii() else ""
    found = re.search(rf"{edge}{re.escape(header)}{close}", text.raw, re.IGNORECASE) if len(header) > 1 else None
    return found.start() if found is not None and "\ufffc" not in text.mask[found.start() : found.end()] else -1


def _scale_number(place: SheetPlace, column: int, number: str, unit: str | None) -> str:
    """The number as the cells hold it: 5万 is 50000, unless the header counts in 万; 5% is 0.05."""
    value = float(number.replace(",", ""))
    header = place.table.header(column)
    if unit in ("万", "亿", "千", "k") and unit not in header:
        value *= {"万": 1e4, "亿": 1e8, "千": 1e3, "k": 1e3}[unit]
    if unit in ("%", "％"):
        numbers = [one for cell in place.values(column) if (one := read_number(cell)) is not None]
        value = value / 100 if numbers and max(map(abs, numbers)) <= 2 else value
    return f"{value:.10g}"


def _take_named(text: RequestText, place: SheetPlace) -> Condition | None:
    """Column, verb and value: 部门为销售部, status is not done, 姓名包含王."""
    value = rf"({QUOTED}|[^\s,，。;\"\ufffc的]+|[^,，。;\"\ufffc]+?)(?=的|$|[,，。;\ufffc]|\s)"
    for column in sorted(place.columns, key=lambda one: -len(place.table.header(one))):
        header = re.escape(place.table.header(column))
        name = rf"[“\"「']?{header}[”\"」']?(?:(?:这|那)?一?(?:列|栏)|\s+column)?(?:的?值)?(?:中|里)?"
        if match := re.search(
            rf"{name}\s*(?:为空|是空的?|空白|没填|没有填|未填|缺失|\bis (?:blank|empty|missing))",
            text.raw,
            re.IGNORECASE,
        ):
            text.consume(*match.span())
            return Condition(column, "blank", "")
        forms: tuple[tuple[Operator, str], ...] = (
            ("not_equal", r"(?:不等于|不是|不为|≠|<>|\b(?:is not|isn't|not equal to)\b)"),
            ("contains", r"(?:包含|含有|含|带有?|里有|\b(?:contain(?:s|ing)?|includ(?:es|ing))\b)"),
            ("equal", r"(?:等于|为|是|=|叫|写着|\b(?:equals?|is|are|equal to|of)\b)"),
        )
        for operator, words in forms:
            raw = value.replace(QUOTED, r"[“\"「'][^”\"」']+[”\"」']")
            if match := re.search(rf"{name}\s*{words}\s*{raw}", text.raw, re.IGNORECASE):
                text.consume(*match.span())
                return Condition(column, operator, match[1].strip(" “”\"「」'"))
    return None


def _take_value(text: RequestText, place: SheetPlace) -> Condition | None:
    """A value alone that exactly one column has: 华东的, 张三那一行."""
    found: dict[str, set[int]] = {}
    for column in place.columns:
        for cell in place.values(column):
            if isinstance(cell.value, str) and cell.value.strip() and read_number(cell) is None:
                found.setdefault(cell.value.strip(), set()).add(column)
    for value in sorted(found, key=len, reverse=True):
        at = text.raw.lower().find(value.lower())
        if at >= 0 and "\ufffc" not in text.mask[at : at + len(value)] and (len(value) > 1 or not value.isascii()):
            if len(found[value]) > 1:
                raise OrderUnclear("no_condition")
            start = at - 1 if at and text.raw[at - 1] in "“\"「'" else at
            end = (
                at + len(value) + (1 if text.raw[at + len(value) : at + len(value) + 1] in ("”", '"', "」", "'") else 0)
            )
            text.consume(start, end)
            return Condition(next(iter(found[value])), "equal", value)
    return None
