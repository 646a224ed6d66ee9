"""Columns and values that a message names, with their places in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.patterns import compile_later

if TYPE_CHECKING:
    from metier.packs.workspace.data._columns import DataColumn

MASK: Final = "\x00"
_UNIT_TAIL: Final = compile_later(r"\s*[（(][^（()）]{1,8}[)）]$")
# Names of one thing in both languages: a Chinese message may be about an English file.
_SAME: Final = (
    ("region", "area", "地区", "区域", "大区"),
    ("product", "item", "产品", "商品"),
    ("category", "类别", "品类", "分类"),
    ("channel", "渠道"),
    ("customer", "client", "客户", "顾客"),
    ("city", "城市"),
    ("department", "dept", "部门"),
    ("store", "shop", "门店", "店铺"),
    ("revenue", "sales", "turnover", "销售额", "营收", "收入", "营业额"),
    ("amount", "金额"),
    ("quantity", "units", "qty", "数量", "销量", "件数"),
    ("price", "unit price", "单价", "价格"),
    ("cost", "成本"),
    ("profit", "利润"),
    ("salary", "工资", "薪资"),
    ("score", "分数", "成绩", "得分"),
    ("class", "班级"),
    ("gender", "sex", "性别"),
    ("discount", "discount rate", "折扣率", "折扣"),
)


@dataclass(frozen=True, slots=True)
class NameHit:
    """A column's name in a message, or one of its values."""

    start: int
    end: int
    column: "DataColumn"
    level: str = ""


def find_hits(message: str, columns: "Sequence[DataColumn]") -> tuple[list[NameHit], str]:
    """Names and values in the order of the message, and the message with them masked; longer ones hide shorter ones."""
    lower, hits = message.lower(), []
    listed = [(name, column, "") for column in columns for name in _list_names(column, columns)]
    listed += [(level.lower(), column, level) for column in columns for level in column.levels if _is_telling(level)]
    for name, column, level in sorted(listed, key=lambda one: (-len(one[0]), bool(one[2]))):
        while found := _find_name(lower, name):
            hits.append(NameHit(found.start(), found.end(), column, level))
            lower = lower[: found.start()] + MASK * (found.end() - found.start()) + lower[found.end() :]
    return sorted(hits, key=lambda hit: hit.start), lower


def list_columns_with(level: str, columns: "Sequence[DataColumn]") -> list[str]:
    """Names of the columns that have this value."""
    return [one.name for one in columns if any(other.lower() == level.lower() for other in one.levels)]


def _list_names(column: "DataColumn", columns: "Sequence[DataColumn]") -> Iterator[str]:
    name = column.name.lower()
    bare = _UNIT_TAIL.sub("", name)
    yield from dict.fromkeys((name, bare or name, bare.replace("_", " ") or name))
    same = next((words for words in _SAME if bare in words), ())
    others = {_UNIT_TAIL.sub("", one.name.lower()) for one in columns if one is not column}
    if not others & set(same):
        yield from (word for word in same if word not in others and word != bare)


def _is_telling(level: str) -> bool:
    """Whether a value can be told from other words: a single letter or number cannot."""
    return len(level) > 1 and not level.isdigit() and level.lower() not in ("yes", "no", "true", "false", "the", "all")


def _find_name(text: str, name: str) -> re.Match[str] | None:
    if not name.isascii():
        return re.search(re.escape(name), text)
    return re.search(rf"(?<![a-z0-9_]){re.escape(name)}(?:s|es)?(?![a-z0-9_])", text)
