"""Orders about figures of a sheet: number formats, totals, new columns by formula, groups, charts, rules of colour."""

import re
from itertools import pairwise
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._formats import format_code, take_decimals
from metier.packs.office.orders.workbooks._view import (
    LITTLE_WORD,
    SheetPlace,
    choose_table,
    column_index,
    column_letters,
    find_headers,
    take_columns,
)

__all__ = ["FIGURE_RULES", "are_alike", "column_steps", "read_expression", "take_summary"]

_SUMMARY: Final = (
    ("AVERAGE", "average", r"平均(?:值|数|分)?|均值|\b(?:averages?|mean)\b"),
    ("MAX", "max", r"最大值?|最高(?:值|分)?|\bmax(?:imum)?\b"),
    ("MIN", "min", r"最小值?|最低(?:值|分)?|\bmin(?:imum)?\b"),
    ("COUNTA", "count", (
        r"个数|(?<!统)计数|数量统计|人数|笔数|单数|次数|条数|(?:多少|几)(?:个人?|人|位|名|条|单|笔|行|次|项)|"
        r"\b(?:count (?:how many \w+|of \w+)|"
        r"how many "
        r"(?:people|rows|records|orders|entries|times|lines|items|names|employees)|count|number of (?:rows|records|"
        r"orders|entries|people))\b"
    )),
    ("SUM", "sum", (
        r"合计|总计|总和|求(?:一?个)?和|(?<=列)加(?:一下|起来)|汇总|加总|小计|累计|总额|总数|总共|一共|总分|总成绩|\b(?:totals?|sums?|"
        r"sum up|add up|subtotals?)\b"
    )),
)  # fmt: skip


_ANEW: Final = (
    r"替换|重新|重算|重做|更新|改正|修正|纠正|修复|"
    r"\b(?:re-?calculate|re-?compute|replace|redo|update|fix|correct|again|anew)\b"
)


def take_summary(text: RequestText) -> tuple[str, str, str] | None:
    """Function, name of the summary, and the word that the order uses for it."""
    for function, name, pattern in _SUMMARY:
        if found := text.take(pattern):
            word = text.raw[found.start() : found.end()]
            text.take_all(pattern)
            return function, name, word
    return None


