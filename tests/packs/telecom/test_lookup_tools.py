"""The tools that look up: what they answer, and how they refuse."""

import pytest

from tests.packs.telecom.support import SMALL, Toolbox


def test_a_passage_is_cited_by_file_and_number(box: Toolbox) -> None:
    found = box.data("search_corpus", query="下倾角调整几度")
    assert found["found"] is True
    assert found["citations"][0] == "coverage#3"


@pytest.mark.parametrize("query", ["红烧肉怎么做", "how do I cook rice"])
def test_a_refusal_says_what_was_needed(box: Toolbox, query: str) -> None:
    found = box.data("search_corpus", query=query)
    assert (found["found"], found["passages"]) == (False, [])
    assert "0.3" in str(found["message"])


def test_synonyms_that_were_looked_for_are_told(box: Toolbox) -> None:
    assert "sinr" in box.data("search_terminology", query="信噪比低")["expanded"]


@pytest.mark.parametrize("tool", ["search_terminology", "search_design_doc"])
def test_a_whole_message_finds_what_it_is_about(box: Toolbox, tool: str) -> None:
    assert box.data(tool, query="帮我分析一下朝阳区的弱覆盖问题")["found"] is True


def test_an_empty_query_is_invalid(box: Toolbox) -> None:
    assert "invalid_arguments" in box.hint("search_corpus", query="")


def test_the_matched_scenario_comes_with_what_to_look_at(box: Toolbox) -> None:
    found = box.data("match_scenario", description="试验区弱覆盖")
    assert found["digitaltwins_id"] == SMALL
    assert found["language"] == "zh"
    assert found["indicators"] == {
        "cell": ["RSRP均值", "MR覆盖率"],
        "grid": ["RSRP", "覆盖电平"],
        "compare": ["RSRP均值", "MR覆盖率"],
        "map": "RSRP",
    }


def test_a_doubt_is_left_to_the_user(box: Toolbox) -> None:
    found = box.data("match_scenario", description="弱覆盖")
    assert found["digitaltwins_id"] is None
    assert "DT20260101" in str(found["summary"])
    assert "DT20260104" in str(found["summary"])


def test_an_unknown_place_is_answered_with_all_there_are(box: Toolbox) -> None:
    summary = str(box.data("match_scenario", description="武侯区弱覆盖")["summary"])
    assert summary.startswith("没有武侯区的场景")
    assert "DT20260105" in summary


def test_english_is_answered_in_english(box: Toolbox) -> None:
    found = box.data("match_scenario", description="weak coverage in Trial")
    assert (found["digitaltwins_id"], found["language"]) == (SMALL, "en")
    assert "analysed for weak coverage" in str(found["summary"])


@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("海淀弱覆盖分析", "北京市海淀区没有以「弱覆盖」为主的场景，这里用的是「北京市海淀区5G越区覆盖」的网络"),
        ("浦东弱覆盖", "主要的问题是「干扰」"),
        ("analyse weak coverage in Haidian", "no scenario of Haidian, Beijing is about weak coverage"),
        ("分析海淀区的越区覆盖", ""),
        ("朝阳区弱覆盖分析", ""),
        ("分析一下海淀区的网络", ""),
        ("analyse overshooting in Haidian", ""),
    ],
)
def test_a_scenario_of_another_problem_than_was_asked_about_says_so(box: Toolbox, description: str, told: str) -> None:
    summary = str(box.data("match_scenario", description=description)["summary"])
    assert told in summary
    assert ("没有以" in summary or "no scenario of" in summary) == bool(told)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("分析浦东和朝阳的弱覆盖", "接着说「浦东呢」"),
        ("Analyse weak coverage in Pudong and Chaoyang", "say “and Pudong?”"),
    ],
)
def test_a_further_place_of_the_message_is_told_and_not_dropped(box: Toolbox, message: str, told: str) -> None:
    assert told in str(box.data("match_scenario", description=message)["summary"])


@pytest.mark.parametrize(
    "message", ["分析朝阳的弱覆盖", "分析朝阳的弱覆盖，不是浦东", "Weak coverage in Chaoyang, not Pudong"]
)
def test_one_place_and_an_excluded_one_need_no_word_about_others(box: Toolbox, message: str) -> None:
    summary = str(box.data("match_scenario", description=message)["summary"])
    assert "一次看一个" not in summary
    assert "at a time" not in summary
