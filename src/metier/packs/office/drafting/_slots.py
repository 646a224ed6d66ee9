"""Slots that every kind of request has: where it goes and how large it is."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._again import AGAIN
from metier.packs.office.drafting._unclear import Unclear

__all__ = [
    "DraftPlace",
    "TableSize",
    "strip_bold_header",
    "take_place",
    "take_size",
]

_IN_DOCUMENT: Final = r"(?:(?:本|这份|该|整个|整篇|整份)?(?:文档|文章|文件|全文|正文|报告|文稿|材料))?的?"
_OF_DOCUMENT: Final = r" of (?:the|this|my|our) (?:document|doc|file|page|text|report|paper)\b"
_AT_END: Final = (
    (
        rf"(?:放|加|写|追加|添加)?(?:在|到|于|至)?{_IN_DOCUMENT}(?:文末|"
        rf"末尾|结尾|最末|最后面|尾部|最后(?=放|加|插|补|写|添|附|追))(?:处|"
        rf"部分|位置|的地方)?"
    ),
    rf"(?:放|加|附|搁|排|接|贴)(?:在|到)?{_IN_DOCUMENT}(?:最后|末尾|结尾|文末|末了)(?:的?位置|的地方)?(?=[,，。;]|$)",
    r"(?:在)?(?:文档|全文|文章|整篇)的?最后(?!一[段句行页章节条个])",
    r"^最后(?=(?:请|麻烦|帮我|帮忙|给我|再|也)*(?:要|留|做|弄|来|建|生成|需要|起|搭))",
    r"(?:放|加|写|附)?(?:在|到)?(?:最后一段|最末一段|末段)(?:文字)?的?(?:之后|后面|下面|下方|后)",
    r"(?:附|放|接|排|加|写|缀)在(?:最?后[面头]|文后|篇末)(?=[,，。;]|$)|(?:^|(?<=[,，。;]))(?:文后|篇末|文尾)",
    r"\b(?:right |directly )?(?:after|below|behind) the (?:very )?last (?:paragraph|line|section|sentence)\b",
    r"\b(?:after|below|behind) (?:everything|anything|all)(?: else)?\b",
    r"(?:放|加|写|列|排|附|接|搁|贴|挪|置|续|缀|位)?(?:在|到|于|至)(?:本|这份|该|整个|整篇|这篇|现有|已有|"
    r"原有)?(?:文档|文章|文件|全文|正文|报告|文稿|材料|内容|文字)的?[最之]?(?:后面?|后头|后边|尾)",
    r"(?:放|加|写)?(?:在|到|于|至)(?:本|这份|该|整个|整篇|整份|这篇)?(?:文档|文章|文件|全文|正文|报告|材料)的?最后(?:面)?"
    r"(?:的?(?:位置|地方|部分|那里))?(?![一1两几\d]|[段节页章行句条])",
    r"(?:at|to|on|onto) the (?:very )?(?:end|bottom)(?: of (?:the|this|my) (?:document|doc|file|page|text|report))?",
    rf"(?:right |just )*(?:in |into )?(?:the )?(?:very )?(?:end|bottom|foot|back|tail){_OF_DOCUMENT}",
    r"(?:(?:^|(?<=[.;,]))\s*(?:at )?(?:end|bottom) of (?:doc(?:ument)?|file|page|text)\b|\bat (?:end|"
    r"bottom)\b(?! of\b))",
    rf"(?:在)?{_IN_DOCUMENT}(?:收尾|压轴|落尾)(?:处|部分|位置|的地方|时)?",
    rf"作为{_IN_DOCUMENT}的?最后一?(?:个)?(?:部分|节|章|项|块)?(?=[,，。;]|$)",
    r"(?:as|at|for) the (?:very )?(?:final|last|closing) (?:part|section|element|item|piece|thing)"
    r"(?: (?:of|in) (?:the|this|my|our) (?:document|doc|file|report|text))?\b",
    r"\b(?:after|behind|following|below) (?:all )?(?:of )?(?:the )?(?:existing|current|present) "
    r"(?:text|content|material|body)\b",
)
_AT_START: Final = (
    r"(?:放|加|插|写|挂|置)?(?:在|到|于)?(?:全文|文章|文档|文件|正文)的?(?:最前[边头面]|最顶上|(?:正文)?之前)",
    r"(?:at|on) the head of (?:the|this|my) (?:document|doc|file|page|text|report)\b",
    r"(?:放|加|插|写|挂)?(?:在|到)?(?:全文|文章|文档)?(?:的)?(?:第一段|首段|第一行)(?:文字)?的?(?:之前|前面|"
    r"上面|上方|前)",
    r"\b(?:right |directly )?(?:before|above) the (?:very )?first (?:paragraph|line|section|sentence)\b",
    (
        rf"(?:放|加|写|置|排|列|摆|位)?(?:在|到|于)?(?:首页的?)?{_IN_DOCUMENT}(?:最?开头|"
        rf"最前面|最上[方面]|顶端|顶部|最顶上|文首|篇首|页首)(?:处|部分|"
        rf"位置)?"
    ),
    rf"(?:在)?{_IN_DOCUMENT}(?:一上来|一打开|一翻开|开篇)(?:就|先|的(?:地方|位置)|处)?",
    rf"(?:放|加|写|搁|摆|挂|贴)(?:在|到)?{_IN_DOCUMENT}(?:打头|头上|头里|最上头|最上)(?:的?(?:位置|"
    rf"地方))?(?=[,，。;]|$)",
    (
        r"(?:at|to|on) the (?:very )?(?:top|beginning|start)(?: of (?:the|"
        r"this|my) (?:document|doc|file|page|text|report))?"
    ),
    rf"(?:right |up |just )*(?:in |into |from )?(?:the )?(?:very )?(?:top|beginning|start|front|head){_OF_DOCUMENT}",
    r"(?:^|(?<=[.;,]))\s*(?:at )?(?:top|start|beginning) of (?:doc(?:ument)?|file|page|text)\b",
    r"\b(?:before|above) (?:everything|anything|all)(?: else)?(?: (?:in|of) (?:the|this|my) (?:doc(?:ument)?|file|text|"
    r"report))?\b",
)
# A chart under a title has it, and does not stand below one of the document.
_CHARTED: Final = r"\b(?:chart|graph|plot|bars)\b"
_HERE: Final = (
    r"(?:在|放在?)?(?:此处|这里|这儿|光标(?:处|位置|所在处)|当前位置)",
    r"在此(?=[插加添放写列画])",
    r"\b(?:right )?here\b|at the cursor",
)
_PART_ZH: Final = r"(?:[这那]?[一两]?(?:个)?(?:部分|标题|[段节行章条句]))?"
_BETWEEN_ZH: Final = (
    rf"(?:放|插|加|夹|"
    rf"写)?(?:在)?\s*(?P<quote>{QUOTED})\s*{_PART_ZH}\s*[和与跟及]\s*(?P<until>{QUOTED})\s*{_PART_ZH}的?"
    r"(?:之间|中间|当中)"
)
_PART_EN: Final = r"(?:the )?(?:(?:paragraph|line|heading|section|sentence)s? )?"
_BETWEEN_EN: Final = rf"\bbetween {_PART_EN}(?P<quote>{QUOTED}) and {_PART_EN}(?P<until>{QUOTED})"
_SIDE: Final = r"(?P<side>后面?|之后|下面|下方|以下|前面?|之前|上方|上面)"
_TOTAL: Final = (
    (
        r"(?:并|且|再|带|含|附|要|有|末行|最后一行|末尾|最后)*(?:加|计算|"
        r"算出?|汇总|求|给出|附上?|列出|是|为|放|写)?(?:上|一?行|一下)?(?:总价|"
        r"总计|合计|总金额|总额|总数(?=也|要|写|算)(?:也|都)?(?:要|写上|算上|算出来)?|(?:总|"
        r"一)?共(?:是)?多少钱?(?:也|都|要)?(?:算好|算出来?|算上|算一下)?)(?:行|那行|金额|数)?"
    ),
    r"(?:and |with )?(?:add |include |compute |calculate |show |having )*(?:an? |the )?(?:grand |overall )?total"
    r"(?! \w+ (?:by|per|for each)\b)(?: row| line| amount| at the end)?\b",
)
_TOTAL_NAMES: Final = r"(?<!、)(?:总价|总计|总额|总金额|合计)(?!、)"
# The header of each table is bold anyway.
_BOLD_HEADER: Final = (
    r"[,，]?\s*(?:并|且|把|将|给)?(?:表头|标题行|首行|第一行|列名)(?:[那这]?一?行|文字|字体|的字)?(?:要|得|都|用|请|"
    r"也|全|统一|给我|记得)*"
    r"(?:加粗|粗体|加黑|粗一?[点些])(?:显示|一下|的)?",
    r"(?:加粗|粗体)的?表头",
    r",?\s*(?:and |please |also )*(?:make |set |put |have |keep |with )?(?:the |a |its )?"
    r"(?:header(?: row| line)?s?|heading (?:row|line))(?: text)?(?: should be| must be| is| are| to be| in)? bold\b",
    r"\bbold (?:headers?|headings|heading(?= (?:row|line)))(?: (?:row|line))?\b|"
    r"\bbold column (?:headings|headers|names)\b",
)
# Rows of one of two tables: 第二张留五行.
_ROWS_OF_ONE: Final = (
    r"(?:第([一二])[张个份](?:表格?)?|表格?([一二12]))(?:的|里|要|就|先|再|只|各|留|给|空|放|来|共|有)*"
    rf"({COUNT})\s*(?:个)?(?:空白?|数据)?行(?:空行|空)?"
)
_ROWS_FIRST: Final = (
    rf"除(?:了|去|开)?(?:表头|标题行?)(?:那一?行)?(?:以外|之外|外)?[,，]?(?:还|再|另)?(?:要|得|需|有|留|给|放|"
    rf"来)*({COUNT})(?:个)?(?:空白?)?行",
    rf"行数\s*(?:为|是|:|=)?\s*({COUNT})(?:行)?|空白?行(?:要|给|空|放|留)(?:出|上)?({COUNT})[个行条]|"
    rf"\brows?\s*[:=]\s*({COUNT})(?=\s*(?:[,.;\n)]|$|blank|empty|free|rows))",
)

# A grid by the names of its sides: 行数9，列数9; 横9格竖9格.
_IS_COUNT: Final = r"\s*(?:为|是|:)?\s*"
_ROWS_BEFORE: Final = (
    rf"(?<![第一二三四五六七八九十\d])行数?{_IS_COUNT}(?P<rows>{COUNT})\s*[,，、;]?\s*"
    rf"列数?{_IS_COUNT}(?P<columns>{COUNT})(?!\s*[列栏])"
)
_ROWS_DOWN: Final = rf"横[着向]?\s*(?P<columns>{COUNT})\s*[格列个][,，、]?\s*竖[着向]?\s*(?P<rows>{COUNT})\s*[格行个]"


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """Where the content goes. `anchor` is a text of the document, with `after` on which side of it.

    Between two texts it goes before the second one; `since` is the first.
    """

    kind: Literal["end", "start", "cursor", "anchor"]
    anchor: str = ""
    after: bool = True
    since: str = ""


@dataclass(slots=True)
class TableSize:
    """Size of a table as the request says it; None where it says nothing. A grid counts the header row too."""

    grid: tuple[int, int] | None = None
    columns: int | None = None
    rows: int | None = None
    header_only: bool = False
    total: bool = False
    total_name: str = ""  # as the request calls the total
    numbered: bool = False
    samples: bool = False
    tables: int = field(default=1)
    own_rows: dict[int, int] = field(default_factory=dict)  # rows of one of several tables, counted from 0


def strip_bold_header(mask: str) -> str:
    """A request without the words that ask for a bold header."""
    for pattern in _BOLD_HEADER:
        mask = re.sub(pattern, lambda found: " " * len(found[0]), mask, flags=re.IGNORECASE)
    return mask


def take_place(text: RequestText) -> DraftPlace:
    """Position of the content; the cursor if the request does not say."""
    for pattern in AGAIN:
        text.take_all(pattern)
    if between := text.take(_BETWEEN_ZH) or text.take(_BETWEEN_EN):
        return DraftPlace("anchor", text_in(text, between, "until"), False, text_in(text, between, "quote"))
    anchored = text.take(
        rf"(?:在|放在?)?\s*(?P<quote>{QUOTED})\s*(?:这一?)?(?:[章节段]|部分|标题|一节)?的?{_SIDE}"
    ) or text.take(rf"在\s*(?P<quote>第[一二三四五六七八九十\d]+[章节条])(?:这一?)?(?:部分)?的?{_SIDE}")
    if anchored:
        after = anchored["side"][0] not in "前之上" or anchored["side"] in ("之后",)
        return DraftPlace("anchor", text_in(text, anchored, "quote"), after)
    named = r"(?!under the title\b)" if text.has(_CHARTED) else ""
    if anchored := text.take(
        rf"(?<!caption )(?<!note )(?<!text )(?<!line )(?<!words )\b{named}(?P<side>after|below|under|underneath"
        r"|before|above)\s+(?:the\s+)?(?:heading|"
        rf"section|paragraph|chapter|title|text|line|sentence)?\s*(?:(?:that |which )?(?:begins|starts|"
        rf"beginning|starting|"
        rf"reads|says)(?: with)?\s*)?(?P<quote>{QUOTED})"
    ):
        return DraftPlace(
            "anchor", text_in(text, anchored, "quote"), anchored["side"].lower() not in ("before", "above")
        )
    for kind, patterns in (("start", _AT_START), ("end", _AT_END), ("cursor", _HERE)):
        if sum(text.take_all(pattern) for pattern in patterns):
            return DraftPlace("start" if kind == "start" else "end" if kind == "end" else "cursor")
    if text.has(r"追加|附在|附上|\bappend\b"):
        return DraftPlace("end")
    return DraftPlace("cursor")


def text_in(text: RequestText, found: "re.Match[str]", group: str) -> str:
    """Original text of a group, without its quotation marks."""
    start, end = found.span(group)
    return text.raw[start:end].strip("\"'“”‘’「」『』《》 ")


def _take_header_only(text: RequestText) -> bool:
    """Whether a request wants the header row and no other."""
    return bool(
        text.take_all(
            r"(?:只|仅|光)(?:要|有|需要?|保留|留|含|插入)?(?:一?[个行])?(?:表头|标题行|栏名|列名|抬头)(?:那一?行|行)?(?:的)?"
        )
        + text.take_all(
            r"\b(?:just|only)\b(?P<verb>[^.;:,]{0,25}?)\b(?:a |the |its |one )?"
            r"head(?:er|ing)s?(?: (?:row|line))?(?: only)?|"
            r"head(?:er|ing) row only|header only|"
            r"nothing (?:but|except)\b[^.;:,]{0,12}\bhead(?:er|ing)s?(?: (?:row|line))?"
        )
        + text.take_all(
            r"[,，]?\s*(?:and )?(?:表头)?(?:下面|底下|下方)?(?:就|都|也)?"
            r"(?:不要|不用|没有|无|不含|不需要|不留|别留|别放|不必)(?:再)?(?:给|留|放|加|来)?(?:任何)?(?:(?:数据|"
            r"内容)行?|空白?行)|[,，]?\s*(?:with |and )?(?:no|without(?: any)?) data(?: rows?)?"
        )
        + text.take_all(
            r"(?:表格?)?(?:里|中)?(?:只|仅|就|光)(?:要|有|留|保留|需要?)(?:这|表头这|表头)(?:一|1)行|"
            r"(?:只|仅|就|光)[^,，。;:、]{0,4}(?:一|1)行的?(?:表头|标题)|"
            r"\b(?:no|without(?: any)?) (?:body|other|further|content|more) rows?(?: at all)?|"
            r"(?:别的|其他|其它|其余|下面的?|多余的?|数据|内容|空白?)行(?:都|也|一概|一律|全部?|统统)?(?:不用|不要|"
            r"不需要|免了|去掉|不留|别留)|"
            r"(?:不要|不用|不需要|没有|不含|不留)(?:任何)?(?:别的|其他|其它|其余|多余的?)(?:的)?(?:数据|内容|"
            r"空白?)?行"
        )
    )


def take_size(text: RequestText) -> TableSize:
    """Rows, columns and header of a table."""
    size = TableSize()
    for pattern in _BOLD_HEADER:
        text.take_all(pattern)
    size.header_only = _take_header_only(text)
    named = re.findall(_TOTAL_NAMES, text.mask)
    size.total_name = "合计" if "合计" in named else next(iter(named), "")
    size.total = bool(sum(text.take_all(pattern) for pattern in _TOTAL))
    size.samples = text.has(r"示例|样例|举例|\bsample|\bexample")
    _take_numbering(text, size)
    products = len(re.findall(r"\d\s*[x×*✕]\s*\d", text.mask))
    if products > 1:
        pass  # quantities with their prices
    elif (
        found := text.take(
            rf"(?<![A-Za-z\d.])(?<![=*/])({COUNT})\s*(?:[x×*✕]|乘以?|\bby\b)\s*({COUNT})(?!\s*[元万亿]|"
            rf"\d)(?:\s*的?规格)?"
        )
    ) or (found := text.take(rf"({COUNT})\s*行\s*[,，、x×]?\s*({COUNT})\s*列")):
        size.grid = _read_grid(found[1], found[2])
    elif found := text.take(rf"({COUNT})\s*列\s*[、x×]?\s*({COUNT})\s*行(?!空)"):
        if re.search(r"、[^,，。;:、]+$", text.mask[: found.start()]):
            size.columns, size.rows = read_count(found[1]), read_count(found[2])  # 甲、乙两列三行: the header is apart
        else:
            size.grid = _read_grid(found[2], found[1])
    elif (found := text.take(_ROWS_BEFORE)) or (found := text.take(_ROWS_DOWN)):
        size.grid = _read_grid(found["rows"], found["columns"])
    elif found := text.take(rf"({COUNT})\s*rows?\s*(?:and|by|x|,)\s*({COUNT})\s*col(?:umn)?s?"):
        size.grid = _read_grid(found[1], found[2])
    elif found := text.take(
        rf"({COUNT})\s+(?:(?:empty|blank|data)\s+)+rows?\s*(?:and|"
        rf",)\s*({COUNT})\s*col(?:umn)?s?"
    ):
        size.rows, size.columns = read_count(found[1]), read_count(found[2])
    elif found := text.take(rf"({COUNT})\s*col(?:umn)?s?\s*(?:and|by|x|,)\s*({COUNT})\s*rows?"):
        size.grid = _read_grid(found[2], found[1])
    _take_counts(text, size)
    return size


def _take_numbering(text: RequestText, size: TableSize) -> None:
    if found := text.take(
        rf"编号(?:从|为|是)?\s*({COUNT})\s*(?:到|至|-|~|—)\s*({COUNT})|numbered\s+({COUNT})\s*(?:to|-)\s*({COUNT})"
    ):
        first, last = (read_count(one) for one in (found[1] or found[3], found[2] or found[4]))
        size.numbered = True
        if first is not None and last is not None:
            size.rows = last - first + 1


def _take_counts(text: RequestText, size: TableSize) -> None:
    if found := text.take(
        rf"({COUNT})\s*(?:个|张|份)\s*(?:连续的?)?(?:不同的?)?(?=表)|({COUNT})\s+(?:consecutive |"
        rf"separate )?(?=tables\b)"
    ):
        size.tables = read_count(found[1] or found[2] or "") or 1
    for found in text.take_each(_ROWS_OF_ONE):
        number, count = "一二12".index(found[1] or found[2]) % 2, read_count(found[3])
        if count is None or number in size.own_rows:
            raise Unclear("not_understood", part=text.raw[found.start() : found.end()])
        size.own_rows[number] = count
    if size.grid is not None:
        return
    if found := text.take(
        rf"(?<![第占各每])(?![一1]\s*[列栏])({COUNT})\s*(?:列(?=的?表)|个?(?:列|栏)(?!出|表|举|入))|"
        rf"(?!an? )\b({COUNT})[\s-]+columns?\b(?!\s*(?:chart|graph))"
    ):
        size.columns = read_count(found[1] or found[2])
    rows = (
        (
            rf"(?:一?共|共计|先|给|留|预留|留出|空|要|来|各|"
            rf"就)*\s*(?<![第后末头首这那同])(?<![上下]面)(?<![上下]边)({COUNT})\s*(?:个)?(?:空白?|"
            rf"数据|示例)?(?:行(?!的?(?:表头|标题))|条(?!形|款|件|目|条)|项(?!目))(?:空行|空白行|空白|数据|"
            rf"记录|条目|示例|内容|空)?(?:即可|就行|就好|吧)?(?!文字|正文|字|\s*(?:单价|每|\d))"
        ),
        (
            rf"(?:and |with |leave |having |plus )*(?!an? )({COUNT})\s*(?:(?:empty|free|spare|"
            rf"blank|data|sample|example|body)\s+)*-?(?:rows|row|entries|records|"
            rf"items)\b(?: of (?:sample |example )?data)?"
        ),
        rf"(?:and |with |leave |having |plus )*(?!an? )({COUNT})\s+(?:(?:empty|blank|free|spare)\s+)+lines?\b"
        rf"(?: (?:under|below|beneath)(?: the header| it)?)?",
        (
            rf"(?!an? )({COUNT})\s+(?:lines|rows)\s+(?:left\s+|kept\s+)?(?:open|empty|blank|free)"
            r"(?: beneath| below| underneath)?"
        ),
        (
            rf"(?:and |with |leave |leaving )*(?:room|space|places|slots|lines) for (?!an? )({COUNT})"
            rf"(?: of (?:them|these|those)| (?:more )?(?:entries|items|tasks|lines|rows|records|risks|people|"
            rf"names))?\b"
        ),
    )
    for pattern in (*_ROWS_FIRST, *rows):
        if found := text.take(pattern):
            size.rows = read_count(found[found.lastindex or 1])
            return


def _read_grid(rows: str, columns: str) -> tuple[int, int] | None:
    grid = read_count(rows), read_count(columns)
    if grid[0] is None or grid[1] is None:
        return None
    if not (0 < grid[0] <= 100 and 0 < grid[1] <= 50):
        raise Unclear("too_large")
    return grid[0], grid[1]
