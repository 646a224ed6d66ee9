"""Words that name the same column, sheet or slide in the other language: amount and 金额."""

import re
from typing import Final

__all__ = ["find_synonyms"]

_PAIRS: Final = (
    (("金额", "销售额", "总额"), ("amount", "sales amount", "sum of money")),
    (("数量",), ("quantity", "qty")),
    (("单价", "价格"), ("unit price", "price")),
    (("区域", "地区", "大区"), ("region", "area")),
    (("日期", "时间"), ("date",)),
    (("产品", "商品", "品名"), ("product", "item name")),
    (("销售员", "业务员", "销售人员"), ("salesperson", "sales rep", "seller")),
    (("姓名", "名字"), ("name",)),
    (("部门",), ("department",)),
    (("电话", "手机", "联系电话"), ("phone", "telephone")),
    (("状态",), ("status",)),
    (("客户",), ("customer", "client")),
    (("城市",), ("city",)),
    (("备注",), ("remark", "note")),
    (("预算",), ("budget",)),
    (("实际",), ("actual",)),
    (("差额",), ("difference", "variance")),
    (("成本",), ("cost",)),
    (("收入",), ("revenue", "income")),
    (("利润",), ("profit",)),
    (("销售",), ("sales",)),
    (("方案", "计划"), ("plan",)),
    (("进度", "进展"), ("progress",)),
    (("总结", "小结"), ("summary", "conclusion")),
    (("背景",), ("background",)),
    (("封面",), ("cover",)),
    (("目录", "议程"), ("agenda", "contents")),
    (("风险",), ("risks", "risk")),
    (("团队",), ("team",)),
    (("问题",), ("problems", "issues")),
)


# Words of one language for the same column.
_SAME: Final = (
    ("姓名", "名字", "人名"),
    ("电话", "手机", "联系电话", "手机号", "手机号码", "电话号码"),
    ("部门", "科室"),
    ("备注", "说明"),
    ("单价", "价格"),
    ("金额", "销售额", "销售金额", "总金额"),
    ("department", "dept"),
    ("quantity", "qty"),
    ("telephone", "phone"),
)


def find_synonyms(name: str) -> list[str]:
    """Names of the same thing in the other language; empty if the word is not known."""
    plain = re.sub(r"\s*[（(\[].*$", "", name).strip().lower()
    same = [one for group in _SAME if plain in group for one in group if one != plain]
    for chinese, english in _PAIRS:
        if plain in chinese:
            return [*same, *english]
        if plain in english or plain.rstrip("s") in english:
            return [*same, *chinese]
    return same
