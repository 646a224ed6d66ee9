"""Values of fields, read by kind: names, counts, texts, looks and what changes nothing."""

import re
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look

__all__ = [
    "is_bold",
    "is_order_said",
    "is_remark",
    "read_formula",
    "read_grid",
    "read_levels",
    "read_names",
    "read_pairs",
    "read_rows",
    "read_text",
    "read_weeks",
    "read_width",
]

_SIGNS: Final = (
    r"[|｜]",
    "、",
    r"\t",
    r"\s*[/／]\s*",
    r"[;；]",
    r"[,，]",
    r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])",
)
_MARKED: Final = re.compile(r"[(]?(?:\d{1,2}|[一二三四五六七八九])[)、.．]\s*(?!\d)|[①-⑳]\s*")
_QUOTED: Final = re.compile(r"[“”\"「」『』《》]")
_REMARK: Final = re.compile(
    r"宽|窄|填|必|可选|选填|不|别|要|请|自动|下拉|默认|只|靠|居|合并|公式|小数|格式|加粗|颜色|色|[行列]|空|"
    r"\d\s*(?:周|天|个?月|字|厘米|weeks?|days?|cm)|"
    r"\b(?:optional|required|wide|narrow|auto\w*|default|drop-?down|formula|bold|as|with|no|not|empty|blank|left|"
    r"right)\b",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"[,，].*(?:请|要|不|\bplease\b|\bwith\b)", re.IGNORECASE)
