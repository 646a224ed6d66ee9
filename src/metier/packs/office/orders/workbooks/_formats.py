"""Orders for number formats: decimals, percent, currency, dates as in an example."""

import re
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import SheetPlace, choose_table, take_cells, take_columns

__all__ = ["FORMAT_RULES", "format_code", "take_decimals"]

_FORMATS: Final = (
    (r"(?:百分比|百分数|百分号|%|\bpercent(?:age)?s?\b)(?:格式|形式|显示)?", "percent"),
    (r"(?:人民币|货币|金额|会计|¥|￥|\b(?:currency|rmb|cny|yuan)\b)(?:格式|形式|符号)?", "currency"),
    (r"(?:英镑|£|\b(?:gbp|pounds?(?: sterling)?)\b)(?:格式|符号| signs?| symbols?)?", "pound"),
    (r"(?:欧元|€|\b(?:eur|euros?)\b)(?:格式|符号| signs?| symbols?)?", "euro"),
    (r"(?:美元|\$|\b(?:usd|dollars?)\b)(?:格式|符号| signs?)?", "dollar"),
    (
        r"(?:千分|千位|三位一逗)(?:[位号符]|分隔)*(?:格式)?|\b(?:a )?thousands?(?: ?separators?| commas?)?\b",
        "thousands",
    ),
    ((
        r"(?:整数|取整|不要小数|不带小数|没有小数|\b(?:integers?|whole numbers?|no decimals?|"
        r"without decimals?)\b)(?:格式|显示)?"
    ), "integer"),
    (r"文本(?:格式|类型)?|\b(?:plain )?text format\b|\bas text\b", "text"),
    ((
        r"(?:y{4}|y{2})[-/年.]m{1,2}(?:[-/月.]d{1,2}日?)?月?(?:的)?(?:格式|形式)?|m{1,2}月d{1,2}日(?:的)?(?:格式|形式)?|月日(?:格式|形式)|\byyyy[-/.]mm[-/.]dd\b|\b(?:dd[-/.]mm|mm[-/.]dd)[-/.]yyyy\b|(?:短)?日期(?:格式|形式)?|"
        r"年[-/]?月[-/]?日(?:格式|形式)?|\b(?:dates?|date format)\b"
    ), "date"),
    (r"常规(?:格式)?|\bgeneral(?: format)?\b", "general"),
)  # fmt: skip
_SHOW: Final = r"(?:显示|设置?|改|调|转换?|用|带上?|加上?|\b(?:add|use|put|show|apply)\b)?"
_DECIMALS: Final = (
    r"(?:保留|显示|精确到|留|带)?(?:小数点后)?\s*([0-6零一二两三四五六])\s*位(?:小数)?|\b(one|two|three|four|no|"
    r"\d) decimals?(?: places?)?|\bto (\d) d\.?p\b"
)


