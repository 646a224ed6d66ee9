"""The documents: found in both languages, by synonyms without spaces, cited, and refused when they do not answer."""

import re
from pathlib import Path

import pytest

from metier.packs.telecom._knowledge import KnowledgeBase, Synonyms, extract_headings, read_passages
from metier.packs.telecom._library import read_knowledge, read_synonyms
from metier.packs.telecom.twin import load_thresholds

SYNONYMS = read_synonyms()
KNOWLEDGE = read_knowledge(SYNONYMS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("分析RSRP指标", "参考信号接收功率", id="a term inside a sentence"),
        pytest.param("物理资源块利用率", "prb利用率", id="a long word for a short one"),
        pytest.param("信噪比低", "sinr", id="a trade word and an adjective"),
        pytest.param("which cells are congested", "高负荷", id="English"),
    ],
)
def test_a_sentence_without_spaces_is_expanded(question: str, expected: str) -> None:
    assert expected in SYNONYMS.find_synonyms(question)


def test_the_longest_word_wins() -> None:
    assert SYNONYMS.unify("物理资源块利用率").split() == ["PRB利用率"]


def test_a_latin_word_is_found_whole_only() -> None:
    assert "切换" not in SYNONYMS.unify("HOLD the line")


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        pytest.param("下倾角调整几度", "coverage#3", id="tilt"),
        pytest.param("信噪比低怎么办", "interference#1", id="a synonym"),
        pytest.param("A3事件是什么", "handover#2", id="an event"),
        pytest.param("高速公路切换参数", "handover#7", id="a scene"),
        pytest.param("物理资源块利用率高如何扩容", "capacity#1", id="load"),
        pytest.param("how to fix pilot pollution", "interference#4", id="English"),
        pytest.param("when should capacity be expanded", "capacity#4", id="English with a synonym"),
        pytest.param("小区级数据有没有经纬度", "cell_workflow#1", id="workflow"),
    ],
)
def test_a_question_finds_its_passage(question: str, cited: str) -> None:
    answer = KNOWLEDGE.search(question, "corpus")
    assert answer.matches[0].passage.id == cited


@pytest.mark.parametrize(
    "question",
    [
        "今天天气怎么样",
        "红烧肉怎么做",
        "how do I cook rice",
        "股票行情",
        "帮我写一封辞职信",
        "小区物业费怎么交",
        "功率因数怎么算",
        "公司报销流程是什么",
        "what is the capital of France",
        "Python列表去重",
        "",
        "？？？",
    ],
)
def test_a_question_that_nobody_answers_is_refused(question: str) -> None:
    answer = KNOWLEDGE.search(question, "corpus")
    assert answer.matches == ()
    assert answer.best < 0.3


def test_a_score_is_a_share_and_falls_from_first_to_last() -> None:
    scores = [found.score for found in KNOWLEDGE.search("切换成功率低于98%怎么处理", "corpus").matches]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_shelf_keeps_to_itself() -> None:
    found = KNOWLEDGE.search("RSRP", "terminology").matches
    assert {one.passage.collection for one in found} == {"terminology"}


def test_there_are_enough_terms_and_every_manual() -> None:
    shelves = [passage.collection for passage in KNOWLEDGE.passages]
    files = {passage.file for passage in KNOWLEDGE.passages if passage.collection == "corpus"}
    assert shelves.count("terminology") >= 16
    assert files == {"coverage", "interference", "capacity", "handover", "cell_workflow"}
    assert {passage.file for passage in KNOWLEDGE.passages if passage.collection == "design"} == {
        "cell_analysis",
        "grid_analysis",
    }


def test_all_documents_name_the_limits_of_the_diagnosis() -> None:
    limits = {name: one.value for name, one in load_thresholds().items()}
    weak, severe = f"{100 - limits['weak_share']:g} %", f"{limits['mr_coverage']:g} %"
    home = Path(read_passages.__code__.co_filename).parent
    texts = [one.text for one in KNOWLEDGE.passages] + [one.read_text("utf-8") for one in home.glob("skills/*.md")]
    told = [
        line for text in texts for line in text.splitlines() if f"{limits['weak_share']:g} %" in line and "MR" in line
    ]
    assert len(told) >= 5
    for line in told:
        low = line.lower()
        assert {weak, severe} <= set(re.findall(r"\d+ %", line)), line
        assert low.index(weak) < max(low.find("严重"), low.find("severe")), line
    assert not [one for text in texts for one in re.findall(r"或 ?MR覆盖率低于 \d+|or MR coverage below \d+", text)]


def test_passages_are_cut_at_headings_and_numbered(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "doc.md").write_text("# 书\n\n## 一（注）\n甲\n\n## 空\n\n## 二\n乙\n", "utf-8")
    passages = read_passages(tmp_path)
    assert [(one.id, one.heading, one.text) for one in passages] == [
        ("doc#1", "书 › 一（注）", "甲"),
        ("doc#2", "书 › 二", "乙"),
    ]
    assert extract_headings(passages) == ("一", "二")


def test_nothing_is_found_in_nothing() -> None:
    assert KnowledgeBase((), Synonyms(())).search("RSRP", "corpus").matches == ()
