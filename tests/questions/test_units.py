"""A limit in a unit that its quantity does not have is told, and no rows are compared with it."""

import pytest

from metier.json_values import JsonObject
from metier.questions import answer_question, collect_results, parse_question

CELLS: JsonObject = {
    "table": "t",
    "title": "小区级 · 指标",
    "columns": [
        {"key": "id", "title": "小区id"},
        {"key": "rsrp", "title": "RSRP均值", "unit": "dBm"},
        {"key": "prb", "title": "下行PRB利用率", "unit": "%"},
    ],
    "rows": [["a", -99, 80], ["b", -112, 60]],
}


def ask(message: str) -> str:
    question = parse_question(message)
    assert question is not None
    answer = answer_question(question, collect_results([("x", [("table", CELLS)])], "zh"), "zh")
    return answer.text if answer else ""


@pytest.mark.parametrize("message", ["PRB大于70dBm的小区有哪些", "RSRP大于80%的小区有哪些"])
def test_a_limit_in_another_unit_is_told_and_not_compared(message: str) -> None:
    assert "单位" in ask(message)


@pytest.mark.parametrize(
    "message",
    ["PRB大于70%的小区有哪些", "RSRP低于-110dB的小区有哪些", "RSRP低于-110dBm的小区有哪些", "PRB大于70的小区有哪些"],
)
def test_a_limit_in_its_own_unit_or_in_none_is_compared(message: str) -> None:
    told = ask(message)
    assert "单位" not in told
    assert told.count("| a |") + told.count("| b |") == 1


@pytest.mark.parametrize(
    "message", ["我说错了，是PRB大于70%的小区", "等一下，PRB大于70%的小区有哪些", "抱歉，我是说PRB大于70%的小区"]
)
def test_who_takes_something_back_is_asked_for_what_comes_behind_it(message: str) -> None:
    assert "| a |" in ask(message)


@pytest.mark.parametrize("message", ["that's wrong, what is the RSRP of row 2?", "你说的不对，第二行的RSRP是多少"])
def test_a_question_behind_a_complaint_is_answered(message: str) -> None:
    assert "-112" in ask(message)


SIMULATED: JsonObject = {
    "table": "s",
    "title": "小区级 · 仿真结果",
    "columns": [{"key": "id", "title": "小区id"}, {"key": "sinr", "title": "仿真SINR均值", "unit": "dB"}],
    "rows": [["a", 8.3], ["b", 12.0]],
}
CHANGES: JsonObject = {
    "table": "c",
    "title": "推荐参数",
    "columns": [
        {"key": "cell", "title": "小区id"},
        {"key": "parameter", "title": "参数"},
        {"key": "before", "title": "原值"},
        {"key": "after", "title": "新值"},
    ],
    "rows": [["a", "电子下倾角(度)", 1, 9], ["b", "方位角(度)", 350, 20]],
}


def ask_both(message: str) -> str:
    question = parse_question(message)
    assert question is not None
    shown = collect_results([("x", [("table", SIMULATED), ("table", CHANGES)])], "zh")
    answer = answer_question(question, shown, "zh")
    return answer.text if answer else ""


@pytest.mark.parametrize("message", ["优化后还有哪些小区低于10dB", "优化后仍低于10 dB的小区有几个"])
def test_a_limit_is_of_the_table_that_has_its_unit_not_of_changes_in_another(message: str) -> None:
    told = ask_both(message)
    assert "| a | 8.3 |" in told
    assert "新值" not in told


@pytest.mark.parametrize("message", ["哪些小区新值低于10度", "新值低于10°的有哪些小区"])
def test_changes_in_the_unit_of_the_limit_are_compared(message: str) -> None:
    told = ask_both(message)
    assert "新值低于 10" in told
    assert "| a |" in told
    assert "| b |" not in told
