"""Columns with a value for each row that is named, computed from other columns, or with the rank of each row."""

import re
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._formulas import read_cell_value
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders.workbooks._figures import column_steps, read_expression
from metier.packs.office.orders.workbooks._view import SheetPlace, column_index, column_letters, name_cell
from metier.packs.office.orders.workbooks.ordinary._state import SheetOrder, SheetState
from metier.packs.office.orders.workbooks.ordinary._words import NEW_COLUMN, NUMBER, list_labels, match_headers

__all__ = ["COLUMN_RULES"]

_GIVEN: Final = re.compile(
    rf"{NEW_COLUMN}\s*(?P<lead>[:,，]|\s-+\s|\s+with\b(?! (?:the )?formula)|,?\s*(?:值|内容)?(?:从上到下|依次|"
    rf"分别)+(?:是|为|填|写)?)\s*(?P<values>.+)",
    re.IGNORECASE,
)
_MADE: Final = re.compile(
    rf"{NEW_COLUMN}\s*[,，:]?\s*(?:就?是|等于|=|为|按|用|(?:计算)?公式(?:就?是|为)|算法是|that is|that's|"
    rf"which is|as|with|being|equal to|equals|is)\s*"
    r"(?P<made>[^,，。;]+?)\s*(?:来?算|计算)?(?:[,，]?\s*(?:都?要?用|写|by|as|with|using)\s*(?:an? )?(?:公式|"
    r"formulas?)(?:算|计算|来算)?)?",
    re.IGNORECASE,
)
_RANK_NAME: Final = re.compile(r"(?:排?名次|排名|排行|名次|rank(?:ing)?|position|place)", re.IGNORECASE)
_HIGH: Final = r"最[大高多]|largest|highest|biggest|most|best"
_LOW: Final = r"最[小低少]|smallest|lowest|least"
_RANK: Final = re.compile(
    rf"{NEW_COLUMN}\s*(?:[,，]?\s*(?:按|by|for)\s*(?P<by>[^,，\s]+))?"
    rf"(?:[,，]?\s*(?:(?:with|where) )?(?:(?P<zh>{_HIGH}|{_LOW})的?(?:那个)?(?:是|为|排|写|记)?第?[1一](?:名)?"
    r"(?:[,，、]?\s*(?:其次|第二|次之|另一个|下一个|剩下的?)(?:那个)?的?(?:是|为|排|写|记)?第?[2二](?:名)?)?|"
    rf"1 (?:for|is|being|=) the (?P<en>{_HIGH}|{_LOW})(?: one|"
    rf" value)?(?:,? (?:and )?2 (?:for )?the (?P<rest>other|second|next)(?: one)?)?))?"
    r"(?:[,，]?\s*(?:依次类推|以此类推|用公式|and so on|by formula|with a formula))*",
    re.IGNORECASE,
)


