"""Drafts for sheets: series with charts, budgets, totals per group, Gantt tables and plain tables."""

import re
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._slots import TableSize
from metier.packs.office.drafting._titles import take_chart_type, take_title
from metier.packs.office.drafting._topics import (
    Kind,
    TopicMention,
    assume_mention,
    find_joined_mentions,
    find_mentions,
)
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.content._charts import find_chart_data
from metier.packs.office.drafting.content._records import (
    NamedNumbers,
    NumberRole,
    find_records,
    order_numbers,
    read_unit,
)
from metier.packs.office.drafting.content._sheet_blocks import (
    begin_sheet,
    write_budget,
    write_gantt,
    write_grouped,
    write_series,
)
from metier.packs.office.drafting.content._tables import draft_plain_table
from metier.packs.office.drafting.lists import find_columns_lists, find_lists

__all__ = ["draft_sheet"]

_KINDS: Final[tuple[Kind, ...]] = ("budget", "grouped", "gantt", "chart", "quotation", "table")
# Formats that amounts have anyway.
_FORMATS_OF_MONEY: Final = (
    r"(?:金额|数字|数值|差额)?(?:都|要|请)*(?:保留|取)?[两二2]位小数|(?:金额|数字)?(?:都|要|请)*[加带用](?:上)?千分[位号](?:符|分隔符?)?|"
    r"(?:超支|负数|超出预算)的?(?:都|要|请|用|行|部分)*标?(?:成|为)?红(?:色|字)?(?:显示|标出)?|"
    r"\b(?:with )?(?:two|2) decimals?(?: places?)?|\b(?:with )?(?:a )?thousands? separators?|\boverspends? in red\b"
)
_ACTUAL_MINUS_BUDGET: Final = (
    r"(?:(?:就|都)?(?:是|为|等于|=|用|按|拿))?[^\s,，。;:()=]{0,3}(?:实际|执行|支出|花费|已用|完成)[^\s,，。;:()减-]{0,2}\s*(?:减去?|-)\s*"
    r"[^\s,，。;:()]{0,2}(?:预算|计划|批复|核定)[^\s,，。;:()要用的]{0,2}(?=(?:要|用|的|公式|计算|哈)*(?:[,，。;)]|$))"
)
_GROUPED_BY: Final = re.compile(r"按([^,，。;；:：\s]{1,4}?)(?:用公式|给|把|来)*(?:汇总|合计|统计|求和|分组|加总)")
_SUMMED: Final = r"(?:用公式|帮我|给我)*(?:汇总|合计|统计|求和|加总)"
_MEASURE: Final = r"(?!下|以|上|这|那|它|数据|数字|记录|内容|明细|各)([\u4e00-\u9fff]{2,6}?)"
_AMOUNTS: Final = (
    re.compile(rf"[把将]{_MEASURE}(?:用公式|请|都)*按[^,，。;；:：\s]{{1,4}}?{_SUMMED}"),
    re.compile(rf"按[^,，。;；:：\s]{{1,4}}?(?:用公式|帮我|给我)*[把将]{_MEASURE}{_SUMMED}"),
    re.compile(
        r"按[^,，。;；:：\s]{1,4}?(?:汇总|合计|统计|求和|加总)(?:一下|各自的?|出来?(?![库差勤口租版货行诊院入生资席让台厂场境产院]))*(?!出来|来|一下|数据|结果|如下|下)([\u4e00-\u9fff]{2,6}?)(?:合计|总数|总和|之和)?\s*(?=[(（:：,，。]|$)"
    ),
    re.compile(
        r"[各每]个?[^,，。;；:：\s的]{1,4}的([\u4e00-\u9fff]{2,6}?)(?:给我|帮我|都|请)*(?:汇总|合计|统计|求和|加总|总数|总和|算)"
    ),
    re.compile(r"(?:下列|下面的?|以下|这些)([\u4e00-\u9fff]{2,6}?)(?:请|帮我|给我)?(?:按|用公式按)"),
)
# Weeks of each task, or not from the first one: no number of weeks of the whole.
_NOT_ALL_WEEKS: Final = (
    rf"(?:每|各|均)[^,，。;:、]{{0,6}}?{COUNT}\s*个?(?:周|星期)|第\s*{COUNT}\s*周?\s*(?:到|至|[-–—~～])|"
    rf"第\s*{COUNT}\s*周[^,，。;:、]{{0,4}}(?:空|停|休|歇|不)|"
    rf"\b(?:each|every|apiece)\b[^.;:]{{0,24}}?\b{COUNT}[\s-]+weeks?\b|\b{COUNT} weeks? (?:each|apiece|per)\b"
)
_EMPTY_GRID: Final = r"空格子|\bempty grid\b"


