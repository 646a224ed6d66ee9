"""Clauses of a brief that say a slot, point to the lines below, or say what the plan has anyway."""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.briefs._values import read_formula, read_rows

__all__ = ["is_assured", "name_quoted", "names_art", "read_clause", "restate_total", "strip_back", "strip_entry"]

_ROWS: Final = re.compile(r"行|\brows?\b", re.IGNORECASE)
_BOLD: Final = re.compile(
    r"(?:请|把|将|并)?(?:表头|标题行|首行|列名)(?:[那这]?一?行)?(?:文字|字体)?(?:请|都|要|需|用|一律|统一)*(?:加粗|"
    r"粗体|加黑)(?:显示)?|(?:加粗|粗体)的?表头|"
    r"(?:(?:a|one|with|the|1|make|set) )*bold header(?: row)?|(?:(?:the|make|set|a|its) )*header(?: row)?(?: (?:is|"
    r"in|should be|must be|to be))? bold",
    re.IGNORECASE,
)
_ONE_HEADER: Final = re.compile(r"(?:表头|标题行)(?:占)?[一1]行|(?:one|a|1) header row", re.IGNORECASE)
_FORMULA: Final = re.compile(
    r"(?:差额|差异|金额|总价|小计|amount|difference|variance|total)(?:[(][^()]{1,6}[)])?\s*(?:列)?\s*(?:都|"
    r"请|要)?(?:[=:]|等于|"
    r"is|equals|为|按|用|由)\s*(?P<value>.+)|(?:按照?|用)(?P<alone>[^,，]{3,16}?)(?:来)?(?:算|计算)",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(
    rf"(?:正文|内容|全文|文中)?(?:共|一共)?(?:分(?:为|成)?)?({COUNT})\s*(?:个|大)?(?:小节|部分|章节|章|节|板块|版块|"
    rf"块)|"
    rf"(?:the )?(?:body|text|report) (?:has|is in|consists of) ({COUNT}) (?:sections|parts)",
    re.IGNORECASE,
)
_QUOTED_FORMULA: Final = re.compile(r"[“\"「『]([^“”\"「」『』]{3,20})[”\"」』]")
_WORKED_OUT: Final = re.compile(r"\s*(?:来|自动)?(?:(?<!预)算出?|计算|得出|得到)(?:来)?$")
# What only opens the list below.
_CONTAINS: Final = re.compile(
    r"(?:请|需要?|应|依次|逐条|逐项|分别|并)*(?:包括|包含|列出|列明|含有?|写明|写出|设|有)(?:以下|下列|下面|"
    r"如下)(?:这)?(?:各|几|这些)?(?:个)?(?:项|条|点|内容|部分|栏目|字段|议题|要点|小节|方面)*(?:内容)?|"
    r"(?:it |which |that )?(?:should |must |to )?(?:contains?|includes?|has|with)(?: the)?(?: (?:items?|fields|"
    r"points|sections|parts))?(?: in this order)?",
    re.IGNORECASE,
)
_BOLD_ALONE: Final = re.compile(r"(?:要|需|请)?(?:加粗|粗体)(?:显示)?|in bold|bold", re.IGNORECASE)
_TRIM: Final = " \t,，;；。."
# What only points to the lines below or above.
_BACK: Final = (
    re.compile(
        r"[,，;；]?\s*(?:具体|详细|格式|制作)?(?:要求|内容|明细|数据|信息|说明|字段|安排|事项)?(?:如下|见下(?:文|"
        r"方)?|在下面)(?:所示)?$|"
        r"[,，;；]?\s*(?:请)?(?:按|按照|依照|根据)(?:以下|下列|下面|如下)(?:的)?(?:要求|内容|格式|说明|数据|"
        r"信息)?(?:来)?(?:做|制作|编写|填写|插入)?$|"
        r"[,，;；]?\s*(?:内容|数据)?(?:照填|照抄|照录)$|^(?:明细|数据|要求|说明|内容|具体要求|格式要求)$"
    ),
    re.compile(
        r",?\s*(?:as follows|(?:with|using|from|of) (?:this|the following)(?: (?:content|data|details|figures|rows|"
        r"numbers))?|"
        r"with these (?:details|settings|specifications|data|rows|figures))$|^(?:data|details|requirements|"
        r"specifications?|content)$",
        re.IGNORECASE,
    ),
    re.compile(r"(?:以下|下列|下面的?|如下)(?:这些|这几项|几项|的)?(?:内容|数据|东西|明细|表格?)?(?=$|[,，])"),
    re.compile(
        r"(?:请)?(?:以下|下列|下面|如下)(?:这?几|各|这些)?(?:项|条|点)(?:内容)?(?:请|都|要)?(?=[用按以带加编逐])|"
        r"(?:[,，]?(?:表头(?:行)?[及和与、](?:内容|数据|明细)|内容|数据|明细))?(?:如下)?"
        r"[（(](?:用|以)?(?:半角|英文|中文)?(?:逗号|制表符|竖线|tab)(?:分列|分隔|隔开|分开)[）)]$|"
        r"[,，]?表头(?:行)?[及和与、](?:内容|数据|明细)如下$|"
        r",?\s*[(]?(?:comma|tab|pipe)[- ](?:separated|delimited)[)]?$",
        re.IGNORECASE,
    ),
    re.compile(r"\s*\b(?:the )?following(?: (?:things|items|content|data))?$", re.IGNORECASE),
    re.compile(
        r"(?:请|麻烦|帮我)?(?:把|将|用|按照?|根据|拿)(?:以上|上述|上面|上表|这些?|下面|下表|以下)(?:的|这些?|"
        r"这[个张份])?(?:数据|内容|表格?|数字|几行|行)?"
    ),
    re.compile(
        r"(?<=用)(?:下面|以下|上面|下列|以上)的(?=\S{0,4}数据)|(?:录入|填入|输入|写入)(?:以下|下列|"
        r"下面的?)数据(?:并|,|，)?(?:据此)?",
    ),
    re.compile(
        r"\b(?:(?:of|from|out of|with) )?(?:these|this|the above|them)(?: (?:data|figures|numbers|rows|lines))\b",
        re.IGNORECASE,
    ),
)
_HEADED: Final = (
    r"(?:正文)?(?:各|每)(?:个|一)?(?:节|部分|章|块|栏|项)(?:都|均|分别|各)*(?:设|带|有|加|配)(?:一个|上)?小标题|顺序|"
    r"(?:each|every) (?:section|part) (?:has|with|gets|under) (?:a|its own) (?:sub)?heading|each with (?:a|"
    r"its own) (?:sub)?heading"
)
# What a plan of a kind has anyway.
_ASSURED: Final = (
    (
        "gantt",
        r"表中?(?:里)?只(?:含|有|要)表头(?:一行|[1一]行)?(?:和|与|加)(?:各)?任务(?:各[一1]行)?|每(?:个|"
        r"项)任务[一1]行|每周[一1]列|"
        r"(?:首行|第一行)(?:为|是|放|作为?)表头|(?:首列|第一列|左列)(?:为|是|放|写)任务(?:名称?|名)?|"
        r"(?:各|每)(?:个|项)?任务(?:名称?)?(?:各|单独)?占?[一1]行|(?:各|每个?)周(?:各|单独)?占?[一1]列|"
        r"(?:除表头行?(?:和|与|加)任务(?:名称?|名)?(?:[一1]?列)?(?:之?外|以外)?[,，]?)?(?:不要|不加|没有|"
        r"无|别加|不得增加|不设)(?:任何)?(?:其他|其它|别的|额外)的?(?:行(?:和|与|或|、)?列?|列)|"
        r"(?:the )?first row (?:is|holds) the header|(?:the )?first column (?:is|"
        r"holds) the tasks?(?: names?)?|no other (?:rows|columns|rows (?:and|or) columns)|"
        r"nothing else besides the header row and the task column|(?:one|1) row (?:per|for each) task|(?:one|"
        r"1) column (?:per|for each) week",
    ),
    ("pairs", r"左(?:边|列|侧)?(?:为|是|放|写)?风险[,，]\s*右(?:边|列|侧)?(?:为|是|放|写)?(?:应对(?:措施)?|对策|措施)"),
    (
        "chart",
        r"[(]?(?:请)?(?:把)?数据(?:请)?(?:写|填|录|放|输)(?:入|在|进|成|到)(?:(?:两|2)列|表格|工作表|"
        r"单元格|表)(?:中|里|内)?[)]?|[(]?in two columns[)]?",
    ),
    ("template", _HEADED),
    (
        "points",
        r"[每一][项条个点](?:单独|各|占|为)*[一1]?行|[一1]行[一1][项条个点]|逐[条项](?:列出)?|(?:one|"
        r"1)(?: item| point)? (?:per|a) line",
    ),
    (
        "quotation",
        r"金额(?:都|要|请)?(?:用公式|自动)(?:算出?|计算)?|(?:work out|calculate) (?:each|every|"
        r"the) amounts?|(?:each|every|the) amounts? (?:is|are) (?:worked out|calculated)",
    ),
    ("grouped", r"(?:请|都|要)?(?:用|写|以)公式(?:来)?(?:求和|汇总|合计|加总|计算|统计|算)?"),
    ("budget", r"差[额异](?:列)?(?:都|要|请)*(?:用|写|以)公式(?:算出?|计算|表示)?"),
    (
        "budget",
        r"(?:金额|数字|数值)?(?:都|要|请|用|以|显示|加|带|为)*千分位(?:显示|分隔)?(?:符)?|"
        r"thousands separators?|[#]?,##0",
    ),
    ("table", r"表头之?外(?:其余|都)?(?:留空|为空)|(?:其余|其他)(?:单元格)?(?:留空|空着)"),
)
_ART: Final = re.compile(
    r"(?:大)?标题(?:请|要|需)?(?:用|采用|使用|为|做成)?艺术字(?:形式|效果|样式)?|(?:the )?title (?:as|in|is) word ?art",
    re.IGNORECASE,
)
# The rows are written before they are drawn, whatever they are called.
_ENTRY: Final = (
    re.compile(
        r"(?:录入|填入|输入|写入|填写|登记)(?![^,，。]{0,12}(?:色|加粗|居中|红|"
        r"格式))[^,，。;；:：]{0,12}?(?:[,，]?(?:并且?|然后|再|且)(?:据此|由此|以此|用它)?|[,，](?:据此|由此|"
        r"以此))(?=\S)"
    ),
    re.compile(
        r"\b(?:enter|record|type in|write|fill in|put|key in|log)(?: in)?(?: (?:this|these|the|my|"
        r"our)(?: following)?(?P<what>(?: (?!in\b|into\b|and\b|as\b)\w+){1,3}?))?"
        r"(?: (?:in|into|on) (?:two columns|(?:the|a|this) (?:work)?(?:sheet|table)|"
        r"a table))?\s*,? and (?:then )?(?:(?P<verb>plot|"
        r"show|chart|graph|draw) (?:them|it|these|this) as (?P<article>an? )?(?P<type>(?:\w+ )?(?:chart|graph))|"
        r"(?P<rest>(?:draw|make|create|insert|add|plot|build|show)\b[^.;,:]*?(?:chart|graph))(?: (?:of|"
        r"from|out of|with) (?:them|it|these|this))?)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<=chart|graph) (?:from|of|out of|with|based on) (?:it|them|this|these|that)(?=$|[.,])", re.IGNORECASE
    ),
)
_MEASURE: Final = re.compile(
    r"^(?:以下|下面)?(?:是|为)?(?P<measure>[^,，。;；:：\d]{2,14}?)(?:的)?(?:明细|数据|记录|情况|清单)(?:如下|"
    r"见下)?[,，。:：]\s*"
)
_SUMMED: Final = re.compile(r"(?:用公式)?(?:分|按|各)(?P<by>[^,，。\s]{1,4}?)(?:用公式)?(?:求和|汇总|合计|加总|统计)$")
_NAMED: Final = re.compile(
    r"(?P<one>[一1][张个份])(?P<quote>\"[^\"]+\")(?:的)?(?:空白?)?(?:表格?|清单)?(?=$|[,，。;(])"
)
# A quotation has them anyway.
_AMOUNTS: Final = re.compile(
    r"\s+with an? amount (?:per|for each) (?:line|row|position|item)(?: and)?\s+(?=an? \")", re.IGNORECASE
)
_EACH_AMOUNT: Final = re.compile(
    r"\b(?:work out|calculate|compute|add) (?:each|every|"
    r"the) (?:line )?amounts?(?: for each line)?,? and (?=(?:finish|end|close)\b)",
    re.IGNORECASE,
)
_TOTAL_ROW: Final = re.compile(
    r"(?:最后|最末|末)[一1]?行(?:为|是|写|放)\s*\"(?P<zh>[^\"]+)\"(?:行)?(?:(?:及|和|与|并算出)(?:总金额|"
    r"总额|总数|金额|总价))?|(?:and )?(?:(?:finish|end|close)(?: it)? )?(?:and |"
    r"with )*an? (?:row (?:called |named |titled |for )?\"(?P<row>[^\"]+)\"|"
    r"\"(?P<en>[^\"]+)\" row)(?: (?:at|in|on) the (?:bottom|end))?",
    re.IGNORECASE,
)


def read_clause(piece: str) -> tuple[str, int | str] | None:
    """The slot that a clause says, with its value: rows, bold, or nothing more than there is anyway."""
    piece = _QUOTED_FORMULA.sub(lambda found: found[1] if read_formula(found[1]) else found[0], piece)
    bare = RequestText(piece).mask.strip(_TRIM)
    if _ROWS.search(bare) and not _ONE_HEADER.fullmatch(bare):
        words = re.sub(r"^(?:表头|[之以]?下[面方]?|并|另外?|再|and |plus |with |leave )+", "", bare)
        count = read_rows(re.sub(r"(?:under|below|beneath)(?: the)?(?: header(?: row)?)?$", "", words).strip())
        return None if count is None else ("rows", count)
    if _BOLD.fullmatch(bare) or _BOLD_ALONE.fullmatch(bare):
        return "bold", "bold"
    if said := _PARTS.fullmatch(bare):
        count = read_count(said[1] or said[2])
        return None if count is None else ("parts", count)
    if said := _FORMULA.fullmatch(bare):
        formula = read_formula(_WORKED_OUT.sub("", said["value"] or said["alone"]))
        return ("formula", formula) if formula else None
    return ("nothing", "") if _ONE_HEADER.fullmatch(bare) or _CONTAINS.fullmatch(bare) else None


def names_art(clause: str) -> bool:
    """Whether a clause only says that the title is word art."""
    return _ART.fullmatch(clause.strip(_TRIM)) is not None


def strip_entry(order: str, kinds: AbstractSet[str]) -> str:
    """An order for a chart or totals of rows, without the words that have the rows written first."""
    if found := _MEASURE.match(order):
        by = _SUMMED.search(order, found.end())
        if by is not None and not re.search(r"[,，、的]|如下", found["measure"]):
            said = f"按{by['by']}汇总{found['measure']}"
            order = f"{order[found.end() : by.start()]}{said}{order[by.end() :]}".strip(" ,，")
    for form in _ENTRY if kinds & {"chart", "grouped"} else ():
        order = form.sub(_name_data, order)
    return order


def _name_data(found: "re.Match[str]") -> str:
    """What stands for the words that have the rows written: what the rows are, where they are called by a name."""
    what = found.groupdict().get("what")
    if what is None and not found.groupdict().get("verb") and not found.groupdict().get("rest"):
        return ""
    is_named = (
        what is not None and re.fullmatch(r" (?:series|data|figures|numbers|values|rows)", what, re.IGNORECASE) is None
    )
    named = f"of{what}" if is_named else ""
    if found["verb"]:
        return f"make {found['article'] or 'a '}{found['type']} {named}".rstrip()
    return f"{found['rest']}{' ' if named else ''}{named}"


def strip_back(words: str) -> str:
    """Words without what only points to the lines below or above."""
    for form in _BACK:
        words = form.sub("", words)
    return words.strip(" ,，;；:：。")


def is_assured(clause: str, kinds: AbstractSet[str]) -> bool:
    """Whether a clause only says what a plan of these kinds has anyway."""
    mask = RequestText(clause).mask.strip(_TRIM)
    return any(kind in kinds and re.fullmatch(form, mask, re.IGNORECASE) for kind, form in _ASSURED)


def name_quoted(order: str) -> tuple[str, str]:
    """An order for a thing that is only named by a quotation (一张「设备清单」表), and that name as its title."""
    text = RequestText(order)
    shown = _show_quotes(text)
    found = _NAMED.search(shown)
    if found is None or len(text.quotes) != 1:
        return order, ""
    start, end = found.span()
    return f"{order[:start]}{found['one']}表格{order[end:]}", text.quotes[0].text


def _show_quotes(text: RequestText) -> str:
    """The mask of an order with the words of its quotations."""
    shown = text.mask
    for one in text.quotes:
        shown = f"{shown[: one.start]}{text.raw[one.start : one.end]}{shown[one.end :]}"
    return shown


def restate_total(order: str) -> str:
    """An order whose row of totals is named by a quotation, in plain words."""
    text = RequestText(order)
    found = _TOTAL_ROW.search(_show_quotes(text))
    if found is None:
        return order
    name = found["zh"] or found["en"] or found["row"]
    said = f"最后一行为{name}" if found["zh"] else f"with a {name.lower()}"
    order = _AMOUNTS.sub(" ", order) if found["en"] else _EACH_AMOUNT.sub("", order)
    found = _TOTAL_ROW.search(_show_quotes(RequestText(order)))
    if found is None:
        return order
    is_total = re.fullmatch(r"合计|总计|总额|总价|(?:grand )?total", name, re.IGNORECASE)
    return f"{order[: found.start()]}{said}{order[found.end() :]}" if is_total else order
