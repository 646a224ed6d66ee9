from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.ranking._bm25 import LexicalDocument, LexicalIndex, count_terms
from metier.routing.text import Glossary, build_routing_text
from metier.textsearch import Terms, extract_terms
from tests.routing.support import DESK

TEXTS = [build_routing_text(skill) for skill in DESK]
DOCUMENTS = [LexicalDocument.of(text.all_texts) for text in TEXTS]
INDEX = LexicalIndex(DOCUMENTS)
IDS = [text.skill for text in TEXTS]


def best(message: str) -> str:
    return IDS[int(INDEX.score(extract_terms(message)).values.argmax())]


@pytest.mark.parametrize(
    ("message", "skill"),
    [
        pytest.param("小区的负荷与利用率", "capacity_analysis", id="Chinese without spaces"),
        pytest.param("5G负荷高", "capacity_analysis", id="two scripts"),
        pytest.param("做个ＰＰＴ", "pptx", id="full width"),
        pytest.param("simulating antennas", "network_optimization", id="parts of words"),
        pytest.param("会议的决议", "meeting-minutes", id="pairs of characters"),
    ],
)
def test_words_find_their_skill(message: str, skill: str) -> None:
    assert best(message) == skill


def test_a_message_about_something_else_scores_near_nothing() -> None:
    scores = INDEX.score(extract_terms("quxx vwxyz kjhg"))
    assert float(scores.values.max()) < 0.1
    assert scores.known < 0.2


def test_a_message_in_the_words_of_a_skill_scores_around_one() -> None:
    index = LexicalIndex([LexicalDocument.of(["整理会议纪要"]), LexicalDocument.of(["跑一遍网络仿真"])])
    scores = index.score(extract_terms("整理会议纪要"))
    assert scores.values.tolist() == [pytest.approx(1, abs=0.3), 0]
    assert scores.known == pytest.approx(1)


def test_an_empty_message_scores_nothing() -> None:
    scores = INDEX.score(Terms([], []))
    assert (float(scores.values.max()), scores.known) == (0, 0)


def test_saying_a_word_ten_thousand_times_says_it_once() -> None:
    once, often = INDEX.score(extract_terms("ppt 汇报")), INDEX.score(extract_terms("ppt 汇报 " * 10_000))
    assert np.array_equal(once.values, often.values)


def test_an_index_of_nothing_and_of_empty_skills_can_be_asked() -> None:
    assert len(LexicalIndex([]).score(extract_terms("ppt")).values) == 0
    assert LexicalIndex([LexicalDocument.of([]), LexicalDocument.of([])]).score(
        extract_terms("ppt")
    ).values.tolist() == [0, 0]


def test_the_shared_words_are_those_of_the_message_and_the_skill() -> None:
    capacity = IDS.index("capacity_analysis")
    assert INDEX.find_shared_words(extract_terms("请看小区的负荷 and congestion").words, capacity) == (
        "小区的负荷",
        "and",
        "congestion",
    )
    assert INDEX.find_shared_words(extract_terms("生辰").words, capacity) == ()


messages = st.text("负荷高会议纪要 pptslideabc", min_size=1, max_size=30)


@given(messages)
def test_scores_lie_between_nothing_and_what_bm25_can_give(message: str) -> None:
    scores = INDEX.score(extract_terms(message))
    assert (scores.values >= 0).all()
    assert (scores.values <= 4).all()
    assert 0 <= scores.known <= 1 + 1e-6


@given(messages)
def test_one_more_unrelated_skill_changes_little(message: str) -> None:
    more = LexicalIndex([*DOCUMENTS, LexicalDocument.of(["Жизнь и судьба, роман в трёх частях"])])
    before, after = INDEX.score(extract_terms(message)).values, more.score(extract_terms(message)).values
    assert float(np.abs(after[:-1] - before).max()) < 0.1
    assert after[-1] == 0


@given(messages)
def test_a_document_scores_the_same_inside_the_index_and_beside_it(message: str) -> None:
    inside = INDEX.score(extract_terms(message)).values
    beside = [INDEX.score_one(extract_terms(message), count_terms(text.all_texts)) for text in TEXTS]
    np.testing.assert_allclose(beside, inside, atol=1e-5)


def test_a_document_of_nothing_beside_the_index_scores_nothing() -> None:
    assert INDEX.score_one(extract_terms("负荷高"), Counter()) == 0
    assert INDEX.score_one(Terms([], []), count_terms(TEXTS[0].all_texts)) == 0
    assert LexicalIndex([]).score_one(extract_terms("ppt"), count_terms(["ppt"])) >= 0