def _give_values(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A column with a value for every row: 加一列“单价”，甲的是12，乙的是8."""
    place = state.place
    found = _GIVEN.fullmatch(text.mask)
    name = _name(state, text, found) if found else ""
    if found is None or not name or place.table.totals:
        return None
    is_listed = re.search(r"从上到下|依次|分别", found["lead"]) is not None
    values = _read_values(place, name, text.raw[found.start("values") :], is_listed=is_listed)
    if set(values) != set(place.table.body):
        return None
    column = place.columns[-1] + 1
    cells: list[JsonValue] = [{"cell": name_cell(state.sheet, place.table.header_row, column), "value": name}]
    cells += [
        {"cell": name_cell(state.sheet, row, column), "value": _to_value(values[row], values)} for row in sorted(values)
    ]
    area = f"{name_cell(state.sheet, place.table.body[0], column)}:{column_letters(column)}{place.last_body}"
    return SheetOrder((step("set_cells", cells=cells),), column=column, cells=area)


def _read_values(place: SheetPlace, name: str, said: str, *, is_listed: bool) -> dict[int, str]:
    """The value of each row that is named; empty if one piece is something else, or a row is named twice."""
    labels = list_labels(place)
    pieces = [one for one in re.split(r"[,，、;；]\s*(?:and )?|\s+and\s+|和", said.strip(" .。")) if one.strip()]
    if is_listed and len(pieces) == len(place.table.body):
        return dict(zip(place.table.body, map(str.strip, pieces), strict=True)) if all(map(_is_value, pieces)) else {}
    label = "|".join(re.escape(one) for one in sorted(labels, key=len, reverse=True))
    behind = re.compile(
        rf"(?P<label>{label})(?:那一?行|那个)?\s*(?:的|'s)?\s*(?:{re.escape(name)})?\s*(?:就?是|为|填|写|:|：|=|\bis\b|\bgets\b|\bhas\b|\s)*\s*(?P<value>.+)",
        re.IGNORECASE,
    )
    before = re.compile(rf"(?P<value>.+?) (?:for|to|at|beside) (?P<label>{label})", re.IGNORECASE)
    made: dict[int, str] = {}
    for one in pieces if labels else ():
        found = before.fullmatch(one.strip()) or behind.fullmatch(one.strip())
        row = labels.get(found["label"]) if found else None
        if found is None or row is None or row in made or not _is_value(found["value"]):
            return {}
        made[row] = found["value"].strip(' “”"')
    return made


def _is_value(said: str) -> bool:
    """Whether words can stand in a cell: a number, or a short word without a sign of more."""
    plain = said.strip(' “”"')
    return (
        re.fullmatch(rf"[¥￥$£€]?{NUMBER}\s*[%％元块]?|[^\s\d:：=()（）“”\"]{{1,8}}", plain) is not None
        and "公式" not in plain
    )


def _to_value(said: str, values: dict[int, str]) -> JsonValue:
    """A number without its unit where all of them are numbers with the same unit."""
    amounts = [re.fullmatch(rf"[¥￥$£€]?({NUMBER})\s*[元块]?", one) for one in values.values()]
    found = re.fullmatch(rf"[¥￥$£€]?({NUMBER})\s*[元块]?", said)
    return read_cell_value(found[1] if found and all(amounts) else said)


def _compute(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A column that is computed from others: 再来一列“金额”，就是数量乘单价."""
    found = _MADE.fullmatch(text.mask)
    name = _name(state, text, found) if found else ""
    if found is None or not name or state.place.table.totals:
        return None
    formula = read_expression(text.raw[slice(*found.span("made"))], state.place)
    used = {column_index(one) for one in re.findall(r"([A-Z]+)\d", formula)}
    return _column(state, name, formula) if all(map(state.place.is_number, used)) else None


def _rank(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A column that numbers the rows by size: add a column Rank with 1 for the largest."""
    place = state.place
    found = _RANK.fullmatch(text.mask)
    name = _name(state, text, found) if found else ""
    if found is None or not name or place.table.totals:
        return None
    said = found["zh"] or found["en"] or ""
    if not said and not _RANK_NAME.fullmatch(name):
        return None
    if found["rest"] == "other" and len(place.table.body) != 2:
        return None
    column = match_headers(place).get(found["by"].lower()) if found["by"] else (_find_sorted(state) or _only(place))
    if not column or not place.is_number(column):
        return None
    letter, first, last = column_letters(column), place.table.body[0], place.last_body
    is_up = re.fullmatch(_LOW, said, re.IGNORECASE) is not None
    area = f"${letter}${first}:${letter}${last}"
    return _column(state, name, f"=RANK({letter}{first},{area}{',1' if is_up else ''})")


def _find_sorted(state: SheetState) -> int:
    """The column by which the rows were just sorted."""
    steps = state.last.steps if state.last is not None else ()
    return next((column_index(str(one["key"])) for one in steps if one["op"] == "sort_range"), 0)


def _only(place: SheetPlace) -> int:
    return place.measures[0] if len(place.measures) == 1 else 0


def _column(state: SheetState, name: str, formula: str) -> SheetOrder:
    place, column = state.place, state.place.columns[-1] + 1
    area = f"{name_cell(state.sheet, place.table.body[0], column)}:{column_letters(column)}{place.last_body}"
    return SheetOrder(tuple(column_steps(place, name, formula)), column=column, cells=area)


def _name(state: SheetState, text: RequestText, found: "re.Match[str]") -> str:
    """Name of a new column; empty if the table has it, or it is not the one that is said to come next."""
    group = next(one for one in ("name", "name_en", "before") if found[one])
    name = text.text_of(*found.span(group)).strip()
    name = name.capitalize() if group == "before" and _RANK_NAME.fullmatch(name) else name
    number = read_ordinal(found["nth"]) if found["nth"] else None
    is_next = found["nth"] is None or number == len(state.place.columns) + 1
    known = {one.lower() for one in state.place.headers()}
    return name if is_next and name.lower() not in known and not re.search(r"[,，。;]", name) else ""


COLUMN_RULES: Final = (_rank, _give_values, _compute)