def draft_sheet(text: RequestText, size: TableSize, language: Language) -> list[DraftBlock]:
    """DraftBlock of a sheet for this request; each has its own sheet, so that nothing else is touched."""
    mentions = find_mentions(text, _KINDS)
    mentions += (
        find_mentions(RequestText(text.raw), ("grouped",))
        if all(one.topic.kind != "grouped" for one in mentions)
        else []
    )
    if names := find_joined_mentions(text, mentions):
        raise Unclear("several", names=names)
    kinds = {one.topic.kind: one for one in reversed(mentions)}
    if "gantt" in kinds:
        return [_draft_gantt(text, language)]
    if "budget" in kinds or _names_budget(text):
        if size.total:
            raise Unclear("unsupported", part=choose(language, zh="合计", en="total"))
        return [_draft_budget(text, kinds.get("budget") or assume_mention("budget"), language)]
    if "chart" in kinds or text.has(r"折线|柱状|柱形|饼图|\bas (?:a )?(?:line|bars?|pie)\b"):
        return [_draft_series(text, language)]
    if "grouped" in kinds:
        return [_draft_grouped(text, kinds["grouped"], language)]
    is_table = size.grid is not None or ((size.rows or size.header_only) and find_columns_lists(text))
    if "table" in kinds or "quotation" in kinds or is_table:
        mention = kinds.get("table") or kinds.get("quotation") or assume_mention("table")
        return [_draft_table(text, mention, size, language)]
    raise Unclear("no_object")


def _names_budget(text: RequestText) -> bool:
    """Whether the columns of a request are those of a budget: what was planned, what was spent, and the difference."""
    roles = (
        r"预算|计划|批复|核定|budget|plan",
        r"实际|执行|支出|花费|已用|完成|actual|spent",
        r"差|结余|variance|difference|delta",
    )
    return any(
        len(found.items) in (3, 4)
        and all(any(re.search(role, name, re.IGNORECASE) for name in found.items) for role in roles)
        for found in find_lists(text)
    )


def _draft_series(text: RequestText, language: Language) -> DraftBlock:
    title = take_title(text)
    kind = take_chart_type(text)
    data = find_chart_data(text, language)
    if data is None:
        raise Unclear("no_chart_data")
    if kind is None:
        raise Unclear("chart_type")
    return write_series(data, kind, title, language)


