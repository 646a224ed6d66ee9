"""New sheets from a message that is read to its last word: a series with its chart, a budget, totals, a Gantt table."""

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT, PERIODS, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting.content._charts import ChartData, name_labels, name_measure
from metier.packs.office.drafting.content._sheet_blocks import write_budget, write_gantt, write_grouped, write_series
from metier.packs.office.drafting.lists import find_lists
from metier.packs.office.drafting.statements._points import DAYS, SaidRecord, take_points, take_rows
from metier.packs.office.drafting.statements._rest import cut_out, is_all_read, is_subject
from metier.packs.office.drafting.statements._words import list_words

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_sheet"]

_SHEET_NAME: Final = (
    rf"(?:放进|放到|放在|写进|在|用)?(?:叫|名为|名叫)?(?:新的?|新建的?)?(?:一?[张个])?(?:叫|名为|名叫)?(?:新的?)?工作表(?:叫|名为|名叫|名称为|为)?\s*({QUOTED})里?|"
    rf"(?:放进|放到|放在|写进)(?:叫|名为|名叫)({QUOTED})的?新?(?:工作)?表|"
    rf"\bon a new sheet (?:called|named)\s*({QUOTED})"
)
_NEW_SHEET: Final = (
    r"(?:放进|放到|放在|写进|写在|在|另开|另建|新建|用)?(?:一?[张个])?(?:新的?|另一?[张个])(?:一?[张个])?工作表(?:里|中|上)?(?:放|存|做)?|"
    r"(?:另开|新建|另建|新开)(?:一?[张个])?工作表(?:里|中)?(?:放|存)?|\b(?:on|in|into) a (?:new|separate) (?:work)?sheet\b"
)


def state_sheet(request: str, language: "Language") -> DraftBlock | None:
    """The block of the one thing that a message asks for; None unless every word of it is read."""
    for read in (_state_gantt, _state_budget, _state_grouped, _state_series):
        block = read(RequestText(request), language)
        if block is not None:
            return block
    return None


def _take_sheet(text: RequestText) -> str:
    """The name of the new sheet, if the message gives one."""
    found = text.take(_SHEET_NAME)
    text.take_all(_NEW_SHEET)
    quote = next((group for group in found.groups() if group), "") if found else ""
    start = found.group().index(quote) + found.start() if found and quote else 0
    return text.raw[start + 1 : start + len(quote) - 1].strip() if quote else ""


_THINGS: Final = MappingProxyType(
    {
        "series": re.compile(r"图|折线|曲线|柱|\b(?:charts?|graphs?|lines?|bars?|plot\w*|diagram)\b", re.IGNORECASE),
        "budget": re.compile(r"表|\b(?:budget|table|sheet|compare|set (?:out|up))\b", re.IGNORECASE),
        "grouped": re.compile(
            r"汇总|合计|总|求和|加|统计|归|算|\b(?:total\w*|sum\w*|add|altogether|how much|how many)\b", re.IGNORECASE
        ),
        "gantt": re.compile(r"甘特|横道|\b(?:gantt|schedule)\b", re.IGNORECASE),
    }
)


def _is_read(text: RequestText, thing: str, data: int) -> bool:
    return is_all_read(text, list_words(thing), _THINGS[thing], data)


