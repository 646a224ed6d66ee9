"""Reasons before the order are left out; a wish, a look or an order in the same place is not."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.talk._reasons import is_reason


@pytest.mark.parametrize(
    "clause",
    [
        "每次都现写纪要太费劲了",
        "怕漏掉",
        "我下个月要写一份方案",
        "要核加班费了",
        "我手上只有零散的单子",
        "先帮我开个头吧",
        "总经理就关心一个数",
        "客户刚打电话来要报价",
        "The food safety people come in on Thursday and I'd like to be ready",
        "We finally beat our target and I want everyone to see it",
        "Visitors keep asking when we're open",
    ],
)
def test_a_reason_is_read_as_one(clause: str) -> None:
    assert is_reason(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "怕看不清",
        "我要写一份方案",
        "每次都写英文太麻烦了",
        "我手上只有3张单子",
        "领导就关心表头",
        "先帮我加一行",
        "The boss will read it and I want everyone to see it in red",
        "We have two columns and I'd like to be ready",
        "People keep asking for a bigger header",
        "I want everyone to see it",
    ],
)
def test_a_wish_is_no_reason(clause: str) -> None:
    assert not is_reason(clause)


def test_what_was_left_out_is_told() -> None:
    draft = draft_plan("怕漏掉，帮我插入一个表格，列为姓名、电话，3行。", host="wps", language="zh")
    assert draft.plan is not None
    assert draft.left_out == ("怕漏掉",)


def test_a_reason_behind_the_order_is_asked_about() -> None:
    draft = draft_plan("帮我插入一个表格，列为姓名、电话，3行。要考勤了。", host="wps", language="zh")
    assert draft.plan is None
