"""A chart of changed values counts the changes of each kind; values of different units are not drawn together."""

import pytest

from metier.questions import Results, ResultTable, TableColumn, asks_to_draw_changes, draw_changes

_HEADS = ("小区id", "参数", "原值", "新值")
_ROWS = (("C1", "下倾角", 5, 1), ("C1", "功率", 41, 45), ("C2", "下倾角", 6, 2), ("C3", "下倾角", 7, 3))
_CHANGES = ResultTable("推荐参数", tuple(TableColumn(one, one) for one in _HEADS), _ROWS, len(_ROWS), "仿真")


@pytest.mark.parametrize(
    "message",
    ["把改的参数画成饼图", "改动画个柱状图", "pie chart of the changed parameters", "chart the recommended parameters"],
)
def test_a_chart_of_changes_is_read(message: str) -> None:
    assert asks_to_draw_changes(message)


@pytest.mark.parametrize(
    "message", ["换成饼图", "画成折线图", "as a pie chart", "改了哪些参数", "bar chart of the worst 10"]
)
def test_another_chart_or_question_is_none(message: str) -> None:
    assert not asks_to_draw_changes(message)


def test_changes_are_counted_by_their_kind_with_shares_in_place_of_a_pie() -> None:
    answer = draw_changes("把改的参数画成饼图", Results((_CHANGES,)), "zh")
    assert answer is not None
    assert "没有饼图" in answer.text
    assert "下倾角：3 处（75 %）" in answer.text
    assert answer.charts[0].spec["rows"] == [["下倾角", 3], ["功率", 1]]


def test_without_old_and_new_values_there_is_nothing_to_draw() -> None:
    plain = ResultTable("小区级", (TableColumn("a", "小区id"), TableColumn("b", "RSRP")), (("C1", -90),), 1)
    assert draw_changes("把改的参数画成饼图", Results((plain,)), "zh") is None
