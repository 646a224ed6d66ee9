"""A work order without its ticket: who asks, its number, until when and why; and forms that are laid out as a table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office._request_text import CHINESE
from metier.packs.office.drafting._asides import asks, begins_with_order, names_look
from metier.packs.office.drafting.briefs._layout import split_layout

__all__ = ["Ticket", "read_ticket"]

# The document that carries an order, as the first line: 数据处理单, 表格需求, Work order #12.
_HEAD: Final = re.compile(
    r"[【\[]?(?:(?:数据|表格|文档|文件|图表|页面|幻灯片|演示|办公|排版|编辑|内容){0,2}(?:处理|制作|修改|编辑|变更|加工)?(?:工单|任务单|需求单|"
    r"派工单|处理单|制作单|需求)|"
    r"(?:work|job|change|service|document|doc|slide|sheet|table) (?:order|request|ticket)(?: form)?|ticket|task sheet)"
    r"[】\]]?\s*[:：]?\s*(?:[(（#]|no\.?|nr\.?|编号)?\s*[#A-Za-z]{0,6}[-–]?[\d-]{0,16}\s*[)）]?",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"(?:任务|事项|操作|需求|诉求|请求|动作|页面|(?:工单|任务|需求|申请|办理|工作)(?:事项|内容|描述|说明)|task|request|action|order|"
    r"job|(?:task|job|work|request) description)",
    re.IGNORECASE,
)
_META: Final = re.compile(
    r"(?:(?:申请|需求|工|任务|派工|流水|来文)?单(?:编)?号|(?:工单|任务|需求|申请)编号|(?:申请|提出|需求|提交|发起|经办|委托|派单|下单|受理|"
    r"处理)(?:人员?|方|部门|单位|科室)|"
    r"(?:申请|提交|提出|派单|下单|受理)(?:日期|时间)|(?:联系|对接)(?:人|电话|方式)|(?:优先|紧急)(?:级|程度|级别)|"
    r"(?:需求|期望|要求|计划|最晚|希望)?(?:完成|交付|交稿|截止)(?:日期|时间|期限|时限)|(?:申请|需求)?(?:时限|期限)|"
    r"(?P<why>(?:申请|需求)?(?:原因|事由|缘由|理由|背景|用途))|"
    r"(?:ticket|ref(?:erence)?|order|request|job|case)(?: (?:no|nr|number|id))?\.?|"
    r"(?:requested|raised|submitted|reported|assigned|needed|wanted|required|due|approved) (?:by|on|to|for)|"
    r"request[eo]r|assignee|priority|urgency|deadline|due(?: date)?|contact|cost cent(?:er|re)|"
    r"(?P<because>reason|purpose|background|justification))",
    re.IGNORECASE,
)
_KEYED: Final = re.compile(r"\s*(?P<key>[^:：|｜\t]{1,24}?)\s*[:：]\s*(?P<value>\S.*)")
_RULE: Final = re.compile(r"[\s|:：｜-]+")
_CELLS: Final = re.compile(r"\s*[|｜]?\s*(?P<key>[^|｜\t]{1,24}?)\s*[|｜\t]\s*(?P<value>[^|｜\t]+?)\s*[|｜]?\s*")
_FORM_HEADER: Final = re.compile(
    r"(?:项目?|字段|栏目?|工单|要素|名称|field|key|item|what|property)(?:名称?)?", re.IGNORECASE
)
# A label of a part on a line of its own: 表一, Table 2.
_PART: Final = re.compile(
    r"\s*(?:表格?\s*[一二三1-3]|第\s*[一二三1-3]\s*[张个]表格?|table (?:[1-3AB]|one|two|three))\s*[:：]?\s*",
    re.IGNORECASE,
)
_MAX_VALUE: Final = 60
_MIN_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Ticket:
    """The order and its fields, the order first, and what of the ticket was left out."""

    text: str
    left_out: tuple[str, ...] = ()


def read_ticket(request: str) -> Ticket:
    """The order of a ticket, a field to a line; another message as it is."""
    lines = [one for one in request.splitlines() if one.strip()]
    if len(lines) < 2:
        return Ticket(_read_order(request) if begins_with_order(_read_order(request)) else request)
    form = _read_form(lines)
    lines = form or lines
    first = _find_first(lines)
    order = _read_order(lines[first]) if first < len(lines) else ""
    last = _find_last(lines, first)
    left_out = (*lines[:first], *lines[last:])
    if left_out and not (_has_order(lines[first], order) and _has_fields(lines[first + 1 : last])):
        return Ticket(request)
    kept = _join_parts([order, *lines[first + 1 : last]] if order else lines[first:last])
    text = "\n".join(kept)
    return Ticket(text, tuple(one.strip() for one in left_out)) if form or text != "\n".join(lines) else Ticket(request)


def _read_form(lines: Sequence[str]) -> list[str]:
    """The rows of a table of two columns, of which one says the order, as fields; empty if it is no such form."""
    head = [one for one in lines[:1] if _HEAD.fullmatch(one.strip())]
    rows = [one for one in lines[len(head) :] if not _RULE.fullmatch(one)]
    cells = [_CELLS.fullmatch(one) for one in rows]
    if len(rows) < _MIN_ROWS or not all(cells):
        return []
    pairs = [(one["key"], one["value"]) for one in cells if one]
    pairs = pairs[1:] if _FORM_HEADER.fullmatch(pairs[0][0]) and not _read_order("：".join(pairs[0])) else pairs
    said = [f"{key}：{value}" for key, value in pairs]
    has_order = sum(bool(_read_order(one)) for one in said) == 1
    is_known = all(_read_order(one) or _is_meta(one) or split_layout(one)[0].fields for one in said)
    return [*head, *said] if has_order and is_known else []


def _find_first(lines: Sequence[str]) -> int:
    """The first line behind the head of a ticket and its entries."""
    at = 1 if _HEAD.fullmatch(lines[0].strip()) else 0
    while at < len(lines) and _is_meta(lines[at]) and not _read_order(lines[at]):
        at += 1
    return at


def _find_last(lines: Sequence[str], first: int) -> int:
    """The line behind the last one that is no entry of a ticket; entries follow a field or a row, no item of a list."""
    at = len(lines)
    while at > first + 1 and _is_meta(lines[at - 1]):
        at -= 1
    before = lines[at - 1] if at else ""
    is_apart = _KEYED.fullmatch(before) is not None or re.search(r"[|｜\t]", before) is not None
    return at if is_apart else len(lines)


def _is_meta(line: str) -> bool:
    """Whether a line is an entry of a ticket whose value asks for nothing."""
    said = _KEYED.fullmatch(line)
    key = _META.fullmatch(said["key"].strip()) if said else None
    if said is None or key is None or len(said["value"]) > _MAX_VALUE:
        return False
    value = re.sub(r"\d", "", said["value"])
    pieces = re.split(r"[,，;；。]\s*", value)
    if names_look(value) or any(begins_with_order(one) for one in pieces):
        return False
    is_why = key["why"] or key["because"]
    return not asks(value) if is_why else len(pieces) == 1 and not re.search(r"[“”\"、|｜]", value)


def _read_order(line: str) -> str:
    """The order behind its own label; empty if the line has none."""
    said = _KEYED.fullmatch(line)
    if said is None or not _ORDER.fullmatch(said["key"].strip()):
        return ""
    value = said["value"].strip()
    return value if begins_with_order(value) or (asks(value) and not re.search(r"[、|｜:：]|\d{4}", value)) else ""


def _has_order(line: str, order: str) -> bool:
    return bool(order) or (begins_with_order(line) and not split_layout(line)[0].fields)


def _has_fields(lines: Sequence[str]) -> bool:
    """Whether the order has fields of its own, so that what a ticket says besides is none of them."""
    return bool(lines) and any(one.fields for one in split_layout("\n".join(lines)))


def _join_parts(lines: Sequence[str]) -> list[str]:
    """A label of a part with the fields below it on one line."""
    if sum(_PART.fullmatch(one) is not None for one in lines) < 2:
        return list(lines)
    joined: list[str] = []
    for line in lines:
        if joined and _PART.match(joined[-1]) and not _PART.fullmatch(line):
            bare = joined[-1].strip()
            sign = " " if _PART.fullmatch(joined[-1]) else "；" if CHINESE.search(line) else "; "
            joined[-1] = f"{bare}{sign}{line.strip()}"
        else:
            joined.append(line)
    return joined
