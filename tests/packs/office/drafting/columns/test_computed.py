"""A bracket that says a column is computed is no part of its name, and the plan must compute something."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.columns import read_computed


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("列：项目、预算、实际、差额（公式）", "列：项目、预算、实际、差额"),
        ("列：单价、数量、金额(自动计算)", "列：单价、数量、金额"),
        ("columns: Planned, Actual, Variance (formula)", "columns: Planned, Actual, Variance"),
    ],
)
def test_the_names_of_computed_columns_stand_alone(request_: str, text: str) -> None:
    found = read_computed(request_)
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize("request_", ["列：项目、差额（元）", "columns: Name, Formula"])
def test_another_bracket_says_no_such_thing(request_: str) -> None:
    assert read_computed(request_) is None


def test_a_plan_that_computes_nothing_is_asked_about() -> None:
    draft = draft_plan("新建一张表，列为姓名、部门、工号（公式），留5行", host="et", language="zh")
    assert draft.plan is None
    assert "公式" in draft.question
