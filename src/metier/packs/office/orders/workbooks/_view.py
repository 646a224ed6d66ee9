"""A workbook as orders name it: sheets, tables with headers, columns, rows and cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isinf
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.analysis import Reading, SheetCell
from metier.packs.office.analysis.workbooks import DataTable, read_number, read_tables
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._days import fit_day
from metier.packs.office.orders._formulas import read_cell_value, read_number_form
from metier.packs.office.orders._lexicon import find_synonyms
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.patterns import read_chinese_integer

__all__ = [
    "LITTLE_WORD",
    "SheetPlace",
    "choose_table",
    "column_index",
    "column_letters",
    "find_headers",
    "find_sheet",
    "fit_value",
    "list_places",
    "name_cell",
    "take_cells",
    "take_columns",
    "take_group",
    "take_own_column",
    "take_placed_columns",
    "take_rows",
    "take_sheet",
]

# What a row is about, as the heading of the column that numbers it.
_ROW_NOUN: Final = re.compile(
    r"(?:order|invoice|ticket|ref(?:erence)?|receipt|case|row|entry|record|item|job|bill)s?|"
    r"订单|发票|单据|工单|记录|票据|账单|案件",
    re.IGNORECASE,
)
# Two letters behind “column” that are a word and no letters of a column, unless they stand as capitals.
LITTLE_WORD: Final = r"(?!(?-i:as|at|an|by|in|is|it|of|on|or|to|up|so|if|be|do|we)\b)"
_COLUMN_WORD: Final = r"(?:(?:这|那)一?)?(?:列|栏|字段|\s*columns?\b|\s*field\b)"


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """The table that an order is about."""

    table: DataTable
    only: int = 0  # the column that is meant where none is named

    @property
    def sheet(self) -> str:
        return self.table.sheet

    @property
    def columns(self) -> tuple[int, ...]:
        return self.table.columns

    @property
    def last_body(self) -> int:
        return self.table.body[-1]

    def area(self, *, with_totals: bool = False) -> str:
        """Range of header and body."""
        last = max((*self.table.body, *self.table.totals)) if with_totals else self.last_body
        first, right = self.columns[0], self.columns[-1]
        return f"{quote_sheet(self.sheet)}!{column_letters(first)}{self.table.header_row}:{column_letters(right)}{last}"

    def column_area(self, column: int, *, with_totals: bool = False) -> str:
        """Body of a column."""
        last = max((*self.table.body, *self.table.totals)) if with_totals else self.last_body
        name = column_letters(column)
        return f"{quote_sheet(self.sheet)}!{name}{self.table.body[0]}:{name}{last}"

    def values(self, column: int) -> list[SheetCell]:
        return [cell for row in self.table.body if (cell := self.table.cell(row, column)) is not None]

    def is_number(self, column: int) -> bool:
        """Whether most cells of a column are numbers."""
        cells = [one for one in self.values(column) if one.formula or one.value not in (None, "")]
        if re.search(r"日期|时间|\bdate\b", self.table.header(column), re.IGNORECASE):
            return False
        numbers = [
            one for one in cells if one.formula or (read_number(one) is not None and not isinstance(one.value, str))
        ]
        return bool(cells) and len(numbers) >= 0.6 * len(cells)

    def is_date(self, column: int) -> bool:
        """Whether the cells of a column are days."""
        cells = [one for one in self.values(column) if one.value not in (None, "")]
        return bool(cells) and all(re.match(r"\d{4}-\d\d-\d\d", str(one.value)) for one in cells)

    def is_code(self, column: int) -> bool:
        """Whether numbers of a column are numbers in name only: running numbers, years, phones, ids, unit prices."""
        names = (
            r"序号|编号|工号|学号|号码|电话|手机|年份|年度|单价|代码|^(?:id|no\.?|year|phone|code|"
            r"(?:unit )?price)$|单号|货号|\b(?:id|no\.|number)$|^#$"
        )
        return bool(re.search(names, self.table.header(column), re.IGNORECASE)) or self.names_rows(column)

    def names_rows(self, column: int) -> bool:
        """Whether a column only numbers what its rows are, under their name: the orders 1001, 1002."""
        if not _ROW_NOUN.fullmatch(self.table.header(column).strip()):
            return False
        numbers = [read_number(one) for one in self.values(column)]
        return (
            len(numbers) > 1
            and None not in numbers
            and len(set(numbers)) == len(numbers)
            and all(one is not None and one == int(one) for one in numbers)
        )

    def can_compare(self, column: int) -> bool:
        """Whether a number may be compared with the cells of a column, and the column is more than a name of rows."""
        has_numbers = any(one.formula or read_number(one) is not None for one in self.values(column))
        return has_numbers and not self.names_rows(column)

    @property
    def measures(self) -> list[int]:
        """Columns of numbers that count or measure something."""
        return [one for one in self.columns if self.is_number(one) and not self.is_code(one)]

    def headers(self) -> tuple[str, ...]:
        return tuple(self.table.header(column) for column in self.columns)


def name_cell(sheet: str, row: int, column: int) -> str:
    """Address of a cell with its sheet."""
    return f"{quote_sheet(sheet)}!{column_letters(column)}{row}"


def list_places(reading: Reading) -> list[SheetPlace]:
    """The largest table of each visible sheet."""
    found = []
    for sheet in reading.sheets:
        tables = list(read_tables(sheet)) if not sheet.hidden else []
        if tables:
            found.append(SheetPlace(max(tables, key=lambda one: len(one.body) * len(one.columns))))
    return found


def choose_table(reading: Reading, text: RequestText) -> SheetPlace:
    """The table that the order means: on the sheet it names, the one with its columns, else the first."""
    places = list_places(reading)
    if not places:
        raise OrderUnclear("no_table")
    named = take_sheet(reading, text)
    if named:
        found = next((one for one in places if one.sheet == named), None)
        if found is None:
            raise OrderUnclear("no_table")
        return found
    if len(places) == 1:
        return places[0]
    scores = [sum(1 for _ in find_headers(text, one)) for one in places]
    best = [one for one, score in zip(places, scores, strict=True) if score == max(scores)]
    return best[0]


def take_sheet(reading: Reading, text: RequestText, *, bare: bool = False) -> str:
    """Name of a sheet in the order; empty if it names none. With `bare`, the name needs no word like sheet or tab."""
    word = r"(?:(?:这|那)[张个])?(?:工作表|表单|子表|sheet页?|表|页签|\s*(?:work)?sheet|\s*tab)"
    for sheet in sorted(reading.sheets, key=lambda one: -len(one.name)):
        for spelled in (sheet.name, *find_synonyms(sheet.name)):
            name = re.escape(spelled)
            for pattern in (
                rf"(?:工作表|sheet|表单)\s*[“\"「']?{name}[”\"」']?",
                rf"[“\"「']?{name}[”\"」']?\s*{word}(?:里面?|中|上|的)?",
                *([rf"{name}(?:里面?|中|上|的)?"] if re.search(r"[表单簿册]$", spelled) else []),
                *([rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])"] if bare else []),
            ):
                found = re.search(pattern, text.raw, re.IGNORECASE)
                if found and CONSUMED not in text.mask[found.start() : found.end()]:
                    text.consume(*found.span())
                    return sheet.name
    return ""


def find_sheet(context: OrderContext, text: RequestText) -> str:
    """Name of the sheet that an order about pages means: the one it names, the only one, or none for all."""
    named = take_sheet(context.reading, text)
    if named or len(context.reading.sheets) > 1:
        return named
    return context.reading.sheets[0].name if context.reading.sheets else ""


def fit_value(place: SheetPlace, column: int, value: str) -> JsonValue:
    """A value as the column has its values: texts in a column of texts, numbers in one of numbers."""
    sample = next((one for one in place.values(column) if one.value not in (None, "")), None)
    if sample is not None and isinstance(sample.value, str) and read_number(sample) is not None:
        return value
    made = read_cell_value(re.sub(r"(?<=\d)\s*(?:元|块|人|个|天|分)$", "", value))
    if not isinstance(made, str):
        return made
    if not place.is_number(column):
        return fit_day([str(one.value) for one in place.values(column) if one.value not in (None, "")], made)
    number = read_number_form(made)
    if number is None:
        number = read_chinese_integer(re.sub(r"[元块钱]+$", "", made))
    if number is not None and isinf(number):
        raise OrderUnclear("which_number", text=made[:30], column=place.table.header(column))
    if number is None and re.search(r"\d|^(?:nan|inf)|[一二两三四五六七八九十百千万]{2}", made, re.IGNORECASE):
        raise OrderUnclear("which_number", text=made[:30], column=place.table.header(column))
    if number is None:
        return made
    known = [abs(one) for cell in place.values(column) if (one := read_number(cell)) is not None]
    if made.endswith(("%", "％")) and max(known, default=0) > 1:
        raise OrderUnclear("which_number", text=made, column=place.table.header(column))
    return number


def find_headers(text: RequestText, place: SheetPlace) -> Iterator[tuple[int, int, int]]:
    """Start, end and column of each header that stands in the order, the longest first at each place."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, int]] = []
    for column in sorted(place.columns, key=lambda one: -len(place.table.header(one))):
        for name in _names_of(place.table.header(column)):
            pattern = re.escape(name)
            if name.isascii():
                pattern = rf"(?<![A-Za-z0-9]){pattern}(?:s|es)?(?![A-Za-z0-9])"
            suffix = "" if len(name) > 1 else _COLUMN_WORD
            for match in re.finditer(
                rf"[“\"「']?{pattern}[”\"」']?(?:{suffix or _COLUMN_WORD + '?'})", text.raw, re.IGNORECASE
            ):
                span = match.span()
                if CONSUMED in text.mask[span[0] : span[1]] and not suffix:
                    bare = re.match(rf"[“\"「']?{pattern}[”\"」']?", text.raw[span[0] :], re.IGNORECASE)
                    span = (span[0], span[0] + bare.end()) if bare else span
                is_free = CONSUMED not in text.mask[span[0] : span[1]]
                if is_free and not any(span[0] < end and start < span[1] for start, end in taken):
                    taken.append(span)
                    found.append((*span, column))
    yield from sorted(found)


