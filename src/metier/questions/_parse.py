"""Reads a question about results: which rows, which order, which limits. A request for work is no question."""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.names import is_command
from metier.patterns import compile_later
from metier.questions._numbers import (
    Limit,
    count_limits,
    find_count,
    find_limits,
    find_place,
    find_rows,
    find_slice,
    normalise,
)
from metier.questions.queries import is_edit_order, looks_like_query
from metier.questions.remarks import has_remark_shape
from metier.questions.shapes import has_shape

RowKind = Literal["row", "slice", "compare", "rank", "sort", "filter", "list", "all", "changes", "value"]
FigureKind = Literal["count", "mean", "median", "sum", "range", "causes", "summary", "gain"]
QuestionKind = RowKind | FigureKind | Literal["chart", "data", "export", "continue", "query"]
ChartKind = Literal["line", "grouped_bar", "stacked_bar", "scatter", "heatmap", "table"]
Order = Literal["low", "high", "worst", "best"]

_MAX_CHARS: Final = 120
_SHORT_CHARS: Final = 12


def _compile(*patterns: str) -> re.Pattern[str]:
    return compile_later("|".join(patterns), re.IGNORECASE)


# A request for work: never a question about what is on screen.
_REQUEST: Final = _compile(
    r"分析|优化(?!前|后|提升|效果|带来|改善)|仿真(?!之?后|结果|[A-Z]|覆盖)|模拟|下发|撤销|回退|诊断|做一[次个份]|帮我写|生成|制定"
    r"|安排|新建|是什么意思|什么是|怎么办|怎么处理|如何"
    r"|怎么(?:算|查|判断|配|调|改)|找出|排查|定位|再看看|也看",
    r"\b(?:analy[sz]e|analysis|optimi[sz]e|simulate|simulation|apply|undo|diagnose|draft|write|plan|create"
    r"|how (?:do|can|to|is .* (?:computed|defined|measured))|what (?:does|do) .* mean|what is (?:a |an )?[a-z]+\?*$)\b",
)
# What was done, not what shall be done: 下发以后, "after we applied it", 刚才下发的.
_DONE: Final = _compile(
    r"(?:优化|仿真|下发|调整|撤销)了?(?:之|以)?(?:后|前)|(?:刚才|刚刚|已经?|上次|这次)(?:下发|优化|仿真|撤销)(?:了|过|的)?|下发[了过]",
    r"\b(?:after|before|since|when) (?:we|you|i|they|it was|it is|they were)?\s*"
    r"(?:applied|undid|simulated|optimi[sz]ed)(?: (?:it|them))?\b"
    r"|\b(?:after|before) (?:the |applying |undoing )?(?:them|it|optimi[sz]ation|simulation|apply(?:ing)?|undo)?",
)
_CAUSES: Final = _compile(
    r"根因|原因|为什么|为啥|为何|怎么会|问题出在哪|哪里(?:有|出)了?问题",
    r"\bwhy (?:is|are|does|do|so)\b|\bcauses?\b|\breasons?\b|\bwhat(?:'s| is| went) wrong\b",
)
# Rows with none, or with several: the list of causes is no answer to that.
_WITH_SO_MANY_CAUSES: Final = _compile(
    r"没(?:有|查|找|定)|[无缺]\s*(?:根因|原因)|[两二三多]\s*[个种项]?(?:以上)?的?(?:根因|原因)|不止一",
    r"\b(?:no|without|unknown|two|three|both|several|multiple|more than one)\b.{0,12}\b(?:causes?|reasons?)\b",
)
_COMPARE: Final = _compile(
    r"比较|对比|相比|比一比|比一下|比比|差(?:多少|几|别|距)|相差|哪个(?:更|比较)?(?:好|差|高|低|强|弱)|[和与跟].{1,10}哪[个家台].{0,8}(?<!最)[高低好差强弱多少大小][？?]?$"
    r"|[高低多少强弱好差](?:多少|几)\s*(?:dB|个百分点|度)?",
    r"\bcompare|\bversus\b|\bvs\b|\bdifference\b|\bgap\b|\bside by side\b"
    r"|\bhow much (?:lower|higher|better|worse|more|less)\b"
    r"|\bwhich (?:one )?is (?:the )?(?:worse|better|higher|lower|stronger|weaker)\b",
)
_COUNT: Final = _compile(
    r"多少[个行条]|(?<!哪)几[个条行处台张家份]|有多少|(?:一共|总共|共|多少)(?:是|有)?多少|多少(?:是|小区|栅格|行)|数量|个数|有几",
    r"\bhow many\b|\bcount\b|\bnumber of\b",
)
_SHARE: Final = _compile(
    r"占多少|占几|多少比例|(?:的|占)比例|百分之几|几成|占比(?:是|有)?多少",
    r"\bwhat (?:share|percentage|percent|proportion|fraction|part)\b|\bpercentage of\b|\bproportion of\b",
)
_GAIN: Final = _compile(
    r"提升|提高|改善|恶化|(?:优化|仿真|调整)?前后|变化(?:了|是|最)?|变好|变差",
    r"\bimprov|\bgained\b|\bbefore and after\b|\bbefore vs\.? after\b|\bchanged? (?:by|the most)\b"
    r"|\b(?:got|become|became) (?:worse|better)\b|\bworsened\b|\bdegraded\b",
)
_CHANGES: Final = _compile(
    r"(?:新增|增配)(?:了)?(?:多少|几|邻区)|(?:要|需要?|建议|推荐|应该?|该)(?:怎么)?(?:改|调)|改(?:什么|哪些|成|到|为)|调(?:什么|哪些|成|到|为)|是改|推荐(?:参数|改动|调整)(?:里|中|有)",
    r"\b(?:need|needs|should|to be|recommended|suggested)\b.{0,30}\bchange[ds]?\b|\bchange[ds]? at\b"
    r"|\bare recommended\b|\brecommended (?:changes|adjustments)\b"
    r"|\bwhat (?:should|must) (?:be|we) (?:changed?|adjust)",
)
_EXCEPT: Final = _compile(r"除了|除去|不算|除\d", r"\b(?:except|apart from|excluding|other than|besides)\b")
_NOT: Final = _compile(r"不是|不属于|没有(?!超|到|达)|并非|不存在|没被", r"\bnot\b|\bwithout\b|n't\b")
_WHETHER: Final = _compile(r"吗[？?]?$|(.)不\1|是不是|是否|有没有|算不算", r"^(?:is|are|does|do|has|have|was|did)\b")
_SUMMARY: Final = _compile(
    r"(?:呢|怎么样|如何|咋样|情况)[？?]?$", r"^(?:and|what about|how (?:is|are|good|bad|about|high|low))\b"
)
_VALUE_OF: Final = _compile(
    r"(?:是|有|为|占比?)?多少[？?]?$|吗[？?]?$",
    r"^what(?:'s|s| is| was| are) the .+ (?:of|for|at|in) |^(?:is|are|does|has) ",
)
_OF_ANSWER: Final = _compile(
    r"(?:把|将)?(?:刚才|上一?[个次]|上面|以上|这个|这些)的?(?:结果|回答|答案|数据|表|内容)?.{0,4}画",
    r"\b(?:chart|plot|graph|draw|visuali[sz]e)\b.{0,12}\b(?:last|previous|that|this|it|them|these|those)\b",
    r"\b(?:chart|plot|graph|picture) (?:of|for) (?:the )?(?:last|previous|that|this)\b",
)
_MEAN: Final = _compile(r"平均(?!提升|改善)|均值(?:是|多少)", r"\baverage\b|\bmean\b")
_MEDIAN: Final = _compile(r"中位|中值", r"\bmedian\b")
_SUM: Final = _compile(r"总和|合计|总计|总量|加起来|求和|之和", r"\bsum\b|\btotal\b|\bin total\b|\baltogether\b")
_FIGURES: Final[tuple[tuple[re.Pattern[str], FigureKind], ...]] = (
    (_MEDIAN, "median"),
    (_SUM, "sum"),
    (_MEAN, "mean"),
    (_CAUSES, "causes"),
    (_COUNT, "count"),
)
_LIST: Final = _compile(
    r"哪些|哪几[个台张家份]|哪[个台张家份]|重合|既.{1,12}又|同时(?:有|是|存在)|有没有|列出|列一下|列举|名单|有哪|的小区$|有问题吗",
    r"\bwhich\b|\blist\b|\bany\b|\bare there\b|\bshow\b|\bname\b|\bwhat (?:about|are)\b"
    r"|^(?:the )?cells (?:with|without|that|in)\b",
)
_ALL: Final = _compile(
    r"(?:全部|所有|完整|整个|整张)的?(?:小区|栅格|行|表|结果|数据|列表|名单|参数)",
    r"\b(?:all|every|full|entire|whole|complete)(?: the)? (?:cells?|rows?|tables?|results?|list|grids?|parameters?)\b",
)
_SHOW_ALL: Final = _compile(r"显示|列出|看|给|展示", r"\b(?:show|list|see|give|display|print)\b")
_SORT: Final = _compile(
    r"排(?:个)?序|排列|排一下|升序|降序",
    r"\bsort(?:ed)?\b|\border(?:ed)?\b.{0,30}\bby\b|\brank(?:ed)?\b.{0,30}\bby\b|\barrange",
)
_ORDERS: Final[tuple[tuple[re.Pattern[str], Order], ...]] = (
    (
        _compile(
            r"从低到高|从小到大|由低到高|由小到大|升序|从弱到强",
            r"\bascending\b|\bincreasing\b|\blow(?:est)? to high|\b(?:lowest|smallest) first\b",
        ),
        "low",
    ),
    (
        _compile(
            r"从高到低|从大到小|由高到低|由大到小|降序|从强到弱",
            r"\bdescending\b|\bdecreasing\b|\bhigh(?:est)? to low|\b(?:highest|largest) first\b",
        ),
        "high",
    ),
    (
        _compile(r"最差|最糟|最烂|最严重|从差到好|第.{1,2}差", r"\bmost severe\b|\bworst\b|\bpoorest\b|\bbottom\b"),
        "worst",
    ),
    (_compile(r"最好|最优|最佳|从好到差", r"\bbest\b"), "best"),
    (
        _compile(r"最[低小弱少]|第.{1,2}[低弱](?!于|过)", r"\b(?:lowest|smallest|weakest|fewest|least|min(?:imum)?)\b"),
        "low",
    ),
    (
        _compile(
            r"最[高大强多忙重]|第.{1,2}[高强](?!于|过)",
            r"\b(?:highest|largest|biggest|strongest|busiest|most|max(?:imum)?|peak)\b",
        ),
        "high",
    ),
)
_CHARTS: Final[tuple[tuple[re.Pattern[str], ChartKind | None], ...]] = (
    (_compile(r"折线|线图|曲线|走势图", r"\bline (?:chart|graph|plot)|\bas (?:a )?lines?\b|\bcurves?\b"), "line"),
    (_compile(r"堆叠|堆积", r"\bstacked\b"), "stacked_bar"),
    (_compile(r"柱状|柱形|条形|柱图", r"\bbars?\b|\bcolumn chart"), "grouped_bar"),
    (_compile(r"散点|点图", r"\bscatter|\bas (?:points|dots)\b|\b(?:dot|point) (?:chart|plot)"), "scatter"),
    (_compile(r"热力", r"\bheat ?map"), "heatmap"),
    (_compile(r"(?:换成|改成|用|以|显示为|看)表格?(?:显示)?", r"\bas (?:a )?table\b"), "table"),
    (
        _compile(r"饼[状形]?图?|环[状形]?图|雷达图|面积图", r"\b(?:pie|do(?:ugh)?nut|radar|area) (?:chart|plot|graph)"),
        None,
    ),
)
_CHART_WORDS: Final = _compile(
    r"换|改|用|以|显示|展示|画|变|看|转|做成",
    r"\b(?:as|show|draw|change|switch|make|turn|use|plot|display|get|give|have|see|into|instead)\b",
)
_DRAW: Final = _compile(
    r"画成?(?:一?[张个])?图|做成图|用图(?:表)?(?:显示|表示|展示)",
    r"\b(?:draw|plot|show|chart)\b.{0,20}\b(?:chart|graph|plot)\b",
)
_PLOT: Final = _compile(r"画", r"^(?:please )?(?:draw|plot|chart|graph)\b")
_DRAWN: Final = _compile(
    r"画成?(?:一?[张个])?(?:柱状|折线|散点|曲线)?图?|做成(?:柱状|折线|散点)?图|用?(?:柱状|折线|散点|曲线)图(?:显示|表示|展示)?",
    r"\b(?:draw|plot|chart|graph)\b|\bas (?:a )?(?:bar|line|scatter)? ?(?:chart|graph|plot|bars|lines)\b",
)
_DATA: Final = _compile(
    r"图表?(?:背后|后面|里|中|的)?的?(?:原始)?数[据值字]|原始数[据值字]|背后的数[据值字]|具体数[据值字]",
    r"\braw (?:data|numbers|figures|values)\b|\bchart'?s data\b"
    r"|\b(?:data|figures|numbers|values) (?:behind|of|in|for|on) (?:the |this |that )?(?:chart|graph|plot|picture)",
)
_FILE: Final = "(?:pdf|word|docx|html)"
_EXPORT: Final = _compile(
    r"^(?:请|帮我|把|可以|能不能|能|我想|我要|这[个份]?|分析|结果|报告|对话|它|全部)*(?:导出|下载|保存|另存|存)"
    rf"(?:成|为|一?份|个|一下|到|本地|结果|报告|对话|文件|文档|表格|分析|{_FILE}|网页|版|的|吧|吗|下来)*$",
    rf"^(?:请|帮我|给我)*(?:生成|做|出|要|写|转)(?:成|为|一?[份个])*{_FILE}(?:格式|的|分析|优化|报告|文档|文件|版|吧)*$",
    r"^(?:please |can you |could you |can i |i want to |let me )*(?:export|download|save)\b"
    rf"(?: (?:it|this|that|the|as|to|in|an?|report|results?|analysis|conversation|file|{_FILE}))*$",
    r"^(?:please |can you |could you )*(?:make|create|generate|give me|i (?:want|need))(?: me)? (?:a |an |the )?"
    rf"{_FILE}(?: (?:report|document|file|version))?(?: of (?:it|this|that|the (?:report|results)))?$",
)
_POLITE: Final = compile_later(r"(?:,? please)?[ 。.!！?？]*$", re.IGNORECASE)
_CONTINUE: Final = compile_later(
    r"(?:请|好的?[，,]?)?(?:继续|接着(?:来|做|说)?|下一步(?:呢|做什么|是什么)?|然后呢|接下来(?:呢|做什么|怎么做)?|还能做什么)(?:吧|呀)?[？?。.！!]*"
    r"|(?:please )?(?:continue|go on|carry on|next(?: step)?|what(?:'s| is)? next|what now|and then)[?.!]*",
    re.IGNORECASE,
)
# Takes back what was said before; the question stands behind it.
_OPENING: Final = compile_later(
    r"^(?:(?:抱歉|对不起|啊|哦)?[，,]?\s*(?:我?(?:说|问|写|打|搞|弄)错了|我的意思是|我是说|我是问|等一?下|稍等)[，,。:：]?\s*(?:我?(?:要|想)?(?:说|问)?的?是)?"
    r"|(?:oh|sorry|oops)?,?\s*(?:i (?:mean|meant|misspoke|was wrong)|my mistake|hold on|wait)[,.:]\s*"
    r"|(?:that's|that is|this is|it's|you're|you are)\s+(?:wrong|incorrect|not\s+right|mistaken)[,.:]\s*"
    r"|(?:这|那|这个|结果|你说的|你)?(?:不对|错了)[，,。]\s*)",
    re.IGNORECASE,
)
_CODE: Final = compile_later(r"\d{2,}-\d+|\b[A-Z]{1,4}[-_]?\d{2,}\b|\d{5,}")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about results. `rows` are row numbers (−1 is the last), `limits` thresholds, `count` how many rows.

    `count` of a slice is negative from the end. A question of the kind `chart` without a type asks for any chart, and
    with `is_unknown_chart` for one that cannot be drawn; `is_of_answer` for one of the answer before. `place` is which
    one of an order is meant. `has_more_limits` says that only the first of several limits was read. `said` is the
    message as it was written. A question of the kind `query` is one only if its words are those of a table.
    """

    kind: QuestionKind
    text: str
    rows: tuple[int, ...] = ()
    limits: tuple[Limit, ...] = ()
    order: Order | None = None
    count: int = 1
    chart: ChartKind | None = None
    is_unknown_chart: bool = False
    is_of_answer: bool = False
    place: int = 0
    has_more_limits: bool = False
    is_negated: bool = False
    asks_whether: bool = False
    asks_share: bool = False
    asks_why: bool = False
    has_exception: bool = False
    said: str = ""

    @property
    def is_specific(self) -> bool:
        """Whether the words alone make it a question about results; the others need results that they name."""
        return self.kind not in ("list", "all", "causes", "export", "summary", "value", "query")


def parse_question(message: str) -> Question | None:
    """Read the message as a question about results; None if it is none, or rather a request for work."""
    message = _OPENING.sub("", message.strip())
    text = message.strip()
    if not text or len(text) > _MAX_CHARS or "\n" in text or is_command(text):
        return None
    if _CONTINUE.fullmatch(text):
        return Question("continue", text)
    text = normalise(text)
    if _EXPORT.search(_POLITE.sub("", text)):
        return Question("export", text)
    is_remark = has_remark_shape(text)
    if _REQUEST.search(_DONE.sub(" ", text)):
        return Question("query", text, said=message) if is_remark else None
    found = _parse_chart(text)
    if found is None and is_edit_order(text):
        return None
    found = found or _parse_rows(text)
    if found is None:
        is_query = is_remark or looks_like_query(message) or has_shape(message)
        return Question("query", text, said=message) if is_query else None
    if found.kind in ("chart", "data"):
        return replace(found, said=message)
    bare = re.sub("有没有|没有(?=到|达|超)", " ", text)
    return replace(
        found,
        has_more_limits=count_limits(text) > 1,
        is_negated=_NOT.search(bare) is not None and not found.limits,
        asks_whether=_WHETHER.search(text) is not None,
        asks_share=_SHARE.search(text) is not None,
        has_exception=_EXCEPT.search(text) is not None,
        said=message,
    )


def parse_charted(text: str) -> Question | None:
    """The rows that a chart shall show: "the ten lowest"; None if the words name none."""
    found = _parse_rows(_DRAWN.sub(" ", text))
    return found if found is not None and found.kind in ("rank", "filter", "slice") else None


def _parse_chart(text: str) -> Question | None:
    if _DATA.search(text):
        return Question("data", text)
    if _OF_ANSWER.search(text) and not any(pattern.search(text) for pattern, _ in _CHARTS):
        return Question("chart", text, is_of_answer=True)
    for pattern, kind in _CHARTS:
        if pattern.search(text) and (_CHART_WORDS.search(text) or len(text) <= _SHORT_CHARS):
            is_of_answer = _OF_ANSWER.search(text) is not None
            return Question("chart", text, chart=kind, is_unknown_chart=kind is None, is_of_answer=is_of_answer)
    is_drawn = _DRAW.search(text) or (_PLOT.search(text) and parse_charted(text) is not None)
    return Question("chart", text) if is_drawn else None


def _parse_rows(text: str) -> Question | None:
    orders = tuple(dict.fromkeys(order for pattern, order in _ORDERS if pattern.search(text)))
    order = orders[0] if orders else None
    if _GAIN.search(text):
        return Question("gain", text, find_rows(text), order=order, count=find_count(text))
    if _CHANGES.search(text):
        return Question("changes", text, find_rows(text))
    if _COMPARE.search(text):
        return Question("compare", text, find_rows(text), order=order)
    if _SORT.search(text):
        return Question("sort", text, order=order or "high")
    if limits := find_limits(text):
        return Question("filter", text, limits=limits)
    if {"low", "high"} <= set(orders) or {"worst", "best"} <= set(orders):
        return Question("range", text)
    return _parse_figures(text, order)


def _parse_figures(text: str, order: Order | None) -> Question | None:
    figure = next((kind for pattern, kind in _FIGURES if pattern.search(text)), None)
    if _CODE.search(text) and figure in ("count", "causes", None) and order is None:
        return Question("row", text, find_rows(text), asks_why=figure == "causes")
    if figure == "causes" and (rows := find_rows(text)):
        return Question("row", text, rows, asks_why=True)
    if figure == "causes" and _WITH_SO_MANY_CAUSES.search(text):
        return Question("query", text)
    if figure is not None:
        return Question(figure, text)
    if _SHARE.search(text):
        return Question("value" if "占比" in text else "count", text)
    if order is not None:
        return Question("rank", text, order=order, count=find_count(text), place=find_place(text))
    return _parse_listed(text)


def _parse_listed(text: str) -> Question | None:
    rows = find_rows(text)
    if len(rows) > 2:
        return Question("row", text, rows)
    if head := find_slice(text):
        return Question("slice", text, count=head)
    if rows or _CODE.search(text):
        return Question("row", text, rows)
    if _ALL.search(text) and _SHOW_ALL.search(text):
        return Question("all", text)
    if _LIST.search(text):
        return Question("list", text)
    if _SUMMARY.search(text):
        return Question("summary", text)
    return Question("value", text) if _VALUE_OF.search(text) else None
