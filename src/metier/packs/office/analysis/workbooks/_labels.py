"""What rows and columns of a table are by their names: totals, statistics, rows that close it, columns not added up."""

import re
from typing import Final

__all__ = [
    "is_added_column",
    "is_closing_label",
    "is_document_number",
    "is_level_column",
    "is_netted",
    "is_outgoing_label",
    "is_statistic_label",
    "is_total_label",
]

_TOTAL: Final = re.compile(
    r"^\s*(?:(?:(?:本|当|全|上|下)?(?:年度?|季度?|月度?|周|期|日)|金额|费用|数量|总|全部|各项|以上|人民币)?"
    r"(?:合\s*计|总\s*计|小\s*计|共\s*计|累\s*计|汇\s*总)(?=\s*(?:$|[^\u4e00-\u9fff\s]|金额|总额|费用|数|额|人|元|值))"
    r"|总\s*(?:和|额|金额|数|数量|费用)\s*(?:$|[^\u4e00-\u9fff\s])"
    r"|(?:合\s*计|总\s*计|小\s*计(?!算)|汇\s*总)(?!.*(?:公司|集团|厂|店|馆|中心|工作室|机|器|仪)\s*$)"
    r"|平\s*均(?!.{0,4}(?:机|器|仪)\s*$)|total|sum(?![a-z])|subtotal|average|grand total)",
    re.IGNORECASE,
)
_STATISTIC: Final = re.compile(
    r"^\s*(?:平\s*均|均值|最[大小高低](?:值|分|额)?(?:\s*$|[^\u4e00-\u9fff])|中位数|标准差|方差|"
    r"average|mean(?![a-z])|max(?:imum)?(?![a-z])|min(?:imum)?(?![a-z])|median)",
    re.IGNORECASE,
)
# Rows below a total that follow from it.
_CLOSING: Final = re.compile(
    r"^\s*(?:税额|税金|税款|增值税|价税|含税|不含税|折扣|优惠|抹零|应[付收]|实[付收]|已[付收]|差异|差额|结余|余额|净额|大写|核对|校验|勾稽|备注|说明|注[:：]"
    r"|(?:vat|tax|discount|balance|net|difference|check|notes?)(?![a-z]))",
    re.IGNORECASE,
)
_NOT_ADDED: Final = re.compile(
    r"余额|累计|结余|结存|单价|均价|价格|序号|编号|年龄|日期|工龄|汇率|税率|费率|单位成本|完成率|增长率"
    r"|balance|cumulative|running|price|(?:^|\s)(?:no\.?|rate|age|date)(?:$|\s)|率$",
    re.IGNORECASE,
)
_OUTGOING: Final = re.compile(
    r"支出|成本|费用|费$|减|扣|退|折让|折扣|抵|付款|expense|cost|less|discount", re.IGNORECASE
)
_INCOMING: Final = re.compile(r"收入|收款|营收|销售额|income|revenue", re.IGNORECASE)
_PART_OF: Final = re.compile(
    r"^\s*(?:其中|减[:：]|减去|扣除|优惠|折扣|折让|抹零|抵扣|discount|less\b|of which)", re.IGNORECASE
)
_LEVEL: Final = re.compile(r"期初|期末|closing|opening|ending|beginning|start of|end of", re.IGNORECASE)
_DOCUMENT: Final = re.compile(r"发票|订单|合同|单号|单据|凭证|invoice|order|contract", re.IGNORECASE)


def is_total_label(text: str) -> bool:
    """Whether a row of this name sums its table up, as a total or an average."""
    return bool(_TOTAL.match(text)) or is_statistic_label(text)


def is_statistic_label(text: str) -> bool:
    """Whether a row of this name is an average or an extreme, and no sum."""
    return bool(_STATISTIC.match(text))


def is_closing_label(text: str) -> bool:
    """Whether a row of this name follows from the total above it: a tax, a discount, what is to be paid."""
    return bool(_CLOSING.match(text))


def is_added_column(header: str) -> bool:
    """Whether adding up a column of this name says anything: not for prices, numbers in order, balances and rates."""
    return not _NOT_ADDED.search(header)


def is_level_column(header: str) -> bool:
    """Whether a column of this name says what there is at a time, so that its total may be the last of its rows."""
    return bool(_LEVEL.search(header))


def is_outgoing_label(text: str) -> bool:
    """Whether a total may take a row of this name away."""
    return bool(_OUTGOING.search(text))


def is_netted(labels: list[str]) -> bool:
    """Whether the rows are not simply added: income beside expenses, or a row that is a part of another."""
    has_both = any(map(_INCOMING.search, labels)) and any(map(_OUTGOING.search, labels))
    return has_both or any(map(_PART_OF.match, labels))


def is_document_number(header: str) -> bool:
    """Whether a document of this number may have several rows: an invoice with two items."""
    return bool(_DOCUMENT.search(header))
