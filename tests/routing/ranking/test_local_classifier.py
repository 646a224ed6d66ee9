import numpy as np
import pytest
from numpy.typing import NDArray

from metier.routing.ranking._local_classifier import fit_and_score

ITEMS = np.array([(1, 0, 0), (0.9, 0.1, 0), (0, 1, 0), (0.1, 0.9, 0), (0, 0, 1)], dtype=np.float32)
LABELS = np.array([0, 0, 1, 1, 2])
WEIGHTS = np.array([0.5, 0.5, 0.5, 0.5, 1], dtype=np.float32)


def scores(labels: NDArray[np.int64], query: tuple[float, ...], classes: int = 3) -> NDArray[np.float32]:
    return fit_and_score(ITEMS @ ITEMS.T, labels, WEIGHTS, ITEMS @ np.array(query, dtype=np.float32), classes)


@pytest.mark.parametrize(("query", "skill"), [((1, 0, 0), 0), ((0, 1, 0), 1), ((0, 0, 1), 2), ((0.2, 0.8, 0), 1)])
def test_the_skill_whose_examples_are_nearest_wins(query: tuple[float, ...], skill: int) -> None:
    assert scores(LABELS, query).argmax() == skill


def test_the_labels_decide_and_not_the_order() -> None:
    assert scores(np.array([1, 1, 0, 0, 2]), (1, 0, 0)).argmax() == 1


def test_a_skill_without_items_is_scored_below_one_with_them() -> None:
    found = scores(LABELS, (1, 0, 0), classes=4)
    assert found.shape == (4,)
    assert found[3] < found[0]


def test_a_message_like_nothing_gives_every_skill_the_same() -> None:
    assert np.allclose(scores(LABELS, (0, 0, 0)), 0)


@pytest.mark.parametrize("alike", [0.0, 2.0, 6.0], ids=["apart", "alike", "nearly the same"])
def test_many_items_are_fitted_as_their_definition_says(alike: float) -> None:
    chance = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 15)
    items = chance.normal(size=(4, 20))[labels] + chance.normal(size=(60, 20)) + alike * chance.normal(size=20)
    items /= np.linalg.norm(items, axis=1, keepdims=True)
    kernel, query = items @ items.T, items @ items[7]
    found = fit_and_score(
        kernel.astype(np.float32), labels, np.ones(60, np.float32), query.astype(np.float32), classes=4
    )
    np.testing.assert_allclose(found, _slowly(kernel, labels, query), atol=1e-3)


def _slowly(kernel: NDArray[np.float64], labels: NDArray[np.int64], query: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eight steps of Böhning's bound, one item and one class at a time as far as that can be."""
    wanted = np.eye(4)[labels]
    alpha = np.zeros_like(wanted)
    for _ in range(8):
        likely = np.exp(kernel @ alpha)
        slope = likely / likely.sum(axis=1, keepdims=True) - wanted + 0.04 * alpha
        alpha -= np.linalg.solve(0.5 * kernel + 0.04 * np.eye(len(kernel)), slope)
    return query @ alpha
