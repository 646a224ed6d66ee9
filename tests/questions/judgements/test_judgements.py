"""Short questions that judge the newest result."""

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.questions import Judgement, Results, answer_judgement, collect_results, read_judgement

GROUNDS = (
    "为什么是这些小区|为什么是这3个|why these cells?|why these 3?|有多准|how accurate is that?|"
    "怎么算的|如何得出的|怎么看出来的|怎么是它|为什么|为什么是它|你咋看出来的|怎么判断的|凭什么这么说|依据是什么|你确定吗|谁说的|證據呢|那为啥是这台？"
    "|why|why that one?|how do you know|how can you tell?|are you sure? says who|based on what"
    "|what's your evidence for that"
)
BAD = (
    "就说有毛病的|只看异常的|哪些有问题|只列有故障的设备"
    "|just the bad ones|only show me the faulty machines|which ones are damaged?"
)
GOOD = (
    "哪台没问题|哪些是正常的|哪个不用管"
    "|which ones are fine?|thanks, and which one can I leave alone?|which machines are healthy"
)
IMPACT = (
    "会影响用户吗|影响多少用户？|有多少小区受影响|影响大不大|对用户有影响吗|那影响范围有多大"
    "|业务有影响吗|业务会不会受影响|对业务影响大吗|用户会受影响吗"
    "|does it affect users?|how many customers are affected|what is the impact on the users"
    "|will production be affected|is our service affected"
)
SEVERITY = "严重吗|这严重不严重|有多严重|how bad is it?|is it serious|is this really bad"
WORST = "按严重程度排一下|从差到好排|最差的排前面|sort it worst first|rank them by severity|worst first please"
REMAINING = (
    "还有哪些小区没解决|还有多少没解决|哪些小区还没解决？|为什么没解决|which cells are still not solved?"
    "|which ones remain?"
    "|which cells are not fixed?|how many cells remain unsolved|what is still open"
)
COMPARE = (
    "对比一下|两个比一下|两个哪个严重|哪个更急|compare|compare the two|which of the two is worse?|which is better?"
)
PAGES = "只要3页|最多两页|3 pages only|just one page|make it 2 pages"
REMEDY = "怎么解决|那怎么办|有什么建议|what can we do about it?|how to fix it|any advice?"
STATED = (
    "什么时候会坏|哪一天开始变坏的|还能用多久|when will it fail?|when did it start to get worse?|how long will it last?"
)
ALL = "全部列出来|其他的呢|结果给我看看|show me the result|list them all|what about the others?"
OTHERS = (
    "为什么是浦东的小区|为什么分析这么慢|这个合同的依据是什么条款|你确定要删除吗|只看朝阳的|哪些小区的RSRP低于-110|排一下日程"
    "|why is the RSRP of cell 3 low|how do you know him|are you sure you want this"
    "|which machine is pump 1|only the first two|sort by name"
    "|怎么查|如何分析|怎么看|怎么算|如何判断|怎么|怎么得到"
    "|影响因素有哪些|什么会影响RSRP|影响覆盖的参数|小区受什么影响|which cells have users|严重的排前面一点好吗"
    "|/why|真的很谢谢你|好的|不好|只要5个|which one is good for beginners|哪个好"
)
FLEET: JsonObject = {
    "table": "t1",
    "title": "机群",
    "columns": [
        {"key": "name", "title": "设备"},
        {"key": "state", "title": "状态"},
        {"key": "severity", "title": "严重程度", "unit": "倍"},
    ],
    "rows": [["4号鼓风机", "正常", 1.0], ["1号泵", "有故障", 4.8], ["试验台", "可疑", 2.8], ["2号风机", "有故障", 3.9]],
}
REPORT = (
    "**4 台中有 3 台需要关注。** 最紧急：1号泵（内圈）。\n\n先按状态、再按严重程度排序。\n\n"
    "要细看，可以说「诊断1号泵」。"
)


def build_results(*, with_table: bool = True) -> Results:
    events: list[tuple[str, JsonObject]] = [
        ("text.done", {"text": REPORT}),
        *([("table", FLEET)] if with_table else []),
    ]
    return collect_results([("筛查全部设备", events)], "zh")