def _names_of(header: str) -> list[str]:
    """A header, and without its unit: 金额（元）, Amount (USD)."""
    return [one for one in dict.fromkeys((header, _short_name(header), *find_synonyms(header))) if one]


def take_group(text: RequestText, place: SheetPlace) -> list[int]:
    """The next column by which rows are grouped, by a part of its name: 各班 is 班级, 每种费用 is 费用类别."""
    form = (
        r"(?:各个?|各种|每[个种类位]?|不同的?|按照?|分(?!别))(?P<it>[\u4e00-\u9fff]{1,4})|"
        r"\b(?:by|per|each|every) (?P<en>[A-Za-z]{3,})\b"
    )
    for found in re.finditer(form, text.mask, re.IGNORECASE):
        group = "it" if found["it"] else "en"
        word = found[group].lower()
        for part in [word[:size] for size in range(len(word), 0, -1)] if found["it"] else [word]:
            hits = [one for one in place.columns if _is_group(place, one, part)]
            if len(hits) == 1:
                header, start = place.table.header(hits[0]), found.start(group)
                is_whole = text.raw[start:].lower().startswith(header.lower())
                text.consume(found.start(), start + len(header if is_whole else part))
                return hits
    return []


def _is_group(place: SheetPlace, column: int, part: str) -> bool:
    header = place.table.header(column).lower()
    return part in header and len(part) * 2 >= len(header) and not place.is_number(column)