_MAX_NAME: Final = 40
_MAX_TEXT: Final = 120
_NO_NAME: Final = re.compile(r"[:：=＝!！]|不要|别|加粗|居中|\bbold\b|\bplease\b|^(?:with|then)\b|请", re.IGNORECASE)
_TOLD: Final = re.compile(
    rf"[,，;；]?\s*[(]?(?:一?共|总共|共计|合计|in total,?|total(?:ling)?)?\s*({COUNT})\s*(?:个|项|大)?(?:列|栏|项|"
    rf"条|部分|个|任务|columns?|items?|tasks?|points?)[)]?\s*$",
    re.IGNORECASE,
)
_HEADER_APART: Final = (
    r"(?:(?:表头|标题行)(?:那?一?行)?(?:另计|不算(?:在内)?|不计(?:在内)?|除外|另算|不含|不包括)|(?:不含|不包括|不算|"
    r"不计|除)(?:表头|标题行)(?:外)?|"
    r"(?:the )?header(?: row)? (?:is )?(?:not (?:counted|included)|excluded|extra|comes? (?:on top|extra))|"
    r"(?:not counting|excluding|without|excl\.|plus|not including|in addition to) (?:the )?header(?: row)?|"
    r"(?:below|under|beneath|underneath) (?:the )?header(?: row)?)"
)
_HEADER_IN: Final = (
    r"(?:(?:the )?header(?: row)? (?:is )?(?:included|counted)|(?:表头|标题行)(?:也)?(?:算|计)?在内|"
    r"(?:含|包括|包含|连)(?:表头|标题行)(?:在内)?|(?:including|incl\.|counting|with) (?:the )?header(?: row)?)"
)
_LEFT: Final = (
    r"(?:(?:均|都|全部|一律)?(?:待?填写|备填|空着|留空|留白|备用)|to fill in(?: later|"
    r" by hand)?|left (?:empty|blank)|empty|blank)"
)
_ROWS: Final = re.compile(
    rf"(?:空白?行\s*|留空行\s*)?(?:(?:除)?(?:表头|标题行)(?:之?外|以外|以下|之下|下面|下方|下)(?:的)?[,，]?\s*)?"
    rf"(?:(?:表头|标题行|header)(?: row)?\s*(?:{COUNT})\s*(?:行|"
    rf"rows?)?\s*(?:[+＋,，、;和加另]|plus|and)+\s*)?(?:另|再|各)?(?:留|空|预留|共)?出?\s*"
    rf"(?:空白?|数据|blank|empty)?\s*({COUNT})\s*(?:个|条)?\s*(?:(?:空白?|数据|内容|blank|empty|data)\s*)?(?:行|"
    rf"rows?|(?:(?:blank|empty) )?ones)?(?:空行|空白行|空白)?\s*"
    rf"(?:[(,，]?\s*(?:(?P<apart>{_HEADER_APART})|(?P<inside>{_HEADER_IN})|{_LEFT})\s*[)]?)?",
    re.IGNORECASE,
)
_BOLD: Final = re.compile(
    r"(?:(?:1|一|单)行[,，、]?\s*)?(?:请|都|要|需|统一|全部)*(?:用)?(?:加粗|粗体|加黑|字体加粗)(?:显示)?|"
    r"(?:in )?bold(?: type| font)?",
    re.IGNORECASE,
)
_IN_ORDER: Final = re.compile(
    r"(?:请?(?:按|依)(?:照)?(?:此|这个?|下列|以下|先后|给定)?(?:顺序|次序)|依次|顺序不变|(?:in )?(?:this|the given|"
    r"that) order)(?:排列|列出)?",
    re.IGNORECASE,
)
_LEVELS: Final = re.compile(
    rf"(?:共|分)?({COUNT})\s*(?:个)?(?:级|层)(?:标题)?(?:[(](?:[一二三]级?[、,，和]?)+(?:标题)?(?:都要有|都要|"
    rf"都有)?[)])?|({COUNT})[\s-]+(?:heading[\s-]+)?levels?(?: of headings?)?|({COUNT})",
    re.IGNORECASE,
)
_WIDTH: Final = re.compile(rf"(?:共|一共)?({COUNT})\s*(?:列|栏|columns?)?", re.IGNORECASE)
_WEEKS: Final = re.compile(
    rf"(?:共|一?共|跨)?({COUNT})\s*个?(?:周|星期)|({COUNT})[\s-]+weeks?|第\s*[1一]\s*周?\s*(?:至|到|"
    rf"[-–—~～])\s*第?\s*({COUNT})\s*周|"
    rf"weeks? 1\s*(?:to|[-–—])\s*(?:week )?({COUNT})|({COUNT})",
    re.IGNORECASE,
)
_GRID: Final = re.compile(
    rf"(?:共|一共)?({COUNT})\s*(?:行|rows?)?\s*(?:[x×*✕,，、乘]|by|and)?\s*({COUNT})\s*(?:列|"
    rf"columns?)?[,，]?(?:\s*(?:in (?:total|all)|altogether|overall|all told|总共|共计|总计))?",
    re.IGNORECASE,
)
_MONEY: Final = r"(?:[(][^()]{1,6}[)])?"
_FORMULAS: Final = (
    ("budget-actual", rf"(?:预算|budget(?:ed)?){_MONEY}\s*(?:减去?|[-－−–]|minus|less)\s*(?:实际|actual){_MONEY}"),
    ("actual-budget", rf"(?:实际|actual){_MONEY}\s*(?:减去?|[-－−–]|minus|less)\s*(?:预算|budget(?:ed)?){_MONEY}"),
    ("quantity*price", rf"(?:数量|quantity|qty){_MONEY}\s*(?:乘以?|[x×*✕]|times)\s*(?:单价|(?:unit )?price){_MONEY}"),
)
_AS_FORMULA: Final = (
    r"(?:[,，;；]?\s*(?:请?用|使用|写成?|as|by|with|using)\s*(?:an? )?(?:excel)?\s*(?:公式|formulas?)(?:计算|算出?)?)?"
)
_PER_WEEK: Final = re.compile(
    r"[,，]?\s*[(]?(?:每周(?:一|1)列|(?:one|1) column (?:per|a|for each) week)(?:[,，、]\s*(?:不加|不要|没有|无|"
    r"no)(?:其他|其它|别的|other)列?(?: columns?)?)?[)]?\s*$",
    re.IGNORECASE,
)


def read_text(value: str, *, is_sentence: bool = False) -> str:
    """A text of one line, without its quotation marks; empty if more is said than a text."""
    quotes = RequestText(value).quotes
    if len(quotes) == 1 and quotes[0].start == 1 and quotes[0].end == len(value) - 1:
        return quotes[0].text
    stop = "。" if is_sentence and value.strip().endswith("。") else ""
    bare = value.strip().rstrip("。")
    if (
        (quotes and not _is_woven(bare))
        or (not quotes and _QUOTED.search(bare))
        or len(bare) > _MAX_TEXT
        or re.search(r"[;；。\n]|[:：]\s*$", bare)
    ):
        return ""
    return "" if names_look(bare) or (not stop and _GOES_ON.search(bare)) else f"{bare}{stop}"


def _is_woven(text: str) -> bool:
    """Whether quotations stand inside of a text without a sign that ends a clause: “数字乡村”试点汇报."""
    rest = re.sub(r"\"[^\"]*\"", "", RequestText(text).mask)
    return bool(rest.strip()) and not re.search(r"[,，;；。:\"]", rest)


