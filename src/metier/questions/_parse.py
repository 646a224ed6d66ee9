"""Reads a question about results: which rows, which order, which limit. Conservative: a new request is no question."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

QuestionKind = Literal["row", "compare", "rank", "filter", "count", "mean", "chart", "data", "continue"]
ChartKind = Literal["line", "grouped_bar", "stacked_bar", "scatter", "heatmap", "table"]
Limit = tuple[Literal["below", "above"], float]
Order = Literal["low", "high", "worst", "best"]

_MAX_CHARS: Final = 120
_DIGITS: Final[Mapping[str, int]] = MappingProxyType(
    {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
)
_ENGLISH: Final[Mapping[str, int]] = MappingProxyType(
    {
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "fifth": 5,
        "sixth": 6,
        "seventh": 7,
        "eighth": 8,
        "ninth": 9,
        "tenth": 10,
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
    }
)
_NUMBER_ZH: Final = r"(?:\d{1,4}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_NUMBER_EN: Final = "(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,4})"
_VALUE: Final = r"[-−－]?\d+(?:\.\d+)?"
_ORDINAL_EN: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
# A request for work: never a question about what is on screen.
_REQUEST: Final = re.compile(
    r"分析|优化(?!前|后)|仿真(?!后|结果|[A-Z]|覆盖)|模拟|下发|撤销|回退|诊断|做一[次个份]|帮我写|生成|制定|安排|新建|是什么意思|什么是|怎么办|为什么|怎么处理|如何"
    r"|\b(?:analy[sz]e|analysis|optimi[sz]e|simulate|simulation|apply|undo|diagnose|draft|write|plan|create|why"
    r"|how (?:do|can|to)|what (?:does|do) .* mean|what is (?:a |an )?[a-z]+\?*$)\b",
    re.IGNORECASE,
)
_ROW: Final = re.compile(
    rf"第\s*({_NUMBER_ZH})\s*(?:个|行|名|条|位|格|座)?|(?<!\ba )\b({_ORDINAL_EN})\b|\b(\d{{1,4}})(?:st|nd|rd|th)\b"
    rf"|\b(?:row|number|no\.?|cell)\s+(\d{{1,4}})\b|(最后一?(?:个|行|名|条)?|\blast\s+(?:one|row|cell)\b)",
    re.IGNORECASE,
)
_COMPARE: Final = re.compile(
    r"比较|对比|相比|差多少|差别|哪个(?:更|比较)?(?:好|差|高|低|强|弱)|\bcompare|\bversus\b|\bvs\b|\bdifference\b",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(
    r"(?:低于|小于|不到|不足|少于|弱于|差于|以下|[<＜]=?|≤|不高于|不超过|\bbelow|\bunder|\bless than|\blower than"
    rf"|\bweaker than|\bat most)\s*({_VALUE})|({_VALUE})\s*(?:dBm|dB|%|％)?\s*(?:以下|or less|or lower)",
    re.IGNORECASE,
)
_ABOVE: Final = re.compile(
    r"(?:高于|大于|超过|超出|多于|强于|不低于|[>＞]=?|≥|\babove|\bover|\bmore than|\bhigher than|\bgreater than"
    rf"|\bexceed(?:s|ing)?|\bat least)\s*({_VALUE})|({_VALUE})\s*(?:dBm|dB|%|％)?\s*(?:以上|or more|or higher)",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(r"多少个|有几个|几个|多少行|有多少|数量|\bhow many\b|\bcount\b|\bnumber of\b", re.IGNORECASE)
_MEAN: Final = re.compile(r"平均|均值是|\baverage\b|\bmean\b", re.IGNORECASE)
_ORDERS: Final[tuple[tuple[re.Pattern[str], Order], ...]] = (
    (re.compile(r"最差|最糟|\bworst\b|\bbottom\b", re.IGNORECASE), "worst"),
    (re.compile(r"最好|最优|\bbest\b", re.IGNORECASE), "best"),
    (
        re.compile(
            r"最低|最小|最弱|最少|\blowest\b|\bsmallest\b|\bweakest\b|\bleast\b|\bmin(?:imum)?\b", re.IGNORECASE
        ),
        "low",
    ),
    (
        re.compile(
            r"最高|最大|最强|最多|最忙|\bhighest\b|\blargest\b|\bstrongest\b|\bbusiest\b|\bmost\b|\bmax(?:imum)?\b",
            re.IGNORECASE,
        ),
        "high",
    ),
    (re.compile(rf"前\s*{_NUMBER_ZH}\s*(?:个|名|行|条|位)|\btop\s+{_NUMBER_EN}\b", re.IGNORECASE), "high"),
)
_HOW_MANY_ROWS: Final = re.compile(
    rf"(?:前|最差|最好|最低|最高|最弱|最强|最大|最小|最忙|最多|最少)的?\s*({_NUMBER_ZH})\s*(?:个|名|行|条|位)|({_NUMBER_ZH})\s*个(?:.{{0,12}})最"
    rf"|\b(?:top|worst|best|lowest|highest|bottom|weakest|strongest|busiest)\s+({_NUMBER_EN})\b"
    rf"|\b({_NUMBER_EN})\s+(?:worst|best|lowest|highest|weakest|strongest|busiest)\b",
    re.IGNORECASE,
)
_CHARTS: Final[tuple[tuple[re.Pattern[str], ChartKind], ...]] = (
    (re.compile(r"折线|线图|曲线|\bline (?:chart|graph|plot)|\bas (?:a )?lines?\b", re.IGNORECASE), "line"),
    (re.compile(r"堆叠|堆积|\bstacked\b", re.IGNORECASE), "stacked_bar"),
    (re.compile(r"柱状|柱形|条形|\bbars?\b|\bbar (?:chart|graph)|\bcolumn chart", re.IGNORECASE), "grouped_bar"),
    (re.compile(r"散点|\bscatter", re.IGNORECASE), "scatter"),
    (re.compile(r"热力|\bheat ?map", re.IGNORECASE), "heatmap"),
    (re.compile(r"(?:换成|改成|用|以|显示为|看)表格?(?:显示)?|\bas (?:a )?table\b", re.IGNORECASE), "table"),
)
_CHART_WORDS: Final = re.compile(
    r"换|改|用|以|显示|画|变成|看|转|\b(?:as|show|draw|change|switch|make|turn|use|plot|display)\b", re.IGNORECASE
)
_DRAW: Final = re.compile(
    r"画成?(?:一?[张个])?图|做成图|用图(?:表)?(?:显示|表示)|\b(?:draw|plot|show|chart)\b.{0,20}\b(?:chart|graph|plot)\b",
    re.IGNORECASE,
)
_DATA: Final = re.compile(
    r"(?:图表?|图)(?:背后|后面|里|中|的)?的?(?:原始)?数据|原始数据|背后的数据|\braw data\b|\bchart'?s data\b"
    r"|\b(?:data|figures|numbers|values) (?:behind|of|in|for) (?:the |this |that )?(?:chart|graph|plot|picture)",
    re.IGNORECASE,
)
_CONTINUE: Final = re.compile(
    r"(?:请|好的?[，,]?)?(?:继续|接着(?:来|做|说)?|下一步(?:呢|做什么|是什么)?|然后呢|接下来(?:呢|做什么|怎么做)?|还能做什么)(?:吧|呀)?[？?。.！!]*"
    r"|(?:please )?(?:continue|go on|carry on|next(?: step)?|what(?:'s| is)? next|what now|and then)[?.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about results. `rows` are row numbers (−1 is the last), `limit` a threshold, `count` how many rows.

    A question of the kind `chart` without a type asks for any chart.
    """

    kind: QuestionKind
    text: str
    rows: tuple[int, ...] = ()
    limit: Limit | None = None
    order: Order | None = None
    count: int = 1
    chart: ChartKind | None = None


