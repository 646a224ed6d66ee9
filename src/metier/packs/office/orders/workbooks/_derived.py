"""Orders for columns made from others: shares of a total, joined and split texts, values raised by a factor."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.analysis.workbooks import read_number
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._figures import column_steps
from metier.packs.office.orders.workbooks._formats import take_decimals
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    find_headers,
    take_columns,
    take_own_column,
)

__all__ = ["DERIVED_RULES"]

_NEW_COLUMN: Final = (
    rf"{ADD}|新建|算出?|计算|求|做|弄|(?:在|到|放)?(?:表格?的?)?(?:最后|末尾|最右边?|右边|后面|旁边)(?:面|边)?|"
    rf"一?(?:个)?(?:新)?列|"
    r"每个?(?:人|行|项|笔)的?|每[位名]|各(?:人|行|项|自)|叫做?|名为|[,，、;；]|\b(?:add|calculate|show(?:ing|s)?|"
    r"work out|a|an|one|new|"
    r"columns?|cols?|with|that|called|named|for|of|each|every|per|persons?|person's|people'?s|row'?s?|everyone'?s|"
    r"at the (?:end|right)|in|"
    r"as|next to|it|what|is|w)\b|/"
)
_SHARE: Final = (
    r"(?:占|占到)(?:了)?(?:全部|整个|所有|总)?(?:的)?(?:总?(?:额|数|和|量|金额|计)|合计|比重|整体)?的?(?:百分比|"
    r"比例|比重|百分之几|多少|份额|几成)|"
    r"占比|所占(?:的)?(?:百分比|比例|比重)|"
    r"\b(?:share|percentages?|percent|proportion|%)(?: share)? of (?:the )?(?:grand |overall |whole )?(?:total|sum|"
    r"whole)(?: amount)?\b|"
    r"% of (?:the )?total|\bshares?\b"
)
_SURNAMES: Final = (
    "欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|夏侯|端木|百里|东郭|南宫|呼延|长孙|宇文|轩辕|钟离|闻人|"
    "澹台|公冶|"
    "宗政|濮阳|淳于|单于|太叔|申屠|仲孙|独孤|西门|第五|赫连"
)
_SEPARATORS: Final = (
    (r"逗号|\bcommas?\b", ","),
    (r"空格|\bspaces?\b", " "),
    (r"短横线?|横杠|连字符|破折号|减号|\b(?:dash(?:es)?|hyphens?)\b", "-"),
    (r"斜杠|\bslash(?:es)?\b", "/"),
    (r"下划线|\bunderscores?\b", "_"),
    (r"顿号", "、"),
)


def _share(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Each row's part of the sum: 加一列占比, each person's share of the total."""
    if not text.take(_SHARE) or text.has(r"[饼柱]|图|\b(?:chart|pie|graph)\b"):
        return None
    place = choose_table(context.reading, text)
    take_own_column(text, place)
    decimals = take_decimals(text)
    name = text.take_any_quote() or _take_called(text)
    columns = [one for one in take_columns(text, place) if place.is_number(one)] or _money(place)
    text.take_all(
        r"(?:用|以|按|显示|格式)?(?:成|为)?百分(?:比|数|号)?(?:格式|形式|显示|表示)?|(?:as|in) (?:a )?(?:%|"
        r"percent(?:age)?s?)|%|"
        r"\bpercent(?:age)?s?\b|"
        rf"总(?:额|数|金额|和)|合计|{_NEW_COLUMN}"
    )
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=place.headers())
    letter, first, last = column_letters(columns[0]), place.table.body[0], place.last_body
    made = column_steps(
        place,
        name or choose(context.language, zh="占比", en="Share"),
        f"={letter}{first}/SUM({letter}${first}:{letter}${last})",
    )
    code = f"0{'.' + '0' * decimals if decimals else ''}%" if decimals is not None else "0.0%"
    return [*made, step("set_number_format", range=str(made[-1]["cell"]), number_format=code)]


def _take_called(text: RequestText) -> str:
    return text.take_value(
        r"(?:列名|表头|名字|名称)(?:叫|为|是|写|:)+|(?:叫做?|名为|命名为)|\b(?:called|named|titled|headed)\b"
    )


def _money(place: SheetPlace) -> list[int]:
    numbers = place.measures
    named = [one for one in numbers if re.search(r"金额|总价|amount|total", place.table.header(one), re.IGNORECASE)]
    return numbers if len(numbers) == 1 else named if len(named) == 1 else []