def _number_format(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.has(r"条件|色阶|排序|筛选|图(?!片)|\b(?:chart|sort|filter)\b"):
        return None
    place = choose_table(context.reading, text)
    example = _take_example(text) or _take_code(text)
    cells = take_cells(text, place.sheet)
    columns = [] if cells else take_columns(text, place)
    decimals = take_decimals(text)
    negative = text.take(
        r"负数(?:用|要|显示)?(?:成|为)?(?P<red>红色?的?)?(?:带|加|用|的)?(?P<zh>括号)?(?:括起来)?(?:显示)?|"
        r"\bnegatives?(?: (?:numbers|values|amounts))?(?: (?:are|shown|go|"
        r"should be))*(?: in)?(?: (?P<en>red))?(?: (?:and )?(?:in )?(?P<brackets>brackets|parenthes[ei]s))?"
    )
    kind = next(
        (name for pattern, name in _FORMATS if text.take(rf"{_SHOW}(?:成|为)?\s*(?:{pattern})")),
        "",
    )
    if not kind and decimals is None and not example:
        return None
    kind = kind or ("percent" if columns and all(_has_shares(place, one) for one in columns) else "")
    has_thousands = bool(
        text.take(r"(?:并|且|和|，|,)?(?:带|加上?|使用|用)?(?:千分|千位)(?:[位号符]|分隔)+|\bthousands? separators?\b")
    )
    has_thousands |= (
        bool(text.take(r"\b(?:with )?(?:thousands? )?commas?\b"))
        if kind in ("pound", "euro", "dollar", "currency")
        else False
    )
    code = example or format_code(kind or ("thousands" if has_thousands else ""), decimals, text.raw)
    if kind and decimals is None and kind == "percent":
        code = "0.00%" if _has_fractions(place, columns) else "0%"
    if negative is not None:
        code = _with_negatives(
            code,
            is_red=bool(negative["red"] or negative["en"]),
            in_brackets=bool(negative["zh"] or negative["brackets"]),
        )
    if not columns and not cells:
        columns = (
            [one for one in place.columns if place.is_number(one)]
            if text.take(r"(?:所有|全部)?(?:的)?(?:数字|数值|金额)(?:列)?|\b(?:all )?(?:the )?numbers\b")
            else []
        )
    if not columns and not cells:
        raise OrderUnclear("no_column", known=place.headers())
    text.take_all(
        r"(?:数字|单元格|数值)?格式|显示|的?数字|数值|列|[,，]|小数|位|(?:在)?前面|符号|\b(?:format(?:ted)?|columns?|"
        r"numbers?|places?|show|with)\b"
    )
    ranges = cells or [place.column_area(one, with_totals=True) for one in columns]
    return [step("set_number_format", range=one, number_format=code) for one in ranges]


def _with_negatives(code: str, *, is_red: bool, in_brackets: bool) -> str:
    """A format with a part of its own for negative numbers."""
    shown = f"({code})" if in_brackets else f"-{code}"
    return f"{code};{'[Red]' if is_red else ''}{shown}"


def _has_fractions(place: SheetPlace, columns: list[int]) -> bool:
    values = [cell.value for column in columns for cell in place.values(column) if isinstance(cell.value, int | float)]
    return any(abs(value * 100 - round(value * 100)) > 1e-9 for value in values)


def _has_shares(place: SheetPlace, column: int) -> bool:
    """Whether a column holds parts of one, as its name says: such numbers are shown as percentages."""
    if not re.search(
        r"率|占比|比例|折扣|百分|%|\b(?:rate|discount|share|percent\w*|margin)\b",
        place.table.header(column),
        re.IGNORECASE,
    ):
        return False
    values = [one.value for one in place.values(column) if isinstance(one.value, float | int)]
    return bool(values) and all(0 <= one < 1 for one in values)


def take_decimals(text: RequestText) -> int | None:
    """How many decimals the order asks for; None if it says nothing of them."""
    found = text.take(_DECIMALS)
    if found is None:
        return None
    word = next(one for one in found.groups() if one)
    return 0 if word in ("no", "零") else int(word) if word.isdigit() else read_count(word)


def format_code(kind: str, decimals: int | None, raw: str) -> str:
    """Number format of a kind."""
    tail = "." + "0" * decimals if decimals else ""
    match kind:
        case "percent":
            return f"0{tail}%"
        case "currency":
            return f'"¥"#,##0{tail if decimals is not None else ".00"}'
        case "pound" | "euro":
            sign = {"pound": "£", "euro": "€"}[kind]
            return f'"{sign}"#,##0{tail if decimals is not None else ".00"}'
        case "dollar":
            return f'"$"#,##0{tail if decimals is not None else ".00"}'
        case "thousands":
            return f"#,##0{tail}"
        case "integer":
            return "0"
        case "text":
            return "@"
        case "date":
            return _date_code(raw)
        case "general":
            return "General"
        case _:
            return f"0{tail}"


_EXAMPLES: Final = (
    (r"\d{4}年\d{1,2}月\d{1,2}日", 'yyyy"年"m"月"d"日"'),
    (r"\d{4}/0\d/\d{2}", "yyyy/mm/dd"),
    (r"\d{4}/\d{1,2}/\d{1,2}", "yyyy/m/d"),
    (r"\d{4}\.\d{1,2}\.\d{1,2}", "yyyy.m.d"),
    (r"\d{4}-\d{1,2}-\d{1,2}", "yyyy-mm-dd"),
    (r"\d{1,2}月\d{1,2}日", 'm"月"d"日"'),
    (r"\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}", "d mmm yyyy"),
    (
        r"\d{1,2} (?:January|February|March|April|June|July|August|September|October|November|December) \d{4}",
        "d mmmm yyyy",
    ),
    (r"\d{1,2}/\d{1,2}/\d{4}", "mm/dd/yyyy"),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", "dd.mm.yyyy"),
    (r"\d{1,2}-\d{1,2}-\d{4}", "dd-mm-yyyy"),
)


def _take_example(text: RequestText) -> str:
    """Format of a date that the order shows: 改成2026年1月5日这种样子, like 5 Jan 2026."""
    for form, code in _EXAMPLES:
        if text.take(
            rf"(?:像|按|类似|用|\b(?:like|as|e\.g\.|such as)\s)?\s*[“\"]?{form}[”\"]?\s*(?:这种|这样|那种|"
            rf"那样)(?:的)?(?:样子|格式|形式|写法|显示)?|"
            rf"\b(?:like|such as|look like|as)\s+[\"'“]?{form}[\"'”]?|{form}(?:的)?(?:格式|形式|样子)"
        ) or _take_quoted_example(text, form):
            shown = re.search(form, text.raw)
            settled = _settle_order(code, text.raw)
            return _pad(settled, shown[0]) if shown else settled
    return ""


def _pad(code: str, example: str) -> str:
    """The code with as many digits for day and month as the example shows: 02 May is `dd mmm`, 2024-3-1 `yyyy-m-d`."""
    parts = iter(re.findall(r"\d+|[A-Za-z]+", example))

    def _fit(token: re.Match[str]) -> str:
        part = next(parts, "")
        if token[0] not in ("m", "mm", "d", "dd") or not part.isdigit():
            return token[0]
        if len(part) == 1:
            return token[0][0]
        return token[0][0] * 2 if part[0] == "0" else token[0]

    return re.sub(r"yyyy|m{1,4}|d{1,2}", _fit, code)


def _take_code(text: RequestText) -> str:
    """A format code for numbers: 改成0.00格式, as #,##0.00."""
    found = text.take(
        r"[“\"]?(?<![\d.,#])(?P<code>(?:#,##)?0(?:\.0{1,6})?%?)(?![\d.,#%])[”\"]?\s*(?:的)?(?:数字)?"
        r"(?:格式|形式|\bformat\b)|(?<![\d.,#])(?P<plain>#,##0(?:\.0{1,6})?%?)(?![\d.,#%])"
    )
    return (found["code"] or found["plain"]) if found else ""


def _take_quoted_example(text: RequestText, form: str) -> bool:
    """A date in quotes that shows the form: 改成“3月5日”这种格式."""
    for one in text.left_quotes():
        if re.fullmatch(form, one.text) and re.search(r"日期|格式|这种|样子|date|format|like", text.raw, re.IGNORECASE):
            text.consume(one.start - 1, one.end + 1)
            text.take(r"\s*(?:这种|这样|那种|那样)(?:的)?(?:样子|格式|形式|写法|显示)?")
            return True
    return False


def _settle_order(code: str, raw: str) -> str:
    """Day and month of an example such as 05/03/2024: asked about unless one of them can only be the day."""
    found = re.search(r"(?<!\d)(\d{1,2})/(\d{1,2})/\d{4}", raw) if code == "mm/dd/yyyy" else None
    if found is None:
        return code
    if int(found[1]) > 12:
        return "dd/mm/yyyy"
    if int(found[2]) > 12:
        return code
    raise OrderUnclear("day_or_month", text=found[0])


def _date_code(raw: str) -> str:
    if found := re.search(
        r"(?<![a-z])(y{2,4}[-/年.]m{1,2}(?:[-/月.]d{1,2}日?)?月?|m{1,2}月d{1,2}日)", raw, re.IGNORECASE
    ):
        return re.sub(r"([年月日])", r'"\1"', found[1].lower())
    if re.search(r"(?<!年)月日(?:格式|形式)", raw):
        return 'm"月"d"日"'
    if re.search(r"年.{0,4}月.{0,4}日", raw):
        return 'yyyy"年"m"月"d"日"'
    if plain := re.search(r"\b(?:dd[-/.]mm|mm[-/.]dd)[-/.]yyyy\b", raw, re.IGNORECASE):
        return plain[0].lower()
    found = re.search(r"yyyy([-/.])mm[-/.]dd", raw, re.IGNORECASE)
    return f"yyyy{found[1]}mm{found[1]}dd" if found else "yyyy-mm-dd"


FORMAT_RULES: Final = (_number_format,)