def take_columns(text: RequestText, place: SheetPlace, *, most: int = 50) -> list[int]:
    """Columns that the order names by header, letter or number, in its order."""
    placed = take_placed_columns(text, place, most=most)
    return sorted(placed, key=lambda column: placed[column])


def take_placed_columns(text: RequestText, place: SheetPlace, *, most: int = 50) -> dict[int, int]:
    """Columns that the order names, each with where it first stands in the message."""
    found: list[tuple[int, int]] = []
    for start, end, column in list(find_headers(text, place))[:most]:
        _check_twins(text.raw[start:end], column, place)
        text.consume(start, end)
        found.append((start, column))
    letter = r"(?<![A-Za-z0-9])([A-Za-z]{1,2})"
    while len(found) < most:
        if match := text.take(
            rf"{letter}\s*(?:到|至|-|~|:)\s*([A-Za-z]{{1,2}})\s*列|\bcolumns?\s+([A-Z]{{1,2}})\s*(?:to|-|"
            rf"through|:)\s*([A-Z]{{1,2}})\b"
        ):
            first, last = column_index(match[1] or match[3]), column_index(match[2] or match[4])
            found += [(match.start(), one) for one in range(first, last + 1)]
        elif match := text.take(
            r"\bcol(?:umn)?s\s+((?:[A-Z]{1,2}\s*(?:,|and|&)\s*)+(?:and\s+)?[A-Z]{1,2})\b(?!\s*(?:to|-|:))"
        ):
            found += [(match.start(), column_index(one)) for one in re.findall(r"\b([A-Z]{1,2})\b", match[1])]
        elif match := text.take(rf"第({ORDINAL})\s*(?:到|至|-|~)\s*第?({ORDINAL})列"):
            low, high = read_ordinal(match[1]) or 0, read_ordinal(match[2]) or 0
            found += [
                (match.start(), place.columns[one - 1]) for one in range(low, high + 1) if one <= len(place.columns)
            ]
        elif match := text.take(
            rf"{letter}(?:、|和|，|,)(?=[A-Za-z]{{1,2}}(?:、|和|，|,|列))|{letter}\s*列|\bcolumn\s+{LITTLE_WORD}([A-Z]{{1,2}})\b"
        ):
            found.append((match.start(), column_index(match[1] or match[2] or match[3])))
        elif match := text.take(rf"第({ORDINAL})列|\b({EN_ORDINAL})\s+column\b|\bcolumn\s+(\d+)\b"):
            number = read_ordinal(match[1] or match[2] or match[3]) or 0
            if not 1 <= number <= len(place.columns):
                raise OrderUnclear("no_column", known=place.headers())
            found.append((match.start(), place.columns[number - 1]))
        elif match := text.take(r"最后一列|最右边?(?:的)?(?:一)?列|\blast column\b"):
            found.append((match.start(), place.columns[-1]))
        else:
            break
    return {column: start for start, column in sorted(found, reverse=True)}


