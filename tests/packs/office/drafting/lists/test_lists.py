"""Lists of names: whatever carries them, before or after, no word of the carrier becomes a name and no name is lost."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.lists import find_lists

ZH_LISTS = (("姓名", "部门", "职务"), ("序号", "需求描述", "响应情况", "说明"), ("分类", "用途", "是否合格"))
EN_LISTS = (("Item", "Standard", "Result", "Remark"), ("ID", "Unit price", "Owner"))
ZH_CARRIERS = (
    *(
        "列是{0}",
        "列为{0}",
        "列名{0}",
        "表头写{0}",
        "表头依次是{0}",
        "列分别叫{0}",
        "字段包括{0}",
        "列名用{0}",
        "栏目有{0}",
    ),
    *("{0}各占一列", "{0}做列名", "{0}当表头", "用{0}作为表头", "列名：{0}"),
)
EN_CARRIERS = (
    *("the columns are {0}", "columns should read {0}", "the column names are {0}", "columns: {0}", "cols = {0}"),
    *("with {0} as the columns", "{0} are the columns", "columns called {0}", "the headers must be {0}"),
)
ZH_ORDERS = (
    "插入一个表，{0}，五行。",
    "{0}，五行，给我做个表。",
    "做个五行的表：{0}。",
    "领导等着看，来张表，{0}，留五行就好。",
)
EN_ORDERS = (
    "Insert a table, {0}, and five rows.",
    "I need a table with five rows; {0}.",
    "Add a table. {0}. Five rows.",
)


def _wordings(orders: Any, carriers: Any, lists: Any, join: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every fifth combination: with these numbers of parts each carrier meets each order."""
    for order, carrier, names in islice(product(orders, carriers, lists), 0, None, 5):
        yield order.format(carrier.format(join(names))), names


def _table(request: str, language: Language) -> dict[str, Any] | None:
    plan: Any = draft_plan(request, host="wps", language=language).plan
    found = [action for block in plan["actions"] for action in block.get("actions", [])] if plan else []
    return next((one for one in found if one["op"] == "insert_table"), None)


@pytest.mark.parametrize(
    ("language", "wordings"),
    [
        ("zh", list(_wordings(ZH_ORDERS, ZH_CARRIERS, ZH_LISTS, "、".join))),
        ("zh", list(_wordings(ZH_ORDERS, ZH_CARRIERS, EN_LISTS, "、".join))),
        ("en", list(_wordings(EN_ORDERS, EN_CARRIERS, EN_LISTS, lambda one: f"{', '.join(one[:-1])} and {one[-1]}"))),
        ("en", list(_wordings(EN_ORDERS, EN_CARRIERS, ZH_LISTS, ", ".join))),
    ],
)
def test_columns_are_read_exactly_or_asked_for_whatever_carries_them(
    language: Language, wordings: list[tuple[str, tuple[str, ...]]]
) -> None:
    tables = [(request, names, _table(request, language)) for request, names in wordings]
    wrong = [(request, one) for request, names, one in tables if one and one["data"][0] != list(names)]
    wrong += [(request, one) for request, _, one in tables if one and one["rows"] != 6]
    assert wrong == []
    assert sum(one is not None for _, _, one in tables) >= 0.9 * len(tables)


@pytest.mark.parametrize("names", [("甲项", "乙项", "丙项"), ("序号", "需求描述", "响应情况", "说明")])
@pytest.mark.parametrize("join", ["blank", "led", "followed", "before", "more"])
def test_names_are_a_list_by_blanks_by_words_that_come_again_and_before_the_word_for_them(
    names: tuple[str, ...], join: str
) -> None:
    said = {
        "blank": f"弄个表，{' '.join(names)}，先这样",
        "led": "弄个表，" + "，".join(f"有{one}" for one in names) + "。",
        "followed": "弄个表，" + "，".join(f"{one}一列" for one in names) + "。",
        "before": f"{'、'.join(names)}，就这几个做表头",
        "more": "弄个表，" + "，".join(f"有{one}" for one in names[:-1]) + f"，再加一列{names[-1]}。",
    }[join]
    assert names in [one.items for one in find_lists(RequestText(said))]


def test_english_names_lose_the_words_that_point_to_them() -> None:
    for said in (
        "a table with an ID, the Risk itself, Severity and Owner",
        "It wants an ID column, then Risk, Severity and Owner",
    ):
        assert ("ID", "Risk", "Severity", "Owner") in [one.items for one in find_lists(RequestText(said))]


def test_a_list_goes_from_its_first_item_to_its_last_one() -> None:
    (found,) = find_lists(RequestText("从需求分析到设计、开发、测试再到上线"))
    assert found.items == ("需求分析", "设计", "开发", "测试", "上线")