def _total_row(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.has(
        r"每行|各行|逐行|(?<![这那])一列|(?<![这那])列(?:上|里)?(?:加(?!一下|起来)|写)|"
        r"\b(?:each|every) row\b|\bcolumn (?:with|for|called)\b|"
        r"\b(?:total|sum|average|mean) column\b|="
    ) and not text.has(r"合计行|一行"):
        return None
    if text.has(r"柱|饼|折线|图|\bchart\b"):
        return None
    if text.has(r"按.{1,12}(?:汇总|统计|合计|求和|小计|计算|算)|各.{1,8}的|每个|每种|\bper\b|\bby\b|\beach\b"):
        return None
    found = take_summary(text)
    if found is None:
        return None
    place = choose_table(context.reading, text)
    function, _, word = found
    second = take_summary(text) if text.has(r"和|与|、|以及|及|\band\b|&") else None
    if second is not None and text.raw.find(second[2]) < text.raw.find(word):
        (function, _, word), second = second, found
    decimals = take_decimals(text)
    columns = take_columns(text, place)
    text.take_all(
        rf"{ADD}|放(?:在|到)?|[每各](?:一?门课?程?|一?科|项|个科目)的?|保留|各自|分别|都|是?多少|写在|算(?:出来?|"
        rf"个|一下)?|"
        rf"计算|求出?|统计|(?:在|到)?(?:表格?)?(?:的)?(?:最后|末尾|最下面|最下方|底部|下面|"
        rf"底下|结尾)(?:面)?|一?行|数值列?|数字列?|[每各]列|列|\b(?:calculate|compute|get|row|"
        rf"at the (?:bottom|end)|below|bottom|columns?|numeric|number|under(?:neath)?|line)\b|出"
    )
    if place.table.totals:
        return _recalculate_total(text, place, columns, function, is_plain=second is None and decimals is None)
    numbers = [one for one in columns if not place.names_rows(one)] or place.measures
    wrong = next((one for one in numbers if not place.is_number(one) and function != "COUNTA"), None)
    if wrong is not None or not numbers:
        raise OrderUnclear("no_numbers", text=place.table.header(wrong) if wrong is not None else place.sheet)
    made = _total_steps(place, numbers, function, _total_label(word, function, context))
    if second is not None:
        made += _total_steps(place, numbers, second[0], _total_label(second[2], second[0], context), below=1)
    if decimals is not None:
        row, sheet, code = place.last_body + 1, quote_sheet(place.sheet), format_code("", decimals, "")
        made += [
            step("set_number_format", range=f"{sheet}!{column_letters(one)}{row}", number_format=code)
            for one in numbers
        ]
    return made


def _total_label(word: str, function: str, context: OrderContext) -> str:
    names = {
        "SUM": ("合计", "Total"),
        "AVERAGE": ("平均", "Average"),
        "MAX": ("最大", "Max"),
        "MIN": ("最小", "Min"),
        "COUNTA": ("计数", "Count"),
    }
    zh, en = names[function]
    return word if word in ("合计", "总计", "小计", "平均值", "平均分") else choose(context.language, zh=zh, en=en)


def _recalculate_total(
    text: RequestText, place: SheetPlace, columns: list[int], function: str, *, is_plain: bool
) -> list[JsonObject]:
    """A new formula in each cell of the total row that has a figure now, over the whole body above it.

    Only where that is ordered; 合计算错了 may be the reason of another order, and another total is asked about.
    """
    row, first = place.table.totals[-1], place.table.body[0]
    if not is_plain or not text.has(_ANEW) or list(place.table.totals) != [place.last_body + 1]:
        raise OrderUnclear("has_total", row=row)
    text.take_all(rf"{_ANEW}|吧|了|的|第\s*{row}(?!\d)|\b(?:it|the|please|row|all|in)\b")
    totals = {one: place.table.cell(row, one) for one in columns or place.columns if place.is_number(one)}
    filled = [at for at, one in totals.items() if one is not None and (one.formula or one.value not in (None, ""))]
    if not filled:
        raise OrderUnclear("no_numbers", text=place.sheet)
    sheet = quote_sheet(place.sheet)
    cells: list[JsonValue] = []
    for name in map(column_letters, filled):
        cells.append({"cell": f"{sheet}!{name}{row}", "formula": f"={function}({name}{first}:{name}{place.last_body})"})
    return [step("set_cells", cells=cells)]


def _total_steps(
    place: SheetPlace, columns: list[int], function: str, label: str, *, below: int = 0
) -> list[JsonObject]:
    row, first = place.last_body + 1 + below, place.table.body[0]
    sheet = quote_sheet(place.sheet)
    label_column = next((one for one in place.columns if one not in columns), None)
    cells: list[JsonValue] = (
        [] if label_column is None else [{"cell": f"{sheet}!{column_letters(label_column)}{row}", "value": label}]
    )
    for column in columns:
        name = column_letters(column)
        cells.append({"cell": f"{sheet}!{name}{row}", "formula": f"={function}({name}{first}:{name}{place.last_body})"})
    area = f"{sheet}!{column_letters(place.columns[0])}{row}:{column_letters(place.columns[-1])}{row}"
    return [step("set_cells", cells=cells), step("set_cell_style", range=area, bold=True)]


def _new_column(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A column with a formula: 加一列金额=单价*数量; 每行的合计."""
    if not text.has(r"列|每行|各行|每个?人|每位|每名|各人|\bcolumn\b|\b(?:each|every) row\b"):
        return None
    decimals = take_decimals(text)
    text.take_all(r"[,，]\s*保留\s*(?=\ufffc)|(?<=\ufffc)\s*$")
    expression = _find_expression(text)
    summary = None
    if expression is None and (not text.has(rf"{ADD}|求|算|\bcalculate\b") or (summary := take_summary(text)) is None):
        return None
    saved = text.mask
    if summary is not None and take_summary(text) is not None:
        return None  # two columns are wanted: each is an order of its own
    text.mask = saved
    place = choose_table(context.reading, text)
    text.take_all(
        r"保留|(?:结果)?(?:放|写|填|加)?(?:在|到|进)?(?:最后|最右边?|末尾|后面|右边)(?:的|"
        r"面)?一?(?:个)?(?:新)?列(?:里|上)?"
    )
    if expression is not None:
        formula = read_expression(text.raw[expression.start("it") : expression.end("it")], place)
        text.consume(expression.start(), expression.end())
        word = ""
    else:
        function, _, word = summary or ("SUM", "sum", "")
        formula = ""
    own = (
        text.take(r"(?:在)?(?<![A-Za-z])([A-Za-z]{1,2})列|\bcolumn " + LITTLE_WORD + r"([A-Z]{1,2})\b")
        if formula
        else None
    )
    if own is not None and column_index(own[1] or own[2]) != place.columns[-1] + 1:
        raise OrderUnclear("no_place")
    name = _take_column_name(text)
    after = _take_after(text, place) if formula else 0
    columns = take_columns(text, place) if not formula else []
    text.take_all(
        rf"{ADD}|(?:在|到)?(?:表格?的?)?(?:最后|末尾|最右边?|最后面|右边|后面)(?:面)?|(?:给|对)?(?:每|"
        rf"各)一?行|每个?人|每位(?:学生|员工|同学)?|每名(?:学生|员工)?|各人|一?个?新?列|行|算出?|计算|求|"
        rf"相加|加起来|\b(?:a|new|column|at the (?:end|right)|of|for|each|every|row|calculate|that|with|columns?)\b"
    )
    if not formula:
        numbers = columns or place.measures
        if len(numbers) < 2 or (not columns and not are_alike(place, numbers)):
            raise OrderUnclear("which_columns", known=tuple(place.table.header(one) for one in numbers))
        formula = _row_formula(place, numbers, function)
    name = (
        name
        or (word if word in ("合计", "总计", "平均值", "平均分", "小计", "总分", "总成绩", "总额") else "")
        or choose(context.language, zh=word or "合计", en="Total")
    )
    made = column_steps(place, name, formula, after=after)
    if decimals is not None:
        code = format_code("", decimals, "")
        made.append(step("set_number_format", range=str(made[-1]["cell"]), number_format=code))
    return made


def _find_expression(text: RequestText) -> re.Match[str] | None:
    """What a new column is calculated from: =单价*数量, 按金额的3%算."""
    expression = re.search(
        (
            r"(?:按照?|=|等于|为|是)\s*(?P<it>[^,，。;\"]{1,12}?的?\d+(?:\.\d+)?[%％])(?:来)?(?:计?算|提取|"
            r"计提)?(?=$|[,，]?\ufffc+$)"
        ),
        text.mask,
    )
    expression = expression or re.search(
        r"\b(?:with|for|of|showing) (?:the )?(?P<it>\d+(?:\.\d+)?\s*%(?: [A-Za-z]+)? (?:of|on|from) (?:the )?"
        r"[A-Za-z ]+?)(?=$|[,;]|\ufffc)",
        text.mask,
        re.IGNORECASE,
    )
    expression = expression or re.search(
        r"(?:\b(?:that is|which is|is|as|equal to|with|=)\b|[=,])\s*(?P<it>\d+(?:\.\d+)?\s*% of (?:the )?[A-Za-z ]+?)$",
        text.mask,
        re.IGNORECASE,
    )
    return expression or re.search(
        r"(?:=|等于|为|是|用|算法是|公式是|\b(?:equals|equal to|equal|is|"
        r"as)\b)\s*(?P<it>[^,，。;]*?(?:[*×xX/÷+＋\-－—]|乘以?|除以|减去?|加上?|之差|之和|之积|\b(?:times|"
        r"minus|plus|divided by|multiplied by)\b)[^,，。;]*)$",
        text.mask,
        re.IGNORECASE,
    )


def _take_after(text: RequestText, place: SheetPlace) -> int:
    """The column after which a new one is wanted: 在金额后面插一列, next to Amount; 0 if none is named."""
    for start, end, column in find_headers(text, place):
        before = re.search(r"\b(?:after|next to|right of|behind)(?: the)?\s*$", text.mask[:start], re.IGNORECASE)
        behind = re.match(r"(?:的)?(?:后面|后边|之后|右边|右侧|旁边|后)", text.mask[end:])
        if before or behind:
            text.consume(before.start() if before else start, end + (behind.end() if behind else 0))
            return column
    return 0


def column_steps(place: SheetPlace, name: str, formula: str, *, after: int = 0) -> list[JsonObject]:
    """A column after the last one, or after another: its head, and the formula in every row."""
    target = (after or place.columns[-1]) + 1
    if after and after < place.columns[-1]:
        if any(column_index(one) > after for one in re.findall(r"([A-Z]{1,2})\$?\d", formula)):
            raise OrderUnclear("no_place")
        own = SheetPlace(place.table)
        made = column_steps(own, name, formula)
        last, letter = column_letters(place.columns[-1] + 1), column_letters(target)
        moved = [_at_column(one, last, letter) for one in made]
        return [step("insert_lines", before=letter, count=1, sheet_name=place.sheet), *moved]
    sheet, letter, first = quote_sheet(place.sheet), column_letters(target), place.table.body[0]
    rows = place.table.body
    head: JsonObject = {"cell": f"{sheet}!{letter}{place.table.header_row}", "value": name}
    made = [step("set_cells", cells=[head])]
    made.append(
        step(
            "set_cell_formula",
            cell=f"{sheet}!{letter}{first}:{letter}{rows[-1]}" if len(rows) > 1 else f"{sheet}!{letter}{first}",
            formula=formula,
        )
    )
    return made


def _at_column(made: JsonObject, old: str, new: str) -> JsonObject:
    """A step for the column `old`, written to the column `new` instead."""
    form = re.compile(rf"(?<=[!:]){old}(?=\d)")
    cells = made.get("cells")
    if isinstance(cells, list):
        return {
            **made,
            "cells": [{**one, "cell": form.sub(new, str(one["cell"]))} for one in cells if isinstance(one, dict)],
        }
    return {**made, "cell": form.sub(new, str(made["cell"]))}


def _take_column_name(text: RequestText) -> str:
    name = (
        text.take_quote(r"(?:列名|表头|标题|名字|名称|叫做?|名为|命名为|为|是|列)|\b(?:called|named|titled|headed)\b")
        or text.take_any_quote()
        or text.take_value(
            r"(?:列名|表头|名字|名称)(?:叫|为|是|写|:)+|(?:[,，]\s*)?(?:叫做?|名为|命名为)|"
            r"[,;]?\s*\b(?:call(?:ed)?(?: it)?|"
            r"named?(?: it)?|titled)\b"
        )
    )
    if not name and (
        found := text.take(
            r"(?:新增|添加|增加|加上|加|插入)(?:一列|"
            r"一个)([\u4e00-\u9fffA-Za-z]{2,10})(?=[列,，\ufffc\s]|$)|\badd (?:a|an) ([A-Za-z ]{2,20}?) column\b"
        )
    ):
        group = 1 if found[1] else 2
        name = text.raw[found.start(group) : found.end(group)].strip()
    return name


def are_alike(place: SheetPlace, columns: list[int]) -> bool:
    """Whether number columns are of one kind, so that their sum means something: months, quarters, subjects, weeks."""
    heads = [place.table.header(one) for one in columns]
    patterns = (
        r".*(?:\d{1,2}|[一二三四五六七八九十]+)月.*",
        r".*(?:季度|Q[1-4]).*",
        r".*(?:周|week).*",
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*",
        r"语文|数学|英语|物理|化学|生物|历史|地理|政治|体育|科学|综合",
        r".*(?:成绩|得分|分数|分)",
        r".*\d{4}年?.*",
    )
    return any(all(re.fullmatch(one, head, re.IGNORECASE) for head in heads) for one in patterns)


def _row_formula(place: SheetPlace, columns: list[int], function: str) -> str:
    row = place.table.body[0]
    names = [column_letters(one) for one in columns]
    is_run = all(later - earlier == 1 for earlier, later in pairwise(columns))
    inside = f"{names[0]}{row}:{names[-1]}{row}" if is_run else ",".join(f"{one}{row}" for one in names)
    return f"={function}({inside})"


_BY_SHARE: Final = re.compile(
    r"(?P<old>[^%％]*\x00[^%％]*?)\s*(?P<sign>[-+])\s*(?P<share>\d+(?:\.\d+)?)\s*[%％]", re.DOTALL
)


def read_expression(raw: str, place: SheetPlace) -> str:
    """A formula of the first row from words: 单价×数量, (收入-成本)/收入."""
    rest, row = raw, place.table.body[0]
    for column in sorted(place.columns, key=lambda one: -len(place.table.header(one))):
        header = re.escape(place.table.header(column))
        rest = re.sub(
            rf"[“\"「']?{header}[”\"」']?(?:列|\s+column)?",
            f"\x00{column_letters(column)}{row}\x00",
            rest,
            flags=re.IGNORECASE,
        )
    for words, sign in (
        (r"乘以?|×|[xX](?=\s*[\x00\d(])|＊|\b(?:times|multiplied by)\b", "*"),
        (r"除以|÷|\bdivided by\b", "/"),
        (r"减去?|－|—|–|\bminus\b", "-"),
        (r"加上?|＋|\bplus\b", "+"),
    ):
        rest = re.sub(words, sign, rest, flags=re.IGNORECASE)
    rest = re.sub(
        r"(\d+(?:\.\d+)?)\s*%(?: [A-Za-z]+)? (?:of|on|"
        r"from) (?:the )?(?=\x00)",
        r"\1%*",
        rest,
        flags=re.IGNORECASE,
    )
    rest = re.sub(r"\x00的?(?:打)?([一二三四五六七八九])折", lambda one: f"\x00*0.{read_count(one[1])}", rest)
    rest = re.sub(r"\x00的?(?=\d+(?:\.\d+)?\s*[%％])", "\x00*", rest)
    rest = re.sub(r"（", "(", re.sub(r"）", ")", rest))
    if less := _BY_SHARE.fullmatch(rest.strip()):  # 单价减10%: of the price, as in 单价加10%
        old = less["old"] if re.fullmatch(r"\s*\x00\w+\x00\s*", less["old"]) else f"({less['old']})"
        rest = f"{old}*(1{less['sign']}{less['share']}%)"
    rest = re.sub(r"(\d+(?:\.\d+)?)\s*[%％]", lambda found: f"{float(found[1]) / 100:g}", rest)
    rest = re.sub(r"[\x00\s]|的|相乘|的?结果", "", rest)
    if not re.fullmatch(r"[A-Z0-9.+\-*/()]+", rest) or not re.search(r"[A-Z]+\d", rest):
        raise OrderUnclear("part", part=raw.strip())
    return f"={rest}"


FIGURE_RULES: Final = (_new_column, _total_row)
