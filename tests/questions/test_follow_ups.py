"""Short follow-ups are the last question for another subject."""

import pytest

from metier.json_values import JsonValue
from metier.language import Language
from metier.questions import (
    complete_follow_up,
    complete_several,
    find_stated,
    name_pointed,
    orders_change,
    read_compared,
    read_other_limit,
    read_subject,
)

_MACHINES = ("1号泵", "2号风机", "3号电机", "4号鼓风机")
_MACHINES_EN = ("Pump 1", "Fan 2", "Motor 3", "Blower 4")
_PLACES = ("北京市朝阳区4G/5G弱覆盖", "上海市浦东新区4G高干扰", "杭州市西湖区4G/5G弱覆盖")
_LOADED = ("广州市天河区5G高负荷", *_PLACES)
_PLACES_EN = ("Chaoyang, Beijing: weak 4G/5G coverage", "Pudong, Shanghai: 4G interference")
_SEVERITY = "评价2号风机的振动烈度，II类"


@pytest.mark.parametrize(
    ("said", "message", "kind", "whole"),
    [
        ((_SEVERITY,), "4号鼓风机呢", _MACHINES, "评价4号鼓风机的振动烈度，II类"),
        ((_SEVERITY, "4号鼓风机呢"), "换成I类呢？", _MACHINES, "评价4号鼓风机的振动烈度，I类"),
        ((_SEVERITY, "C区是什么意思"), "换成I类呢", _MACHINES, "评价2号风机的振动烈度，I类"),
        (("Rate pump 1, class II",), "and fan 2?", _MACHINES_EN, "Rate fan 2, class II"),
        (("Rate pump 1, class II", "and fan 2?"), "what about class I?", _MACHINES_EN, "Rate fan 2, class I"),
        (("分析一下朝阳区的弱覆盖",), "和浦东比一下", _PLACES, "分析一下浦东的弱覆盖"),
        (("分析一下朝阳区的弱覆盖",), "比浦东好吗", _PLACES, "分析一下浦东的弱覆盖"),
        (("分析一下朝阳区的弱覆盖", "那浦东呢"), "回到朝阳", _PLACES, "分析一下朝阳的弱覆盖"),
        (("Analyse weak coverage in Chaoyang",), "compare with Pudong", _PLACES_EN, "Analyse weak coverage in Pudong"),
        (
            ("Analyse weak coverage in Chaoyang",),
            "is that better than Pudong?",
            _PLACES_EN,
            "Analyse weak coverage in Pudong",
        ),
        (("Diagnose pump 1",), "compare with pump 2", _MACHINES_EN, "Diagnose pump 2"),
        (("分析一下朝阳区的弱覆盖",), "那浦东呢", _PLACES, "分析一下浦东的弱覆盖"),
        (("Analyse weak coverage in Chaoyang",), "How about Pudong", _PLACES_EN, "Analyse weak coverage in Pudong"),
        ((_SEVERITY,), "and pump 1?", (*_MACHINES, *_MACHINES_EN), "评价pump 1的振动烈度，II类"),
        (("Rate fan 2, class II",), "那4号鼓风机呢", (*_MACHINES, *_MACHINES_EN), "Rate 4号鼓风机, class II"),
        (("分析一下朝阳区的弱覆盖",), "and Pudong?", (*_PLACES, *_PLACES_EN), "分析一下Pudong的弱覆盖"),
        (("Analyse Chaoyang",), "那浦东呢", (*_PLACES, *_PLACES_EN), "Analyse 浦东"),
        (("华东的销售额是多少",), "华北呢", ("华东", "华北"), "华北的销售额是多少"),
        (("2025年的销售额",), "2024年呢", (), "2024年的销售额"),
        (("今年运势怎么样",), "明年呢", (), "明年运势怎么样"),
        (("RSRP是什么意思",), "SINR呢", (), "SINR是什么意思"),
        (("What does BPFO mean?",), "and BPFI?", (), "What does BPFI mean?"),
        (("天河5G小区负荷太高，做一次容量专项分析",), "那朝阳呢", _LOADED, "朝阳5G小区负荷太高，做一次容量专项分析"),
        (("C区是什么意思",), "D区呢", (), "D区是什么意思"),
        (("华东的订单数量是多少",), "华北呢", ("华东", "华北"), "华北的订单数量是多少"),
        (("华东的销售额增加了多少",), "华北呢", ("华东", "华北"), "华北的销售额增加了多少"),
        (("1号泵的启动电流是多少",), "2号风机呢", _MACHINES, "2号风机的启动电流是多少"),
        (
            ("What is the average order value in East",),
            "and North?",
            ("East", "North"),
            "What is the average order value in North",
        ),
        (("它还能用多久",), "2号风机呢", _MACHINES, "2号风机还能用多久"),
        (("What is the life of pump 1?",), "and fan 2?", _MACHINES_EN, "What is the life of fan 2?"),
        (("/bearing_diagnosis",), "2号风机呢", _MACHINES, "/bearing_diagnosis 2号风机"),
        (("诊断1号泵的轴承", "查看图表背后的数据"), "2号风机呢", _MACHINES, "诊断2号风机的轴承"),
        (("诊断1号泵的轴承",), "4号鼓风机呢", ("1号泵 轴承", "2号风机 轴承", "4号鼓风机"), "诊断4号鼓风机的轴承"),
        (
            ("我1990年3月5日早上8点生于上海，2026年运势如何",),
            "2027年呢",
            (),
            "我1990年3月5日早上8点生于上海，2027年运势如何",
        ),
        (("诊断1号泵的轴承",), "不对，我说的是4号鼓风机", _MACHINES, "诊断4号鼓风机的轴承"),
        (("诊断1号泵的轴承",), "说错了，是2号风机", _MACHINES, "诊断2号风机的轴承"),
        (("分析一下朝阳区的弱覆盖",), "我说的是浦东", _PLACES, "分析一下浦东的弱覆盖"),
        (("Diagnose pump 1",), "no, I meant fan 2", _MACHINES_EN, "Diagnose fan 2"),
        (("Diagnose pump 1",), "sorry, fan 2", _MACHINES_EN, "Diagnose fan 2"),
        (("Rate pump 1, class II",), "Oops, make that class I", _MACHINES_EN, "Rate pump 1, class I"),
        (("今年运势怎么样",), "不好意思，我问的是明年", (), "明年运势怎么样"),
        (("born 1990-03-05, how is my career in 2026",), "and 2027?", (), "born 1990-03-05, how is my career in 2027"),
    ],
)
def test_a_follow_up_is_the_last_question_for_another_subject(
    said: tuple[str, ...], message: str, kind: tuple[str, ...], whole: str
) -> None:
    assert complete_follow_up(message, said, [kind]) == whole


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("诊断1号泵的轴承", "然后呢"),
        ("诊断1号泵的轴承", "天气怎么样"),
        ("诊断1号泵的轴承", "第二个呢"),
        ("诊断1号泵的轴承", "1号泵呢"),
        ("筛查全部设备", "4号鼓风机呢"),
        ("Diagnose pump 1", "and then?"),
        ("what is the total revenue?", "and by region?"),
        ("what is the total revenue?", "what about by product?"),
        ("Diagnose pump 1", "and write a report about what you have found so far"),
    ],
)
def test_what_names_no_other_subject_is_left_as_it_is(said: str, message: str) -> None:
    assert complete_follow_up(message, [said], [_MACHINES, _MACHINES_EN]) == ""


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("Delete row 3", "and row 4?"),
        ("把Q1的数据删掉", "Q2呢"),
        ("把小区1234567的倾角调低3度", "7654321呢"),
        ("写一份采购合同，单价3000元", "5000元呢"),
        ("每天8点提醒我吃2片药", "3片呢"),
        ("把1号泵的名字改成主泵", "2号风机呢"),
    ],
)
def test_a_question_repeats_no_order_that_changes_or_makes_something(said: str, message: str) -> None:
    assert complete_follow_up(message, [said], [_MACHINES]) == ""


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("比较2025年和2026年的销售额", "2027年呢"),
        ("我1990年3月5日生于上海，运势如何", "下个月呢"),
        ("born 5 March 1990, what is my sign", "and 1991?"),
        ("what is RMS", "and me?"),
        ("what is RMS", "and delete everything?"),
        ("RSRP是什么意思", "然后呢"),
        ("RSRP是什么意思", "为什么呢"),
        ("RSRP是什么意思", "天气怎么样"),
        ("弱覆盖是什么意思", "效果如何"),
        ("弱覆盖是什么意思", "单位是什么呢"),
        ("What does RMS mean?", "and why?"),
        ("What does RMS mean?", "and how do I fix it?"),
        ("What does RMS mean?", "and thanks"),
        ("What is the capital of France?", "and Paris?"),
    ],
)
def test_where_it_is_not_clear_what_a_follow_up_replaces_nothing_is(said: str, message: str) -> None:
    assert complete_follow_up(message, [said], [_MACHINES]) == ""


