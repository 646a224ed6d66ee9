"""A total in a contract is compared with what its own quantities and unit prices make."""

from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, propose
from tests.packs.office.analysis.test_contract_forms import ENGLISH, HEAD, review, rules_of


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("第二条 乙方供应10台，每台3万元，总价35万元。", "300,000"),
        ("第二条 数量：20，单价：500元，合计：9,000元。", "10,000"),
        ("第二条 电脑12台，单价人民币4,500.00元，共计人民币伍万元整（¥50,000.00）。", "54,000"),
        ("第二条 桌子5张，每张800元，椅子20把，每把150元，合计6,500元。", "7,000"),
        ("第二条 水泥30吨，480元/吨，总金额15000元。", "14,400"),
    ],
)
def test_a_total_that_its_units_do_not_make_is_told(line: str, made: str) -> None:
    (found,) = review(*HEAD, line).findings
    assert found["rule"] == "total_differs"
    assert made in str(found["message"])


def test_a_contract_in_english_is_compared_too() -> None:
    lines = ("1. Price.", "The Supplier delivers 40 units at $250 each, total price $12,000.")
    (found,) = review(*ENGLISH, *lines).findings
    assert (found["rule"], found["quote"]) == ("total_differs", "$12,000")
    assert rules_of(*ENGLISH, "The Supplier delivers 40 units at $250 each, total price $10,000.") == []


@pytest.mark.parametrize(
    "line",
    [
        "第二条 单价贰佰元/台，2台，合计肆佰元整（¥400）。",
        "第二条 10台，每台3万元，总价35万元，含安装费5万元。",
        "第二条 10台，每台3万元，按九折优惠，总价27万元。",
        "第二条 10台，不含税单价3万元，总价33.9万元。",
        "第二条 10台，每台3万元，总价30万元，定金6万元。",
        "第二条 3件，单价33.33元，合计100元。",
        "第二条 总价30万元，分10期支付，每期3万元。",
        "第二条 每台保修2年，10台设备合计35万元。",
        "第二条 每台约3万元，10台，合计28万元。",
        "第二条 每台300元，10台，租期12个月，合计36,000元。",
        "第二条 每吨480元，每天30吨，共20天，合计288,000元。",
        "第二条 单价50元/件，共3批，每批200件，合计30,000元。",
        "第二条 每台3万元，10台，共分两期，每期5台，合计30万元。",
    ],
)
def test_a_right_total_and_one_that_other_things_count_in_are_left_alone(line: str) -> None:
    assert rules_of(*HEAD, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "20 licences at $100 each for 3 years, total $6,000.",
        "20 units at $50 each per month, total $12,000.",
        "Two visits a month, 10 units at $50 each, total $1,000.",
    ],
)
def test_a_total_for_several_months_or_visits_is_not_computed(line: str) -> None:
    assert rules_of(*ENGLISH, "1. Price.", line) == []


def review_table(*rows: str) -> list[tuple[object, object]]:
    """Review a contract with a table of goods, one row a string with bars between its cells."""
    cells = tuple(
        TextPiece(f"t1.r{row}.c{column}", text.strip(), kind="cell")
        for row, line in enumerate(rows, 1)
        for column, text in enumerate(line.split("|"), 1)
        if text.strip()
    )
    lines = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(HEAD, 1))
    found = propose(
        "contract-review", Reading("c", "docx", (*lines, *cells)), today=date(2026, 3, 4), language="zh"
    ).findings
    return [(one["rule"], one["address"]) for one in found]


def test_the_rows_of_a_table_of_goods_and_its_last_row_are_computed() -> None:
    head = "序号|名称|数量|单价（元）|金额（元）"
    right = (head, "1|电脑|10|3,000|30000", "2|显示器|10|800.00|8000.00")
    assert review_table(*right, "合计||||38000") == []
    assert review_table(*right, "合计||||39000") == [("total_differs", "t1.r4.c5")]
    assert review_table(head, "1|电脑|10|3000|35000", "合计||||35000") == [("total_differs", "t1.r2.c5")]
    assert review_table(head, "1|电脑|10|3000|30000", "2|服务||面议|面议", "合计||||38000") == []


@pytest.mark.parametrize(
    "rows",
    [
        ("岗位|数量|月数|单价|金额", "保安|10|12|4000|480000"),
        ("Item|Quantity|Days|Unit price|Amount", "Tent|2|3|100|600"),
        ("名称|数量|单价|金额", "电脑|2|100|200", "小计|||200", "桌子|1|50|50", "合计|||250"),
        ("名称|数量|单价|金额", "电脑|10|3000|30000", "减：预付款|||5000", "合计|||25000"),
        ("名称|数量|单价|金额", "电脑|10|3000|30000", "合计（含税）|||33900"),
        ("名称|数量（件）|单价（元/千件）|金额（元）", "螺丝|2000|100|200"),
        ("名称|数量（千件）|单价（元/件）|金额（元）", "螺丝|2|1|2000"),
    ],
)
def test_a_table_whose_amounts_count_in_more_than_quantity_and_price_is_left_alone(rows: tuple[str, ...]) -> None:
    assert review_table(*rows) == []


def test_a_price_for_one_piece_is_computed_whatever_its_head_calls_the_piece() -> None:
    head = "名称|数量（台）|单价（元/台）|金额（元）"
    assert review_table(head, "电脑|2|100|300") == [("total_differs", "t1.r2.c4")]


def test_a_lease_and_a_labour_contract_need_no_clause_on_quality() -> None:
    lines = ("第一条 出租方将商铺出租给承租方，建筑面积126平方米。", "第二条 租金每月18,000元。")
    assert "missing_quality" not in rules_of("商铺租赁合同", "出租方：方国平", "承租方：鸿运餐饮公司", *lines)
    assert "missing_quality" in rules_of("采购合同", "甲方：方国平", "乙方：鸿运餐饮公司", *lines)


@pytest.mark.parametrize(
    "head", ["名称|数量|单价（元）|金额（万元）", "名称|数量|不含税单价|含税金额", "名称|数量|单价|折扣|金额"]
)
def test_a_table_with_two_units_of_money_taxes_or_discounts_is_not_computed(head: str) -> None:
    row = "电脑|10|3000|3.5" if head.count("|") == 3 else "电脑|10|3000|0.9|27000"
    assert review_table(head, row) == []
