"""Orders that fill cells: comments, blanks, texts that are numbers, values from a cell on."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.analysis.workbooks import read_number
from metier.packs.office.orders._context import ADD, OrderContext, split_values, step, take_text
from metier.packs.office.orders._formulas import read_cell_value
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import (
    choose_table,
    column_letters,
    take_cells,
    take_columns,
)

__all__ = ["FILL_RULES"]


def _comment(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.has(r"批注|注释|\b(?:comment|note)\b"):
        return None
    place = choose_table(context.reading, text)
    words = take_text(text)
    cells = take_cells(text, place.sheet)
    if not text.take(rf"(?:{ADD})(?:一?[个条])?(?:批注|注释)|\badd (?:a )?(?:comment|note)\b") or not cells:
        return None
    text.take_all(r"单元格|处|\b(?:to|on|at|cell|saying)\b")
    if not words:
        raise OrderUnclear("no_text")
    name, _, cell = cells[0].rpartition("!")
    return [step("add_comment", text=words, sheet_name=name.strip("'").replace("''", "'"), cell=cell)]


def _fill_blanks(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if early := re.search(
        r"(?:空着?的?(?:白)?|没填|未填)的(?P<it>[^,，。填补写]{2,8}?)(?=(?:都|全部|统一|就)*(?:填|补|写))", text.mask
    ):
        text.raw = f"{text.raw[early.start('it') : early.end('it')]}空白{text.raw[early.end() :]}"
        text.__post_init__()
    found = re.search(
        r"(?:空着?的?(?:白)?(?:单元格|格子?|值|的地方|地方|格)?(?:的)?|空值|缺失值|(?:没|未)(?:有)?(?:填|"
        r"写)(?:内容)?的?(?:地方|单元格)?|\b(?:blanks?|empty cells|"
        r"blank cells)\b)"
        r"(?P<of>\s+(?:of|in|for|under)\s+[^,;\"]{1,40}?(?=\s+with\b))?"
        r"(?:都|全部|统一|就)*(?:给)?(?:填成|写上|写|填上|填入|补成|补上|填充为|填为|填|补|用|替换为|"
        r"\s+with\s+)\s*(?P<new>[^，。,;\ufffc\"]+|" + QUOTED + r")",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return None
    place = choose_table(context.reading, text)
    value = re.sub(r"(?:填充?|补上?|代替)$", "", text.text_of(*found.span("new")))
    start, end = found.span("of") if found["of"] else (found.end(), found.end())
    text.consume(found.start(), start)
    text.consume(end, found.end())
    text.take_all(r"\b(?:fill|in|of|for|under|the|all)\b|列|里")
    columns = take_columns(text, place)
    if not columns:
        raise OrderUnclear("no_column", known=place.headers())
    cells: list[JsonValue] = [
        {"cell": f"{quote_sheet(place.sheet)}!{column_letters(column)}{row}", "value": read_cell_value(value)}
        for column in columns
        for row in place.table.body
        if (one := place.table.cell(row, column)) is None or one.value in (None, "")
    ]
    if not cells:
        raise OrderUnclear("no_condition")
    return [step("set_cells", cells=cells)]


def _to_numbers(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(
        r"(?:文本(?:型|格式)?(?:的)?数字|文本)?(?:转换?|变|改)(?:成|为)(?:真正的)?(?:数字|数值)(?:型|"
        r"格式)?|\bconvert\b(?=.{0,40}\bto numbers\b)"
    ):
        return None
    place = choose_table(context.reading, text)
    columns = take_columns(text, place) or list(place.columns)
    text.take_all(r"文本(?:型|格式)?(?:的)?(?:数字)?|列|存成|\b(?:column|text|to numbers)\b")
    cells: list[JsonValue] = [
        {"cell": f"{quote_sheet(place.sheet)}!{column_letters(column)}{row}", "value": number}
        for column in columns
        for row in place.table.body
        if (one := place.table.cell(row, column)) is not None
        and isinstance(one.value, str)
        and (number := read_number(one)) is not None
    ]
    if not cells:
        raise OrderUnclear("no_condition")
    return [step("set_cells", cells=cells)]


def _set_rows(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Several cells from one cell on: 从A5开始填：a、b、c."""
    found = text.take(
        r"(?:从|在)\s*([A-Za-z]{1,3})([1-9]\d{0,6})\s*(?:单元格)?(?:开始|起)(?:依次)?(?:往(?P<down>下)|"
        r"向下|往右|横着|竖着)?(?:填写?|写|输入)|\bstarting (?:at|in) ([A-Z]{1,3})(\d+)"
    )
    if found is None:
        return None
    values = split_values(take_text(text))
    place = choose_table(context.reading, text)
    letters, number = found[1] or found[4], int(found[2] or found[5])
    from metier.packs.office.orders.workbooks._view import column_index

    is_down = "下" in found[0] or "竖" in found[0]
    start = column_index(letters)
    cells: list[JsonValue] = [
        {
            "cell": f"{quote_sheet(place.sheet)}!{letters.upper()}{number + at}"
            if is_down
            else f"{quote_sheet(place.sheet)}!{column_letters(start + at)}{number}",
            "value": read_cell_value(one),
        }
        for at, one in enumerate(values)
    ]
    return [step("set_cells", cells=cells)]


FILL_RULES: Final = (_comment, _set_rows, _fill_blanks, _to_numbers)
