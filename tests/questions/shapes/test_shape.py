"""Questions of a known shape are answered from all rows or all findings; with a further condition they are not."""

from metier.language import language_of
from metier.questions import Answer, Results, ResultTable, TableColumn, answer_question, parse_question

_LEVELS = (-80.0, -90.0, -91.0, -92.0, -93.0, -94.0, -96.0, -100.0)
_NAMES = tuple(f"460-00-10000{at}" for at in range(len(_LEVELS)))
# A title, the headings, and the rows by number with their values.
_FOUND = (
    ("根因：干扰（3 个小区）", "Cause: Interference (3 cells)", "SINR", "dB", {7: 2.0, 6: 4.0, 5: 9.0}),
    ("根因：高负荷（2 个小区）", "Cause: Overload (2 cells)", "PRB", "%", {7: 90.0, 4: 80.0}),
    (
        "现象：弱覆盖（4 个小区）",
        "Symptom: Weak coverage (4 cells)",
        "RSRP",
        "dBm",
        {7: -100.0, 6: -96.0, 5: -94.0, 3: -92.0},
    ),
)
_ASKED = [
    ("mark the outliers in RSRP for me", ["0 of 8 rows", "three standard deviations", "460-00-100000"]),
    ("RSRP分成三档数一数:-91以上、-91到-95、-95以下", ["-91以上 | 3", "-91到-95 | 3", "-95以下 | 2", "8 行"]),
    ("sort by RSRP and give me the top quarter", ["first 2 of 8", "| 460-00-100000 | -80 |"]),
    ("What's the 50th percentile of RSRP?", ["-92.5 dBm", "8 rows"]),
    ("RSRP跟SINR相关性大不大", ["3 行的相关系数为 0.91", "强相关"]),
    ("Which cells are fine?", ["3 of 8 rows"]),
    ("有几个小区是没查出原因的", ["8 行中有 4 行", "其中 1 行有现象"]),
    ("Any cell with two causes at once?", ["1 of 8 rows", "460-00-100007 | Interference, Overload"]),
    ("第三行那个再细说说", ["第 3 行 460-00-100002", "-91 dBm", "不在任何一张"]),
    ("And if we dropped the threshold to -95?", ["2 of 8 rows", "has 4 rows by its own rule"]),
    ("Second most common root cause, and how far behind the first?", ["Overload (2), 1 behind Interference (3)"]),
    ("compare the best and the worst cell side by side", ["best: 460-00-100000", "worst: 460-00-100007", "by RSRP"]),
    ("PRB最低的是哪个,是不是根本没人用", ["460-00-100004", "答不了的部分：「是不是根本没人用」"]),
    ("two sentences for my boss pls", ["4 of 8 rows", "Interference (3)", "Overload (2)"]),
    ("俺就想知道先修哪个最划算", ["「干扰」排在第一（3 个）", "没有成本"]),
    ("so is it coverage or capacity mostly?", ["Weak coverage: 4. Overload: 2.", "mostly Weak coverage"]),
    ("how sure are you about the interference ones", ["3 of 8", "from 2 dB to 9 dB", "no figure for how sure"]),
    ("Give me that table again but only the interference rows", ["Interference: 3 rows"]),
    ("给我按根因分个组,每组平均PRB算出来", ["| 干扰 | 3 | 1 | 90 |", "| 高负荷 | 2 | 2 | 85 |"]),
]
_TOLD = [
    *("RSRP跟速率相关性大不大", "速率10M以下的占比", "速率的标准差有多大,离散得厉害不", "有没有信号挺好但速率上不去的"),
    *("Could you show me a histogram of downlink speed, bins of 10 Mbps", "哪个站最惨", "when was this data recorded"),
]
# No figure without the further condition, and nothing at all for another request.
_LEFT = [
    *(
        "outliers in RSRP on weekdays",
        "RSRP的5分位数,只看周末",
        "top quarter by RSRP in the north",
        "第二多的根因,夜间的",
    ),
    *(
        "再看看干扰",
        "分析一下干扰",
        "总结一下这份合同",
        "two sentences about the meeting for my boss",
        "analyse the capacity",
    ),
]


def ask(text: str) -> Answer | None:
    language, question = language_of(text), parse_question(text)
    is_chinese = language_of(text) == language_of("小区")
    cell, base = ("小区id", "小区级 · 指标") if is_chinese else ("cell", "Cell level · indicators")
    rows = tuple(zip(_NAMES, _LEVELS, strict=True))
    made = [
        ResultTable(base, (TableColumn(cell, cell), TableColumn("RSRP", "RSRP", "dBm")), rows, len(rows), "Analyse")
    ]
    for chinese, english, head, unit, values in _FOUND:
        columns = (TableColumn(cell, cell), TableColumn(head, head, unit))
        found = tuple((_NAMES[at], value) for at, value in values.items())
        made.append(ResultTable(chinese if is_chinese else english, columns, found, len(found), "Analyse"))
    return None if question is None else answer_question(question, Results(tuple(made)), language)


def test_questions_of_a_known_shape_are_answered_and_name_their_tables() -> None:
    wrong = []
    for text, words in _ASKED:
        answer = ask(text)
        told = "" if answer is None or not answer.found else answer.text
        if not told or not all(word in told for word in (*words, "Analyse")):
            wrong.append((text, told))
    assert wrong == []


def test_what_no_column_has_is_told_and_what_is_asked_beside_a_shape_gets_no_figure() -> None:
    told = {text: ask(text) for text in _TOLD}
    assert [text for text, answer in told.items() if answer is None or answer.found] == []
    left = {text: ask(text) for text in _LEFT}
    assert [(text, answer.text) for text, answer in left.items() if answer is not None and answer.found] == []
