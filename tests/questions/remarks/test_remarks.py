"""Questions about the report are answered in its own words and with the figures of its tables."""

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.language import language_of
from metier.questions import Answer, answer_question, collect_results, parse_question

_REPORT = """**根因**（共 2 项）

1. **下倾角过大**：3个问题小区的波束落地距离与规划半径不符。按规划半径重设下倾角。
2. **功率偏低**：2个问题小区的功率与同频中位数相差不小于3 dB。

**现象**（共 1 项）

- **弱覆盖**：3个小区的弱覆盖样本（RSRP低于-110 dBm）占比超过10 %，最差为C-100001。
- **切换异常**：2个小区的切换成功率低于98 %。
- **高负荷**：1个小区的上行或下行PRB利用率超过70 %。

所有数值由数字孪生计算和仿真得出，不是现网测量。"""


def _table(title: str, columns: list[tuple[str, str]], rows: list[list[JsonValue]]) -> tuple[str, JsonObject]:
    heads: list[JsonValue] = [{"key": f"k{at}", "title": name, "unit": unit} for at, (name, unit) in enumerate(columns)]
    return "table", {"table": title, "title": title, "columns": heads, "rows": list(rows), "total": len(rows)}


_EVENTS = [
    ("text.done", {"text": _REPORT}),
    _table(
        "小区级 · 指标",
        [("小区id", ""), ("RSRP均值", "dBm"), ("MR覆盖率", "%")],
        [["C-100001", -104, 54], ["C-100002", -100, 95], ["C-100003", -90, 97], ["C-100004", -86, 94]],
    ),
    _table(
        "根因：下倾角过大（3 个小区）",
        [("小区id", ""), ("总下倾角", "°")],
        [[f"C-10000{at}", 18 - at] for at in (1, 2, 3)],
    ),
    _table("根因：功率偏低（2 个小区）", [("小区id", ""), ("发射功率", "dBm")], [["C-100001", 41], ["C-100004", 42]]),
    _table("现象：弱覆盖（1 个小区）", [("小区id", ""), ("RSRP均值", "dBm")], [["C-100001", -104]]),
    _table("其他发现：高负荷（1 个小区）", [("小区id", ""), ("上行PRB利用率", "%")], [["C-100003", 92]]),
]


def _ask(text: str) -> Answer:
    question, language = parse_question(text), language_of(text)
    assert question is not None
    answer = answer_question(question, collect_results([("分析弱覆盖", _EVENTS)], language), language)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("这些数字是路测来的吗？", "报告里写的是：「所有数值由数字孪生计算和仿真得出，不是现网测量。」"),
        ("Where do these figures come from, measured or made up?", "The report says: “所有数值由数字孪生"),
        (
            "为什么把下倾角排在功率偏低前面？",
            "「下倾角过大」涉及 3 个，「功率偏低」涉及 2 个；报告没有说明为什么这样排",
        ),
        ("为什么把弱覆盖排在功率偏低前面？", "是「功率偏低」排在「弱覆盖」前面，不是反过来"),
        ("How did you decide that a cell counts as weak?", "The rule for “弱覆盖” in the report: “3个小区"),
        ("100003的上行PRB利用率超了门限多少", "C-100003：上行PRB利用率 为 92 %，报告的门限是 70 %，越过 22 个百分点"),
        (
            "平均RSRP大概多少，跟门限差几个dB",
            "RSRP均值 为 -95 dBm，报告的门限是 -110 dBm，未越过，还差 15 dB",
        ),
        ("what does the simulation leave out", "The report says: “所有数值由数字孪生计算和仿真得出，不是现网测量。”"),
        ("仿真没考虑哪些因素", "报告里写的是：「所有数值由数字孪生"),
        ("切换成功率的门限是多少", "2个小区的切换成功率低于98 %"),
        (
            "How many cells have both too much downtilt and low power?",
            "1 are in both “下倾角过大” (3) and",
        ),
        (
            "Why does cell C-100001 have weak coverage?",
            "these causes: 下倾角过大 (总下倾角 17 °), 功率偏低",
        ),
        ("为什么100002弱覆盖", "C-100002 不在「弱覆盖」里"),
        ("下倾角为什么要往上抬，不会影响别人吗", "结果里答不了的部分：「不会影响别人吗」"),
        ("有多少小区MR覆盖率达到了95%的目标", "4 行中有 2 行符合条件：MR覆盖率不低于 95 %"),
        ("How many cells meet the 95% MR coverage target?", "2 of 4 rows with MR覆盖率 at least 95 %"),
        ("弱覆盖小区占总数的百分之几", "4 个中有 1 个，占 25.0 %"),
        ("最差的是哪个小区", "C-100001"),
    ],
)
def test_the_report_answers_with_its_own_words_and_figures(question: str, told: str) -> None:
    answer = _ask(question)
    assert answer.found, answer.text
    assert told in answer.text


@pytest.mark.parametrize(
    "question", ["仿真完好了多少", "Are there cells that got worse afterwards?", "Would you lower the power, and why?"]
)
def test_what_only_a_simulation_tells_is_said_to_be_missing(question: str) -> None:
    answer = _ask(question)
    assert not answer.found
    assert "还没有优化仿真" in answer.text or "no simulation among the results yet" in answer.text


def test_a_question_about_several_quantities_that_is_not_understood_is_told_and_not_routed_away() -> None:
    answer = _ask("RSRP低但MR覆盖率不低的有没有，怎么解释")
    assert not answer.found
    assert "小区级 · 指标" in answer.text


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How sure are you about the causes?", "sure"),
        ("没调参数的还有哪些，为什么没给建议", "建议"),
        ("谁来处理这些根因", "谁"),
        ("这些根因靠谱吗", "靠谱"),
        ("why are there no neighbours", "neighbours"),
    ],
)
def test_the_list_of_causes_is_no_answer_to_words_that_ask_for_something_else(question: str, word: str) -> None:
    answer = _ask(question)
    assert not answer.found
    assert word in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    "question",
    [
        "根因是什么",
        "为什么会这样",
        "为啥覆盖这么差",
        "问题出在哪",
        "what causes this",
        "the main reason for weak coverage?",
    ],
)
def test_a_question_for_the_causes_lists_them(question: str) -> None:
    answer = _ask(question)
    assert answer.found
    assert "1. 根因：下倾角过大" in answer.text