def _draft_budget(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    title = take_title(text)
    records = _take_records(text)
    if not records or any(len(one.numbers) != 2 for one in records):
        raise Unclear("budget_numbers")
    columns = _budget_columns(text, mention, language)
    text.take_all(
        r"(?:最后)?(?:并|再|另)?(?:增加|新增|加上?|算出|计算|求出?|附上?|"
        r"显示)?(?:一?列)?(?:差额|差异|差值|偏差)列?(?:用公式计算|自动计算)?|"
        r"(?:and )?(?:add |show |compute |calculate |with )*(?:an? |the )?(?:difference|variance)(?: column)?"
    )
    _take_formula_words(text, columns[3])
    text.take_all(_FORMATS_OF_MONEY)
    is_actual_first = re.search(r"实际|支出|花|actual|spent", columns[1], re.IGNORECASE) is not None
    roles: tuple[NumberRole, NumberRole] = ("actual", "budget") if is_actual_first else ("budget", "actual")
    ordered = [one for record in records if (one := order_numbers(record, roles))]
    if len(ordered) != len(records):
        raise Unclear("budget_numbers")
    first, second = ("C", "B") if is_actual_first != bool(text.take(_ACTUAL_MINUS_BUDGET)) else ("B", "C")
    rows = [(one.name, *one.numbers) for one in ordered]
    sheet = title or mention.topic.title(language)
    return write_budget(columns, rows, f"{first}{{row}}-{second}{{row}}", title, language, sheet=sheet)


def _take_formula_words(text: RequestText, column: str) -> None:
    """Words that ask for what a budget has anyway: a formula in its last column, and separators of thousands."""
    name = re.escape(column)
    text.take_all(
        rf"{name}(?:那|这)?(?:一)?[列栏]?(?:要|请|都|的数)*(?:用|写|填|设)?(?:成|上)?公式(?:来|去)?(?:计算|算|求|得)?(?:出来?)?|"
        rf"(?:用|写)公式(?:来|去)?(?:计算|算|求)(?:出)?{name}(?:那?[列栏])?|"
        rf"\b(?:please )?(?:use |with |put |have )?(?:a |live )?formulas? (?:for|in) (?:the )?{name}(?: column)?\b|"
        rf"\b(?:the )?{name}(?: column)? (?:should be|is|as|must be|by|with) (?:a )?formulas?\b"
    )
    text.take_all(
        r"(?:数字|金额|数值|数)?(?:都|要|得|请)*(?:有|带|用|加|显示)(?:上)?千[位分](?:位)?(?:分隔(?:符|号)?|符)?|"
        r"\b(?:with |use )?thousands? separators?\b"
    )


def _budget_columns(text: RequestText, mention: TopicMention, language: Language) -> tuple[str, ...]:
    """Columns as named; the first may be left out, the difference is always the last."""
    defaults = mention.topic.default_columns(language)
    found = next((one for one in find_lists(text) if 2 <= len(one.items) <= 4), None)
    if found is None:
        return defaults
    text.consume(found.start, found.end)
    if len(found.items) == 4:
        return found.items
    has_difference = re.search(r"差|variance|difference|delta", found.items[-1], re.IGNORECASE)
    if len(found.items) == 3 and has_difference:
        return (defaults[0], *found.items)
    if len(found.items) == 3 and all(
        re.search(role, name, re.IGNORECASE)
        for role, name in zip((r"预算|计划|budget|plan", r"实际|actual|spent"), found.items[1:], strict=True)
    ):
        return (*found.items, defaults[3])
    if len(found.items) == 2 and not has_difference:
        return (defaults[0], *found.items, defaults[3])
    raise Unclear("no_columns")


def _draft_grouped(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    """Detail rows and, beside them, one live SUMIF formula for each group."""
    named = re.search(
        r"(?:按|各|分)\s*(.{1,4}?)(?:给|把[^,，。:：]{1,6}?)?(?:汇总|的|合计|统计)|\b(?:per|by|for each)\s+(\w+)",
        text.raw,
        re.IGNORECASE,
    )
    group = (named[1] or named[2]) if named else choose(language, zh="部门", en="department")
    measure = re.search(
        r"(报销金额|费用|金额|成本|工时|人数|销售额|支出)|\b(hours|costs?|sales|expenses|amounts?)\b",
        text.mask,
        re.IGNORECASE,
    )
    if len({one[1] for one in _GROUPED_BY.finditer(text.raw)}) > 1:
        raise Unclear("no_groups")
    columns = next((one for one in find_columns_lists(text) if len(one.items) == 2), None)
    amount = measure[0] if measure else _name_amount(text) or choose(language, zh="金额", en="amount")
    title = take_title(text)
    if re.search(r"平均|均值|最[多大高少小低]|占比|比例|排名", called := text.raw[mention.start : mention.end]):
        raise Unclear("unsupported", part=called)
    text.consume(mention.start, mention.end)
    text.take_all(
        r"(?:结果|合计|总数|数字|汇总)?(?:请|都|要|得)*(?:用|写|使用|拿)(?:上)?公式(?:来)?(?:算|计算|求)?(?:出来?)?|"
        r"\b(?:(?:please|with|use|using|as|in) )*(?:live |real )?formulas?\b(?: please)?"
    )  # the totals are formulas anyway
    records = _take_records(text)
    if len(records) < 2 or any(len(one.numbers) != 1 for one in records):
        raise Unclear("no_groups")
    if read_unit(records) is None:
        raise Unclear("unit")
    group, amount = (one[:1].upper() + one[1:] for one in (group, amount))
    if columns is not None:
        text.consume(columns.start, columns.end)
        group, amount = columns.items
    return write_grouped((group, amount), [(one.name, one.numbers[0]) for one in records], title, language)


def _name_amount(text: RequestText) -> str:
    """What the order itself calls the numbers: 按班组汇总加班时长, 各楼栋的报修次数合计."""
    for form in _AMOUNTS:
        if (found := form.search(text.raw)) and re.search(r"平均|最[高低大小多少]|占比|比例|[^几概]率$|排名", found[1]):
            raise Unclear("unsupported", part=found[0])
        if found:
            return found[1]
    return ""


def _draft_gantt(text: RequestText, language: Language) -> DraftBlock:
    title = take_title(text)
    if text.has(_NOT_ALL_WEEKS):
        raise Unclear("no_tasks")
    weeks = text.take(
        rf"(?:按|共|跨|时间跨度|历时|为期|排)*\s*({COUNT})\s*(?:个)?(?:周|"
        rf"星期)|(?:over|across|for|in|spanning)?\s*({COUNT})[\s-]+weeks?"
    )
    count = read_count(weeks[1] or weeks[2]) if weeks else None
    text.take_all(
        r"(?:横向|横着|往右|从左到右|列)?(?:都|要)?(?:按|以)周(?:来)?(?:排|分列?|列|画|为单位|展开)(?:开)?|\bby week\b"
    )
    text.take_all(rf"{COUNT}\s*个?任务|\b{COUNT} (?:tasks?|steps?|stages?|phases?)(?=\s*[,:(])[,:]?")
    is_empty = bool(text.take_all(_EMPTY_GRID))
    found = next((one for one in find_lists(text)), None)
    if found is None or not count or not 1 <= count <= 48:
        raise Unclear("no_tasks")
    text.consume(found.start, found.end)
    return write_gantt(found.items, count, title, language, is_empty=is_empty)


def _draft_table(text: RequestText, mention: TopicMention, size: TableSize, language: Language) -> DraftBlock:
    title = take_title(text)
    drafted = draft_plain_table(text, mention, size, "", language, is_sheet=True)
    block = DraftBlock(drafted.kind, title or drafted.name, language)
    begin_sheet(block, title or mention.topic.title(language) or choose(language, zh="表格", en="Table"))
    for action in drafted.actions:
        block.add(
            str(action["op"]), **{name: value for name, value in action.items() if name not in ("id", "title", "op")}
        )
    block.reasons += drafted.reasons
    return block


def _take_records(text: RequestText) -> list[NamedNumbers]:
    records = find_records(text)
    for one in records:
        text.consume(one.start, one.end)
    return records