def _join(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Texts of columns in one new column: put department and name together like 'Sales - Ann Lee'."""
    if not text.take(
        r"(?:合并|拼接?|连接?|合|并|拼)(?:到|成|为|起来|在)?(?:一起|一块)?(?:成|到|为)?(?=.{0,10}列)|(?:拼|连|"
        r"合)(?:接)?(?:在)?(?:一起|起来)|"
        r"\b(?:put|join|combine|merge|concatenate|bring)\b(?=.{3,60}\b(?:together|columns?|one|single|into)\b)|"
        r"\bcombined?\b"
    ):
        return None
    place = choose_table(context.reading, text)
    if len({column for _, _, column in find_headers(text, place)}) < 2:
        return None
    name = text.take_quote(r"(?:列名|表头|叫做?|名为|命名为)|\b(?:called|named|headed)\b")
    example = next((one for one in text.left_quotes() if len(one.text) > 1), None)
    columns = take_columns(text, place)
    between = _take_separator(text)
    if example is not None and between is None:
        columns, between = _read_example(example.text, place, columns)
        text.consume(example.start - 1, example.end + 1)
        text.take(r"(?:像|如|比如|例如|类似|格式为?|形如)+|\b(?:like|as in|e\.?g\.?|such as|for example)\b")
        text.take_all(r"(?:这样|这种|那样|那种)(?:的)?(?:格式|形式|样子)?")
    text.take_all(
        rf"一起|合并|起来|列|中间|用|隔开|分开|分隔|之间|{_NEW_COLUMN}|\b(?:together|into|single|separated by|"
        rf"joined|between|them|by)\b"
    )
    if len(columns) < 2:
        raise OrderUnclear("no_column", known=place.headers())
    row = place.table.body[0]
    mark = choose(context.language, zh="", en=" ") if between is None else between
    glue = f'&"{mark}"&' if mark else "&"
    formula = "=" + glue.join(f"{column_letters(one)}{row}" for one in columns)
    heads = (mark or "").join(place.table.header(one) for one in columns)
    return column_steps(place, name or heads, formula)


def _take_separator(text: RequestText) -> str | None:
    for words, sign in _SEPARATORS:
        if text.take(
            rf"(?:中间)?(?:用|以|加|隔)(?:一?个)?(?:{words})(?:隔开|连接?|分隔|分开)?|(?:with|by|separated by|"
            rf"using) (?:an? )?(?:{words})(?: (?:in )?between(?: them)?)?"
        ):
            return sign
    return None


def _read_example(example: str, place: SheetPlace, columns: Sequence[int]) -> tuple[list[int], str]:
    """Columns and what stands between them, from an example that is made of the values of one row."""
    for row in place.table.body:
        spots = sorted(
            (example.find(shown), one, len(shown))
            for one in columns
            if (cell := place.table.cell(row, one)) is not None and (shown := str(cell.value or "").strip())
            if example.find(shown) >= 0
        )
        if len(spots) == len(columns) and sum(size for _, _, size in spots) < len(example) + 1:
            between = {example[at + size : spots[number + 1][0]] for number, (at, _, size) in enumerate(spots[:-1])}
            if len(between) == 1 and spots[0][0] == 0:
                return [one for _, one, _ in spots], between.pop()
    raise OrderUnclear("part", part=example)


def _split(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """One column into several: 姓名拆成姓和名, split Name into first and last name, 按逗号分列."""
    if not text.take(r"(?:拆分?|分|分列|切)(?:开)?(?:成|为|到)?|\b(?:split|separate|divide)\b(?: up)?") or not text.has(
        r"列|姓|两|\b(?:into|columns?|names?|by|at)\b"
    ):
        return None
    place = choose_table(context.reading, text)
    headers = list(find_headers(text, place))
    is_name = bool(
        text.take(
            r"姓(?:氏)?(?:和|跟|与|、|及)\s*名字?(?!称)|\b(?:into |"
            r"to )?(?:a )?first(?: names?)? and (?:a )?(?:last|sur|"
            r"family)[ -]?names?\b"
        )
    )
    mark = _take_separator(text)
    columns = [column for start, end, column in headers if "\ufffc" not in text.mask[start:end]][:1]
    for start, end, column in headers:
        if column in columns:
            text.consume(start, end)
    columns = columns or take_columns(text, place, most=1)
    if len(columns) != 1 or not (is_name or mark):
        raise OrderUnclear("no_column" if not columns else "no_split", known=place.headers())
    text.take_all(
        r"[两二2]\s*(?:个)?列|复姓.{0,12}?(?=$|[,，])|(?:比如|像|如)?(?:[、,，]?\s*(?:"
        + _SURNAMES
        + r"))+(?:什么的|之类的?|等等?|这种|这样的?)?|"
        rf"注意一?下?|{_NEW_COLUMN}|分开|拆开|\b(?:into|two|separate|names?|by|at|the)\b"
    )
    rows = [
        (row, str(cell.value or "").strip()) for row in place.table.body if (cell := place.table.cell(row, columns[0]))
    ]
    parts = {row: _cut_name(shown) if is_name else shown.split(mark or ",") for row, shown in rows if shown}
    width = max((len(one) for one in parts.values()), default=0)
    if width < 2:
        raise OrderUnclear("no_split", known=place.headers())
    head = place.table.header(columns[0])
    names = (
        choose(context.language, zh=("姓", "名"), en=("First name", "Last name"))
        if is_name
        else tuple(f"{head}{at}" for at in range(1, width + 1))
    )
    target, sheet = place.columns[-1] + 1, quote_sheet(place.sheet)
    cells: list[JsonValue] = [
        {"cell": f"{sheet}!{column_letters(target + at)}{place.table.header_row}", "value": one}
        for at, one in enumerate(names)
    ]
    cells += [
        {"cell": f"{sheet}!{column_letters(target + at)}{row}", "value": one.strip()}
        for row, found in parts.items()
        for at, one in enumerate(found)
        if one.strip()
    ]
    return [step("set_cells", cells=cells)]


def _cut_name(shown: str) -> list[str]:
    if shown.isascii() or " " in shown:
        first, _, rest = shown.partition(" ")
        return [first, rest]
    size = 2 if re.match(_SURNAMES, shown) and len(shown) > 2 else 1
    return [shown[:size], shown[size:]]


def _raise(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Numbers of a column times a factor: 金额上调10%, add 10% to all amounts, 金额乘以1.1."""
    number = r"(\d+(?:\.\d+)?)"
    found = text.take(
        rf"(?:都|全部|统一|一律)?(?:乘以?|×|\*)\s*{number}(?!\s*列)|(?P<up>(?:上调|提高|上涨|涨|增加|加|调高|"
        rf"上浮)(?:了)?)\s*{number}\s*[%％]|"
        rf"(?P<down>(?:下调|降低|下降|降|减少|减|打掉|调低|下浮)(?:了)?)\s*{number}\s*[%％]|"
        rf"\b(?P<more>increase|raise|bump|put up|up)\b(?=.*\bby {number}\s*%)|\b(?P<less>decrease|reduce|cut|"
        rf"lower)\b(?=.*\bby {number}\s*%)|"
        rf"\b(?P<plus>add)\s+{number}\s*(?:%|percent) (?:to|on|onto)\b|\b(?P<minus>take|knock)\s+{number}\s*(?:%|"
        rf"percent) off\b|\bmultipl(?:y|ied)\b(?=.*\bby {number})"
    )
    if found is None or text.has(rf"(?:{ADD}|新建).{{0,8}}列|\bcolumn called\b|="):
        return None
    place = choose_table(context.reading, text)
    amount = float(next(one for one in found.groups() if one and re.fullmatch(number, one)))
    text.take_all(rf"\bby {number}\s*(?:%|percent)?")
    named = found.groupdict()
    factor = amount
    if any(named[one] for one in ("up", "more", "plus")):
        factor = 1 + amount / 100
    elif any(named[one] for one in ("down", "less", "minus")):
        factor = 1 - amount / 100
    columns = take_columns(text, place)
    text.take_all(r"每个?|每一?(?:行|笔|项|人)|在?原来?(?:的)?基础上|数字|数值|\b(?:all|every|each|of|the|by|up)\b|列")
    if len(columns) != 1 or not place.is_number(columns[0]):
        raise OrderUnclear("no_column", known=place.headers())
    body = [(row, place.table.cell(row, columns[0])) for row in place.table.body]
    if any(cell is not None and cell.formula for _, cell in body):
        raise OrderUnclear("has_formulas", text=place.table.header(columns[0]))
    letter, sheet = column_letters(columns[0]), quote_sheet(place.sheet)
    cells: list[JsonValue] = [
        {"cell": f"{sheet}!{letter}{row}", "value": _tidy(value * factor)}
        for row, cell in body
        if cell is not None and (value := read_number(cell)) is not None
    ]
    return [step("set_cells", cells=cells)]


def _tidy(value: float) -> int | float:
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded


DERIVED_RULES: Final = (_share, _join, _split, _raise)