def parse_question(message: str) -> Question | None:
    """Read the message as a question about results; None if it is none, or rather a request for work."""
    text = message.strip()
    if not text or len(text) > _MAX_CHARS or "\n" in text or text[0] in "/／":
        return None
    if _CONTINUE.fullmatch(text):
        return Question("continue", text)
    if _REQUEST.search(text):
        return None
    if _DATA.search(text):
        return Question("data", text)
    chart = next((kind for pattern, kind in _CHARTS if pattern.search(text)), None)
    if chart is not None and _CHART_WORDS.search(text):
        return Question("chart", text, chart=chart)
    if _DRAW.search(text):
        return Question("chart", text)
    return _parse_rows(text)


def _parse_rows(text: str) -> Question | None:
    limit, rows = _find_limit(text), _find_rows(text)
    order = next((order for pattern, order in _ORDERS if pattern.search(text)), None)
    if _COMPARE.search(text):
        return Question("compare", text, rows)
    if _COUNT.search(text):
        return Question("count", text, limit=limit)
    if limit is not None:
        return Question("filter", text, limit=limit)
    if order is not None:
        return Question("rank", text, order=order, count=_find_count(text))
    if _MEAN.search(text):
        return Question("mean", text)
    return Question("row", text, rows) if rows or _mentions_code(text) else None


def _find_rows(text: str) -> tuple[int, ...]:
    found = []
    for one in _ROW.finditer(text):
        word = one[1] or one[2] or one[3] or one[4]
        found.append(-1 if word is None else _read_number(word))
    return tuple(number for number in dict.fromkeys(found) if number)


def _find_limit(text: str) -> Limit | None:
    for pattern, side in ((_BELOW, "below"), (_ABOVE, "above")):
        if found := pattern.search(text):
            value = float((found[1] or found[2]).replace("−", "-").replace("－", "-"))
            return ("below", value) if side == "below" else ("above", value)
    return None


def _find_count(text: str) -> int:
    found = _HOW_MANY_ROWS.search(text)
    word = next((one for one in found.groups() if one), "1") if found else "1"
    return max(1, min(50, _read_number(word)))


def _mentions_code(text: str) -> bool:
    """Whether the text names something by a code, such as a cell's id."""
    return re.search(r"\d{2,}-\d+|\b[A-Z]{1,4}[-_]?\d{2,}\b|\d{5,}", text) is not None


def _read_number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    if word.lower() in _ENGLISH:
        return _ENGLISH[word.lower()]
    tens, ten, ones = word.partition("十")
    return (_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones if ten else word, 0)