def test_a_follow_up_without_an_earlier_message_is_none() -> None:
    assert complete_follow_up("4号鼓风机呢", [], [_MACHINES]) == ""


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("那4号鼓风机呢？", "4号鼓风机"),
        ("and the south?", "south"),
        ("same for fan 2", "fan 2"),
        ("诊断1号泵的轴承", ""),
    ],
)
def test_the_subject_of_a_follow_up_is_read(message: str, subject: str) -> None:
    assert read_subject(message) == subject


STATED: JsonValue = [
    {"says": ["严重吗", "how bad is it"], "means": {"zh": "{asset}的趋势", "en": "trend of {asset}"}},
    {"says": ["can it wait {when}", "还能用{when}"], "means": "life of {asset}"},
]


@pytest.mark.parametrize(
    ("message", "language", "means"),
    [
        ("严重吗？", "zh", "1号泵的趋势"),
        ("那嚴重嗎", "zh", "1号泵的趋势"),
        ("So how bad is it?", "en", "trend of 1号泵"),
        ("can it wait till the weekend", "en", "life of 1号泵"),
        ("还能用多久？", "zh", "life of 1号泵"),
        ("还能用三个月", "zh", "life of 1号泵"),
        ("can it wait", "en", ""),
        ("can it wait in the queue", "en", ""),
        ("还能用英文写报告吗", "zh", ""),
        ("还能用6203轴承诊断吗", "zh", ""),
        ("严重", "zh", ""),
        ("好的，严重", "zh", ""),
        ("严重的是那个合同", "zh", ""),
        ("how bad is it that the report for the other plant is late", "en", ""),
        ("", "zh", ""),
    ],
)
def test_a_skill_states_what_short_questions_mean(message: str, language: Language, means: str) -> None:
    assert find_stated(message, STATED, language, {"asset": "1号泵"}) == means


