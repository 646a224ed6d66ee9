"""Rows that come with their values, at the end or beside a row that is named, and one value that was wrong."""

import re
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis.workbooks import is_total_label, read_number
from metier.packs.office.orders._context import step
from metier.packs.office.orders._formulas import read_number_form
from metier.packs.office.orders.workbooks._lines import make_row
from metier.packs.office.orders.workbooks._view import SheetPlace, fit_value, name_cell
from metier.packs.office.orders.workbooks.ordinary._state import SheetOrder, SheetState
from metier.packs.office.orders.workbooks.ordinary._words import ADDS, NUMBER, list_labels, match_headers

if TYPE_CHECKING:
    from metier.json_values import JsonObject

__all__ = ["ROW_RULES"]

_MAX_LABEL: Final = 20
_END_ZH: Final = r"(?:(?:在)?(?:表格?的?)?(?:最后|末尾|最下面|下面|底下|后面|表尾)(?:再)?)?"
_END_EN: Final = r"(?: at the (?:end|bottom)| below| underneath)?"
_ROW: Final = r"(?:行|条|笔|项)(?:新?数据|记录)?"
_ROWS: Final = re.compile(
    rf"{_END_ZH}再?{ADDS}(?:(?P<count>{COUNT})\s*{_ROW})?\s*[:,，]?\s*(?P<rows>.+?)\s*(?:这?(?P<behind>{COUNT})\s*{_ROW})?|"
    rf"(?:add|append|insert|put in|enter|include)\s+(?:(?P<en>{COUNT})\s+)?(?:more |new |extra |further )*"
    rf"(?P<noun>rows?|lines?|entries|entry|records?){_END_EN}\s*(?:for\b|with\b|:|,)?\s*(?P<rows_en>.+?){_END_EN}",
    re.IGNORECASE,
)
_BETWEEN_ZH: Final = (
    r"在?(?P<first>{label})(?:(?:和|与|跟|、|到)(?P<second>{label})(?:之间|中间|当中)|(?:那一?行)?的?(?P<side>后面|下面|之后|前面|上面|之前))"
    rf"(?:再)?{ADDS}[一1]?{_ROW}?\s*[:,，]?\s*(?P<row>.+)"
)
_BETWEEN_EN: Final = (
    r"(?:insert|add|put)\s+(?:an?|one)\s+(?:new )?(?:row|line)\s*(?:for\b|called\b|with\b|"
    r":)?\s*(?P<row>.+?),?\s+(?:(?:in )?between "
    r"(?P<first>{label}) and (?P<second>{label})|(?:right |directly |just )?(?P<side>after|before|below|above|"
    r"under) (?P<only>{label}))"
)
_SIGNS: Final = (r"[;；\n。]", r"、|\s+(?:and|&)\s+|和|以及|与", r"[,，、]\s*(?:and\s+)?|\s+and\s+|和")
_UNIT: Final = r"(?:元|块|个|件|台|人|份|本|箱|张|条|套|只|支|袋|瓶)?"
_PAIR: Final = re.compile(
    rf"(?P<name>[^\d\s,，:：()=][^,，、:：;；()（）=]*?)\s*(?:[,，:：=(（]\s*|\s(?:with|at|is)\s+|(?<![A-Za-z\d.])|\s)"
    rf"(?P<number>{NUMBER})\s*{_UNIT}\s*[)）]?",
    re.IGNORECASE,
)
_WRONG_EN: Final = (
    rf"(?:the )?(?P<old>{NUMBER}) (?:for|of|at|next to|beside|in the row of) (?P<label>{{label}}) (?:was|"
    rf"is) (?:wrong|a typo|a mistake|"
    rf"incorrect|not right)[,;:]?\s*(?:(?:it'?s|it is|it should be|it should have been|that should be|"
    rf"should be|make it|it must be)"
    rf"(?: really| actually)?|(?:the )?(?:right|correct) (?:number|figure|value|one) is) (?P<new>{NUMBER})"
)
_WRONG_ZH: Final = (
    rf"(?P<label>{{label}})(?:那一?行)?的?(?P<head>{{head}})?(?:那个|这个)?的?(?P<old>{NUMBER})?(?:是)?(?:写错了?|填错了?|录错了?|搞错了?|错了|不对|有误)"
    rf"[,，;]?\s*(?:应该?是|应当是|应为|实际上?是|其实是|改成|改为|是)\s*(?P<new>{NUMBER})"
)


def _add_rows(state: SheetState, text: RequestText) -> SheetOrder | None:
    found = _ROWS.fullmatch(text.mask)
    if found is None or not (found["count"] or found["behind"] or found["noun"]):
        return None
    counts = {read_count(one) for one in (found["count"], found["behind"], found["en"]) if one}
    rows = _read_rows(state.place, text.raw[slice(*found.span("rows" if found["rows"] else "rows_en"))])
    if not rows or counts - {len(rows)}:
        return None
    steps: list[JsonObject] = []
    for row in rows:
        order = SheetOrder(tuple(make_row(state.place, row)))
        steps += order.steps
        after = state.follow(order)
        if after is None:
            return None
        state = after
    return SheetOrder(tuple(steps))


