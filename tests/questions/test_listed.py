"""Short questions about the rows that an answer listed, and questions that keep to a value in words."""

import pytest

from metier.questions import (
    ListedQuestion,
    Results,
    answer_question,
    answer_share,
    name_listed,
    parse_question,
    read_listed,
)
from metier.questions._results import ResultTable, TableColumn

_COLUMNS = (TableColumn("cell", "小区id"), TableColumn("rsrp", "RSRP均值", "dBm"), TableColumn("network", "制式"))
_ROWS = tuple((f"460-00-1000{at:02d}", -80.0 - at, "4G" if at % 2 else "5G") for at in range(20))
_CELLS = ResultTable("小区级 · 指标", _COLUMNS, _ROWS, 20)
_WEAK = ResultTable("现象：弱覆盖", _COLUMNS[:2], tuple(one[:2] for one in _ROWS[15:]), 5)
_RESULTS = Results((_CELLS, _WEAK), ())


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("第一个", ListedQuestion("place", 1)),
        ("那第三个呢？", ListedQuestion("place", 3)),
        ("最后一个", ListedQuestion("place", -1)),
        ("the first one", ListedQuestion("place", 1)),
        ("tell me about the second", ListedQuestion("place", 2)),
        ("and the last one?", ListedQuestion("place", -1)),
        ("占比多少", ListedQuestion("share")),
        ("这些占多少", ListedQuestion("share")),
        ("what share?", ListedQuestion("share")),
        ("what percentage is that?", ListedQuestion("share")),
        ("弱覆盖小区占比多少", None),
        ("第一个为什么差", None),
        ("the first one is wrong", None),
        ("what share of cells is below -110?", None),
    ],
)
def test_a_short_question_about_a_list_is_read_as_a_whole(message: str, asked: ListedQuestion | None) -> None:
    assert read_listed(message) == asked


def test_a_place_is_one_of_the_list_and_not_of_the_table() -> None:
    assert name_listed(ListedQuestion("place", 2), _WEAK) == "460-00-100016"
    assert name_listed(ListedQuestion("place", -1), _WEAK) == "460-00-100019"
    assert name_listed(ListedQuestion("place", 6), _WEAK) == ""


def test_a_share_is_of_all_rows_and_without_a_list_of_each_finding() -> None:
    of_list, of_each = answer_share(_WEAK, _RESULTS, "zh"), answer_share(None, _RESULTS, "en")
    assert of_list is not None
    assert "20 个中有 5 个，占 25.0 %" in of_list.text
    assert of_each is not None
    assert "5 of 20 (25.0 %)" in of_each.text


@pytest.mark.parametrize(
    "message",
    [
        "只看5G的",
        "5G的小区有哪些",
        "只看5G的，最差的三个",
        "最差的三个小区，只要5G",
        "5G里RSRP最差的三个小区",
        "only 5G",
        "the three worst 5G cells",
    ],
)
def test_a_value_that_is_named_is_never_left_out(message: str) -> None:
    question = parse_question(message)
    assert question is not None
    answer = answer_question(question, _RESULTS, "zh")
    assert answer is not None
    assert answer.found
    fours = [str(name) for name, _, network in _ROWS if network == "4G"]
    assert [one for one in fours if one in answer.text] == []
