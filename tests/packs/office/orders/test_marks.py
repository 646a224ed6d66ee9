"""Rows picked by a value: a colour is a mark and no text, and the value is compared with amounts, not with numbers."""

from pathlib import Path

import pytest

from tests.packs.office.orders.written import make_workbook, read_message, write_orders

_ZH = (("订单号", "客户", "金额"), ("1001", "甲公司", 12000), ("1002", "乙公司", 25000), ("1003", "丙公司", 800))
_EN = (("Order", "Customer", "Amount"), (1001, "Acme", 1200), (1002, "Beta", 300), (1003, "Core", 700))


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    return make_workbook(tmp_path / "订单.xlsx", *_ZH, name="订单")


@pytest.fixture
def english(tmp_path: Path) -> Path:
    return make_workbook(tmp_path / "orders.xlsx", *_EN, name="Orders")


@pytest.mark.parametrize(
    "message",
    [
        "金额超过20000的标成红色 其他的不用管",
        "金额超过20000的标成红色，其他的不用管",
        "金额超过20000的标红，其余不变",
        "金额大于20000的标成红色，别的不动",
    ],
)
def test_a_colour_is_a_mark_and_no_column_of_words(orders: Path, message: str) -> None:
    sheet = write_orders(orders, message).active
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [list(one) for one in _ZH]
    (area,) = sheet.conditional_formatting
    assert str(area.sqref) == "C2:C4"
    assert area.rules[0].formula == ["20000"]


@pytest.mark.parametrize(
    "message",
    ["金额超过20000的写“大单”，其他的不用管", "金额超过20000的写大单，其余留空", "金额超过20000写大单，否则空着"],
)
def test_rows_that_are_to_be_left_get_an_empty_text(orders: Path, message: str) -> None:
    assert write_orders(orders, message).active["D2"].value == '=IF(C2>20000,"大单","")'


@pytest.mark.parametrize(
    "message",
    ['flag every order over 500 as "Big", others "Small"', "label each order above 500 'Big', the rest 'Small'"],
)
def test_an_order_is_flagged_by_its_amount(english: Path, message: str) -> None:
    assert write_orders(english, message).active["D2"].value == '=IF(C2>500,"Big","Small")'


@pytest.mark.parametrize(
    "message", ["highlight every order over 500 in red", "highlight each customer over 500 in red"]
)
def test_a_row_is_marked_by_its_amount(english: Path, message: str) -> None:
    (area,) = write_orders(english, message).active.conditional_formatting
    assert str(area.sqref) == "C2:C4"


def test_rows_are_filtered_and_deleted_by_their_amount(english: Path) -> None:
    assert [one["field"] for one in read_message(english, "show only orders over 500").actions] == [3]
    assert [row[0].value for row in write_orders(english, "delete every order under 500").active.iter_rows()] == [
        *("Order", 1001, 1003)
    ]


def test_the_numbers_of_rows_are_not_added_up(english: Path) -> None:
    sheet = write_orders(english, "sum the orders").active
    assert sheet["C5"].value == "=SUM(C2:C4)"
    assert not str(sheet["A5"].value).startswith("=")


def test_with_two_amounts_it_is_asked_which_is_meant(tmp_path: Path) -> None:
    rows = (("Order", "Net", "Gross"), (1, 10, 12), (2, 700, 840))
    found = read_message(
        make_workbook(tmp_path / "a.xlsx", *rows), 'flag every order over 500 as "Big", others "Small"'
    )
    assert not found.actions
    assert found.note is not None
    assert found.note.code == "no_column"