def _add_beside(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A row between two rows that stand next to each other, or before or after one."""
    labels = list_labels(state.place)
    form = "|".join(re.escape(one) for one in sorted(labels, key=len, reverse=True))
    found = next(
        (
            one
            for pattern in (_BETWEEN_ZH, _BETWEEN_EN)
            if form and (one := re.fullmatch(pattern.replace("{label}", form), text.mask, re.IGNORECASE))
        ),
        None,
    )
    if found is None:
        return None
    rows = _read_rows(state.place, text.raw[slice(*found.span("row"))])
    named = [labels.get(one) for one in (found["first"], found["second"], found.groupdict().get("only")) if one]
    if len(rows) != 1 or None in named:
        return None
    places = sorted(one for one in named if one is not None)
    if len(places) == 2 and places[1] - places[0] != 1:
        return None
    is_after = len(places) == 1 and re.match(r"after|below|under|后|下|之后", found["side"] or "", re.IGNORECASE)
    before = places[-1] + 1 if is_after else places[-1]
    return SheetOrder(tuple(make_row(state.place, rows[0], before if before <= state.place.last_body else 0)))


def _read_rows(place: SheetPlace, said: str) -> list[dict[int, str]]:
    """Rows with a value for each column that has no formula; empty unless all of it is such rows."""
    last = {one: place.table.cell(place.last_body, one) for one in place.columns}
    columns = [one for one, cell in last.items() if cell is None or not cell.formula]
    for sign in _SIGNS:
        pieces = [one for one in re.split(sign, said.strip(" ,，。.;；"), flags=re.IGNORECASE) if one.strip()]
        rows = [_read_row(place, columns, one) for one in pieces]
        made = [one for one in rows if one is not None]
        if made and len(made) == len(rows) and _are_new(place, [one[columns[0]] for one in made]):
            return made
    return []


def _read_row(place: SheetPlace, columns: list[int], said: str) -> dict[int, str] | None:
    heads = "|".join(re.escape(one) for one in sorted(match_headers(place), key=len, reverse=True))
    bare = re.sub(
        rf"(?<![A-Za-z\u4e00-\u9fff])(?:{heads})\s*(?:为|是|of|:|：|=)?\s*(?=\d)", " ", said, flags=re.IGNORECASE
    ).strip()
    bare = re.sub(rf"^(?:{heads})\s*(?:为|是|:|：|=)\s*", "", bare, flags=re.IGNORECASE)
    if len(columns) == 2 and (pair := _PAIR.fullmatch(bare.strip(" ()（）"))):
        cells = [pair["name"], pair["number"]]
    else:
        cells = [one for one in re.split(r"[,，/|]\s*|\s+", bare) if one]
    if len(cells) != len(columns) or len(columns) < 2:
        return None
    made = dict(zip(columns, (one.strip(' ,，"“”') for one in cells), strict=True))
    return made if all(_fits(place, column, value) for column, value in made.items()) else None


def _fits(place: SheetPlace, column: int, value: str) -> bool:
    is_number = read_number_form(value) is not None
    if place.is_number(column) or is_number:
        return is_number and place.is_number(column)
    return 0 < len(value) <= _MAX_LABEL and not re.search(
        r"\d\s*(?:[和与及]|and\b|&)|[“”\"「」。;；:：!?？]|公式|排序|^(?:to|for|with|and|in|of|the)\b|\b(?:rows?|columns?)\b",
        value,
    )


def _are_new(place: SheetPlace, names: list[str]) -> bool:
    """Whether rows name something that the table does not have yet, and no total."""
    known = {str(cell.value) for cell in place.values(place.columns[0])}
    return not known & set(names) and len(set(names)) == len(names) and not any(map(is_total_label, names))


def _correct(state: SheetState, text: RequestText) -> SheetOrder | None:
    """A value that was wrong: the 5 for X was wrong, it's 9; X的数量写错了，应该是9."""
    place = state.place
    labels, heads = list_labels(place), match_headers(place)
    label, head = (
        "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True)) for names in (labels, heads)
    )
    if not labels:
        return None
    forms = (one.replace("{label}", label).replace("{head}", head) for one in (_WRONG_EN, _WRONG_ZH))
    found = next((one for form in forms if (one := re.fullmatch(form, text.mask, re.IGNORECASE))), None)
    row = labels.get(found["label"]) if found else None
    if found is None or row is None:
        return None
    named = found.groupdict().get("head")
    columns = [heads[named.lower()]] if named else place.measures
    old = read_number_form(found["old"]) if found["old"] else None
    hits = [one for one in columns if old is None or read_number(place.table.cell(row, one)) == old]
    cell = place.table.cell(row, hits[0]) if len(hits) == 1 else None
    if cell is None or cell.formula or not place.is_number(hits[0]):
        return None
    value = fit_value(place, hits[0], found["new"])
    return SheetOrder((step("set_cells", cells=[{"cell": name_cell(state.sheet, row, hits[0]), "value": value}]),))


ROW_RULES: Final = (_add_beside, _add_rows, _correct)
