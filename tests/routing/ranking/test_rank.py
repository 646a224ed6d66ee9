from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.ranking import Floats, Query, Ranking, RoutingIndex, SkillVectors, normalize_rows, rank
from metier.routing.ranking._rank import RERANK_COUNT, _level_ties
from metier.routing.text import RoutingText, build_routing_text
from metier.textsearch import Terms, extract_terms
from tests.routing.support import DESK, ConceptView, text

TEXTS = tuple(build_routing_text(skill) for skill in DESK)
IDS = [one.skill for one in TEXTS]
MANY = tuple(text(f"s{at:02}", title="", examples=("same words",)) for at in range(20))


def ranking(
    message: str, texts: tuple[RoutingText, ...] = TEXTS, *, vectors: bool = True, refused: frozenset[int] = frozenset()
) -> Ranking:
    view = ConceptView()
    index = RoutingIndex(texts, {view.name: view.sync(texts)} if vectors else {})
    found = {view.name: view.vectors([message])[0]} if vectors else {}
    return rank(index, Query(extract_terms(message), found, refused=refused))


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words"])
@pytest.mark.parametrize(
    ("message", "skill"),
    [("把大纲变成幻灯片", "pptx"), ("跑一遍仿真", "network_optimization"), ("cell congested", "capacity_analysis")],
)
def test_the_best_comes_first_and_the_rest_by_score(message: str, skill: str, vectors: bool) -> None:
    found = ranking(message, vectors=vectors)
    assert IDS[int(found.order[0])] == skill
    assert (np.diff(found.scores) <= 0).all()


def test_meaning_finds_what_words_cannot() -> None:
    assert IDS[int(ranking("horoscope", vectors=True).order[0])] == "bazi"
    assert ranking("horoscope", vectors=False).lexical.values[IDS.index("bazi")] < 0.1


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words"])
def test_equal_skills_stay_in_the_order_of_the_catalog(vectors: bool) -> None:
    found = ranking("same words", MANY, vectors=vectors)
    assert found.order.tolist() == list(range(RERANK_COUNT))


def test_scores_that_are_nearly_the_same_are_the_same_on_either_side_of_an_edge() -> None:
    level = _level_ties(np.array([4.712349, 4.712351, 1.0, 4.71, 1.00001], dtype=np.float32))
    assert level[0] == level[1]
    assert level[2] == level[4]
    assert level[3] == np.float32(4.71)
    assert len(_level_ties(np.zeros(0, dtype=np.float32))) == 0


def test_a_refused_skill_is_not_in_the_ranking() -> None:
    pptx = IDS.index("pptx")
    assert pptx not in ranking("幻灯片", refused=frozenset({pptx})).order
    assert len(ranking("幻灯片", refused=frozenset(range(len(TEXTS)))).order) == 0


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words"])
@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((text("a", title=""),), id="one skill without texts"),
        pytest.param((text("a", title=""), text("b", title="")), id="no texts at all"),
        pytest.param((*TEXTS, text("zz", title="")), id="one of many"),
        pytest.param((text("a", title="", examples=("ppt",)), text("zz", title="")), id="the last of two"),
    ],
)
def test_skills_without_texts_can_be_ranked(texts: tuple[RoutingText, ...], vectors: bool) -> None:
    found = ranking("做PPT", texts, vectors=vectors)
    assert np.isfinite(found.scores).all()
    assert len(found.order) == min(len(texts), RERANK_COUNT)


def test_a_skill_without_texts_never_comes_first() -> None:
    texts = (text("empty", title=""), *TEXTS)
    assert all(ranking(message, texts).order[0] != 0 for message in ("做PPT", "quantum physics", "你好"))


def test_a_skill_of_many_items_keeps_what_it_says_of_itself() -> None:
    big = text("big", title="deck", examples=tuple(f"example {at}" for at in range(40)))
    found = ranking("deck", (big, *TEXTS[:2]))
    assert found.nearest[found.order.tolist().index(0)] > 0.8


@given(
    seed=st.integers(0, 2**32 - 1),
    counts=st.lists(st.integers(2, 20), min_size=2, max_size=12),
    pick=st.integers(0, 999),
)
def test_an_example_that_is_left_out_is_ranked_as_if_it_had_never_been_there(
    seed: int, counts: list[int], pick: int
) -> None:
    chance = np.random.default_rng(seed)
    texts = [RoutingText(f"s{at:02}", "", f"{at}", ("x",) * count, (), (), ()) for at, count in enumerate(counts)]
    vectors = {one.skill: SkillVectors.of(_points(chance, len(one.examples)), _points(chance, 1)[:0]) for one in texts}
    skill = pick % len(texts)
    at = pick % counts[skill]
    own = texts[skill].skill
    message = {"v": vectors[own].items[at].astype(np.float32)}
    left = rank(RoutingIndex(texts, {"v": vectors}), Query(Terms([], []), message, left_out=(skill, at)))
    texts[skill] = replace(texts[skill], examples=texts[skill].examples[1:])
    vectors[own] = SkillVectors(np.delete(vectors[own].items, at, axis=0), counts[skill] - 1)
    never = rank(RoutingIndex(texts, {"v": vectors}), Query(Terms([], []), message))
    assert left.order.tolist() == never.order.tolist()
    np.testing.assert_allclose(left.scores, never.scores, atol=1e-3)
    np.testing.assert_allclose(left.nearest, never.nearest, atol=1e-5)
    assert left.neighbours == pytest.approx(never.neighbours, abs=1e-5)


def _points(chance: np.random.Generator, count: int) -> Floats:
    return normalize_rows(chance.normal(size=(count, 6)).astype(np.float32))