_KINDS: Final = (
    (
        4,
        r"[折曲]线的?(?:统计)?图?|[趋走]势图|\bline[ -]?(?:chart|graph|diagram|plot)s?\b|\b(?:as|in|with) an? line\b(?! break)",
    ),
    (
        51,
        r"柱[状形子]?的?(?:统计)?图表?|柱[状形子]|\b(?:(?:vertical )?(?:bar|column)[ -](?:chart|graph|diagram)s?|(?:(?:as|in|with) )?(?:vertical )?bars)\b",
    ),
    (5, r"饼[状形]?的?(?:统计)?图|\bpie[ -]?(?:chart|graph)s?\b"),
    (57, r"条形图|\bhorizontal bar(?: chart)?s?\b"),
)
_HALVES: Final = (
    r"左(?:边|侧|列|边一列|面)?(?:一列)?(?:放|写|是|为|填)?(?P<a1>[\u4e00-\u9fff]{1,6}?)[,，、;]?\s*右(?:边|侧|列|面)?(?:一列)?(?:放|写|是|为|填)?(?P<b1>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"(?P<a2>[\u4e00-\u9fff]{1,6})(?:放|占|写)?一列[,，、]?\s*(?P<b2>[\u4e00-\u9fff]{1,8})(?:放|占|写)?一列|"
    r"(?P<a7>[\u4e00-\u9fff]{1,6})和(?P<b7>[\u4e00-\u9fff]{1,8})各(?:放|占)?(?:一|1)列|"
    r"(?:表格?里?)?(?:加|分|列|共|做成?|有)*[两二2]列[,，:]?(?:分别)?(?:是|为|写|放)?\s*(?P<a3>[\u4e00-\u9fff]{1,6})[和与、](?P<b3>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"横轴(?:是|为|写|放)(?P<a4>[\u4e00-\u9fff]{1,6})[,，]\s*纵轴(?:是|为|写|放)(?P<b4>[\u4e00-\u9fff]{1,8})(?=[,，。;:]|$)|"
    r"\b(?:(?:keep|put|with|have) )?(?:the )?(?P<a5>[a-z]+(?: [a-z]+)?) in (?:one|the first|the left|a) column(?:,? and|,) (?:the )?(?P<b5>[a-z]+(?: [a-z]+)?) "
    r"in (?:the (?:next|other|second|right)|another|a second)(?: (?:one|column))?\b|"
    r"\b(?:two-column |two column )?(?:list|table) of (?P<a6>[a-z]+) and (?P<b6>[a-z]+)\b"
)
_LEFT: Final = r"(?P<a>[\u4e00-\u9fff]{1,4})(?:放|写|排)?在左(?:边|列|侧)?"
_TWO_COLUMNS: Final = r"(?:在|按|放在?|分|放成|占)[两二2]列(?:里|并排|挨着)?|\b(?:in |into )?two columns(?: next to each other| side by side)?\b"
_MIN_POINTS: Final = 2


