"""Rows below the data of a new sheet: sums, averages, highest and lowest values, each of the columns it fits."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.composition._words import is_filled

__all__ = ["is_mixed_total", "read_totals"]

_TOTALS: Final = (
    ("SUM", r"合计|总计|总和|求和|\b(?:grand )?total\b|\bsum\b"),
    ("AVERAGE", r"平均(?:分|值|数)?|\baverage\b|\bmean\b"),
    ("MAX", r"最高(?:分|值)?|最大值?|\b(?:highest|maximum|max)\b"),
    ("MIN", r"最低(?:分|值)?|最小值?|\b(?:lowest|minimum|min)\b"),
)
_LABELS: Final = MappingProxyType({"求和": "合计", "sum": "Total"})
_TOTAL_WORDS: Final = re.compile(
    r"最后|最下面|末尾|底下|下面|再|都|另外|请|并|为|是|作为|加上?|写上?|来|要|用|公式|求和|计算|算|求|出|的|在|一?行|列|标签|名叫|和|与|"
    r"\b(?:finish|end|with|at|the|bottom|an?|add|put|give|as|last|final|row|line|rows|under|below|beneath|data|numbers|"
    r"it|them|for|of|by|formulas?|each|label|and|sum|write|there|should|be|is|one|below)\b",
    re.IGNORECASE,
)
# Numbers of which no sum is asked for: prices, shares, and what only tells things apart.
_SKIPPED: Final = re.compile(
    r"单价|价格|单位|占比|比例|率$|电话|手机|座机|号$|号码|编[号码]|代码|邮编|年份?$|年龄|日期|时间|身份证|"
    r"\b(?:price|rate|share|percent|phone|tel|telephone|mobile|fax|id|no|code|zip|postcode|year|age|date|time|sku|serial|"
    r"room|extension)\b",
    re.IGNORECASE,
)


def read_totals(said: str, names: Sequence[str], numeric: Sequence[int]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Rows below the data: their functions, labels and columns; none unless every word is read."""
    rest, found = RequestText(said).raw, []
    named = tuple(
        at
        for at in numeric
        if re.search(
            rf"(?<!\w){re.escape(names[at])}(?!\w)|"
            rf"(?<=[\u4e00-\u9fff]){re.escape(names[at])}",
            said,
            re.IGNORECASE,
        )
    )
    for function, form in _TOTALS:
        if one := re.search(form, rest, re.IGNORECASE):
            found.append((function, one))
            rest = re.sub(form, "", rest, flags=re.IGNORECASE)
    for at in named:
        rest = re.sub(re.escape(names[at]), "", rest, flags=re.IGNORECASE)
    if len(found) > 1 and len(named) > 1:
        return []  # which of them is for which column
    if not found or not is_filled(rest, _TOTAL_WORDS):
        return []
    columns = named or tuple(at for at in numeric if not _SKIPPED.search(names[at]))
    ordered = sorted(found, key=lambda one: one[1].start())
    return (
        [(function, _LABELS.get(one[0].lower(), one[0][:1].upper() + one[0][1:]), columns) for function, one in ordered]
        if columns
        else []
    )


def is_mixed_total(said: str, names: Sequence[str]) -> bool:
    """Whether a clause has several functions and several columns: which of them is for which is left open."""
    functions = [form for _, form in _TOTALS if re.search(form, said, re.IGNORECASE)]
    named = [one for one in names if one.lower() in said.lower()]
    return len(functions) > 1 and len(named) > 1
