"""Orders for columns that say something about each row: 60分以上写“及格”，否则写“不及格”."""

import re
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.language import choose
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import ADD, OrderContext
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._conditions import AFTER_FORMS, NUMBER, NUMERIC_FORMS
from metier.packs.office.orders.workbooks._figures import are_alike, column_steps
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    find_headers,
    take_own_column,
)

__all__ = ["CHOICE_RULES"]

_SIGNS: Final = (("greater_or_equal", ">="), ("less_or_equal", "<="), ("greater_than", ">"), ("less_than", "<"))
_SAYS: Final = (
    r"(?:的)?(?:[,，]\s*)?(?:那?就|则|都|自动|统一|就)?(?:写上?|填上?|填写|填|标记?为?|标上?|标注为?|标成|显示为?|"
    r"算作?|算是|为|是|记为?|评为?|定为|叫|:|="
    r"|\b(?:as|say|says|put|write|show|shows|mark(?:ed)?(?: as)?|is|are|be|get|gets|then|->|label(?:led)?(?: as)?|"
    r"to)\b)*(?:成|做|作|为|个|上)?\s*"
)
_WORD: Final = rf"(?P<{{name}}>{QUOTED}|[^\s,，。;；\"\ufffc的]{{{{1,10}}}}?)(?=$|[\s,，。;；]|的)"
_ELSE: Final = (
    r"(?:其余|其他|其它|否则|不然|剩下|不是|没有|没到|不到|未达到|达不到|没超过|不超|其它情况)(?:的|情况|学生|人|"
    r"时|都|部分|单子|订单)*|"
    r"\b(?:otherwise|else|(?:the )?(?:others?|rest)|if not|all others?|everything else)\b"
)


