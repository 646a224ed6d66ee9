"""A map learns which directions matter, from skills that are not asked about later."""

from dataclasses import replace

import numpy as np
import pytest

from metier.routing.ranking import Floats, normalize_rows
from training import OUT_OF_SCOPE, Corpus, MapRecipe
from training._corpus import EncodedCorpus
from training._maps import learn_map

WIDTH, TELLING = 16, 4
RECIPE = MapRecipe(steps=200, rate=2e-2, seeds=(0,), kept=0.9)
# A telling direction is nowhere an axis: what is learned must turn.
TURN = np.linalg.qr(np.random.default_rng(99).normal(size=(WIDTH, WIDTH)))[0]


def clusters(
    name: str, seed: int, *, skills: int = 16, said: int = 16, family: str = ""
) -> tuple[Corpus, EncodedCorpus]:
    """Skills that differ in four directions of sixteen; the other twelve are noise, and louder."""
    chance = np.random.default_rng(seed)
    names = [f"skill {at}" for at in range(skills)]
    centres = np.zeros((skills, WIDTH))
    centres[:, :TELLING] = chance.normal(size=(skills, TELLING))
    noise = np.where(np.arange(WIDTH) < TELLING, 0.2, 0.9)

    def around(at: int, count: int) -> Floats:
        rows = (centres[at] + noise * chance.normal(size=(count, WIDTH))) @ TURN
        return normalize_rows(rows.astype(np.float32))

    encoded = EncodedCorpus(
        {skill: around(at, said) for at, skill in enumerate(names)},
        {skill: around(at, 1) for at, skill in enumerate(names)},
    )
    texts = {skill: tuple(f"{skill} {which}" for which in range(said)) for skill in names}
    return Corpus(name, family or name, texts, {skill: (skill,) for skill in names}), encoded


def accuracy(encoded: EncodedCorpus, by: Floats | None = None) -> float:
    """How often a message is nearest to the mean of its skill's first five, as the router scores it."""
    found = encoded if by is None else encoded.apply_map(by)
    prototypes = np.array([rows[:5].sum(axis=0) / 6 for rows in found.messages.values()])
    right = [
        (prototypes @ row - 0.5 * (prototypes * prototypes).sum(axis=1)).argmax() == at
        for at, rows in enumerate(found.messages.values())
        for row in rows[5:]
    ]
    return float(np.mean(right))


def learned(recipe: MapRecipe = RECIPE) -> Floats:
    corpus, encoded = clusters("toy", 0)
    return learn_map([corpus], {corpus.name: encoded}, recipe)


@pytest.fixture(scope="module")
def found() -> Floats:
    return learned()


def test_skills_never_seen_are_told_apart_better(found: Floats) -> None:
    for seed in (1, 2, 3):
        _, fresh = clusters("fresh", seed)
        assert accuracy(fresh, found) > accuracy(fresh) + 0.1


def test_a_map_is_symmetric_and_takes_nothing_away_altogether(found: Floats) -> None:
    assert found.shape == (WIDTH, WIDTH)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, found.T, atol=1e-5)
    assert np.linalg.eigvalsh(found).min() > 0


def test_the_same_seeds_learn_the_same_map(found: Floats) -> None:
    assert np.array_equal(learned(), found)
    assert not np.allclose(learned(replace(RECIPE, seeds=(1,))), found, atol=1e-3)


def test_nothing_kept_is_the_identity() -> None:
    np.testing.assert_allclose(learned(replace(RECIPE, steps=3, kept=0.0)), np.eye(WIDTH), atol=1e-5)


def test_no_steps_learn_nothing() -> None:
    np.testing.assert_allclose(learned(replace(RECIPE, steps=0)), np.eye(WIDTH), atol=1e-5)


@pytest.mark.parametrize(("skills", "said"), [(4, 16), (16, 3)], ids=["too few skills", "too few messages"])
def test_a_corpus_too_small_to_learn_from_changes_nothing(skills: int, said: int) -> None:
    corpus, encoded = clusters("small", 0, skills=skills, said=said)
    np.testing.assert_allclose(learn_map([corpus], {"small": encoded}, RECIPE), np.eye(WIDTH), atol=1e-5)


def test_messages_for_no_skill_teach_nothing() -> None:
    corpus, encoded = clusters("toy", 0)
    noise = normalize_rows(np.random.default_rng(5).normal(size=(40, WIDTH)).astype(np.float32))
    more = EncodedCorpus({**encoded.messages, OUT_OF_SCOPE: noise}, encoded.about)
    said = replace(corpus, messages={**corpus.messages, OUT_OF_SCOPE: ("?",) * 40})
    short = replace(RECIPE, steps=10)
    assert np.array_equal(learn_map([said], {"toy": more}, short), learn_map([corpus], {"toy": encoded}, short))


def test_a_view_learns_only_from_what_it_can_read() -> None:
    corpus, encoded = clusters("toy", 0)
    chinese, _ = clusters("中文", 1)
    short = replace(RECIPE, steps=10)
    both = learn_map([corpus, replace(chinese, chinese=True)], {"toy": encoded}, short)
    assert np.array_equal(both, learn_map([corpus], {"toy": encoded}, short))


def test_two_languages_of_one_family_teach_to_cross_from_one_to_the_other() -> None:
    english, one = clusters("en", 0, skills=24, family="both")
    shift = normalize_rows(np.random.default_rng(8).normal(size=(1, WIDTH)).astype(np.float32))
    other = EncodedCorpus({skill: normalize_rows(rows + shift) for skill, rows in one.messages.items()}, one.about)
    chinese = replace(english, name="zh", chinese=True)
    apart = learn_map([english, replace(chinese, family="other")], {"en": one, "zh": other}, RECIPE)
    together = learn_map([english, chinese], {"en": one, "zh": other}, RECIPE)

    def between(by: Floats) -> float:
        """How long the difference of the languages still is, beside the skills."""
        return float(np.linalg.norm(shift @ by) / np.linalg.norm(by))

    assert between(together) < between(apart)
