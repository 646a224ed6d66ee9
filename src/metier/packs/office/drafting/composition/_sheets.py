"""A new sheet with its columns, its rows and what is computed from them, all from one message."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.packs.office._column_letters import column_letters
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.analysis import Reading, SheetCell, SheetCells
from metier.packs.office.drafting._asides import holds_anyway
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting._titles import take_chart_type, take_title
from metier.packs.office.drafting.composition._formulas import read_formula
from metier.packs.office.drafting.composition._reordered import list_orders
from metier.packs.office.drafting.composition._totals import is_mixed_total, read_totals
from metier.packs.office.drafting.composition._words import COLUMNS_CUE, is_filled, skip_leads
from metier.packs.office.drafting.rows import SaidGrid, read_grid

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["OrderOnSheet", "compose_sheet"]

# The actions of an order about a sheet that is to be made; none if it is not understood.
OrderOnSheet = Callable[[str, Reading], "Sequence[JsonObject]"]
_SHEET_ZH: Final = (
    rf"(?:弄|搞|建|新建|新增|建立|创建)?(?:一?[张个份])?(?P<new>新的?|"
    rf"新建)?\s*(?P<before>{QUOTED})?\s*(?P<noun>工作表|表格?|表单|sheet)"
    rf"(?:\s*[,，]?\s*(?:名称|名字|表名|名)?\s*(?:叫做?|名为|为|命名为|:)?\s*(?P<quoted>{QUOTED})|"
    r"(?:名称|名字|表名)?(?:叫做?|名为|命名为)(?P<bare>[^\s,，。;:\"()的]{1,12}))?(?:里|中)?"
)
_SHEET_EN: Final = (
    rf"(?:(?P<new_en>new|extra|separate)\s+)?(?:(?P<kind>price list|budget|table|"
    rf"work)\s*)?sheet\b(?:,? please)?(?:\s*,?\s*(?:and )?(?:called|named|name it|call it))?\s*"
    rf"(?P<quoted_en>{QUOTED}|(?-i:[A-Z])[\w&'’-]*(?: [\w&'’-]+){{0,3}}?(?=\s+with\b|\s*[,:.(]))"
)
_SHEET: Final = re.compile(rf"(?:\bon (?:an? |the )?|放进|放到|在)?\s*(?:{_SHEET_EN}|{_SHEET_ZH})", re.IGNORECASE)
_SIGNS: Final = re.compile(r"[\s,，:.。(]*")
_COUNTED: Final = re.compile(rf"\s*[,，]?\s*(?:一?共)?{COUNT}列\s*[,，:]\s*")
_WANTS: Final = re.compile(
    r"\s*(?:i(?:['’]d like| want| need)\b|(?:please )?(?:list|enter|put|type)\b|(?:里面?)?(?:列出?(?!为|是|名)|"
    r"放|写|填))?\s*",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[。;；\n!！]|\.(?=\s|$)")
_COMMA: Final = re.compile(r"[,，]\s*|\s+and (?=(?:i want|a|draw|add|gross|net|total|make|freeze)\b)", re.IGNORECASE)
_CHART_WORDS: Final = re.compile(
    r"旁边|右边|下面|下方|(?:在|到)?(?:同一|这|该)[张个]?(?:工作)?表(?:格)?(?:里|中|上)?|再|并|请|画|做|加|插入?|配|来|用|根据|这些|以上|数据|一?[个张幅]|的|\b(?:draw|add|insert|make|create|and|an?|"
    r"the|next to|beside|it|of|from|them|these|numbers|with|as|also|then|put)\b",
    re.IGNORECASE,
)
_SAYS_FORMULA: Final = re.compile(
    r"\s*(?:都|要|请)?(?:用|写)?公式(?:哈|计算)?\s*|(?:and )?(?:i want (?:that|it|this) )?(?:all )?(?:(?:as|by|with) )?"
    r"(?:an? |live )?formulas?|(?:shown |displayed )?as (?:an? )?formulas?",
    re.IGNORECASE,
)
_COUNTS_ROWS: Final = re.compile(rf"(?:就|只有|一?共|总共)*(?P<count>{COUNT})(?:个人|[行条家人])(?:而已|了)?")
_DECIMALS: Final = re.compile(
    r"(?:数字|金额)?(?:全部|全都|都|统一)?(?:保留|取|用)?[两2]位小数|(?:with )?(?:two|"
    r"2) decimals(?: places)?(?: throughout| everywhere)?",
    re.IGNORECASE,
)
# The format of the column whose formula was said before: 显示为百分比.
_OF_COLUMN: Final = re.compile(r"(?:并|都|请|要)*(?:显示|设|设置)(?:为|成)[^,，。;]{2,8}")
_CORRECTS: Final = re.compile(r"不对|说错|写错|更正|\b(?:no wait|make that|i mean|scratch that)\b", re.IGNORECASE)
_FIGURE: Final = re.compile(r"[(（]?[-+]?[￥¥$€£]?\s*\d[\d,]*(?:\.\d+)?\s*\D{0,3}[)）]?")
_NO_NAME: Final = re.compile(r"[\\/*?:\[\]']")
_MAX_NAME: Final = 31
_NUMBER: Final = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?%?")


@dataclass(slots=True)
class _SheetDraft:
    """A sheet as the clauses of a message make it."""

    name: str
    grid: SaidGrid
    language: "Language"
    formulas: dict[int, str] = field(default_factory=dict)
    totals: list[tuple[str, str, tuple[int, ...]]] = field(default_factory=list)  # function, label, columns
    charts: list[tuple[int, str]] = field(default_factory=list)
    orders: list[JsonObject] = field(default_factory=list)
    has_decimals: bool = False

    @property
    def last(self) -> int:
        return len(self.grid.rows) + 1

    def list_numeric(self) -> tuple[int, ...]:
        """Columns of numbers, those with a formula among them."""
        width = len(self.grid.rows[0])
        given = [at for at in range(width) if all(_NUMBER.fullmatch(row[at]) for row in self.grid.rows)]
        return tuple(sorted({*given, *self.formulas} - {0}))

    def computes_numbers(self) -> bool:
        """Whether every column that a formula or a total takes has numbers alone."""
        width, numeric = len(self.grid.rows[0]), {0, *self.list_numeric()}
        taken = {
            ord(letter) - ord("A") for one in self.formulas.values() for letter in re.findall(r"([A-Z])\{row\}", one)
        }
        mixed = {
            at for at in range(1, width) if at not in numeric and any(_NUMBER.search(row[at]) for row in self.grid.rows)
        }
        return taken <= numeric - {0} and not (self.totals and mixed & self._list_summable())

    def _list_summable(self) -> set[int]:
        width = len(self.grid.rows[0])
        return {at for at in range(1, width) if any(_FIGURE.fullmatch(row[at].strip()) for row in self.grid.rows)}


def compose_sheet(
    text: RequestText, language: "Language", order: OrderOnSheet, known: Sequence[str]
) -> DraftBlock | None:
    """The block of a new sheet; None unless the message is read to its last word, in one order of its clauses."""
    blocks = (_compose(RequestText(said), language, order, known) for said in list_orders(text.raw))
    return next((one for one in blocks if one is not None), None)


def _compose(text: RequestText, language: "Language", order: OrderOnSheet, known: Sequence[str]) -> DraftBlock | None:
    """The block of a new sheet; None unless the message is about one and read to its last word."""
    found = next((one for end in skip_leads(text.mask, 0) if (one := _SHEET.match(text.mask, end))), None)
    name = _name_sheet(text, found) if found else ""
    if found is None or not name or name in known:
        return None
    grid = _read_rows(text, found.end())
    if grid is None:
        return None
    sheet = _SheetDraft(name, grid, language)
    if not _read_clauses(sheet, text, grid.end, order) or len(grid.rows[0]) + len(sheet.formulas) != len(grid.columns):
        return None
    numeric = sheet.list_numeric()
    is_drawn = bool(sheet.charts) or any("chart" in str(one["op"]) for one in sheet.orders)
    if is_drawn and (not numeric or numeric != tuple(range(1, len(numeric) + 1))):
        return None  # a chart is drawn from the names and the numbers beside them
    if not sheet.computes_numbers():
        return None
    return _write_sheet(sheet)


def _name_sheet(text: RequestText, found: "re.Match[str]") -> str:
    """The name of the sheet; empty where nothing says that it is a new one."""
    group = next((one for one in ("before", "quoted", "bare", "quoted_en") if found[one]), "")
    is_new = found["noun"] not in ("表", "表格") or re.search("[新建搞弄]", text.mask[: found.end()]) is not None
    if not group or not is_new:
        return ""
    name = text.text_of(*found.span(group)).strip()
    return "" if _NO_NAME.search(name) or len(name) > _MAX_NAME else name


def _read_rows(text: RequestText, at: int) -> SaidGrid | None:
    for skip in (_SIGNS, _COUNTED, _WANTS):
        if lead := skip.match(text.mask, at):
            at = lead.end()
    cue = COLUMNS_CUE.match(text.mask, at)
    return read_grid(text, cue.end() if cue else at, len(text.mask))


def _read_clauses(sheet: _SheetDraft, text: RequestText, start: int, order: OrderOnSheet) -> bool:
    """Read what is said behind the rows, several clauses at a time where they belong together."""
    for first, last in _split(text.mask, _SENTENCE, start, len(text.mask)):
        clauses = list(_split(text.mask, _COMMA, first, last))
        at = 0
        while at < len(clauses):
            ends = range(len(clauses), at, -1)
            stretches = [(end, text.raw[clauses[at][0] : clauses[end - 1][1]].strip()) for end in ends]
            done = next((end for end, said in stretches if _read_clause(sheet, said)), 0)
            done = done or next((end for end, said in stretches if _take_order(sheet, said, order)), 0)
            if not done:
                return False
            at = done
    return True


def _split(mask: str, sign: "re.Pattern[str]", start: int, end: int) -> Iterator[tuple[int, int]]:
    edges = [start, *(edge for one in sign.finditer(mask, start, end) for edge in one.span()), end]
    yield from (piece for piece in zip(edges[::2], edges[1::2], strict=True) if mask[slice(*piece)].strip(" ,，。;."))


def _read_clause(sheet: _SheetDraft, said: str) -> bool:
    if _SAYS_FORMULA.fullmatch(said):
        return bool(sheet.formulas)
    if holds_anyway(said):
        return True
    if counted := _COUNTS_ROWS.fullmatch(said):
        return read_count(counted["count"]) == len(sheet.grid.rows)
    if _DECIMALS.fullmatch(said):
        sheet.has_decimals = True
        return True
    if formula := read_formula(said, sheet.grid.columns):
        is_open = formula[0] >= len(sheet.grid.rows[0]) and formula[0] not in sheet.formulas
        if is_open:
            sheet.formulas[formula[0]] = formula[1]
        return is_open
    if total := read_totals(said, sheet.grid.columns, sheet.list_numeric()):
        sheet.totals += total
        return True
    if chart := _read_chart(said):
        sheet.charts.append(chart)
        return True
    return False


def _take_order(sheet: _SheetDraft, said: str, order: OrderOnSheet) -> bool:
    if _CORRECTS.search(said) is not None or is_mixed_total(said, sheet.grid.columns):
        return False
    actions = order(said, _to_reading(sheet))
    if not actions and sheet.formulas and _OF_COLUMN.fullmatch(said):
        actions = order(f"{sheet.grid.columns[[*sheet.formulas][-1]]}{said}", _to_reading(sheet))
    sheet.orders += actions
    return bool(actions)


def _read_chart(said: str) -> tuple[int, str] | None:
    text = RequestText(said)
    title = take_title(text) or text.take_value(r"标题\s")
    kind = take_chart_type(text)
    return (kind, title) if kind is not None and is_filled(text.mask, _CHART_WORDS) else None


def _to_reading(sheet: _SheetDraft) -> Reading:
    """The sheet as it will be, for orders about it."""
    rows = [sheet.grid.columns, *sheet.grid.rows]
    cells = [
        SheetCell(f"{column_letters(column)}{number}", _to_value(value))
        for number, row in enumerate(rows, 1)
        for column, value in enumerate(row, 1)
    ]
    cells += [
        SheetCell(f"{column_letters(column + 1)}{number}", 0.0, formula.format(row=number))
        for column, formula in sheet.formulas.items()
        for number in range(2, sheet.last + 1)
    ]
    return Reading("", "xlsx", sheets=(SheetCells(sheet.name, tuple(cells)),))


def _to_value(value: str) -> str | float:
    is_number = _NUMBER.fullmatch(value) is not None and not value.endswith("%") and not re.match(r"0\d", value)
    return float(value.replace(",", "")) if is_number else value


def _write_sheet(sheet: _SheetDraft) -> DraftBlock:
    block = DraftBlock("sheet", sheet.name, sheet.language)
    columns, last = sheet.grid.columns, sheet.last
    block.add("ensure_sheet", sheet_name=sheet.name)
    block.add("set_selection", sheet_name=sheet.name, cell="A1")
    rows = [[*row, *("" for _ in columns[len(row) :])] for row in sheet.grid.rows]
    block.add("insert_table", **draft_table(columns, rows))
    for column, formula in sheet.formulas.items():
        for row in range(2, last + 1):
            cell = _at(sheet.name, f"{column_letters(column + 1)}{row}")
            block.add("set_cell_formula", cell=cell, formula=formula.format(row=row))
    for number, (function, label, summed) in enumerate(sheet.totals, last + 1):
        block.add("set_cells", cells=[{"cell": _at(sheet.name, f"A{number}"), "value": label}])
        for column in summed:
            letter = column_letters(column + 1)
            cell = _at(sheet.name, f"{letter}{number}")
            block.add("set_cell_formula", cell=cell, formula=f"={function}({letter}2:{letter}{last})")
    if sheet.totals:
        right = column_letters(len(columns))
        block.add("set_cell_style", range=_at(sheet.name, f"A{last + 1}:{right}{last + len(sheet.totals)}"), bold=True)
    if sheet.has_decimals and (numeric := sheet.list_numeric()):
        cells = f"{column_letters(numeric[0] + 1)}2:{column_letters(numeric[-1] + 1)}{last + len(sheet.totals)}"
        block.add("set_number_format", range=_at(sheet.name, cells), number_format="#,##0.00")
    for one in sheet.orders:
        block.add(str(one["op"]), **{name: value for name, value in one.items() if name not in ("id", "title", "op")})
    for kind, title in sheet.charts:
        values = sheet.list_numeric()
        block.add(
            "insert_chart_from_selection",
            title=title or sheet.name,
            chart_type=kind,
            sheet_name=sheet.name,
            source_range=f"A1:{column_letters(values[-1] + 1) if values else 'B'}{last}",
            has_legend=kind == 5 or len(values) > 1,
        )
    return block


def _at(sheet: str, cells: str) -> str:
    return f"{quote_sheet(sheet)}!{cells}"
