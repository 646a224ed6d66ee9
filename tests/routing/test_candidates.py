from dataclasses import replace

import numpy as np
import pytest

from metier.routing._candidates import TRIGGER_ODDS, ScoredMessage, TriggerHits, build_candidates, raise_odds
from metier.routing.ranking import Odds, Query, Ranking, RoutingIndex, to_probability
from metier.routing.ranking._bm25 import LexicalScores
from metier.textsearch import extract_terms
from tests.routing.support import text

INDEX = RoutingIndex([text(name) for name in "abcde"], {})
QUERY, NO_HITS = Query(extract_terms("x"), {}), TriggerHits({}, {}, {})


def ranking(*scores: float) -> Ranking:
    values = np.array(scores, dtype=np.float32)
    zeros = np.zeros(5, dtype=np.float32)
    return Ranking(np.arange(len(scores)), values, zeros, zeros, LexicalScores(zeros, 0.0), {}, zeros, 0.0)


def scored(*scores: float, spoken: TriggerHits = NO_HITS, query: Query = QUERY) -> ScoredMessage:
    return ScoredMessage("", INDEX, query, ranking(*scores), spoken, "lex", 0.0, ())


def scores(odds: Odds, *found: float) -> list[float]:
    return [one.score for one in build_candidates(scored(*found), odds, max_count=9)]


@pytest.mark.parametrize(
    ("worth", "raised"),
    [
        pytest.param({}, 0, id="no triggers"),
        pytest.param({0: 1.0}, 1, id="its own"),
        pytest.param({0: 3.0}, 1, id="no more than one"),
        pytest.param({0: 0.5}, 0.5, id="shared with a skill far off"),
        pytest.param({0: 1.0, 1: 1.0}, 0, id="another has one too"),
        pytest.param({0: 0.5, 1: 0.5}, 0, id="shared with a rival"),
        pytest.param({1: 1.0}, 0, id="only another has one"),
        pytest.param({0: 2.0, 2: 1.5}, 0.5, id="more than another"),
    ],
)
def test_a_trigger_raises_the_odds_as_far_as_no_rival_has_one(worth: dict[int, float], raised: float) -> None:
    found = raise_odds(Odds(0.0, 0.0, 0.0), scored(3, 2, 1, spoken=TriggerHits({}, worth, {})))
    assert [found.meant, found.right, found.among] == pytest.approx([raised * TRIGGER_ODDS] * 3)


def test_the_next_two_share_what_the_first_leaves_of_the_chance_that_it_is_one_of_three() -> None:
    first, *others = scores(Odds(meant=3.0, right=1.0, among=2.0), 2, 1, 1)
    assert first == pytest.approx(to_probability(1))
    assert sum(others) == pytest.approx(to_probability(2) - to_probability(1))
    assert others[0] == pytest.approx(others[1])


def test_those_after_the_third_share_what_is_left_of_the_chance_that_any_is_meant() -> None:
    *three, fourth, fifth = scores(Odds(meant=3.0, right=1.0, among=2.0), 2, 1, 1, 0, 0)
    assert sum(three) == pytest.approx(to_probability(2))
    assert fourth + fifth == pytest.approx(to_probability(3) - to_probability(2))
    assert fourth == pytest.approx(fifth)


def test_nobody_gets_more_than_the_one_before() -> None:
    assert scores(Odds(meant=5.0, right=-2.0, among=5.0), 1, 0.9) == [pytest.approx(to_probability(-2))] * 2
    crowded = scores(Odds(meant=5.0, right=1.0, among=1.2), 2, 1, 1, 0, 0)
    assert crowded == sorted(crowded, reverse=True)


@pytest.mark.parametrize(
    "odds",
    [
        pytest.param(Odds(meant=-1.0, right=1.0, among=-1.0), id="than any meant"),
        pytest.param(Odds(meant=1.0, right=1.0, among=-1.0), id="than one of three"),
    ],
)
def test_when_the_first_is_likelier_right_the_others_get_nothing(odds: Odds) -> None:
    assert scores(odds, 2, 1, 0, 0) == [pytest.approx(to_probability(1)), 0, 0, 0]


def test_one_candidate_alone_is_scored() -> None:
    assert scores(Odds(0.0, 0.0, 0.0), 1) == [0.5]


def test_refused_skills_come_last_with_nothing() -> None:
    query, spoken = Query(extract_terms("x"), {}, refused=frozenset({2})), TriggerHits({}, {}, {2: ("c",)})
    found = build_candidates(scored(2, 1, spoken=spoken, query=query), Odds(1.0, 1.0, 1.0), max_count=9)
    assert [(one.skill, one.negated) for one in found] == [("a", ()), ("b", ()), ("c", ("c",))]
    assert found[-1].score == 0


def test_reasons_name_telling_words_of_the_message_and_apart_from_them_what_the_glossary_adds() -> None:
    index = RoutingIndex([text("a", description="The weak coverage of a cell. 朝阳区的覆盖")], {})
    said = "what is the coverage of a cell"
    terms = extract_terms(said)
    terms.words.extend(("weak", "coverage", "missing"))
    found = replace(scored(1.0, query=Query(terms, {})), index=index, asked=said)
    words, synonyms = build_candidates(found, Odds(0, 0, 0), max_count=1)[0].why[:2]
    assert (words.feature, words.words) == ("words", ("coverage", "cell"))
    assert (synonyms.feature, synonyms.words) == ("synonyms", ("weak",))
    assert synonyms.text("en") == "the glossary adds words of it: weak"
    assert synonyms.text("zh") == "词汇表补充了它的用词：weak"
