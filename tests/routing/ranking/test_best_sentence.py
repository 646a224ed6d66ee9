"""Among skills without examples a message is compared with each sentence of a description, not with the whole alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.ranking import Floats, Query, Ranking, RoutingIndex, SkillVectors, normalize_rows, rank
from metier.routing.ranking._best_sentence import score_best_sentence
from metier.routing.ranking._prototypes import DenseView
from metier.routing.text import RoutingText
from metier.textsearch import Terms

NONE = np.zeros((0, 2), dtype=np.float32)


def rows(*numbers: tuple[float, ...]) -> Floats:
    return normalize_rows(np.array(numbers, dtype=np.float32))


def described(*sentences: tuple[float, float]) -> SkillVectors:
    told = rows(*sentences)
    return SkillVectors.of(NONE, told.mean(axis=0, keepdims=True), None, told)


def look(message: tuple[float, float], *skills: SkillVectors) -> Ranking:
    texts = [RoutingText(f"s{at}", "", f"{at}", ("x",) * one.examples, ("t",), (), ()) for at, one in enumerate(skills)]
    vectors = {text.skill: one for text, one in zip(texts, skills, strict=True)}
    query = Query(Terms([], []), {"v": np.array(message, dtype=np.float32)})
    return rank(RoutingIndex(texts, {"v": vectors}), query)


def test_the_sentence_that_is_nearest_counts_whatever_else_is_said() -> None:
    views = [DenseView("v", [described((1, 0), (0, 1)), described((1, 1))])]
    found = score_best_sentence(views, {"v": np.array((0, 2), dtype=np.float32)}, np.array([1, 0]))
    np.testing.assert_allclose(found, [0.5**0.5, 1], atol=1e-3)


def test_skills_without_sentences_are_compared_by_what_they_have() -> None:
    example = SkillVectors.of(rows((0, 1), (1, 0)), NONE)
    views = [DenseView("v", [example, SkillVectors.of(NONE, NONE), described((1, 0))])]
    message = {"v": np.array((0, 1), dtype=np.float32)}
    np.testing.assert_allclose(score_best_sentence(views, message, np.arange(3)), [1, 0, 0], atol=1e-3)
    np.testing.assert_allclose(score_best_sentence(views, message, np.arange(1), (0, 0)), [0], atol=1e-3)


def test_one_of_many_things_a_skill_does_is_found_among_skills_without_examples() -> None:
    # The message is one sentence of the first skill, but the whole of the second is nearer to it.
    many, one = described((0, 1), (1, 0), (1, -0.5)), described((1, 1))
    found = look((0, 1), many, one)
    assert found.first_pass.argmax() == 1
    assert found.order.tolist() == [0, 1]


@pytest.mark.parametrize("count", [1, 3, 10])
def test_skills_with_examples_are_ranked_by_these(count: int) -> None:
    first, second = (SkillVectors.of(rows(*[one] * count), rows((1, 1))) for one in ((0.9, 1), (1, 0.9)))
    same = replace(second, sentences=rows((0, 1)).astype(np.float16))
    found = [look((0, 1), *[first] * 7, last).scores.tolist() for last in (second, same)]
    assert found[0] == found[1]


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(2, 12), pick=st.integers(0, 999))
def test_an_example_that_is_the_message_never_lowers_a_skill(seed: int, size: int, pick: int) -> None:
    chance = np.random.default_rng(seed)
    skills = [described(*map(tuple, chance.normal(size=(int(chance.integers(1, 5)), 2)).tolist())) for _ in range(size)]
    own = pick % size
    asked = tuple(skills[own].sentences[0].astype(np.float64).tolist())
    before = look(asked, *skills).order.tolist()
    items = np.vstack([np.array([asked], dtype=np.float16), skills[own].items])
    skills[own] = SkillVectors(items, 1)
    after = look(asked, *skills).order.tolist()
    assert own not in before or after.index(own) <= before.index(own)