def _state_series(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names with a number each and a chart of them."""
    title = take_title(text)
    points = take_points(text)
    names = [one.name for one in points]
    if len(points) < _MIN_POINTS or len(set(names)) < len(names) or len({one.units for one in points}) > 1:
        return None
    if not _spans_agree(text, names):
        return None
    sheet = _take_sheet(text)
    label, measure = _take_halves(text, names, language)
    text.take_all(_TWO_COLUMNS)
    if not _counts_agree(text, len(points)):
        return None
    kinds = [number for number, form in _KINDS for _ in range(text.take_all(form))]
    if len(kinds) != 1 or not _is_read(text, "series", points[0].start):
        return None
    measure = measure or name_measure(RequestText(text.raw)) or choose(language, zh="数值", en="Value")
    kind = kinds[0]
    unit = points[0].units[0]
    head = f"{measure}（{unit}）" if unit and unit not in measure else measure
    data = ChartData(label, head, tuple((one.name, one.numbers[0]) for one in points), unit)
    return write_series(data, kind, title, language, sheet)


_POINT: Final = rf"(?:{PERIODS}|{DAYS}|[一二三四1-4]季度|\d{{1,2}}|(?:19|20)\d\d)"
_SPAN: Final = re.compile(rf"({_POINT})\s*(?:到|至|-|—|~|\bto\b|\bthrough\b)\s*({_POINT})", re.IGNORECASE)
_HALF: Final = re.compile(r"[上下]半年|全年|\b(?:first|second) half\b|\b(?:whole|full) year\b", re.IGNORECASE)


def _spans_agree(text: RequestText, names: list[str]) -> bool:
    """Whether a span that the message names begins and ends with what it gives: 周一到周五的客流."""
    for found in _SPAN.finditer(text.mask):
        if not names[0].startswith(found[1]) or not names[-1].startswith(found[2]):
            return False
    return all(len(names) in ((12, 4) if found[0][0] in "全wf" else (6, 2)) for found in _HALF.finditer(text.mask))


def _counts_agree(text: RequestText, count: int) -> bool:
    """Whether every count of what is drawn is as many as there are: 四根柱子, “six bars”, 四个班."""
    form = (
        rf"(?P<zh>{COUNT})(?:根|个|家|条|类|间|所|座|门|款|处)(?=[\u4e00-\u9fff])(?!月|小时|季度)|"
        rf"(?<![\w-])(?P<en>{COUNT})(?= (?:bars|points|columns(?!,? next)|quarters|months|weeks|days|shops|items))"
    )
    said = [found["zh"] or found["en"] for found in text.take_each(form)]
    return all(read_count(one) in (count, 1) for one in said)


def _take_halves(text: RequestText, names: list[str], language: "Language") -> tuple[str, str]:
    """What the two columns are called: as the message says, else by what the names and numbers are."""
    found = text.take(_HALVES)
    if found:
        first, second = (next(found[f"{side}{at}"] for at in range(1, 8) if found[f"{side}{at}"]) for side in "ab")
        return _capitalise(first), _capitalise(second)
    left = text.take(_LEFT)
    return left["a"] if left else name_labels(names, language), ""


def _capitalise(name: str) -> str:
    return name[:1].upper() + name[1:]


_PLANNED: Final = re.compile(r"预算|计划|批复|核定|预估|定额|目标|budget|plan", re.IGNORECASE)
_SPENT: Final = re.compile(r"实际|实付|实花|执行|支出|花费|已用|发生|actual|spent|real", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"差(?!旅)|结余|余额|剩余|节余|盈亏|超支|节约|\b(?:difference|variance|delta|left|remaining|balance|gap|over/under)\b",
    re.IGNORECASE,
)
_FORMAT: Final = (
    r"(?:金额|数字|数值|数)?(?:都|也|要|请|统一)*(?:显示|保留|带|用|加|取)?(?:上)?(?:[两二2]位小数|千[分位]位?(?:分隔)?(?:符|号)?)|"
    r"\b(?:with )?(?:two decimals(?: places)?|(?:a )?thousands? separators?)\b"
)


def _state_budget(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names with two amounts each and their difference by a formula, under four columns that the message names."""
    columns = _take_columns(text, 4)
    rows = take_rows(text) if columns else ()
    if not columns or not rows or len({one.name for one, _ in rows}) < len(rows):
        return None
    title, sheet = take_title(text), _take_sheet(text)
    _open_quotes(text, columns)
    formula = _take_difference(text, columns)
    if formula is None or not _roles_agree(rows, columns) or not _says_count(text, len(columns), len(rows)):
        return None
    text.take_all(_FORMAT)
    if not _is_read(text, "budget", rows[0][0].start):
        return None
    data = [(one.name, *one.numbers) for one, _ in rows]
    name = sheet or title or choose(language, zh="预算表", en="Budget")
    return write_budget(columns, data, formula, title, language, sheet=name)


def _open_quotes(text: RequestText, names: tuple[str, ...]) -> None:
    """Show the names of columns that stand in quotation marks once more: “相差”那一列由公式得出."""
    for one in list(text.left_quotes()):
        if one.text in names:
            text.mask = f"{text.mask[: one.start - 1]} {text.raw[one.start : one.end]} {text.mask[one.end + 1 :]}"


_COLUMNS_BEFORE: Final = r"(?:(?:[一二三四五\d]\s*[个]?(?:列|栏)?)?(?:的)?(?:表头|列名|栏名|各?列|栏目|字段)(?:依次|分别)?(?:是|为|有|叫)?\s*:?\s*|按(?=[^,，。;:、]{1,8}、)|[(]|:\s*|^|(?<=[。;\n])|[,，]\s*)"


def _take_columns(text: RequestText, count: int) -> tuple[str, ...]:
    """The names of so many columns side by side, and of the words that say that they are columns; empty if there are none."""
    name = r"(?:[^\d\s,，、;；。:：()|/\"\ufffc=＝][^\d,，、;；。:：()|/\"\ufffc=＝]{0,11}?)"
    quoted = rf"{QUOTED}(?:[、,，]?\s*{QUOTED}){{{count - 1}}}"
    if found := text.take(rf"(?:表头|列名|栏名|四个栏名|列)?(?:依次|分别)?(?:是|为|叫)?\s*(?P<all>{quoted})"):
        inner = [one.text for one in text.quotes if found.start() <= one.start < found.end()]
        return tuple(inner)
    for sign in ("、", r"\s*[|/]\s*", r"[,，]\s*(?:and )?"):
        last = r"(?:\s*(?:、|,? and )\s*)" if sign == "、" else rf"(?:{sign}|,? and )"
        form = (
            rf"(?P<lead>\b(?:columns?|headings?|headers?|header row)\s*(?:are|is|:)?\s*:?\s*|\b(?:as|of|with|set up columns)\s+(?=[A-Z])|{_COLUMNS_BEFORE})"
            rf"(?P<all>{name}(?:{sign}{name}){{{count - 2}}}{last}{name})"
            rf"(?P<tail>\s*(?:这)?[一二三四五\d]?\s*(?:个)?(?:列|栏)|的(?=[\u4e00-\u9fff]{{0,6}}表)|(?=列出来)|(?=\s*(?:[,，。;；:)\n]|\.(?:\s|$)|\ufffc|$|\band\b|\bfor\b)))"
        )
        for found in re.compile(form, re.IGNORECASE).finditer(text.mask):
            names = _split_names(text, *found.span("all"), rf"{sign}|\s+and\s+")
            if (
                len(names) == count
                and len(set(names)) == count
                and all(len(one) <= 12 or one.isascii() for one in names)
            ):
                text.consume(*found.span())
                return names
    return ()


_NAMES_LEAD: Final = re.compile(
    r"^(?:[一二三四五\d]\s*个?(?:[列栏](?!名))?(?=的?[表列栏字]|分别|依次|[是为]))?(?:的)?(?:表头|列名|栏名|各?列|栏目|字段)?(?:依次|分别)*(?:是|为|有|叫)?\s*(?=\S{2})"
)
_NO_COLUMN: Final = re.compile(r"表头|列名|栏名|^名|分别|依次|列[是为]|^按|^把|^请|表$")


def _split_names(text: RequestText, start: int, end: int, sign: str) -> tuple[str, ...]:
    """Names between signs, the first without the words that say what they are; empty if one of them is no name."""
    edges = [start, *(edge for one in re.compile(sign).finditer(text.mask, start, end) for edge in one.span()), end]
    names = [text.raw[slice(*one)].strip() for one in zip(edges[::2], edges[1::2], strict=True)]
    names = [_NAMES_LEAD.sub("", names[0]), *names[1:]]
    return () if any(not one or _NO_COLUMN.search(one) for one in names) else tuple(names)


def _take_difference(text: RequestText, columns: tuple[str, ...]) -> str | None:
    """How the last column is computed from the two before it; None if the message leaves it open."""
    first, second, last = (re.escape(one) for one in columns[1:])
    sides = []
    for name in columns[1:3]:
        short = {name, re.sub(r"(?:金额|数额?|票款|费用?|costs?)$", "", name)} | ({"预算"} if "预算" in name else set())
        short |= {"实际"} if "实际" in name else set()
        sides.append("|".join(re.escape(one) for one in sorted(short, key=len, reverse=True) if one))
    minus = r"\s*(?:数|额)?\s*(?:里|中)?\s*(?:减去?|[-－−–]|\bminus\b|\bless\b)\s*"
    between = rf"(?:(?P<ab>(?:{sides[0]}){minus}(?:{sides[1]}))|(?P<ba>(?:{sides[1]}){minus}(?:{sides[0]})))"
    said = re.search(between, text.mask, re.IGNORECASE)
    if said:
        text.consume(*said.span())
    text.take_all(
        rf"(?:最后一?列|那一?列|{last})?(?:那一?[列栏]|这一?[列栏]|一?[列栏])?(?:要|请|都|得|由|用|以|拿|写|填|来|就|自动|成|是|等于|[=＝]|靠|从)*公式(?:来|去)?(?:自动)?(?:计算|算|求|得)?(?:出来?)?|"
        rf"(?:{last}|最后一?列)(?:那?一?[列栏])?(?:请|要|都)?(?:自动)?(?:计算|算)(?:出来?)?|{last}(?:那?一?[列栏])?\s*(?:=|等于|是|就是|为)?(?=\s*[,，。;)\ufffc]|$)|(?:就是|也就是|拿)(?=\ufffc)|"
        rf"(?:let|have) (?:excel|it|a formula|formulas?) (?:compute|calculate|work out) (?:the )?{last}|"
        rf"(?:(?:the )?{last}|the last (?:one|column))(?: column)? (?:should be|must be|is|as|comes from|by|with|to be)?\s*(?:calculated|computed)?\s*(?:by|with|from|as)? ?(?:an? )?(?:live )?formulas?|"
        rf"\buse an? formula (?:in|for) the (?:last column|{last})|(?:the )?{last} (?:must be |should be |is )?(?:calculated|computed)|"
        r"(?:要|用|写)?公式(?:计算)?|\b(?:as|by|with) (?:an? )?formulas?\b"
    )
    text.take_all(r"(?:,|，)?\s*(?:不要|别|不用)手[填算工]+|,?\s*not typed(?: in)?")
    if said:
        return "B{row}-C{row}" if said["ab"] else "C{row}-B{row}"
    if not _DIFFERENCE.search(columns[3]):
        return None
    roles = [(bool(_PLANNED.search(one)), bool(_SPENT.search(one))) for one in columns[1:3]]
    if roles == [(True, False), (False, True)]:
        return "B{row}-C{row}"
    return "C{row}-B{row}" if roles == [(False, True), (True, False)] else None


def _roles_agree(rows: "tuple[tuple[SaidRecord, tuple[str, str]], ...]", columns: tuple[str, ...]) -> bool:
    """Whether each number stands in the column that the word beside it names."""
    for _, said in rows:
        for form in (_PLANNED, _SPENT):
            named = [bool(form.search(one)) for one in said]
            there = [bool(form.search(one)) for one in columns[1:3]]
            if any(named) and any(there) and named != there:
                return False
    return True


def _says_count(text: RequestText, columns: int, rows: int) -> bool:
    """Whether the counts of columns and rows that the message gives are those of the table."""
    wide = [found[1] for found in text.take_each(rf"({COUNT})\s*(?:个)?(?:列|栏)(?!名)|\b({COUNT}) columns")]
    long = [found[1] or found[2] for found in text.take_each(rf"(?:下面)?({COUNT})行|\b({COUNT}) (?:rows|items)\b")]
    return all(read_count(one or "") in (columns, None) for one in wide) and all(
        read_count(one or "") == rows for one in long
    )


_SUMS: Final = (
    r"汇总|合计|总计|总数|总额|总和|求和|加总|相加|加起来|加在一起|统计|归类|一共|多少|\b(?:totals?|sums?|sum up|summari[sz]e|add(?:ed)? up|"
    r"altogether|in total|how much|how many)\b"
)
_NOT_SUM: Final = r"平均|均值|最[高低大小多少]|占比|比例|排名|几次|次数|个数|\b(?:average|mean|highest|lowest|share|count|how often|rank)\b"
_BY: Final = (
    re.compile(
        r"(?:按照?|分(?![组类别给成])|每一?[个家位名]?|各个?(?![自花算放占给加])|同一?个?)(?P<name>(?:(?![和与及])[\u4e00-\u9fff]){1,5}?)(?=用公式|(?:种类)?(?:把|给|来|汇总|合计|统计|求和|分组|归类|加|算|的|各|一共|总|只?占|报|捐|领|[,，。:\ufffc]|$))"
    ),
    re.compile(r"\b(?:per|by|for each|did each|one (?:line|row) per|each|every)\s+(?P<name>[a-z]+)\b", re.IGNORECASE),
)
_AMOUNT: Final = re.compile(
    r"(?:各|每)[\u4e00-\u9fff]{1,4}?的(?P<a>[\u4e00-\u9fff]{2,6}?)(?=按|用|汇总|合计|[,，。:\ufffc]|$)|(?:这是|汇总|[把将])(?:这些|几天的)?(?P<b>[\u4e00-\u9fff]{2,6}?)(?=按|[,，。:\ufffc]|加总|$)"
)


def _state_grouped(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names that come back, with a number each, and their totals by formulas."""
    title = take_title(text)
    points = take_points(text)
    names = [one.name for one in points]
    is_grouped = 1 < len(set(names)) < len(names) and len({one.units for one in points}) == 1
    if not is_grouped or not text.has(_SUMS) or text.has(_NOT_SUM):
        return None
    halves = text.take(_HALVES)
    groups = [found for form in _BY for found in form.finditer(text.mask)]
    group = groups[0] if groups else None
    if len({one["name"] for one in groups}) > 1:
        return None
    amount = next((one for one in _AMOUNT.finditer(text.mask) if is_subject(one["a"] or one["b"])), None)
    sheet = _take_sheet(text)
    said = (amount["a"] or amount["b"]) if amount else ""
    columns = (
        group["name"] if group else choose(language, zh="名称", en="Name"),
        said if said and not re.search(rf"{_SUMS}|数据|明细", said) else choose(language, zh="金额", en="Amount"),
    )
    if halves:
        first, second = (next(halves[f"{side}{at}"] for at in range(1, 8) if halves[f"{side}{at}"]) for side in "ab")
        columns = (first, re.sub(rf"(?:{_SUMS})$", "", second) or second)
    if amount:
        text.consume(*amount.span("a" if amount["a"] else "b"))
    for one in groups:
        text.consume(*one.span())
    if text.has(r"按"):
        return None
    if not _is_read(text, "grouped", points[0].start):
        return None
    rows = [(one.name, one.numbers[0]) for one in points]
    return write_grouped((_capitalise(columns[0]), _capitalise(columns[1])), rows, title, language, sheet)


_WEEKS: Final = (
    rf"第?\s*[1一]\s*周?\s*(?:到|至|排到|-|~|—|–)\s*第?\s*(?P<to>{COUNT})\s*周|"
    rf"(?:后面|其后|另)?(?P<cols>{COUNT})\s*列(?:都)?是周|(?:共|一共|总共|跨|跨度|历时|为期|在)?\s*(?P<zh>{COUNT})\s*个?(?:周|星期)(?:里|内|完成)?|"
    rf"\b(?:from )?week (?:1|one) (?:to|through) week (?P<end>{COUNT})|\b(?:(?:over|across|in|for|within|spanning|covering|lasting) )?(?P<en>{COUNT})[\s-]+weeks?\b"
)
_GANTT: Final = r"甘特|横道|\bgantt\b|\bschedule grid\b"
_TASKS: Final = rf"({COUNT})\s*(?:个|项|道|件|步)(?=[\u4e00-\u9fff，,、:(]|$)(?:任务|工作|工序|事情?|环节|步骤?)?"


_TASKS_TAIL: Final = re.compile(rf"(?:这|等|共)?(?:{COUNT})(?:个|件|项|道|步).*$")
_NO_TASK: Final = re.compile(
    r"^[^A-Za-z]{13,}$|[这列]|排(?![版练])|\b(?:over|across|weeks?|with|in)$|甘特|gantt", re.IGNORECASE
)


def _state_gantt(text: RequestText, language: "Language") -> DraftBlock | None:
    """Tasks by weeks."""
    if not text.has(_GANTT):
        return None
    title, sheet = take_title(text), _take_sheet(text)
    text.take_all(r"[一每]个?周占?[一1]列|(?:one|a) column (?:per|for each|for every) week")
    said = [next(one for one in found.groups() if one) for found in text.take_each(_WEEKS)]
    weeks = {read_count(one) for one in said}
    tasks, start = _take_tasks(text)
    if len(weeks) != 1 or None in weeks or len(tasks) < _MIN_POINTS:
        return None
    counts = {read_count(found[1]) for found in text.take_each(_TASKS)} - {1}
    if counts - {len(tasks)} or not _is_read(text, "gantt", start):
        return None
    return write_gantt(tasks, weeks.pop() or 0, title, language, sheet=sheet)


def _take_tasks(text: RequestText) -> tuple[tuple[str, ...], int]:
    """The longest list of names, if as many as the message says, and where it begins."""
    found = max(find_lists(text), key=lambda one: len(one.items), default=None)
    if found is None or found.count not in (None, len(found.items)):
        return (), 0
    items = (*found.items[:-1], _TASKS_TAIL.sub("", found.items[-1]))
    if any(not one or _NO_TASK.search(one) for one in items):
        return (), 0
    end = found.start
    for item in items:
        end = text.raw.find(item, end) + len(item)
    cut_out(text, found.start, end)
    return items, found.start