@pytest.mark.parametrize(
    ("wordings", "asked"),
    [
        (GROUNDS, "grounds"),
        (IMPACT, "impact"),
        (SEVERITY, "severity"),
        (BAD, "bad"),
        (GOOD, "good"),
        (WORST, "worst_first"),
        (REMAINING, "remaining"),
        (COMPARE, "compare"),
        (PAGES, "pages"),
        (REMEDY, "remedy"),
        (ALL, "all"),
        (STATED, "stated"),
        (OTHERS, None),
    ],
)
def test_only_a_whole_message_that_judges_is_read_as_judging(wordings: str, asked: Judgement | None) -> None:
    listed = wordings.split("|")
    assert {one: read_judgement(one) for one in listed} == dict.fromkeys(listed, asked)


def test_grounds_are_sentences_of_the_report_and_the_rows_that_it_names_without_what_it_offers() -> None:
    answer = answer_judgement("grounds", build_results(), "zh")
    assert answer is not None
    assert "4 台中有 3 台需要关注。 最紧急：1号泵（内圈）。" in answer.text
    assert "1号泵：状态 有故障、严重程度 4.8 倍" in answer.text
    assert "先按状态、再按严重程度排序。" in answer.text
    assert "可以说" not in answer.text
    assert "筛查全部设备" in answer.text


@pytest.mark.parametrize(("asked", "names"), [("bad", ["1号泵", "试验台", "2号风机"]), ("good", ["4号鼓风机"])])
def test_rows_are_kept_by_the_words_of_their_state(asked: Judgement, names: list[str]) -> None:
    answer = answer_judgement(asked, build_results(), "zh")
    assert answer is not None
    assert [row[0] for row in answer.tables[0].rows] == names
    assert all(name in answer.text for name in names)
    assert "「状态」" in answer.text


def test_the_worst_come_first_by_state_and_then_by_severity() -> None:
    answer = answer_judgement("worst_first", build_results(), "en")
    assert answer is not None
    assert [row[0] for row in answer.tables[0].rows] == ["1号泵", "2号风机", "试验台", "4号鼓风机"]


def test_a_table_that_is_sorted_already_is_said_to_be() -> None:
    rows: list[JsonValue] = [["1号泵", "有故障", 4.8], ["2号风机", "有故障", 3.9], ["试验台", "可疑", 2.8]]
    sorted_fleet: JsonObject = {**FLEET, "rows": rows}
    answer = answer_judgement("worst_first", collect_results([("x", [("table", sorted_fleet)])], "en"), "en")
    assert answer is not None
    assert "already" in answer.text


def test_rows_without_a_state_and_rows_that_were_not_kept_are_told() -> None:
    fleet: JsonObject = {**FLEET, "rows": [["a", "正常", 1.0], ["b", None, 1.0]], "total": 500}
    answer = answer_judgement("bad", collect_results([("x", [("table", fleet)])], "zh"), "zh")
    assert answer is not None
    assert "没有写明不正常的" in answer.text
    assert "1 项没有写明状态" in answer.text
    assert "500 行中的前 2 行" in answer.text


def test_a_row_is_a_ground_only_by_its_whole_name() -> None:
    fleet: JsonObject = {**FLEET, "rows": [["pump 1", "正常", 1.0], ["pump 10", "有故障", 4.0]]}
    events: list[tuple[str, JsonObject]] = [
        ("text.done", {"text": "The most urgent one is pump 10."}),
        ("table", fleet),
    ]
    answer = answer_judgement("grounds", collect_results([("x", events)], "en"), "en")
    assert answer is not None
    assert "pump 10:" in answer.text
    assert "pump 1:" not in answer.text


def test_without_a_column_of_states_nothing_is_judged() -> None:
    cells: JsonObject = {
        **FLEET,
        "columns": [{"key": "cell", "title": "小区"}, {"key": "n", "title": "RSRP"}],
        "rows": [["a", -99]],
    }
    results = collect_results([("x", [("table", cells)])], "zh")
    assert [answer_judgement(asked, results, "zh") for asked in ("bad", "good", "grounds")] == [None] * 3
    assert answer_judgement("bad", build_results(with_table=False), "zh") is None


@pytest.mark.parametrize(
    ("measure", "first"), [("RSRP均值", "b"), ("下行PRB利用率", "c"), ("经度", ""), ("销售额", "")]
)
def test_without_states_the_worst_come_first_by_the_first_measure_that_can_be_judged(measure: str, first: str) -> None:
    cells: JsonObject = {
        **FLEET,
        "columns": [{"key": "cell", "title": "小区"}, {"key": "n", "title": measure}],
        "rows": [["a", -99], ["b", -110], ["c", -80]],
    }
    answer = answer_judgement("worst_first", collect_results([("x", [("table", cells)])], "zh"), "zh")
    assert (str(answer.tables[0].rows[0][0]) if answer else "") == first


