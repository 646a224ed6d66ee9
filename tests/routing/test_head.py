import numpy as np
import pytest
from numpy.typing import NDArray

from metier.routing._head import fit_and_score

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