@pytest.mark.parametrize(
    "stated",
    [
        None,
        "steps",
        [],
        [1],
        [{"says": 3, "means": 4}],
        [{"says": ["{when}"], "means": "x"}],
        [{"says": [""], "means": "x"}],
    ],
)
def test_statements_that_say_nothing_change_nothing(stated: JsonValue) -> None:
    assert find_stated("严重吗", stated, "zh", {}) == ""


def test_an_unknown_fact_leaves_the_message_alone() -> None:
    assert find_stated("严重吗", STATED, "zh", {}) == ""


def test_a_skill_puts_no_command_into_a_users_mouth() -> None:
    assert find_stated("严重吗", [{"says": ["严重吗"], "means": " /deliver all"}], "zh", {}) == ""


def test_long_lists_and_long_wordings_cost_nothing() -> None:
    stated: JsonValue = [{"says": ["x" + "啊" * 100_000 + "x"] * 1_000, "means": "x"}] * 1_000
    assert find_stated("严重吗", stated, "zh", {}) == ""


def test_a_question_points_to_the_one_thing_that_the_last_answer_named() -> None:
    names, answer = ["460-00-100031", "460-00-1000", "460-00-100034"], "| 460-00-100031 | -104.9 |"
    cases = {
        "为什么选它": "为什么是460-00-100031",
        "为什么是这个小区？": "为什么是460-00-100031",
        "那个小区怎么了": "460-00-100031有什么问题",
        "它严重吗": "460-00-100031有什么问题",
        "why that one?": "why 460-00-100031?",
        "what's wrong with it?": "tell me about 460-00-100031",
        "为什么这么判断": "",
        "它的下倾角是多少": "",
        "why is that?": "",
    }
    found = {one: name_pointed(one, answer, names, "en" if one.isascii() else "zh") for one in cases}
    assert found == cases
    two = f"{answer}\n| 460-00-100034 | -103.0 |"
    assert name_pointed("为什么选它", two, names, "zh") == ""