@given(st.text(), st.text())
def test_a_document_holds_every_term_as_often_as_it_was_said(text: str, other: str) -> None:
    document = LexicalDocument.of([text, other])
    counted = count_terms([text, other])
    assert dict(zip(document.terms, document.counts.tolist(), strict=True)) == counted
    assert document.count_without(other) == count_terms([text])


@given(st.lists(st.sampled_from(["负荷高", "report", "the report", "纪要 report"]), min_size=1, max_size=6))
def test_what_most_skills_say_counts_as_much_as_what_few_say(texts: list[str]) -> None:
    index = LexicalIndex([LexicalDocument.of([text]) for text in texts])
    message = extract_terms("the report 负荷")
    beside = [index.score_one(message, count_terms([text])) for text in texts]
    np.testing.assert_allclose(index.score(message).values, beside, atol=1e-5)


@pytest.mark.parametrize(("share", "numbers"), [(1, 1), (20, 16), (10_000, 1_000_000)], ids=["none", "two", "all"])
def test_scores_are_the_same_however_many_terms_are_dense(
    share: int, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metier.routing.ranking._bm25._DENSE_SHARE", share)
    monkeypatch.setattr("metier.routing.ranking._bm25._MAX_DENSE_NUMBERS", numbers)
    other = LexicalIndex(DOCUMENTS)
    for message in ("write a weekly report about the network", "把会议记录整理成纪要 and slides", "quxx"):
        terms = extract_terms(message)
        np.testing.assert_allclose(other.score(terms).values, INDEX.score(terms).values, atol=1e-6)
        assert other.score(terms).known == pytest.approx(INDEX.score(terms).known)
        assert all(
            other.find_shared_words(terms.words, at) == INDEX.find_shared_words(terms.words, at)
            for at in range(len(IDS))
        )


def test_shared_words_are_those_of_the_skill_alone() -> None:
    words = extract_terms("write a research report, quxx").words
    assert INDEX.find_shared_words(words, IDS.index("research")) == ("write", "a", "research", "report")
    assert "research" not in INDEX.find_shared_words(words, IDS.index("bazi"))


def test_a_group_of_terms_weighs_by_how_few_have_one_and_an_unrelated_document_changes_nothing() -> None:
    texts = (["a contract for a loan"], ["a contract for a house"], ["a poem"])
    index = LexicalIndex([LexicalDocument.of(one) for one in texts])
    shares = index.score_groups([["contract", "contracts"], ["loan", "loans"]])
    assert shares[0] > shares[1] > shares[2] == 0
    assert shares[0] == pytest.approx(1)
    more = LexicalIndex([LexicalDocument.of(one) for one in (*texts, ["the weather"])])
    assert more.score_groups([["contract", "contracts"], ["loan", "loans"]])[:3] == pytest.approx(shares)
    assert not index.score_groups([]).any()
    assert not index.score_groups([["weather"]]).any()


SYNONYMS = Glossary([("弱覆盖", "信号差", "覆盖空洞", "盲区", "poor signal")])
NETWORK = LexicalIndex(
    [LexicalDocument.of([text]) for text in ("弱覆盖的分析", "信号差、覆盖空洞和盲区的分析", "会议的分析")]
)


def score_with_synonyms(message: str) -> list[float]:
    synonyms = SYNONYMS.extract_synonyms(message, NETWORK.has_term)
    return [float(value) for value in NETWORK.score(extract_terms(message), synonyms).values]


def test_many_synonyms_of_a_word_never_outweigh_the_word_itself() -> None:
    said, otherwise, neither = score_with_synonyms("分析弱覆盖")
    assert said > otherwise > neither


def test_a_synonym_takes_nothing_from_a_skill_with_the_word_and_says_nothing_new_of_the_message() -> None:
    plain = NETWORK.score(extract_terms("分析弱覆盖"))
    said, _, neither = score_with_synonyms("分析弱覆盖")
    assert [said, neither] == [pytest.approx(float(plain.values[0])), pytest.approx(float(plain.values[2]))]


def test_a_word_nobody_has_is_found_by_its_synonym() -> None:
    assert [value > 0 for value in score_with_synonyms("poor signal")] == [True, True, False]


@pytest.mark.parametrize("message", ["分析弱覆盖", "poor signal", "盲区在哪里"])
def test_a_document_beside_the_index_scores_as_in_it_with_synonyms_too(message: str) -> None:
    document, synonyms = "信号差、覆盖空洞和盲区的分析", SYNONYMS.extract_synonyms(message, NETWORK.has_term)
    outside = NETWORK.score_one(extract_terms(message), count_terms([document]), synonyms)
    assert outside == pytest.approx(score_with_synonyms(message)[1], abs=1e-5)
