"""Slots of a message about one or two tables; none unless each word is in a slot or in the frame around them."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._slots import TableSize, strip_bold_header, take_place, take_size
from metier.packs.office.drafting._topics import find_mentions
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting._wording import is_manner
from metier.packs.office.drafting.remarks import list_spans, may_refuse, may_remark
from metier.packs.office.drafting.tables._frame import EDITS, is_frame, names_table
from metier.packs.office.drafting.tables._names import NameList, find_names
from metier.packs.office.drafting.tables._positions import QuotedPosition, find_positions
from metier.packs.office.drafting.talk import is_background, is_demand, is_reason, may_be_told
from metier.packs.office.orders import read_promise

__all__ = ["SaidTables", "read_tables"]

_MAX_CHARS: Final = 600
_QUOTES: Final = re.compile(r"报价|询价|单价|合计|总价|总计|清单|明细")
# The total in the last row, and the amounts that lead to it: both are worked out anyway.
_DOING: Final = (
    r"(?:就|再|要|请|给|用来|来|是|为|有|带上|带|都|也|并|需|自动|应|得|还|在|里|上|处|的|那|帮我|给我|把|所有|全部)"
)
_LAST: Final = (
    r"(?:最?[后末下底](?:面|边|尾|下|一?行)?|表格?最?[后末下底](?:面|边|尾|一?行)?)?(?:[里上处那的]{1,2})?(?:一?行)?"
)
_WORK: Final = r"(?:给出|算好|算出来?|算上|算|写上?|加上?|放|列出|求出|计算出?|汇总|做|留|附上?)?(?:一?个|一?行|一下)?"
_TOTAL: Final = re.compile(
    rf"{_LAST}(?:{_DOING}{{0,4}}){_WORK}(?:所有|全部)?的?(?P<name>合计|总计|总价|总额|总金额|(?:加起来)?(?:一共|总共|共)是?多少钱|\"\ue000{{2,3}}\")"
    rf"(?:金额|数|行|那?一?行)?{_DOING}{{0,3}}(?:算好|算出来?|算上|计算出?来?|算|写上|写|给出|放|求出来?)?(?:一?下|好了?|了)?"
    r"(?:[,，]?[放写列加排]?[在到]?(?:最?[后末下底]面?|末尾)(?:一?行)?)?"
)
_TOTALS: Final = ("合计", "总计", "总价", "总额", "总金额")
_AMOUNTS: Final = re.compile(
    r"(?:每[行项样个](?:都|要|也|得)*(?:算|有|写|求)(?:出|上|好)?(?:一?个)?(?:小计|金额)|(?:各项|每项)?(?:金额|小计|总价)(?:列)?(?:也|都|要|请|帮我|给我|得|自动|你)*(?:算好|算出来?|自动算|计算出?来?|算上)|(?:要)?有(?:金额|小计)(?:列)?(?:和|与|及)?|右边(?:是|写|放)(?:小计|金额)|每[样项个种](?:东西|货品)?(?:占|各|写|放)?一行|写着算出来的数)|"
    r"(?:也|都|就|请|要|给我|帮我|你|自动)*(?:帮我|给我)?(?:把?(?:数字?|金额|结果)?)(?:算好|算出来|计算好)(?=[,，。;]|$)|(?:品名|名称|项目)?[、,，]?(?:数量)(?:和|、|与|及)?单价(?:如下|分别)?(?=[:为是]|$)"
)
_CUT: Final = re.compile(r"[,，。;；:：!！?？\n()（）]+|(?<![A-Z]o)\.(?=\s|$)|\s[-–—]+\s|—+|(?<=\ufffc)[.\s]+(?=[A-Z])")
_COUNT_BEFORE: Final = re.compile(
    rf"(?P<count>{COUNT})\s*个?(?:列|栏目?|项|个|字段)(?:的?(?:名[字称]|标题|表格?))?"
    r"[,，]?(?:分别|依次|要|是|为|有|叫做?|写|填|包括|包含|从左到右|列名|标题|\s)*[:(\"，,]?\s*$|"
    rf"(?:列名?|栏目?|字段|表头|标题)(?P<count2>{COUNT})\s*(?:个|项|列|栏)(?:分别|依次|是|为|有|写)*[:(]?\s*$|"
    rf"\b(?P<count3>{COUNT})\s+columns?\s*(?:\(|:|,|-|–|—|called|named|headed|labell?ed|titled|"
    rf"with the names|are|is|being|\s)*$",
    re.IGNORECASE,
)
_OF_GRID: Final = re.compile(r"(?:行\s*[,，、x×*]?|\brows?\s*(?:and|by|x|×|,)?)\s*$", re.IGNORECASE)
# How many rows there are to fill in, said otherwise than with 行 right behind the number.
_ROWS_FIRST: Final = (
    rf"(?:要?能|够)?(?:写|填|录|记)(?:下|得下|入)?\s*({COUNT})\s*[条项个](?:[\u4e00-\u9fff]{{1,6}})?(?=[,，。;]|$)",
    rf"(?:行数|数据行|空白?行|内容行|正文行|数据)\s*(?:为|是|共|有|:|=)?\s*({COUNT})(?:\s*[行条])?(?=[,，。;)]|$)",
    rf"\b(?:room|space|place|slots|lines|rows) (?:for|to hold) (?:up to |"
    rf"about )?(?!an? )({COUNT})(?: [a-z][a-z-]*){{0,2}}(?=\s*(?:[,.;)]|$))",
)
_ROWS: Final = (
    rf"(?<![第每各前后首末头])({COUNT})\s*(?:个)?(?:空白|空|数据|内容)?(?:行|条)(?:空格子|空位|空格|数据位|空的|空着|空白)?",
    rf"\b(?!an? )({COUNT})[\s-]+(?:(?:empty|blank|free|spare|data|further|plain|unfilled)\s+)*(?:rows?|"
    rf"lines?|entries|records)\b",
    rf"\brows?\s*[:=]?\s*({COUNT})(?=\s*(?:[,.;)]|$))",
)
_ROW_EACH: Final = (
    r"(?:^|(?<=[,，。;]))\s*(?:每)?(?:一[条个项样]|一行)(?:风险|记录|事项|任务|条目|内容|货品?|商品)?(?:各|占|写|用|放|记)?一[行条个项样]"
    r"(?:风险|记录|事项|任务|条目|内容|货品?|商品)?(?=[,，。;:]|$)|"
    r"\b(?:one|a) (?:row|line) (?:per|for each|for every) (?:entry|item|risk|task|record|point|line)(?=\s*[,.;]|$)"
)
# The words of the header in bold, as they are anyway.
_BOLD: Final = (
    r"(?:而且|并且?|都|要|用|且|也|请|字)*(?:是|要|用|得)?(?:粗体|加粗|加黑)(?:的)?(?=[,，。;]|$)|表头粗一?点(?:好认|醒目|清楚)?",
    r",? ?(?:all |and )?in bold(?: type)?\b|\bbold (?=(?:column|heading|header|top|first))",
)
_OF_HEADER: Final = re.compile(
    r"表头|栏名|列名|第一行|首行|标题行|抬头|栏目|\b(?:header|headings?|column|columns|top row|first row|"
    r"across the top)\b",
    re.IGNORECASE,
)
_HEADER_ONLY: Final = (
    r"(?:先|就|暂时)?(?:只|仅|光|单)(?:是个?|做|写|要|有|留|放|保留|含有?|搭|带|需要?)?(?:一[个行])?(?:这一行)?(?:表头|标题行|标题|第一行标题|抬头|表头行|栏名|列名)(?:一行|这一?行|那一?行)?(?:的(?=表))?(?:就?[行好够]|即可)?(?:了)?|"
    r"(?:只|仅)(?:有|要|含)一行的?(?=表)|此外(?:什么)?(?:都|也)?没有(?:别的|其他)?|除(?:了|去)?(?:表头|标题行?)(?:之外|以外|外)?[,，]?(?:什么|其他|其它|别的)?(?:的)?(?:都|也)?(?:不要|没有|不用|不加|不留)|"
    r"(?:只|仅)有一行[,，]?(?:就是|即)(?:表头|标题行?)|(?:只要|仅要|就要)一行(?:表头|标题)|单独一行(?=[,，。;]|$)|(?:一行)(?:表头|标题)(?=[:,，。;]|$)|"
    r"(?:下面|底下|表头下面?|其他|其余|别的|目前|先|暂时|现在|里面)*(?:也|都|就|先|暂时|一概)*(?:不带|不要|不加|不留|不放|没有|不含|不需要|不用|无需|无|别[加留放])(?:任何|别的|其他|其它)?(?:的)?(?:空白?|数据|内容|正文)?(?:行|数据)(?:先)?|"
    r"(?:空白?|数据|内容|正文|其他|其它|下面的?)?(?:的)?(?:行|数据)(?:都|就|则|可以|先)*(?:先|暂时|现在)?(?:不加|不要|不用|不留|以后再(?:加|填|补|录)|后面再(?:加|填|补|录)|回头再(?:加|填|补|录)|之后再(?:加|填|补|录))(?:了|吧)?|"
    r"(?:别的|其他|其他的|其余的?)(?:都|就|也)?(?:先|暂时)?(?:空着)?(?:不加|不放)(?:了)?|"
    r"\b(?:just|only|nothing but)\b(?: (?:need|want|put|add|have|in|show|give me|with|include))*(?: (?:the|"
    r"a|its|one))?(?: bold)? head(?:er|ing)s?(?: (?:row|line))?(?: only)?(?: for now)?|"
    r"\bhead(?:er|ing)(?: row)? only\b|\b(?:no|without(?: any)?) (?:data |body |empty |blank |further |"
    r"other |content )*rows?(?: (?:yet|below|beneath|under|underneath)(?: it)?)?(?: (?:yet|for now))?"
)
_TITLE: Final = re.compile(
    r"(?:(?:表格?)?(?:的)?(?:名字|名称|标题|表名|题目|表题|总标题)(?:就|要|请)?(?:叫做?|为|是|写成?|用|取|:)*|名为|叫做?|命名为|取名|题为|"
    r"\b(?:titled|called|named|entitled|headed|with the title|under the title|title[d:]?)\s*)\s*(?P<it>\"\ue000+\")|"
    r"(?:(?:名字|名称|表名|标题)(?:就|要|请)?(?:叫做?|为|是|写成?|取)+|名为|命名为|取名为?|题为)(?P<bare>[\u4e00-\u9fff]{2,16})(?=的表格?|[,，。;]|$)|"
    r"(?<=[张个份的入加建做放来])(?P<bare2>\"\ue000+\")(?=的?(?:表格?|[,，。;:(]|\s))",
    re.IGNORECASE,
)
_ART: Final = re.compile(
    r"(?:(?:请|先|再)?(?:以|用|采用|使用|做成?|放|插入?|加入?|添加|来|一个|[个张]|写|醒目的?)*艺术字(?:大?标题|形式|效果|样式|字样|体)*(?:来|的?(?:内容|文字))*(?:写|插入|做|制作|呈现|展示|显示)*(?:上|成|个|出|为|是|叫|:|,|，|\s|写)*)(?P<it>\"\ue000+\")|"
    r"(?:把|将|以|用)?(?P<it2>\"\ue000+\")(?:这?[几\d一二两三四五六七八九十]+个?大?字)?(?:要|请|都)?(?:做成|用|以|写成|设为|弄成|变成|为|作为|采用)?(?:一个)?(?:\(?艺术字\)?)(?:大?标题|的?形式|效果|体|插入|写|样式)*|"
    r"(?:大?标题)(?:用|以|做成|采用|使用|是|为)艺术字[,，]?(?:内容|文字)?(?:写|为|是|:)*(?P<it3>\"\ue000+\")|"
    r"\bword[ -]?art\b(?: (?:title|text|heading|banner))?(?: (?:that )?(?:says|saying|reading|reads|"
    r"with the (?:text|words)|of|for|with))*\s*:?\s*(?P<it4>\"\ue000+\")|"
    r"(?P<it5>\"\ue000+\") (?:in|as|with) (?:a )?word[ -]?art\b(?: (?:title|text))?",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(
    r"(?:在|到|放在?)?(?:它|其|该|这个)?(?:艺术字|标题|字|这几个字)?(?:的)?(?:正)?(?:下面|下方|底下|下边|之下|下头|后面)(?:接着|跟着?|接|再|配|放)*|(?:紧?接着|紧跟着?|随后|然后|其下)|"
    r"\b(?:and |then |directly |right |just )*(?:below|under|beneath|underneath|after|followed by)(?: (?:it|"
    r"that|this|the word ?art))?(?: there)?(?: is| goes| comes| put| add| insert)?",
    re.IGNORECASE,
)
_TWO: Final = re.compile(
    r"(?:两|2|二)\s*[个张份](?:[^,，。;、\ufffc]{0,6}?)(?:表格?|清单)?(?=[,，。;:\ufffc分上前先依]|$)|"
    r"(?:第[一二12]|头一|前(?:面的?那|一)?|后(?:面的?那|一)?|上(?:面的?那|面)?|下(?:面的?那|面)?|另一|其中一|一|先|后)(?:[个张份])(?:的)?(?:表格?)?|表[一二12AB甲乙]|[上下前后](?:表|者)|"
    r"(?:先是|后是|先|后|再|又|接着|然后|紧接着|依次|分别|一前一后|前后|上下)(?:插入?|放|排|做|加|建|来)?(?:再)?(?:一?[个张份])?(?:表格?)?|"
    r"\b(?:two|2) tables\b|\b(?:the )?(?:first|second|one|other|another|former|latter)(?: one|"
    r" table)?\b(?: (?:has|with|lists|is for|for))?|\btable (?:one|two|1|2|a|b)\b|\bafter (?:it|that)\b",
    re.IGNORECASE,
)
# That they are two, and what each is about.
_APART: Final = (
    r"(?:彼此|各自)?分开(?:的|放|来)?|(?:不要|别|不)合并(?:成一[张个])?(?:表格?)?|"
    r"(?:先是|然后是|接着是|再是|后面是)[\u4e00-\u9fff]{1,5}的(?=[,，])|空几行随(?:你|便)|(?:前一?|上面?那?|后一?|下面?那?)[个张](?:放)?在[上下前后](?:面|边)?"
)
_SAYS_TWO: Final = re.compile(
    r"(?:两|2|二)\s*[个张份]|第二[个张份]|后一?[个张份]|另一[个张份]|再[^,，。;]{0,4}[一1][个张份]|[下后](?:面的?那?|一?)[张个]|[下后]表|"
    r"先[^。;]{1,8}表.*再[^。;]{1,8}表|表[二2乙B]|[一1][个张份]表格?[,，].*[一1][个张份]表格?|"
    r"\btwo tables\b|\banother table\b|"
    r""
    r""
    r""
    r""
    r""
    r""
    r""
    r""
    r""
    r""
    r"\bsecond (?:one|table)\b|\btable (?:two|2|b)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class SaidTables:
    """What a message says of its tables. `rows` are those below the header; None where it is not said."""

    lists: list[NameList] = field(default_factory=list)
    rows: int | None = None
    grid: tuple[int, int] | None = None
    place: Literal["", "end", "start"] = ""
    is_header_only: bool = False
    is_bold: bool = False
    title: str = ""
    art: str = ""
    positions: list[QuotedPosition] = field(default_factory=list)
    total: str = ""  # what the last row of the positions is called
    kind: str = "table"  # the topic whose word the message has for it, by which its block is named
    left_out: list[str] = field(default_factory=list)  # background before the order
    remarks: list[str] = field(default_factory=list)  # clauses that the plan has to bear out


def read_tables(request: str) -> SaidTables | None:
    """The slots; None if a word is in none of them, or if two of them contradict each other."""
    text = RequestText(request.strip())
    if len(text.raw) > _MAX_CHARS or EDITS.search(text.mask) or not names_table(text.mask):
        return None
    positions = find_positions(text) if _QUOTES.search(text.mask) else []
    if positions:
        text.consume(positions[0].start, positions[-1].end)
    lists = find_names(text)
    if lists is None or len(lists) > (1 if positions else 2):
        return None
    said = SaidTables(lists, positions=positions)
    try:
        return said if _fill(text, said) else None
    except Unclear:
        return None


def _fill(text: RequestText, said: SaidTables) -> bool:
    is_two = len(said.lists) == 2
    if is_two and not _SAYS_TWO.search(text.mask):
        return False
    if not all(_take_count(text, one) for one in said.lists):
        return False
    for one in said.lists:
        text.consume(one.start, one.end)
    _take_texts(text, said)
    said.kind = next((one.topic.id for one in find_mentions(text, ("table", "quotation"))), said.kind)
    if said.positions and not _take_positions(text, said):
        return False
    _take_remarks(text, said)
    said.is_bold = strip_bold_header(text.mask) != text.mask
    if _OF_HEADER.search(text.mask) and not said.title and not said.art:
        said.is_bold = bool(sum(text.take_all(one) for one in _BOLD)) or said.is_bold
    said.is_header_only = text.take_all(_HEADER_ONLY) > 0
    counts_header = text.take(
        r"[(]?(?:不含|不算|不包括|不计|除去?|另外?加|除了?)(?:表头|标题行|栏名|列名|栏目名?|抬头)(?:在内|之外|以外|外)?[)]?|[(]?(?:表头|标题行|栏名|列名|栏目名?|抬头)(?:不算|另算|除外|不计|以外|之外)(?:在内)?[)]?|"
        r",? ?[(]?(?:not (?:counting|including)|excluding|without counting|plus|besides|apart from) (?:the |"
        r"a |one )?head(?:er|ing)(?: row| line)?[)]?|\bhead(?:er|ing)(?: row)? not (?:counted|included)\b"
    )
    if not _take_rows(text, said, is_counted=counts_header is not None):
        return False
    if is_two:
        text.take_all(_APART)
        text.take_all(_TWO.pattern)
    if '"' in text.mask or re.search(r"\d", text.mask):
        return False
    return _read_rest(text, said)


def _take_count(text: RequestText, one: NameList) -> bool:
    """Read the number of columns before a list; false if the list has another."""
    found = _COUNT_BEFORE.search(text.mask[: one.start])
    if found is None or _OF_GRID.search(text.mask[: found.start()]):
        return True
    text.consume(found.start(), found.end())
    count = next(read_count(found[name]) for name in ("count", "count2", "count3") if found[name])
    return count == len(one.names)


def _take_positions(text: RequestText, said: SaidTables) -> bool:
    """Read what the positions add up to; false if the message has other columns than a quotation."""
    if said.lists and len(said.lists[0].names) not in (3, 4):
        return False
    counted = text.take(rf"(?<![一第])({COUNT})\s*[样项种件个](?:东西|货品?|商品|产品|设备|物品|材料)(?=[:,，]|$|如下)")
    if counted is not None and read_count(counted[1]) != len(said.positions):
        return False
    text.take_all(_AMOUNTS.pattern)
    found = list(text.take_each(_TOTAL.pattern))
    names = {text.raw[slice(*one.span("name"))].strip('“”"「」') for one in found}
    names = {"合计" if one.endswith("多少钱") else one for one in names}
    said.total = "合计" if "合计" in names or not names else next(iter(names))
    return len(names) <= 1 and said.total in _TOTALS


def _take_remarks(text: RequestText, said: SaidTables) -> None:
    """Take out what is refused, which the plan has to lack, and that each entry is a row of its own."""
    for start, end, clause in [*list_spans(text.mask, by_word=False)]:
        if CONSUMED not in clause and may_refuse(clause):
            said.remarks.append(clause)
            text.consume(start, end)
    text.take_all(_ROW_EACH)


def _take_texts(text: RequestText, said: SaidTables) -> None:
    if found := text.take(_ART.pattern):
        said.art = _read_quote(text, found, ("it", "it2", "it3", "it4", "it5"))
        text.take(_BELOW.pattern)
    if found := text.take(_TITLE.pattern):
        said.title = _read_quote(text, found, ("it", "bare", "bare2"))


def _read_quote(text: RequestText, found: "re.Match[str]", names: tuple[str, ...]) -> str:
    name = next(one for one in names if found[one])
    return text.raw[slice(*found.span(name))].strip(' “”"「」『』《》')


def _take_rows(text: RequestText, said: SaidTables, *, is_counted: bool) -> bool:
    """Read place, rows and header; false if they are said twice or contradict each other."""
    place = take_place(text)
    if place.kind == "anchor":
        return False
    said.place = "" if place.kind == "cursor" else place.kind
    says_all = text.take(
        r"[(]?(?:包含|包括|含|连同?|算上|加上|带)(?:上|着)?(?:表头|标题行)(?:那?一?行)?(?:在内|一起)?[)]?|(?:表头|标题行)也?算(?:在内|进去|一行)?|"
        r"\bincluding the header(?: row)?|\bheader (?:row )?included\b"
    )
    found = [one for pattern in _ROWS_FIRST for one in text.take_each(pattern)]
    size = take_size(text)
    said.is_header_only = said.is_header_only or size.header_only
    found += [one for pattern in _ROWS for one in text.take_each(pattern)]
    counts = {read_count(one[1]) for one in found} | ({size.rows} if size.rows else set())
    if len(counts) > 1 or _is_open(size, said) or None in counts:
        return False
    rows = next(iter(counts), None)
    if said.positions:
        return rows in (None, len(said.positions)) and size.grid is None and not said.is_header_only
    if size.grid is not None:
        if rows is not None or len(said.lists) > 1:
            return False
        if not said.lists:
            said.grid = size.grid
            return not (said.is_header_only or is_counted or says_all or _OF_HEADER.search(text.mask))
        if size.grid[1] != len(said.lists[0].names) or (not is_counted and not says_all):
            return False
        rows = size.grid[0]
    if rows is not None and says_all:
        rows -= 1
    said.rows = rows
    if said.is_header_only:
        return not rows and len(said.lists) == 1
    return bool(said.lists) and rows != 0


def _is_open(size: TableSize, said: SaidTables) -> bool:
    """Whether something is said of the table that this reader does not write."""
    if size.columns is not None and any(len(one.names) != size.columns for one in said.lists):
        return True
    return bool(size.total or size.samples or size.numbered or size.own_rows) or size.tables > 2


def _read_rest(text: RequestText, said: SaidTables) -> bool:
    """Whether what is left is the frame around the slots, or remarks that the plan can bear out."""
    edges = [0, *(at for found in _CUT.finditer(text.mask) for at in found.span()), len(text.mask)]
    blank = re.compile(f"{CONSUMED}+")
    has_slot = False
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        clause = blank.sub(CONSUMED, text.mask[start:end]).strip()
        if not clause or is_frame(clause):
            has_slot = has_slot or CONSUMED in clause
            continue
        bare = clause.replace(CONSUMED, "").strip()
        if CONSUMED not in clause and (is_manner(bare) or may_remark(bare)):
            said.remarks += [] if is_manner(bare) else [bare]
            continue
        if CONSUMED not in clause and (read_promise(bare) == "others" or (not has_slot and _is_background(bare))):
            said.left_out += [] if read_promise(bare) == "others" else [bare]
            continue
        return False
    return True


# A part, a look or a language of the result: a sentence with one of these is no background.
_OF_RESULT: Final = re.compile(
    r"[行列栏格页]|表[里中头上]|字[体号]|[颜底]?色|居中|对齐|边框|合计|总计|小计|公式|英文|中文|双语|翻译|格式|样式|排序|按.{1,6}排|竖|横|"
    r"\b(?:rows?|columns?|cells?|headers?|headings?|titles?|fonts?|colou?r\w*|totals?|formulas?|sort\w*|english|chinese|german|french|"
    r"spanish|languages?|landscape|portrait|borders?|pages?|bold|everything|signature|dates? )\b",
    re.IGNORECASE,
)


def _is_background(clause: str) -> bool:
    """Whether a clause before the first slot only tells what the table is wanted for."""
    if _OF_RESULT.search(clause) or is_demand(clause) or names_look(clause) or re.search(r"\d", clause):
        return False
    return may_be_told(clause) or is_background(clause) or is_reason(clause)
