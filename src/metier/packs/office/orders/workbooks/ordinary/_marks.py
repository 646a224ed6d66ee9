"""Rules of colour in other words: a comparison with its look, the largest value; and a header that stays in sight."""

import re
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders.workbooks._conditions import take_condition
from metier.packs.office.orders.workbooks._view import column_letters
from metier.packs.office.orders.workbooks.ordinary._state import SheetOrder, SheetState
from metier.packs.office.orders.workbooks.ordinary._words import is_filled, take_headers

__all__ = ["MARK_RULES"]

_SIGN: Final = re.compile(
    r"\s*(?<![<>=])(?:=|->|→|=>|:|,|，|\b(?:should|must) (?:turn|be|become|get|go)\b|\b(?:turns?|becomes?)\b)(?!=)\s*",
    re.IGNORECASE,
)
_TEST_WORDS: Final = re.compile(
    r"的|值|单元格|格子?|数字|如果|凡是|是|列|就|要|\b(?:columns?|cols?|values?|cells?|numbers?|if|when|anything|everything|is|are|in|the|that|which)\b",
    re.IGNORECASE,
)
_LOOK_WORDS: Final = re.compile(
    r"标|用|显示|单元格|格子?|就|要|\b(?:cells?|fill|it|them|in|with|the|make|mark|rule|turn|colou?r|should|be)\b",
    re.IGNORECASE,
)
_EXTREME: Final = (
    r"(?P<high>最大|最高|最多|\b(?:top|largest|highest|biggest|greatest|maximum|max)\b)|"
    r"(?P<low>最小|最低|最少|\b(?:lowest|smallest|least|minimum|min)\b)"
)
_EXTREME_WORDS: Final = re.compile(
    r"把|给|将|请|里面?|中|的|那一?个|一个|数值?|数字|值|单元格|格子?|用|设|加|条件格式|规则|标(?:出来?|记|注|成)?|显示|出来|来|列|"
    r"\b(?:highlight|mark|flag|colou?r|show|the|an?|one|values?|numbers?|cells?|figures?|in|of|that|this|it|column|col|with|by|using|"
    r"conditional|formatting|format|rule|please|make)\b",
    re.IGNORECASE,
)
_MARKS: Final = r"条件格式|标|突出|高亮|\b(?:conditional format(?:ting)?|highlight|mark|flag|colou?r|fill)\b"
_KEEP_HEADER: Final = re.compile(
    r"(?:keep|leave) the header(?: row)? (?:on|at|in) (?:the )?(?:top|place|view|sight)\s*,?\s*and (?:freeze|"
    r"lock) (?:it|that row)|"
    r"(?:freeze|lock) the header(?: row)?(?: (?:on|at) (?:the )?top)?|(?:把)?(?:表头|标题行|"
    r"首行)(?:那一?行)?(?:留|保持|放)?在(?:最)?(?:上面|顶部|顶上)[,，]?并?(?:冻结|锁定|固定)(?:住|起来)?",
    re.IGNORECASE,
)


def _compare(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A comparison, a sign and a look: 数量 below 4 = yellow fill."""
    for sign in _SIGN.finditer(text.mask):
        said, shown = RequestText(text.raw[: sign.start()]), RequestText(text.raw[sign.end() :])
        look = take_look(shown)
        if not look or not is_filled(shown.mask, _LOOK_WORDS) or set(look) - {"fill", "color", "bold"}:
            continue
        place = state.place
        condition = take_condition(said, place)
        take_headers(said, place)
        is_read = condition is not None and is_filled(said.mask, _TEST_WORDS)
        if condition is None or not is_read or condition.operator in ("contains", "blank"):
            continue
        if not place.is_number(condition.column):
            continue
        second = condition.second or None
        return _rule(
            state, condition.column, look, operator=condition.operator, formula1=condition.first, formula2=second
        )
    return None


def _extreme(state: SheetState, text: RequestText) -> SheetOrder | None:
    """The largest or smallest value of a column, by a rule that follows the values."""
    if not text.has(_MARKS) or text.has(r"行|\brows?\b|筛选|删|排序|\d"):
        return None
    found = text.take(_EXTREME)
    look = take_look(text) if found else {}
    place = state.place
    columns = take_headers(text, place) or ([state.last.column] if state.last and state.last.column else place.measures)
    is_known = len(columns) == 1 and place.is_number(columns[0]) and not set(look) - {"fill", "color", "bold"}
    if found is None or not is_known or not is_filled(text.mask, _EXTREME_WORDS):
        return None
    name, body = column_letters(columns[0]), place.table.body
    function = "MAX" if found["high"] else "MIN"
    formula = f"={function}(${name}${body[0]}:${name}${body[-1]})"
    return _rule(state, columns[0], look or {"fill": "FFFF00"}, operator="equal", formula1=formula)


def _rule(state: SheetState, column: int, look: dict[str, JsonValue], **test: JsonValue) -> SheetOrder:
    fields = {"fill_color": look.get("fill"), "font_color": look.get("color"), "bold": look.get("bold")}
    area = state.place.column_area(column)
    made = step("set_conditional_format", range=area, rule_type="cell_value", clear_existing=False, **test, **fields)
    return SheetOrder((made,), column=column)


def _freeze(state: SheetState, text: RequestText) -> SheetOrder | None:
    """The header stays in sight: keep the header on top and freeze it."""
    if not _KEEP_HEADER.fullmatch(text.mask):
        return None
    made = step("freeze_panes", cell=f"A{state.place.table.header_row + 1}", sheet_name=state.sheet)
    return SheetOrder((made,))


MARK_RULES: Final = (_freeze, _compare, _extreme)
