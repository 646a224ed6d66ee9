import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.ranking import Floats, SkillVectors, normalize_rows
from metier.routing.ranking._prototypes import DenseView, compute_prototype, to_float32


def rows(*values: tuple[float, ...]) -> Floats:
    return np.array(values, dtype=np.float32)


NONE: Floats = np.zeros((0, 2), dtype=np.float32)


def test_what_a_skill_says_of_itself_is_one_item_of_the_usual_length() -> None:
    vectors = SkillVectors.of(rows((1, 0)), rows((0, 1), (1, 0)))
    assert vectors.items.shape == (2, 2)
    assert vectors.examples == 1
    assert np.linalg.norm(vectors.items[1].astype(np.float32)) == pytest.approx(1, abs=1e-3)


def test_a_skill_may_have_examples_only_or_a_description_only() -> None:
    assert SkillVectors.of(rows((1, 0)), NONE).items.shape == (1, 2)
    assert SkillVectors.of(NONE, rows((1, 0))).items.shape == (1, 2)


def test_the_nearest_prototype_wins() -> None:
    view = DenseView("v", [SkillVectors.of(rows((1, 0), (1, 0)), NONE), SkillVectors.of(rows((0, 1), (0, 1)), NONE)])
    assert view.score(rows((1, 0))[0]).argmax() == 0
    assert view.score(rows((0, 1))[0]).argmax() == 1
    assert view.cosine(rows((0, 1))[0], 1) == pytest.approx(1, abs=1e-3)


def test_a_skill_about_which_nothing_is_known_is_near_to_nothing() -> None:
    view = DenseView("v", [SkillVectors.of(NONE, NONE), SkillVectors.of(rows((0, 1)), NONE)])
    scores = view.score(rows((1, 0))[0])
    assert np.isfinite(scores).all()
    assert scores.argmax() == 1


def test_few_examples_are_given_the_benefit_of_the_doubt() -> None:
    item = rows((1, 0))
    (_, few), (_, many) = compute_prototype(item, 0), compute_prototype(item, 9)
    assert few > many


def test_unit_rows_have_length_one_and_zeros_stay() -> None:
    found = normalize_rows(rows((3, 4), (0, 0)))
    assert np.allclose(found, [(0.6, 0.8), (0, 0)])


def test_every_finite_half_is_widened_to_the_same_number() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    assert np.array_equal(to_float32(halves), halves.astype(np.float32))


def test_a_view_of_no_skills_can_be_asked() -> None:
    assert DenseView("v", []).width == 0


@given(
    seed=st.integers(0, 2**32 - 1),
    examples=st.lists(st.integers(1, 5), min_size=1, max_size=5),
    told=st.booleans(),
    pick=st.integers(0, 999),
)
def test_a_skill_without_one_item_scores_as_if_it_had_never_had_it(
    seed: int, examples: list[int], told: bool, pick: int
) -> None:
    chance = np.random.default_rng(seed)
    skills = [
        SkillVectors.of(
            *(normalize_rows(chance.normal(size=(rows, 8)).astype(np.float32)) for rows in (count, int(told)))
        )
        for count in examples
    ]
    skill = pick % len(skills)
    at = pick % examples[skill]
    query = normalize_rows(chance.normal(size=8).astype(np.float32))
    less = SkillVectors(np.delete(skills[skill].items, at, axis=0), skills[skill].examples - 1)
    without = DenseView("v", [*skills[:skill], less, *skills[skill + 1 :]])
    np.testing.assert_allclose(DenseView("v", skills).score(query, (skill, at)), without.score(query), atol=1e-6)