def test_another_place_is_put_into_the_newest_request_that_names_one() -> None:
    said = ["分析朝阳的弱覆盖", "不用", "哪个小区最差", "它怎么了", "为什么"]
    assert complete_follow_up("那换成浦东的看看", said, [["朝阳", "浦东"]]) == "分析浦东的弱覆盖"


def test_only_what_is_set_against_the_result_is_read_as_a_comparison() -> None:
    compared = {
        "跟上个月比": "上个月",
        "对比一下广州": "广州",
        "how does that compare with Guangzhou?": "Guangzhou",
        "compared to last month?": "last month",
        "对比一下": "",
        "比例多少": "",
        "比较甲公司和乙公司": "",
        "compare the bid with the tender": "",
        "比较一下示例投标文件和招标文件": "",
    }
    assert {one: read_compared(one) for one in compared} == compared


def test_a_follow_up_that_could_not_be_completed_is_no_request_to_complete() -> None:
    kinds = [["朝阳", "浦东"], ["Chaoyang", "Pudong"]]
    assert complete_follow_up("朝阳呢", ["下发", "浦东呢"], kinds) == ""
    assert complete_follow_up("and Chaoyang?", ["apply", "and Pudong?"], kinds) == ""
    assert complete_follow_up("compared with Pudong?", ["Diagnose fan 2", "is it better than Chaoyang?"], kinds) == ""
    assert complete_follow_up("朝阳呢", ["分析浦东的干扰", "下发", "浦东呢"], kinds) == "分析朝阳的干扰"
    assert complete_follow_up("2号泵呢", ["你好", "1号泵怎么样"], [["1号泵", "2号泵"]]) == "2号泵怎么样"


@pytest.mark.parametrize(
    ("message", "is_order"),
    [
        ("下发", True),
        ("只下发460-00-100007", True),
        ("就下发下倾角", True),
        ("撤销参数", True),
        ("apply the tilt only", True),
        ("分析浦东的干扰", False),
        ("show me Pudong", False),
    ],
)
def test_an_order_that_changes_something_is_told_by_its_form(message: str, is_order: bool) -> None:
    assert orders_change(message) is is_order


def test_another_limit_may_be_negative_without_a_gap_and_in_full_width() -> None:
    assert read_other_limit("-95呢", ["哪些小区RSRP低于-100"]) == "哪些小区RSRP低于-95"
    assert read_other_limit("－９５呢", ["哪些小区RSRP低于-100"]) == "哪些小区RSRP低于-95"
    assert read_other_limit("７呢", ["哪些小区SINR低于 6 dB"]) == "哪些小区SINR低于 7 dB"


@pytest.mark.parametrize(
    ("earlier", "message", "kind", "wholes"),
    [
        ("分析一下朝阳区的弱覆盖", "浦东和西湖呢", _PLACES, ("分析一下浦东的弱覆盖", "分析一下西湖的弱覆盖")),
        (
            "分析一下朝阳的弱覆盖",
            "浦东，西湖和朝阳呢",
            _PLACES,
            tuple(f"分析一下{one}的弱覆盖" for one in ("浦东", "西湖", "朝阳")),
        ),
        ("评价2号风机的振动", "1号泵、3号电机怎么样", _MACHINES, ("评价1号泵的振动", "评价3号电机的振动")),
        ("Rate pump 1", "and fan 2 and motor 3?", _MACHINES_EN, ("Rate fan 2", "Rate motor 3")),
        (
            "Rate pump 1",
            "what about pump 1, fan 2 and blower 4?",
            _MACHINES_EN,
            ("Rate pump 1", "Rate fan 2", "Rate blower 4"),
        ),
        ("分析一下朝阳区的弱覆盖", "浦东和南山呢", _PLACES, ()),
        ("分析一下朝阳区的弱覆盖", "和浦东比一下", _PLACES, ()),
        ("把1号泵停机", "2号风机和3号电机呢", _MACHINES, ()),
        ("Rate pump 1", "and why?", _MACHINES_EN, ()),
    ],
)
def test_a_follow_up_about_several_subjects_is_a_question_for_each(
    earlier: str, message: str, kind: tuple[str, ...], wholes: tuple[str, ...]
) -> None:
    assert complete_several(message, (earlier,), [kind]) == wholes