# Nothing is to be written for the other rows.
_NOTHING: Final = re.compile(
    r"(?:留|为|是)?空(?:着|白)?|(?:就|都|先)?(?:不用?|别|无需|不必)(?:管|动|变|写|填|标|改|处理|理)(?:了|它们?)?|"
    r"blank|empty|nothing|alone|untouched|unchanged",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Tier:
    at: int
    operator: str
    value: str
    says: str
    column: int
    aggregate: str


def _choices(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A column with IF: each condition with the word it gives, and the word for all other rows."""
    if not text.has(_ELSE) or not text.has(r"\d"):
        return None
    place = choose_table(context.reading, text)
    other = _take_other(text)
    tiers = _take_tiers(text, place)
    if not tiers or other is None or any(is_look(one.says) for one in tiers):
        return None  # what gets a colour is marked, not written
    take_own_column(text, place)
    name = _take_name(text, place)
    columns = {one.column for one in tiers if one.column} or set()
    aggregates = {one.aggregate for one in tiers if one.aggregate}
    cell = _subject(text, place, columns, aggregates)
    formula = '"' + other.replace('"', '""') + '"'
    for one in reversed(_sort_tiers(tiers)):
        says = one.says.replace('"', '""')
        formula = f'IF({cell}{one.operator}{one.value},"{says}",{formula})'
    text.take_all(
        rf"{ADD}|新建|(?:在)?(?:最后|后面|右边|旁边|表格?(?:最)?后)(?:面|边)?|一?(?:新)?列|每个?人|每位|各人|如果|"
        rf"要是|假如|凡是?|只要|当|若|的话|"
        r"根据|按照?|分数|成绩|单子|订单|学生|人|行|叫|名为|判断|是否|并|给|里|[,，;；、。]|分|元|块|都|"
        r"\b(?:if|when|a|an|new|column|columns|called|named|for|every|each|any|flag|mark|label|order|orders|row|"
        r"rows|with|the|"
        r"that|which|as|it|say|show|showing|says|and|or|else|where|student|students|score|scores|then|in|based on|"
        r"depending on)\b"
    )
    default = choose(context.language, zh="结果", en="Result")
    return column_steps(place, name or default, f"={formula}")


def _take_other(text: RequestText) -> str | None:
    word = _WORD.format(name="it")
    found = re.search(rf"(?:{_ELSE}){_SAYS}{word}", text.mask, re.IGNORECASE)
    if found is None:
        return None
    value = text.text_of(*found.span("it"))
    text.consume(*found.span())
    return "" if '"' not in found["it"] and _NOTHING.fullmatch(value) else value


def _take_tiers(text: RequestText, place: SheetPlace) -> list[_Tier]:
    word = _WORD.format(name="says")
    forms = [(sign, rf"(?:{words})(?:了)?\s*{NUMBER}") for sign, words in NUMERIC_FORMS]
    forms += [(sign, rf"{NUMBER}\s*(?:{words})") for sign, words in AFTER_FORMS]
    forms += [("greater_or_equal", rf"(?:满|够|上|到)\s*{NUMBER}"), ("less_than", rf"不(?:到|足|满|够)\s*{NUMBER}")]
    tiers: list[_Tier] = []
    while True:
        best = None
        for sign, form in forms:
            found = re.search(rf"{form}{_SAYS}{word}", text.mask, re.IGNORECASE)
            if found and (best is None or found.start() < best[1].start()):
                best = (sign, found)
        if best is None:
            return sorted(tiers, key=lambda one: one.at)
        sign, found = best
        value, unit = found[1], found[2] or ""
        number = float(value.replace(",", "")) * {"万": 1e4, "千": 1e3, "亿": 1e8, "k": 1e3}.get(unit, 1.0)
        number = number / 100 if unit in ("%", "％") else number
        headers = find_headers(text, place)
        before = [one for one in headers if one[0] < found.start() and place.can_compare(one[2])]
        column = before[-1][2] if before else 0
        aggregate = _aggregate_before(text.mask[: found.start()])
        says = text.text_of(*found.span("says"))
        text.consume(*found.span())
        tiers.append(_Tier(found.start(), dict(_SIGNS)[sign], f"{number:.10g}", says, column, aggregate))


def _aggregate_before(before: str) -> str:
    clause = re.split(r"[,，。;；]", before)[-1]
    if re.search(r"平均(?:分|成绩|数|值)?|均分|\b(?:average|mean)\b", clause, re.IGNORECASE):
        return "AVERAGE"
    return "SUM" if re.search(r"总分|总成绩|总和|合计|加起来|\b(?:total|sum)\b", clause, re.IGNORECASE) else ""


def _subject(text: RequestText, place: SheetPlace, columns: set[int], aggregates: set[str]) -> str:
    """What the conditions are about: a column, or the mean or sum of columns that are alike."""
    row = place.table.body[0]
    for start, end, column in list(find_headers(text, place)):
        if column in columns:
            text.consume(start, end)
    if len(columns) == 1 and not (aggregates and not _has_header(place, columns)):
        return f"{column_letters(columns.pop())}{row}"
    numbers = place.measures
    if aggregates and not columns and len(numbers) > 1 and are_alike(place, numbers):
        text.take_all(
            r"(?:[三四五六七八九两]|各|几|所有)?(?:门|科|项)?(?:课|成绩|科目)?的?(?:平均|总)(?:分|成绩|数|值|和)?|"
            r"均分|合计|加起来|"
            r"\b(?:average|mean|total|sum)(?: score| mark)?s?\b"
        )
        return f"{aggregates.pop()}({column_letters(numbers[0])}{row}:{column_letters(numbers[-1])}{row})"
    if not columns and not aggregates and len(numbers) == 1:
        return f"{column_letters(numbers[0])}{row}"
    known = tuple(place.table.header(one) for one in numbers)
    if not columns and not aggregates and (money := _find_money(place, numbers)):
        return f"{column_letters(money)}{row}"
    named = [one for one in find_headers(text, place) if place.is_number(one[2]) and place.can_compare(one[2])]
    if not columns and not aggregates and len({one[2] for one in named}) == 1:
        for start, end, _ in named:
            text.consume(start, end)
        return f"{column_letters(named[0][2])}{row}"
    raise OrderUnclear("no_column", known=known)


def _has_header(place: SheetPlace, columns: set[int]) -> bool:
    return all(place.is_number(one) for one in columns)


def _find_money(place: SheetPlace, numbers: list[int]) -> int:
    """The only column of amounts: what an order, a bill or an expense is worth."""
    found = [one for one in numbers if re.search(r"金额|总价|amount|total", place.table.header(one), re.IGNORECASE)]
    return found[0] if len(found) == 1 else 0


def _take_name(text: RequestText, place: SheetPlace) -> str:
    name = (
        text.take_quote(r"(?:列名|表头|叫做?|名为|命名为|列|栏)|\b(?:called|named|titled|column)\b")
        or text.take_any_quote()
    )
    if name:
        return name
    found = text.take(
        rf"(?:{ADD}|新建|做|弄)(?:上|个)?一?(?:个)?(?:新)?(?:列|栏)(?:叫做?|名为|"
        rf":)?\s*([\u4e00-\u9fffA-Za-z]{{2,10}}?)(?:列|栏)?(?=$|[,，。;；:\s\ufffc])|"
        rf"(?:{ADD}|新建)(?:上|个)?一?个?([\u4e00-\u9fff]{{2,8}}?)(?:列|栏)|(?:叫做?|"
        rf"名为)([\u4e00-\u9fffA-Za-z]{{2,10}})(?=$|[,，。;；\ufffc])|"
        r"\b(?:called|named|titled) ([A-Za-z][A-Za-z ]{1,20}?)(?=$|[,.;:\ufffc]| that| with| which)|\badd (?:a|an) "
        r"([A-Za-z][A-Za-z ]{1,20}?) column\b"
    )
    if found is None:
        return ""
    group = next(at for at in range(1, 6) if found[at])
    word = text.raw[slice(*found.span(group))].strip()
    return "" if word in place.headers() else word


def _sort_tiers(tiers: list[_Tier]) -> list[_Tier]:
    """Conditions in an order in which each is reached: the highest bound first for >=, the lowest first for <."""
    signs = {one.operator[0] for one in tiers}
    if len(signs) == 1:
        return sorted(tiers, key=lambda one: float(one.value), reverse=signs == {">"})
    return tiers


CHOICE_RULES: Final = (_choices,)
