"""A work order is read without its ticket; what may be content of the order is kept or asked about."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.briefs import read_ticket

TABLE = "插入表格\n列：姓名、部门\n行数：3"


@pytest.mark.parametrize(
    ("message", "order", "left_out"),
    [
        (
            f"申请单号：2024-11\n申请人：王芳\n{TABLE}\n用途：周五例会",
            TABLE,
            ("申请单号：2024-11", "申请人：王芳", "用途：周五例会"),
        ),
        (
            "工单 #2024-031\n需求：插入表格\n列：姓名、部门\n行数：3\n完成时限：周五前",
            TABLE,
            ("工单 #2024-031", "完成时限：周五前"),
        ),
        ("| 工单 | 内容 |\n|---|---|\n| 操作 | 插入表格 |\n| 列 | 姓名、部门 |\n| 行数 | 3 |", TABLE, ()),
        ("操作\t插入表格\n列\t姓名、部门\n行数\t3", TABLE, ()),
        (
            "Insert a table\nColumns: Item, Result\nRows: 5\nNeeded by: Thu noon",
            "Insert a table\nColumns: Item, Result\nRows: 5",
            ("Needed by: Thu noon",),
        ),
        (
            "任务：插入两个表格\n表一\n列：姓名、部门\n表二\n列：日期、地点",
            "插入两个表格\n表一 列：姓名、部门\n表二 列：日期、地点",
            (),
        ),
        ("任务：按部门汇总报销金额，做成表格", "任务：按部门汇总报销金额，做成表格", ()),
    ],
)
def test_the_ticket_of_a_work_order_is_set_apart(message: str, order: str, left_out: tuple[str, ...]) -> None:
    ticket = read_ticket(message)
    assert (ticket.text, ticket.left_out) == (order, left_out)


@pytest.mark.parametrize(
    "message",
    [
        f"{TABLE}\n原因：合计要加粗",
        f"{TABLE}\n用途：再加一列电话",
        f"{TABLE}\n申请人：王芳、李明",
        f"{TABLE}\n申请人：“王芳”",
        "插入表格\n申请人：王芳\n用途：例会",
        "插入表格\n列：姓名、部门\n申请人：王芳\n行数：3",
        "甘特表\n任务：编写报告、评审",
        "插入表格：\n| 操作 | 次数 |\n| 插入 | 3 |\n| 删除 | 2 |",
        "| 操作 | 次数 |\n| 插入表格 | 3 |\n| 删除 | 2 |",
        "写一份申请，各部分：\n背景\n原因：预算\n用途：采购",
    ],
)
def test_what_may_be_content_is_no_ticket(message: str) -> None:
    assert read_ticket(message).left_out == ()


def test_a_plan_tells_what_of_a_ticket_it_leaves_out() -> None:
    draft = draft_plan(f"申请人：王芳\n{TABLE}", host="wps", language="zh")
    assert draft.plan is not None
    assert draft.left_out == ("申请人：王芳",)