def _check_twins(said: str, column: int, place: SheetPlace) -> None:
    """Ask which column is meant if others have the same name, with or without its unit."""
    header = place.table.header(column)
    same = [one for one in place.columns if place.table.header(one) == header]
    if len(same) == 1 and header.lower() not in said.lower():
        short = _short_name(header)
        same = [one for one in place.columns if _short_name(place.table.header(one)) == short]
    if len(same) > 1:
        raise OrderUnclear("twin_columns", text=header, known=tuple(column_letters(one) for one in same))


def _short_name(header: str) -> str:
    return re.sub(r"\s*[（(\[][^）)\]]*[）)\]]\s*$", "", header)


def take_own_column(text: RequestText, place: SheetPlace) -> int:
    """Letter of the new column if the order names it; asked about if that is not the next free one."""
    found = text.take(r"(?:在)?(?<![A-Za-z])([A-Za-z]{1,2})列|\b(?:in |as )?column " + LITTLE_WORD + r"([A-Z]{1,2})\b")
    if found is None:
        return 0
    target = column_index(found[1] or found[2])
    if target != place.columns[-1] + 1:
        raise OrderUnclear("no_place")
    return target


def take_rows(text: RequestText, place: SheetPlace) -> list[int]:
    """Rows by number, or the last one; numbers are those at the edge of the sheet."""
    found: list[int] = []
    while True:
        if match := text.take(
            rf"第({ORDINAL})\s*(?:行)?(?:到|至|-|~)第?({ORDINAL})行|\brows?\s+(\d+)\s*(?:to|-|through)\s*(\d+)\b"
        ):
            low, high = read_ordinal(match[1] or match[3]) or 0, read_ordinal(match[2] or match[4]) or 0
            found += range(low, high + 1)
        elif match := text.take(
            rf"第({ORDINAL})(?:、|和|，|,)(?=第?{ORDINAL}(?:、|和|，|,|行))|第({ORDINAL})行|(\d+)行|"
            rf"\brows?\s+(\d+|one|two|three|four|five)\b|\band\s+(\d+)(?=\s|$)(?<=\d)|\b({EN_ORDINAL})\s+row\b"
        ):
            number = read_ordinal(next(one for one in match.groups() if one)) or 0
            found.append(number)
        elif text.take(r"最后一行|末行|最下面(?:的)?一行|\blast row\b"):
            found.append(max((*place.table.body, *place.table.totals)))
        else:
            return [one for one in dict.fromkeys(found) if one > 0]


def take_cells(text: RequestText, sheet: str) -> list[str]:
    """Addresses such as B2 and B2:D9, with the sheet."""
    found = []
    cell = r"[A-Za-z]{1,3}[1-9]\d{0,6}"
    while match := text.take(
        rf"(?<![A-Za-z0-9])(?:\bcells?\s+|\brange\s+)?({cell})(?:\s*(?::|到|至|-|~|"
        rf"\bto\b)\s*({cell}))?(?![A-Za-z0-9])(?:这?个?(?:单元格|格子?|区域|范围))?"
    ):
        area = f"{match[1].upper()}:{match[2].upper()}" if match[2] else match[1].upper()
        found.append(f"{quote_sheet(sheet)}!{area}")
    return found
