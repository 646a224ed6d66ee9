"""The last look at the steps of an order: what is written is of the kind of what it takes the place of."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._literal import names_value
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._facts import TableGrid, list_facts, list_grids
from metier.packs.office.orders.grounded._form import has_form, is_alike, is_key_of_other_form, is_same_shape
from metier.packs.office.orders.grounded._reach import bind_looks, check_deleted, match_whole_words
from metier.packs.office.orders.grounded._values import find_values, fit_value
from metier.packs.office.orders.grounded._words import count_shared
from metier.packs.office.orders.grounded._written import Written, list_written
from metier.patterns import ENGLISH_NUMBER, MONTH_WORD_EN

__all__ = ["settle_kinds"]

_HAN: Final = "零一二两三四五六七八九十百千万亿半"
_MEASURE: Final = re.compile(
    r"(?:约|大约|近)?\s*(?:[£$€¥￥]?\s*[-−+]?\d[\d,.:：/-]*\s*(?:[%％]|[\u4e00-\u9fff]{1,3}|[A-Za-z]{1,8})?|"
    rf"[{_HAN}]+\s*(?:个?(?:小时|分钟|星期|工作日|公里|[秒天日周月年元块人名台套件次项折成米度户间桌]))|"
    rf"\b(?:{ENGLISH_NUMBER}|an?|half an?)\s+(?:more\s+)?(?:working\s+)?"
    r"(?:days?|weeks?|months?|years?|hours?|minutes?|people|pieces|times))",
    re.IGNORECASE,
)
# A place that waits for its value, and words for a day or a time: a value may take their place.
_OPEN: Final = re.compile(
    rf"待[定填补]|未定|暂[无缺]|另行通知|^[无空]$|[_＿xX×]{{2,}}|\b(?:tb[acd]|n/?a|pending)\b|[\d{_HAN}]|[今明后昨]天|"
    r"[本下上]个?[周月年]|月[初底末]|年[初底末]|[上下]午|晚上|中午|\b(?:today|tomorrow|noon|midnight|next|end of)\b",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"全部|全都|所有|统一|替换|全文|文中|每[一个处]|字样|一词|这个词|\b(?:replace|all|every|each|throughout|"
    r"everywhere|word|typo|spell\w*|rename)\b",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(
    r"全部|全都|所有|统一|全文|文中|每[一个处]|字样|一词|这个词|\b(?:all|every|each|throughout|everywhere|typo|"
    r"spell\w*)\b",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百\d]+[章节条编]|[（(]?[一二三四五六七八九十\d]+(?:\.\d+)*[)）、.．]?)\s*"
)
_ROLE: Final = re.compile(r"(?:[师员长]|经理|主任|督导|总监|主管|助理|专家|代表|主持|[^客]人|人选)$")
_OF_PERSONS: Final = re.compile(r"姓名|人员|人$|担当|\b(?:person|owner|contact|who|driver|lead)\b", re.IGNORECASE)
# Words that say what somebody does, not what something is called.
_DOES: Final = re.compile(r"(?:负责|来做|来管|来弄|对接|接手|接任|担任|主持|处理|承担|去办)$")
_MONTH: Final = re.compile(rf"\b{MONTH_WORD_EN}\b", re.IGNORECASE)
# Kinds of values and formats: none of them is what a cell shall say.
_KIND: Final = re.compile(
    r"(?:一个)?(?:数字|数值|文本|文字|日期|货币|百分比|百分数|整数|小数|公式)(?:型|格式|类型|形式)?"
    r"|(?:a |an )?(?:number|text|date|currency|percentage|integer|formula|numeric)(?: format| value)?s?",
    re.IGNORECASE,
)
_CELL_OPS: Final = frozenset(("set_cells", "set_table_cell_text", "edit_slide_table"))
_NUMBERS: Final = frozenset(("number", "money", "percent", "code", "phone"))


def settle_kinds(said: str, reading: Reading, steps: Sequence[JsonObject]) -> list[JsonObject]:
    """The steps, each value in the place of one of its kind; asked about where a name would become a value."""
    quoted = {one.text for one in RequestText(said).quotes}
    made: list[JsonObject] = []
    for one in bind_looks(said, steps, reading):
        if one["op"] == "replace_text" and "find_text" in one and str(one["find_text"]) not in quoted:
            made += match_whole_words(_settle(said, reading, one), reading)
        else:
            _check_cells(said, reading, one)
            _check_kind(one, quoted)
            _check_sentence(said, one)
            check_deleted(said, one, reading)
            made.append(_keep_years(one, reading) if one["op"] in _CELL_OPS else one)
    return made


def _keep_years(step: JsonObject, reading: Reading) -> JsonObject:
    """A step for cells whose days keep the years that stand there."""
    written = list_written([step], reading)
    cells = step.get("cells")
    if isinstance(cells, list):
        made: list[JsonValue] = [
            {**cell, "value": _fit_cell(old)} if isinstance(cell, dict) and isinstance(cell.get("value"), str) else cell
            for cell, old in zip(cells, written, strict=True)
        ]
        return {**step, "cells": made}
    return {**step, "text": str(_fit_cell(written[0]))} if "text" in step and written else step


def _fit_cell(written: Written) -> JsonValue:
    """A new value as the cell has its own: a day with its year, a bare number without its unit."""
    number = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[\u4e00-\u9fff]{1,2}", written.new)
    if number and re.fullmatch(r"\d+(?:\.\d+)?", written.held) and not re.search(r"[百千万亿半折成]", written.new):
        return float(number[1]) if "." in number[1] else int(number[1])
    return keep_year(written.held, written.new)


def _settle(said: str, reading: Reading, step: JsonObject) -> JsonObject:
    old, new = str(step["find_text"]), str(step.get("replace_text", ""))
    if old.lower() not in said.lower():
        _check_renamed(step, reading)
        return {**step, "replace_text": _keep_parts(old, new)}
    grids, texts = list_grids(reading), _list_texts(reading)
    is_part = old in new or new in old
    is_other = not is_part and _is_value(new) and not _is_same_kind(old, new)
    if new and (
        is_other
        or (not is_part and (_is_label(said, old, new, reading) or _is_of_row(old, new, grids)))
        or (not _EVERY.search(said.replace(new, "")) and not _fits(old, new, texts, grids))
    ):
        raise OrderUnclear("words_or_value", text=old, new=new[:60])
    _check_length(old, reading)
    return {**step, "replace_text": keep_year(old, new)} if new else step


def _fits(old: str, new: str, texts: Sequence[str], grids: Sequence[TableGrid]) -> bool:
    """Whether new words can be another name for what the old ones name."""
    is_whole = any(_NUMBERED.sub("", one).strip() == old for one in texts)
    return has_form(old, new, texts, is_whole=is_whole) and (old in new or not is_key_of_other_form(old, new, grids))


def _check_renamed(step: JsonObject, reading: Reading) -> None:
    """Ask where a value would become another name for it: 签订日期改成签约日期."""
    old, new = str(step["find_text"]), str(step.get("replace_text", ""))
    kinds, given = ({one.kind for one in find_values(text)} for text in (old, new))
    own = [one.text for one in reading.pieces if one.address == step.get("address")]
    texts = [one for one in own or _list_texts(reading) if old in one]
    if not new or given or any(one.strip() == old for one in texts):
        return
    labels = [re.split(r"[,，。;；、\s]", one[: one.find(old)].rstrip(":： 为是"))[-1] for one in texts]
    is_renamed = any(is_alike(one, new) for one in labels if len(one) > 1)
    if is_renamed or (kinds and not _OPEN.search(new)):
        raise OrderUnclear("words_or_value", text=next((one for one in labels if one), old), new=new[:60])


def _check_length(old: str, reading: Reading) -> None:
    """Ask where one sign is meant that is a part of many words."""
    if len(old) > 1 or not re.fullmatch(r"[\u4e00-\u9fff]", old):
        return
    texts = _list_texts(reading)
    if (count := sum(text.count(old) for text in texts)) and old not in [text.strip() for text in texts]:
        raise OrderUnclear("many_places", text=old, count=count)


def _keep_parts(old: str, new: str) -> str:
    """The old words with only the value of the same kind changed: a new day keeps its year and its hours."""
    new = keep_year(old, new)
    values, given = find_values(old), find_values(new)
    if len(given) != 1 or given[0].text != new.strip() or given[0].kind in ("name", "code"):
        return new
    alike = [one for one in values if one.kind == given[0].kind]
    if len(values) < 2 or not alike:
        money = re.match(r"人民币|RMB\s*", old)
        return f"{money[0]}{new}" if money and alike and not new.startswith(money[0]) else new
    spans = [span for one in alike if (span := fit_value(one, given[0])) is not None]
    if len(spans) != 1 or len(alike) != 1:
        raise OrderUnclear("which_of", first=alike[0].text, second=alike[-1].text)
    start, end, text = spans[0]
    return f"{old[:start]}{text}{old[end:]}"


def keep_year(old: str, new: str) -> str:
    """New words with the year of the old ones, if theirs is the only day and has none."""
    days, given = ([one for one in find_values(text) if one.kind == "date"] for text in (old, new))
    if len(days) != 1 or len(given) != 1 or not days[0].year or given[0].year:
        return new
    span = fit_value(days[0], given[0])
    if span is None:
        return new
    day = f"{old[days[0].start : span[0]]}{span[2]}{old[span[1] : days[0].end]}"
    return f"{new[: given[0].start]}{day}{new[given[0].end :]}"


def _is_value(new: str) -> bool:
    """Whether words are a number, an amount, a day or a time and nothing else."""
    text = new.strip()
    if _MEASURE.fullmatch(text):
        return True
    values = [one for one in find_values(text) if one.kind not in ("name", "code")]
    return len(values) == 1 and values[0].text == text


def _is_same_kind(old: str, new: str) -> bool:
    kinds, wanted = {one.kind for one in find_values(old)}, {one.kind for one in find_values(new)}
    if not kinds:
        return _OPEN.search(old) is not None or (wanted <= {"month", "date"} and _MONTH.search(old) is not None)
    return not wanted or bool(kinds & wanted) or bool(kinds & _NUMBERS and wanted & _NUMBERS)


def _is_label(said: str, old: str, new: str, reading: Reading) -> bool:
    """Whether words stand before what they name, and the new ones are no other word for them."""
    if _ALL.search(said) or is_alike(old, new) or (names_value(old) and names_value(new)):
        return False
    form = re.compile(
        rf"{re.escape(old)}(?:\s*[（(]?[{_HAN}\d]+[名个位份人项][)）]?)?\s*(?:[:：](?=\s*\S)|[为是](?=\S))",
        re.IGNORECASE,
    )
    texts = _list_texts(reading)
    count = sum(len(form.findall(one)) for one in texts)
    return count > 0 and count * 2 >= sum(one.lower().count(old.lower()) for one in texts)


def _is_of_row(old: str, new: str, grids: Sequence[TableGrid]) -> bool:
    """Whether old words name a row and the new ones belong into another of its columns."""
    if _ROLE.search(old) and not _ROLE.search(new) and not is_alike(old, new):
        return True  # who does the work is named, not what the work is called
    if _DOES.search(new) and not _DOES.search(old):
        return True
    for grid in grids:
        columns = [grid.column(at) for at in range(len(grid.head))]
        own = {at for at, cells in enumerate(columns) if old in cells}
        if not own:
            continue
        others = {at for at, cells in enumerate(columns) if new in cells}
        if others and not others & own:
            return True
        persons = {at for at, head in enumerate(grid.head) if _OF_PERSONS.search(head)}
        if not persons & own and any(_is_name_of(columns[at], old, new) for at in persons):
            return True
    return False


def _is_name_of(cells: Sequence[str], old: str, new: str) -> bool:
    """Whether new words are written as the names of a column are, and the old ones are not."""
    return any(is_same_shape(one, new) for one in cells) and not is_same_shape(old, new)


def _check_cells(said: str, reading: Reading, step: JsonObject) -> None:
    """Ask where words are the address of a cell and stand in the table as well: R3."""
    cells = step.get("cells")
    named = [str(one.get("cell")) for one in cells if isinstance(one, dict)] if isinstance(cells, list) else []
    named += re.split(r"[,;:]", str(step["range"])) if step["op"] == "set_cell_style" and "range" in step else []
    for place in named:
        address = place.rpartition("!")[2]
        if not re.search(rf"(?<![A-Za-z0-9]){address}(?![A-Za-z0-9])", said, re.IGNORECASE):
            continue
        for grid in list_grids(reading):
            if row := next((row for _, row in grid.rows if address in [cell.strip() for cell in row]), None):
                raise OrderUnclear("which_of", first=place, second=" | ".join(row[:3]))


def _check_kind(step: JsonObject, quoted: set[str]) -> None:
    """Ask where a word for a kind of value would become the value: 把金额改成数字, "set it to a number"."""
    cells = step.get("cells") if step["op"] == "set_cells" else None
    for one in cells if isinstance(cells, list) else []:
        value, place = (str(one.get(name)) for name in ("value", "cell")) if isinstance(one, dict) else ("", "")
        is_header = re.search(r"[A-Za-z]1$", place) is not None  # 日期 and 公式 are names of columns too
        if value not in quoted and not is_header and _KIND.fullmatch(value.strip()):
            raise OrderUnclear("part", part=value)


def _check_sentence(said: str, step: JsonObject) -> None:
    """Ask where 那句 is one part of a paragraph whose other parts have values of their own."""
    expected = step.get("expected")
    if step["op"] != "delete_paragraphs" or not isinstance(expected, list) or not re.search(r"[那这]一?句", said):
        return
    for text in map(str, expected):
        parts = [one for one in re.split(r"[,，;；]", text.rstrip("。.;； ")) if one.strip()]
        named = [one for one in parts if count_shared(said, one) > 0]
        if named and any(find_values(one) for one in parts if one not in named):
            raise OrderUnclear("which_of", first=named[0].strip()[:60], second=text[:60])


def _list_texts(reading: Reading) -> list[str]:
    cells = [cell for grid in list_grids(reading) for _, row in grid.rows for cell in row]
    return [*(fact.text for fact in list_facts(reading)), *cells]