def read_names(value: str) -> tuple[str, ...]:
    """Names of a list, as they are written; empty if one of them is none, or if another number of them is told."""
    text = RequestText(value.strip().rstrip("。"))
    told = _TOLD.search(text.mask)
    body = text.raw[: told.start()] if told else text.raw
    names = _split_quoted(body) or _split_plain(body)
    if len(names) < 2 or (told is not None and read_count(told[1]) != len(names)):
        return ()
    return names


def read_pairs(value: str) -> tuple[tuple[str, ...], ...]:
    """Pairs in one line: 第1周 | 启动、第2周 | 采购; empty if a piece of it is none."""
    for sign in (r"\s*[;；]\s*", r"\s*、\s*", r"\s*[,，]\s*"):
        pieces = [re.split(r"\s*(?:[|｜:：→]|——|->)\s*", one) for one in re.split(sign, value.strip(" 。"))]
        if len(pieces) > 1 and all(len(one) == 2 and all(one) for one in pieces):
            return tuple((one[0], one[1]) for one in pieces)
    return ()


def _split_quoted(body: str) -> tuple[str, ...]:
    text = RequestText(body)
    rest = re.sub(r"\"[^\"]+\"", "", text.mask)
    return (
        tuple(one.text for one in text.quotes)
        if text.quotes and not re.sub(r"[\s,，、/|;]|和|及|\band\b", "", rest)
        else ()
    )


def _split_plain(body: str) -> tuple[str, ...]:
    text = RequestText(body)
    if text.quotes:
        return ()
    marks = [
        one
        for one in _MARKED.finditer(text.mask)
        if not text.mask[: one.start()].strip() or text.mask[one.start() - 1] in " ,，;；、"
    ]
    if len(marks) > 1 and marks[0].start() == 0:
        ends = [*(one.start() for one in marks[1:]), len(body)]
        names = tuple(body[one.end() : end].strip(" ,，;；、") for one, end in zip(marks, ends, strict=True))
    else:
        sign = next((one for one in _SIGNS if re.search(one, body)), None)
        names = tuple(one.strip() for one in re.split(sign, body)) if sign else ()
    is_plain = all(one and len(one) <= _MAX_NAME and not _NO_NAME.search(one) and not names_look(one) for one in names)
    has_one_sign = not any(re.search(r"[,，;；。]|[.]\s", _drop_brackets(one)) for one in names)
    return names if is_plain and has_one_sign else ()


def _drop_brackets(name: str) -> str:
    return re.sub(r"[(（][^()（）]*[)）]", "", name)


def read_rows(value: str) -> int | None:
    """Number of rows below the header."""
    found = _ROWS.fullmatch(RequestText(value).mask.strip(" .。"))
    count = read_count(found[1]) if found else None
    return count - 1 if found and found["inside"] and count is not None else count


def is_bold(value: str) -> bool:
    """Whether a value says that something is in bold type, and nothing else."""
    return _BOLD.fullmatch(value.strip(" 。.")) is not None


def is_order_said(value: str) -> bool:
    """Whether a value only says that the order of a list is to be kept."""
    return _IN_ORDER.fullmatch(value.strip()) is not None


def is_remark(name: str) -> bool:
    """Whether the bracket of a name says something of the column or task, instead of being its unit or choice."""
    found = re.search(r"[(（]([^()（）]*)[)）]", name)
    return found is not None and "/" not in found[1] and _REMARK.search(found[1]) is not None


def read_levels(value: str) -> int | None:
    """Number of levels of an outline."""
    return _read_number(_LEVELS, value)


def read_weeks(value: str) -> int | None:
    """Number of weeks, of which each has a column."""
    return _read_number(_WEEKS, _PER_WEEK.sub("", RequestText(value).mask))


def read_grid(value: str) -> tuple[int, int] | None:
    """Rows and columns of a table as a whole."""
    found = _GRID.fullmatch(RequestText(value).mask.strip(" .。"))
    rows, columns = (read_count(found[1]), read_count(found[2])) if found else (None, None)
    return (rows, columns) if rows is not None and columns is not None else None


def read_formula(value: str) -> str:
    """The formula that a value says for the last column of a budget or quotation; empty if it is another one."""
    bare = RequestText(value).mask.strip(" .。")
    return next(
        (name for name, form in _FORMULAS if re.fullmatch(f"{form}{_AS_FORMULA}", bare, re.IGNORECASE)),
        "",
    )


def read_width(value: str) -> int | None:
    """Number of columns."""
    return _read_number(_WIDTH, value)


def _read_number(form: "re.Pattern[str]", value: str) -> int | None:
    found = form.fullmatch(RequestText(value).mask.strip(" .。"))
    return read_count(next(one for one in found.groups() if one)) if found else None
