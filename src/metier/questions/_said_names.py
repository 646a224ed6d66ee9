"""Names of rows as people say them: 10月 is 2025-10, 50号小区 the cell whose code ends in 50, 卖得 the sales."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from metier.patterns import MONTH_NAME_EN, compile_later, read_chinese_integer, read_month_en
from metier.questions._results import ResultTable

_MONTH_ROW: Final = compile_later(r"(\d{4})\s*[-/.年]\s*(0?[1-9]|1[0-2])\s*月?")
_MONTH: Final = compile_later(
    r"(?<![\d-])(?:(\d{4})\s*年\s*)?(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?![\d\s]*[日号])"
    rf"|\b({MONTH_NAME_EN})\b(?:,? (\d{{4}}))?(?! \d{{1,2}}\b)",
    re.IGNORECASE,
)
_DAY: Final = compile_later(r"(?<![\d-])(?:(\d{4})\s*年\s*)?(1[0-2]|0?[1-9])月([12]\d|3[01]|0?[1-9])[日号]")
_DAY_ROW: Final = compile_later(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_QUARTER: Final = compile_later(r"第?([一二三四1-4])季度|\bQ([1-4])\b", re.IGNORECASE)
_QUARTER_ROW: Final = compile_later(r"\d{4}\s*[-年]?\s*(?:Q([1-4])|第?([一二三四])季度)", re.IGNORECASE)
_YEAR: Final = compile_later(r"(?<!\d)((?:19|20)\d\d)年(?!\s*\d)")
_NUMBERED: Final = compile_later(
    r"(?<![\d月-])(\d{1,4})\s*号(?:小区|基站|站点?|设备|机组?)?"
    r"(?=$|[^\u4e00-\u9fff]|[的呢是有和与跟怎为在比这那多会能要到也都吗])"  # 1号泵 is no row of cells
    r"|\b(?:cell|site|unit) (?:no\.? ?|number |#)(\d{1,4})\b"
)
_OF_MONTHS: Final = compile_later(r"(?<=个)月(?!份?[底初末])|月份|\bmonths?\b", re.IGNORECASE)
_SOLD: Final = compile_later(r"卖(?:得|了|出去?)?|\bsold\b|\bsell\b", re.IGNORECASE)
_SALES: Final = compile_later(r"销售额|销售收入|营业额|营收|销量|\b(?:sales|revenue)\b", re.IGNORECASE)
_BEFORE_MONTH: Final = compile_later(r"\b(?:in|of|for|from|since|until|to|and|than|during|with|vs) $", re.IGNORECASE)
_NOUN: Final = r"(?:站点|基站|小区|扇区|设备|机组?|机器|(?:\b(?:the )?(?:cell|site|station|sector|machine|unit)\b))\s*"
_LAST_DIGITS: Final = compile_later(r"\d+$")


@dataclass(frozen=True, slots=True)
class SaidNames:
    """A question with the names that rows have; `named` are those rows, `absent` what was said and no row is."""

    text: str
    named: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def write_names(text: str, tables: Sequence[ResultTable]) -> SaidNames:
    """The question with months, numbers of cells and everyday words as the tables have them."""
    names = list(dict.fromkeys(str(row[0]) for table in tables for row in table.rows if row))
    text = _drop_nouns(text, names)
    shown = "\n".join([*names, *(one.title for table in tables for one in table.columns)]).lower()
    about = "\n".join(text for table in tables for text in (table.title, table.said)).lower()
    named: list[str] = []
    absent: list[str] = []

    def replace_with(find: Callable[[re.Match[str]], list[str]]) -> Callable[[re.Match[str]], str]:
        def write(found: re.Match[str]) -> str:
            if found[0].lower() in shown or _is_verb(found):
                return found[0]
            rows = find(found)
            if len(rows) == 1:
                named.append(rows[0])
                return rows[0]
            if rows or found[0].lower() not in about:
                absent.append(found[0])
            return found[0]

        return write

    text = _DAY.sub(replace_with(lambda found: _find_days(found, names)), text)
    text = _QUARTER.sub(replace_with(lambda found: _find_quarters(found, names)), text)
    absent += [one[0] for one in _YEAR.finditer(text) if one[1] not in shown and one[1] not in about]
    text = _MONTH.sub(replace_with(lambda found: _find_months(found, names)), text)
    text = _NUMBERED.sub(replace_with(lambda found: _find_numbered(found[1] or found[2], names)), text)
    by_month = next((one for one in tables if one.rows and _MONTH_ROW.fullmatch(str(one.rows[0][0]))), None)
    if by_month is not None and by_month.columns:
        text = _OF_MONTHS.sub(by_month.columns[0].title, text)
    if "卖" not in shown and (sales := _SALES.search(shown)):
        text = _SOLD.sub(sales[0], text)
    return SaidNames(text, tuple(dict.fromkeys(named)), tuple(dict.fromkeys(absent)))


def _is_verb(found: re.Match[str]) -> bool:
    """Whether "may" or "march" is no month: none of the words for a time stands before it."""
    return found[0].lower() in ("may", "march", "mar") and not _BEFORE_MONTH.search(found.string[: found.start()])


def _find_months(found: re.Match[str], names: Sequence[str]) -> list[str]:
    year, month = found[1] or found[4], _read_month(found)
    rows = [(name, row) for name in names if (row := _MONTH_ROW.fullmatch(name))]
    return [name for name, row in rows if int(row[2]) == month and (not year or row[1] == year)]


def _find_days(found: re.Match[str], names: Sequence[str]) -> list[str]:
    year, month, day = found[1], int(found[2]), int(found[3])
    rows = [(name, row) for name in names if (row := _DAY_ROW.fullmatch(name))]
    return [name for name, row in rows if (int(row[2]), int(row[3])) == (month, day) and (not year or row[1] == year)]


def _find_quarters(found: re.Match[str], names: Sequence[str]) -> list[str]:
    rows = [(name, row) for name in names if (row := _QUARTER_ROW.fullmatch(name))]
    return [name for name, row in rows if _read_quarter(row[1] or row[2]) == _read_quarter(found[1] or found[2])]


def _read_quarter(word: str) -> int | None:
    return int(word) if word.isdecimal() else read_chinese_integer(word)


def _read_month(found: re.Match[str]) -> int | None:
    if found[3]:
        return read_month_en(found[3])
    return int(found[2]) if found[2].isdecimal() else read_chinese_integer(found[2])


def _find_numbered(number: str, names: Sequence[str]) -> list[str]:
    """Names whose last digits are this number: 50 behind zeros or alone, as in 100050 and C-50."""
    rows = []
    for name in names:
        last = _LAST_DIGITS.search(name)
        if last and last[0].endswith(number.zfill(2)) and last[0].removesuffix(number)[-1:] in ("", "0"):
            rows.append(name)
    return rows


def _drop_nouns(text: str, names: Sequence[str]) -> str:
    """The text without what kind of thing a row is before its name: 站点 460-00-100031 is 460-00-100031."""
    for name in names:
        if len(name) > 1 and name in text:
            text = re.sub(f"{_NOUN}(?={re.escape(name)})", "", text, flags=re.IGNORECASE)
    return text
