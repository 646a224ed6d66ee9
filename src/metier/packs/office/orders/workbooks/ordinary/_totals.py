"""A row below the table with a sum, a mean or an extreme of its columns, its label and its number format."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders.workbooks._view import column_index, column_letters, name_cell
from metier.packs.office.orders.workbooks.ordinary._state import SheetOrder, SheetState
from metier.packs.office.orders.workbooks.ordinary._words import ADDS, is_filled, take_headers

if TYPE_CHECKING:
    from metier.json_values import JsonValue

__all__ = ["TOTAL_RULES"]

_FUNCTIONS: Final = (
    ("AVERAGE", r"取?平均(?:值|数|分)?|均值|\b(?:average|mean|avg)s?\b", "平均", "Average"),
    ("MAX", r"最大值|最高(?:值|分)|\b(?:maximum|max|highest|largest)\b(?: value)?", "最大值", "Maximum"),
    ("MIN", r"最小值|最低(?:值|分)|\b(?:minimum|min|lowest|smallest)\b(?: value)?", "最小值", "Minimum"),
    (
        "SUM",
        r"合计|总计|总和|求和|总数|加总|汇总|加起来|\b(?:grand )?(?:totals?|sum)\b(?: up)?|\b(?:add|adds|"
        r"adding) (?:it |them )?up\b",
        "合计",
        "Total",
    ),
)
_LABELS: Final = r"合计|总计|平均(?:值|数|分)?|最大值|最小值|最高分|最低分"
_PLACE: Final = (
    r"在?(?:表格?的?)?(?:最下面|最下方|最底下|最底部|最后面|最后|末尾|底部|下面|底下|下方|末行|表尾|结尾)(?:的?一行)?|"
    r"\b(?:at|on)(?: the)?(?: very)? (?:bottom|end)(?: of (?:it|the (?:table|sheet|column|list)))?\b|"
    r"\b(?:underneath|below|beneath|under)\b(?: (?:it|that|them|the (?:table|column|data|numbers|last row))\b)?|"
    r"[一1]个?行|(?<=[”\"计均])行|\b(?:row|line)\b"
)
_WORDS: Final = re.compile(
    rf"{ADDS}|写上?|要|对|把|给|将|按|求出?|算出?|取|用|公式|计算|自动|分别|名为|叫做?|标签|再|请|的|是|为|列|里|行|有|都|需|个|"
    r"\b(?:stick|add|put|give|insert|write|append|place|include|show|needs?|an?|the|of|for|columns?|col|row|line|with|as|by|"
    r"using|formulas?|and|in|to|its?|one|new|me|called|labell?ed|label|named|final|last|up|please|values?|numbers)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    rf"(?:and )?(?:write|put|type|label it|label the row|label that row|call it|"
    rf"name it)(?: as)?\s*(?P<en>{QUOTED}|[A-Z][a-z]+)"
    r"(?:\s*(?:next to it|beside it|in front of it|to the left of it|before it|in the first column|"
    r"on the left|to the left))*|"
    rf"(?:在?(?:它的?)?(?:左边|前面|旁边|第一列|左侧)的?(?:那?一?格)?)(?:里)?(?:写上?|标上?|注明|填上?)\s*(?P<zh>{QUOTED}|[\u4e00-\u9fff]{{1,6}})",
    re.IGNORECASE,
)
_DECIMALS: Final = re.compile(
    r"(?:数字|结果|数值)?(?:用|要|显示|保留|格式为|取|成|为)*(?P<zh>[一两二三四1-4])位小数(?:的?格式|显示)?|"
    r"(?:with |to |show(?:ing)? |format (?:it|that) (?:with|to) |and )*(?P<en>one|two|three|"
    r"[1-4]) decimals?(?: places?)?",
    re.IGNORECASE,
)


def _total(state: SheetState, text: RequestText) -> SheetOrder | None:
    place = state.place
    quote = text.take_any_quote()
    found = [(text.raw[slice(*one.span())], *form) for form in _FUNCTIONS if (one := text.take(form[1]))]
    for _, _, words, _, _ in found:
        text.take_all(words)
    implied = [("", *form) for form in _FUNCTIONS if quote and re.search(form[1], quote, re.IGNORECASE)]
    if not text.take_all(_PLACE) or len(found or implied) != 1 or place.table.totals:
        return None
    said, function, _, zh, en = (found or implied)[0]
    columns = take_headers(text, place) or place.measures
    is_other = bool(found and implied) and implied[0][1] != function
    if is_other or not columns or not is_filled(text.mask, _WORDS) or not all(map(place.is_number, columns)):
        return None
    label = quote or (said if re.fullmatch(_LABELS, said) else choose(state.context.language, zh=zh, en=en))
    return _write(state, function, label, columns, needs_label=bool(quote))


def _write(state: SheetState, function: str, label: str, columns: list[int], *, needs_label: bool) -> SheetOrder | None:
    place, row = state.place, state.place.last_body + 1
    free = next((one for one in place.columns if one not in columns), None)
    if any((row, one) in place.table.cells for one in place.columns) or (needs_label and free is None):
        return None
    first = place.table.body[0]
    own = name_cell(state.sheet, row, free) if free is not None else ""
    cells: list[JsonValue] = [{"cell": own, "value": label}] if own else []
    for name in map(column_letters, columns):
        formula = f"={function}({name}{first}:{name}{place.last_body})"
        cells.append({"cell": _at(state, row, name), "formula": formula})
    area = f"{_at(state, row, column_letters(min(columns)))}:{column_letters(max(columns))}{row}"
    return SheetOrder((step("set_cells", cells=cells),), cells=area, label=own)


def _at(state: SheetState, row: int, name: str) -> str:
    return name_cell(state.sheet, row, column_index(name))


def _label_total(state: SheetState, text: RequestText) -> SheetOrder | None:
    """What stands beside the figure that was just added."""
    found = _LABEL.fullmatch(text.mask)
    if found is None or state.last is None or not state.last.label:
        return None
    label = text.text_of(*found.span("en" if found["en"] else "zh"))
    made = step("set_cells", cells=[{"cell": state.last.label, "value": label}])
    return SheetOrder((made,), cells=state.last.cells, label=state.last.label)


def _show_decimals(state: SheetState, text: RequestText) -> SheetOrder | None:
    """Decimals of the cells that were just added."""
    found = _DECIMALS.fullmatch(text.mask)
    if found is None or state.last is None or not state.last.cells:
        return None
    count = read_count(found["zh"] or found["en"]) or 0
    made = step("set_number_format", range=state.last.cells, number_format=f"0.{'0' * count}")
    return SheetOrder((made,), cells=state.last.cells, label=state.last.label)


TOTAL_RULES: Final = (_total, _label_total, _show_decimals)
