"""Which scenario is meant."""

import pytest

from metier.errors import NotFound
from metier.packs.telecom._library import read_synonyms
from metier.packs.telecom._scenes import TOPIC_INDICATORS, ScenarioCatalog
from metier.packs.telecom.twin import INDICATORS, Twin

SCENES = ScenarioCatalog(Twin(), read_synonyms())


@pytest.mark.parametrize(
    ("text", "ids", "sure"),
    [
        pytest.param("朝阳区弱覆盖", ["DT20260101"], True, id="a place rules the others out"),
        pytest.param("帮我分析一下朝阳区的弱覆盖问题", ["DT20260101"], True, id="a whole sentence"),
        pytest.param("朝阳的干扰", ["DT20260101"], True, id="a place beats the problem"),
        pytest.param("西湖信号不好", ["DT20260104"], True, id="a district without its suffix"),
        pytest.param("浦东4G干扰很高", ["DT20260103"], True, id="network and problem too"),
        pytest.param("weak coverage in Chaoyang", ["DT20260101"], True, id="English"),
        pytest.param("Guangzhou is overloaded", ["DT20260105"], True, id="a city in English"),
        pytest.param("dt20260102 做根因分析", ["DT20260102"], True, id="an id in small letters"),
        pytest.param("弱覆盖", ["DT20260101", "DT20260104"], False, id="two fit equally"),
        pytest.param("北京的网络", ["DT20260101", "DT20260102"], False, id="two of one city"),
        pytest.param("看看信噪比", ["DT20260103"], False, id="a problem alone names no place"),
        pytest.param("帮我分析一下 A 区域的干扰问题", [], False, id="an area with a letter"),
        pytest.param("深圳的干扰", [], False, id="a city without scenario"),
        pytest.param("interference in Springfield", [], False, id="an English place without scenario"),
        pytest.param("武侯区弱覆盖", [], False, id="a place nobody knows"),
        pytest.param("你好", [], False, id="nothing said"),
    ],
)
def test_a_description_means_these_scenarios(text: str, ids: list[str], sure: bool) -> None:
    found = SCENES.match(text)
    assert [one.scenario.id for one in found.found] == ids
    assert found.sure is sure


def test_what_the_conversation_is_about_holds_until_another_place_is_named() -> None:
    cases = {
        "再看看干扰": "DT20260101",
        "下发参数": "DT20260101",
        "撤销刚才下发的参数": "DT20260101",
        "哪些小区低于-110": "DT20260101",
        "这个区域的切换呢": "DT20260101",
        "北京的网络": "DT20260101",
        "apply the recommended parameters": "DT20260101",
        "换成浦东": "DT20260103",
        "now Tianhe please": "DT20260105",
        "A区域的干扰": None,
        "武汉的弱覆盖": None,
        "what about zone B": None,
    }
    found = {text: SCENES.match(text, "DT20260101") for text in cases}
    assert {text: one.found[0].scenario.id if one.sure else None for text, one in found.items()} == cases


def test_a_place_without_an_ending_is_named_and_other_words_are_no_place() -> None:
    named = {
        "分析一下嘉善的弱覆盖": "嘉善",
        "再看看义乌5G干扰": "义乌",
        "昆山高负荷": "昆山",
        "凤阳呢": "凤阳",
        "深圳": "深圳",
        "对大理做一次网络优化": "大理",
        "景德镇有哪些弱覆盖小区": "景德镇",
        "把参数下发到张家港": "张家港",
        "帮我分析一下武侯区的弱覆盖": "武侯区",
        "weak coverage in jiashan": "jiashan",
        "Analyse Jiashan for interference": "Jiashan",
    }
    others = [
        *(
            "看看主要的弱覆盖小区",
            "第二个呢",
            "换成折线图",
            "哪些小区的覆盖最差",
            "高负荷小区呢",
            "这三个小区的参数是多少",
        ),
        *(
            "下倾角太大的小区有哪些",
            "把功率调高的小区列出来",
            "能否只看5G小区",
            "晚高峰的负荷",
            "我这边信号差",
            "一共有多少个栅格",
        ),
        *("Change the chart in detail", "show the worst cells in a range", "Simulate with at most three changes"),
    ]
    wanted = {**named, **dict.fromkeys(others, "")}
    assert {text: SCENES.match(text, "DT20260101").place for text in wanted} == wanted


def test_a_place_nobody_knows_is_named() -> None:
    assert SCENES.match("武侯区弱覆盖").place == "武侯区"


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        pytest.param("弱覆盖", "weak_coverage", id="coverage"),
        pytest.param("越区覆盖", "overshoot", id="overshoot before coverage"),
        pytest.param("信干噪比偏低", "interference", id="interference by synonym"),
        pytest.param("资源块不够", "load", id="load by synonym"),
        pytest.param("切换失败", "handover", id="handover"),
        pytest.param("poor signal", "weak_coverage", id="English"),
        pytest.param("你好", None, id="none"),
    ],
)
def test_a_text_speaks_of_a_topic(text: str, topic: str | None) -> None:
    assert SCENES.detect_topic(text) == topic


def test_an_unknown_id_is_answered_with_the_list() -> None:
    with pytest.raises(NotFound) as caught:
        SCENES.get("DT19990101")
    assert all(id in caught.value.hint for id in SCENES.known)


def test_every_topic_looks_at_indicators_that_exist() -> None:
    cell, grid = ({one.name for one in INDICATORS[level, "root_cause"]} for level in ("cell", "grid"))
    for wanted in TOPIC_INDICATORS.values():
        assert cell >= {*wanted.cell, *wanted.compare}
        assert grid >= set(wanted.grid)


@pytest.mark.parametrize(
    "text",
    [
        "分析海淀的弱覆盖",
        "朝阳区弱覆盖分析",
        "朝阳弱覆盖",
        "帮我看看浦东的4G干扰",
        "天河负荷高",
        "Check the coverage in Xihu please",
        "朝阳那边信号咋样",
        "浦东有用户投诉老掉线，查查",
        "How's coverage in Chaoyang today?",
        "Show me the weak spots in Pudong",
        "Why is Pudong so slow?",
    ],
)
def test_a_known_place_with_a_problem_is_work_for_the_analysis(text: str) -> None:
    assert SCENES.speaks_of_network(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("海淀弱覆盖是什么意思", id="asks for a meaning"),
        pytest.param("写一份海淀覆盖情况的通稿", id="another work"),
        pytest.param("做一份朝阳弱覆盖的PPT", id="another file"),
        pytest.param("海淀今天的天气", id="no problem of a network"),
        pytest.param("朝阳这家饭店怎么样", id="another subject"),
        pytest.param("浦东的房价为什么这么低", id="another question"),
        pytest.param("bad restaurants in Pudong", id="bad, but no network"),
        pytest.param("嘉善的弱覆盖", id="no scenario"),
        pytest.param("下发朝阳弱覆盖的参数", id="a change"),
        pytest.param("做一次朝阳的覆盖专项分析", id="another skill"),
    ],
)
def test_a_place_beside_anything_else_is_left_to_the_router(text: str) -> None:
    assert not SCENES.speaks_of_network(text)
