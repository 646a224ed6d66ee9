"""Quantities that people ask for by machine and that no record of vibration has: that is said, nothing is ranked."""

import re
from typing import Final

from metier.language import Language, Sentences

_UNMEASURED: Final = re.compile(
    r"销售额?|销量|营业?收入?|营收|利润|成本|价格|单价|库存|产量|产能|订单|能耗|电费|耗电量?|油耗|采购|折旧|合格率"
    r"|良品率|人工费?"
    r"|\b(?:sales|revenue|turnover|profits?|costs?|prices?|stock|inventory|orders?|output|throughput|yield|depreciation"
    r"|energy\s+(?:use|consumption)|power\s+consumption|fuel\s+consumption)\b",
    re.IGNORECASE,
)
_TEXTS: Final = Sentences(
    {
        "unmeasured": (
            "Records of vibration say nothing about “{word}”, so no machine is ranked by it. They tell condition, "
            "severity, fault and remaining life; say “which machine is in the worst condition”, or attach a table with "
            "“{word}” and ask again.",
            "振动数据里没有「{word}」，不能按它给设备排名。能比较的是状态、严重程度、故障和剩余寿命："
            "可以说「哪台设备最需要维修」；"
            "或者附上有「{word}」的表格再问。",
        )
    }
)


def describe_unmeasured(message: str, language: Language) -> str:
    """That a quantity of the message is in no record; empty if it names none."""
    found = _UNMEASURED.search(message)
    return "" if found is None else _TEXTS.render("unmeasured", language, word=found[0])
