"""Summary tables of live formulas, in place of a pivot table of the program."""

import re
from dataclasses import dataclass
from typing import Final

from metier.packs.office._column_letters import column_letters
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea, cell_name
from metier.packs.office.sheets._cell_values import NewValue
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession, block_name
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._workbook import parse_areas
from metier.packs.office.sheets.formulas import CellValue
from metier.packs.office.sheets.steps._arrange import sort_key
from metier.packs.office.sheets.steps._insert import text_width
from metier.patterns import read_chinese_integer

MAX_GROUPS: Final = 2_000
_NUMERALS: Final = re.compile(r"(\d{1,15}|[零一二三四五六七八九十]{1,3}(?=[月季周日号期章节类级]))")
# No cell has this text, so that "not equal" to it takes every row.
_NOBODY: Final = "<>\u00a7\u00a7"


class LiveFormula(str):
    """A formula among the contents of a summary; a text of the data is never one."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of numbers and how it is put together."""

    column: int
    summary: str
    title: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the data are and what the summary shows."""

    source_sheet: SheetPart
    source: CellArea
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    measures: tuple[Measure, ...]
    filters: tuple[int, ...]

    def criterion(self, column: int) -> str:
        name = column_letters(column)
        area = f"${name}${self.source.top + 1}:${name}${self.source.bottom}"
        return f"{quote_sheet(self.source_sheet.name)}!{area}"


def create_summary(session: SheetSession, action: OfficeAction) -> None:
    """Write one row per group with formulas over the source; it follows when the data change."""
    layout = _read_layout(session, action)
    sheet, place = session.find(action.text("destination"), "destination")
    groups = _groups(session, layout, layout.rows)
    spread: list[tuple[CellValue, ...]] = _groups(session, layout, layout.columns) if layout.columns else [()]
    note = say("live_note", text=session.address(layout.source_sheet, layout.source)).text(session.language)
    builder = _Builder(session, layout, place)
    builder.build(groups, spread, note)
    cells = builder.cells
    height = max(row for row, _ in cells) - place.top + 1
    width = max(column for _, column in cells) - place.left + 1
    area = CellArea(place.top, place.left, place.top + height - 1, place.left + width - 1)
    if sheet.name == layout.source_sheet.name and area.meets(layout.source):
        raise session.fail("overlap", "destination", text=area.text, other=layout.source.text)
    session.check_writable(sheet, area, "destination")
    name = block_name(f"summary-{action.text('table_name') or cell_name(place.top, place.left)}")
    _check_place(session, action, sheet, area, name)
    session.warn("live_summary")
    session.remember(sheet, area)
    if _is_there(sheet, cells) and session.book.defined_name(name) is not None:
        return
    address = session.address(sheet, area)
    title = say("summary", text=address, other=session.address(layout.source_sheet, layout.source))
    after = "\n".join(
        "\t".join(show_value(cells.get((row, column))) for column in range(area.left, area.right + 1))
        for row in range(area.top, area.bottom + 1)
    )
    if not session.offer(action, address, title, (session.texts(sheet, area), after)):
        return
    for old_sheet, old in _old_areas(session, name):
        session.clear(session.sheet(old_sheet), old)
    _write(session, sheet, area, cells, layout)
    session.book.set_name(name, f"{quote_sheet(sheet.name)}!{area.absolute}")


def _read_layout(session: SheetSession, action: OfficeAction) -> Layout:
    sheet, source = session.find(action.text("source_range"), "source_range")
    used = sheet.used_area()
    if used is None or not used.meets(source):
        raise session.fail("no_data", "source_range", text=source.text)
    source = CellArea(
        max(source.top, used.top),
        max(source.left, used.left),
        min(source.bottom, used.bottom),
        min(source.right, used.right),
    )
    if source.height < 2:
        raise session.fail("no_data", "source_range", text=source.text)
    heads = [show_value(sheet.value(source.top, column)).strip() for column in range(source.left, source.right + 1)]

    def _column(name: str, place: str) -> int:
        lower = [one.lower() for one in heads]
        if name.strip().lower() not in lower:
            known = [one for one in heads if one]
            raise session.fail("no_field", place, text=source.text, field=name, known=known)
        return source.left + lower.index(name.strip().lower())

    def _fields(name: str) -> tuple[int, ...]:
        given = action.fields.get(name)
        return tuple(
            _column(str(one), f"{name}[{at}]") for at, one in enumerate(given if isinstance(given, list) else [])
        )

    measures = []
    listed = action.fields.get("values")
    for at, one in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(one, dict):
            summary = str(one.get("summary") or "sum")
            field = str(one.get("field"))
            title = str(one.get("title") or f"{_summary_word(session, summary)}{field}")
            measures.append(Measure(_column(field, f"values[{at}].field"), summary, title))
    if not measures or not _fields("rows"):
        raise session.fail("no_values", "values" if not measures else "rows")
    return Layout(sheet, source, _fields("rows"), _fields("columns"), tuple(measures), _fields("filters"))


def _summary_word(session: SheetSession, summary: str) -> str:
    return say(summary).text(session.language)


def _groups(session: SheetSession, layout: Layout, columns: tuple[int, ...]) -> list[tuple[CellValue, ...]]:
    """Different values of the fields, sorted."""
    found: dict[tuple[object, ...], tuple[CellValue, ...]] = {}
    for row in range(layout.source.top + 1, layout.source.bottom + 1):
        values = tuple(layout.source_sheet.value(row, column) for column in columns)
        if any(value not in (None, "") for value in values):
            folded = tuple(value.lower() if isinstance(value, str) else value for value in values)
            found.setdefault(folded, values)
    if len(found) > MAX_GROUPS:
        raise session.fail("too_many_cells", "rows", text=layout.source.text, count=len(found), limit=MAX_GROUPS)
    return sorted(found.values(), key=lambda values: [_natural_key(one) for one in values])


def _natural_key(value: CellValue) -> list[tuple[int, float, bytes]]:
    """Order in which 2月 stands before 10月 and 二月 before 十月."""
    if not isinstance(value, str):
        return [sort_key(value)]
    parts = _NUMERALS.split(value)
    return [(0, float(_read_number(one)), b"") if at % 2 else sort_key(one) for at, one in enumerate(parts) if one]


def _read_number(text: str) -> int:
    return int(text) if text.isdigit() else read_chinese_integer(text) or 0


class _Builder:
    """Contents of a summary by place."""

    def __init__(self, session: SheetSession, layout: Layout, place: CellArea) -> None:
        self.layout = layout
        self.top, self.left = place.top, place.left
        self.cells: dict[tuple[int, int], CellValue] = {}
        self._language = session.language
        self._everything = say("all").text(session.language)
        self._total = say("total").text(session.language)
        self._first = self.top + len(layout.filters) + (1 if layout.filters else 0)
        self._places: list[tuple[int, Measure, int | None]] = []
        self._filters: list[str] = []

    def build(self, groups: list[tuple[CellValue, ...]], spread: list[tuple[CellValue, ...]], note: str) -> None:
        """All cells: filters, heads, a row per group, the total and a note."""
        self._add_filters()
        self._add_heads(spread)
        body = self._first + len(self.layout.columns) + 1
        for number, group in enumerate(groups):
            for at, value in enumerate(group):
                self.cells[body + number, self.left + at] = value
            for column, measure, across in self._places:
                self.cells[body + number, column] = self._formula(measure, body + number, across)
        last = body + len(groups)
        self.cells[last, self.left] = self._total
        for column, measure, across in self._places:
            self.cells[last, column] = self._formula(measure, None, across)
        self.cells[last + 1, self.left] = note

    def _head(self, column: int) -> CellValue:
        return self.layout.source_sheet.value(self.layout.source.top, column)

    def _add_filters(self) -> None:
        for at, column in enumerate(self.layout.filters):
            self.cells[self.top + at, self.left] = self._head(column)
            self.cells[self.top + at, self.left + 1] = self._everything
            cell = f"${column_letters(self.left + 1)}${self.top + at}"
            criterion = f'IF({cell}="{self._everything}","{_NOBODY}",{cell})'
            self._filters.append(f"{self.layout.criterion(column)},{criterion}")

    def _add_heads(self, spread: list[tuple[CellValue, ...]]) -> None:
        layout, line = self.layout, self._first + len(self.layout.columns)
        for at, column in enumerate(layout.rows):
            self.cells[line, self.left + at] = self._head(column)
        column = self.left + len(layout.rows)
        for values in spread:
            for measure in layout.measures:
                for level, value in enumerate(values):
                    self.cells[self._first + level, column] = value
                self._add_measure(line, column, measure, column if layout.columns else None)
                column += 1
        for measure in layout.measures if layout.columns else ():
            self.cells[self._first, column] = self._total
            self._add_measure(line, column, measure, None)
            column += 1

    def _add_measure(self, line: int, column: int, measure: Measure, across: int | None) -> None:
        self.cells[line, column] = measure.title
        self._places.append((column, measure, across))

    def _formula(self, measure: Measure, row: int | None, across: int | None) -> LiveFormula:
        """SUMIFS and its relatives over the group of a row and the values above a column."""
        layout, conditions = self.layout, list(self._filters)
        if row is not None:
            for at, column in enumerate(layout.rows):
                conditions.append(f"{layout.criterion(column)},{_equal(f'${column_letters(self.left + at)}{row}')}")
        if across is not None:
            for level, column in enumerate(layout.columns):
                cell = f"{column_letters(across)}${self._first + level}"
                conditions.append(f"{layout.criterion(column)},{_equal(cell)}")
        data = layout.criterion(measure.column)
        if measure.summary == "count":
            return LiveFormula("=COUNTIFS(" + ",".join([*conditions, f'{data},"<>"']) + ")")
        if not conditions:
            return LiveFormula(f"={measure.summary.upper()}({data})")
        name = {"sum": "SUMIFS", "average": "AVERAGEIFS", "max": "_xlfn.MAXIFS", "min": "_xlfn.MINIFS"}[measure.summary]
        call = f"{name}({data},{','.join(conditions)})"
        return LiveFormula(f'=IFERROR({call},"")' if measure.summary == "average" else f"={call}")


def _equal(cell: str) -> str:
    """Criterion that takes exactly the value of a cell, also an empty one."""
    return f'IF({cell}="","=",{cell})'


def _check_place(session: SheetSession, action: OfficeAction, sheet: SheetPart, area: CellArea, name: str) -> None:
    own = [one for owner, one in _old_areas(session, name) if owner == sheet.name]
    for row, column in area.cells():
        is_own = any(one.has(row, column) for one in own) or session.is_free(sheet, CellArea(row, column, row, column))
        if not is_own:
            raise session.fail("occupied", "destination", text=area.text)
    if own and not action.flag("replace_existing", True) and own[0] != area:
        raise session.fail("occupied", "destination", text=own[0].text)


def _old_areas(session: SheetSession, name: str) -> list[tuple[str, CellArea]]:
    formula = session.book.defined_name(name)
    return parse_areas(formula) if formula else []


def _is_there(sheet: SheetPart, cells: dict[tuple[int, int], CellValue]) -> bool:
    for (row, column), value in cells.items():
        if isinstance(value, LiveFormula):
            if sheet.formula(row, column) != value[1:]:
                return False
        elif sheet.value(row, column) != value:
            return False
    return True


def _write(
    session: SheetSession, sheet: SheetPart, area: CellArea, cells: dict[tuple[int, int], CellValue], layout: Layout
) -> None:
    styles = session.book.styles
    first = area.top + len(layout.filters) + (1 if layout.filters else 0)
    for (row, column), value in sorted(cells.items()):
        if isinstance(value, LiveFormula):
            session.put_formula(sheet, row, column, value[1:])
        else:
            session.put(sheet, row, column, NewValue(value))
        if first <= row <= first + len(layout.columns):
            sheet.set_style(row, column, styles.with_head(sheet.style(row, column)))
        elif row == area.bottom - 1:
            sheet.set_style(row, column, styles.with_bold(sheet.style(row, column)))
    for at, column in enumerate(layout.rows):
        code = styles.number_format(layout.source_sheet.style(layout.source.top + 1, column))
        for row in range(first + len(layout.columns) + 1, area.bottom - 1):
            if code != "General":
                place = (row, area.left + at)
                sheet.set_style(*place, styles.with_number_format(sheet.style(*place), code))
    for column in range(area.left, area.right + 1):
        shown = [show_value(value) for (row, at), value in cells.items() if at == column and row < area.bottom]
        widths = [text_width(text) for text in shown if not text.startswith("=")]
        sheet.widen_column(column, min(max(widths, default=8.0) + 3, 40.0))