@pytest.mark.parametrize(
    "message",
    [
        "太长了，说重点",
        "看不懂",
        "没看懂",
        "什么意思",
        "长话短说",
        "简单点说",
        "结论是什么",
        "this is too long",
        "tl;dr",
        "keep it short",
        "I don't understand",
        "just the main points",
        "what does that mean?",
        "what's the bottom line?",
        "I don't get it",
        "too much text",
    ],
)
def test_who_finds_a_report_too_long_or_unclear_gets_its_main_points(message: str) -> None:
    assert read_judgement(message) == "short"
    told = answer_judgement("short", build_results(), "zh")
    assert told is not None
    assert told.text.startswith("简单说：\n\n- 4 台中有 3 台需要关注。")
    assert len([one for one in told.text.splitlines() if one.startswith("- ")]) <= 3


@pytest.mark.parametrize(
    "message", ["弱覆盖是什么意思", "合同太长了，帮我缩短", "what does RSRP mean?", "时间太长了怎么办"]
)
def test_a_question_about_something_named_is_no_wish_for_the_main_points(message: str) -> None:
    assert read_judgement(message) is None


@pytest.mark.parametrize(
    "message", ["等一下，会影响现网用户吗", "稍等，对现网用户有影响吗", "wait, are users affected?"]
)
def test_who_hesitates_before_asking_is_heard(message: str) -> None:
    assert read_judgement(message) == "impact"


def test_grounds_are_those_after_the_last_answered_question_and_no_headings() -> None:
    events: list[tuple[str, JsonObject]] = [
        ("text.done", {"text": "## 场景\n\n没有小区超过门限。"}),
        ("pause.answered", {"pause": "p"}),
        ("text.done", {"text": "**现象**（共 1 项）\n\n干扰小区 37 → 13。"}),
    ]
    answer = answer_judgement("grounds", collect_results([("浦东", events)], "zh"), "zh")
    assert answer is not None
    assert "干扰小区 37 → 13。" in answer.text
    assert "门限" not in answer.text
    assert "现象" not in answer.text


def test_who_is_affected_is_counted_or_said_to_be_unknown() -> None:
    told = answer_judgement("impact", build_results(), "zh", "用户")
    assert told is not None
    assert told.text.startswith("影响多少用户不知道")
    assert "4 台中有 3 台需要关注" in told.text
    known = answer_judgement("impact", build_results(), "zh", "设备")
    assert known is not None
    assert known.text.startswith("结果里写明的数目")
    uncounted = collect_results([("x", [("text.done", {"text": "内圈损伤。"})])], "zh")
    assert answer_judgement("impact", uncounted, "zh", "用户") is None


@pytest.mark.parametrize(
    "note",
    [
        "先把这个问题放一边：「是否需要仿真？」说「回到刚才的问题」可以接着回答。",
        "问题「是否批准执行：下发参数？」已关闭。",
        "按「诊断1号泵的轴承」处理。",
        "I put this question aside: “Shall I simulate?” Say “back to the question” to take it up again.",
        "Read as: “Diagnose pump 1”",
    ],
)
def test_what_is_told_of_a_question_or_of_how_a_message_was_read_is_no_ground(note: str) -> None:
    events: list[tuple[str, JsonObject]] = [("text.done", {"text": note}), ("text.done", {"text": REPORT})]
    answer = answer_judgement("grounds", collect_results([("筛查全部设备", events), ("x", [])], "zh"), "zh")
    assert answer is not None
    assert note not in answer.text
    assert "需要关注" in answer.text


def test_a_remaining_life_is_told_only_by_a_report_that_states_times() -> None:
    assert answer_judgement("stated", build_results(), "zh") is None
    trend: tuple[str, JsonObject] = ("text.done", {"text": "**从第 267 条记录起开始劣化。** 剩余寿命约 26 条记录。"})
    told = answer_judgement("stated", collect_results([("剩余寿命", [trend, ("table", FLEET)])], "zh"), "zh")
    assert told is not None
    assert "26 条记录" in told.text
