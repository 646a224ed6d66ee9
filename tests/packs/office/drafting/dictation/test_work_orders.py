"""Labels in brackets, a label before the order itself and slips of the keyboard change nothing of what is asked for."""

import pytest

from metier.packs.office.drafting import draft_plan


@pytest.mark.parametrize(
    ("said", "header"),
    [
        ("【需求】插入表格\n【列】姓名、电话\n【行数】3", "['姓名', '电话']"),
        ("Request: insert a table\nColumns: Name, Phone\nRows: 3", "['Name', 'Phone']"),
        ("插如一个表格，列为姓名、电话，供3行。", "['姓名', '电话']"),
    ],
)
def test_the_order_is_read(said: str, header: str) -> None:
    draft = draft_plan(said, host="wps", language="en" if said.isascii() else "zh")

    assert header in str(draft.plan)
    assert "'rows': 4" in str(draft.plan)


@pytest.mark.parametrize(
    "said", ["Request: insert a table\nColumns: Name, Phone\nRows: 3\nColour: red", "【备注】插入表格\n列：姓名、电话"]
)
def test_a_label_that_says_more_is_asked_about(said: str) -> None:
    assert draft_plan(said, host="wps", language="zh").plan is None


def test_names_that_look_like_a_slip_stay() -> None:
    plan = str(draft_plan("插入表格，列为航班、1航、公3，3行", host="wps", language="zh").plan)

    assert "['航班', '1航', '公3']" in plan
