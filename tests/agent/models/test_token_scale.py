"""What an endpoint counts differently is learned from the usage that it reports."""

import pytest

from metier.agent import TokenScale

QWEN = ("qwen", "choose")


def test_a_model_that_reported_nothing_counts_as_we_do() -> None:
    assert TokenScale().scale(QWEN, 1000) == 1000


def test_the_next_prompt_is_scaled_by_what_was_reported() -> None:
    scale = TokenScale()
    scale.learn(QWEN, 1000, 960)
    assert scale.scale(QWEN, 2000) == 1920
    assert scale.scale(("qwen", "report"), 2000) == 2000


def test_later_reports_change_it_a_little() -> None:
    scale = TokenScale()
    scale.learn(QWEN, 1000, 900)
    scale.learn(QWEN, 1000, 1000)
    assert 0.9 < scale[QWEN] < 0.95


@pytest.mark.parametrize(("counted", "reported"), [(50, 60), (1000, 3), (1000, 2500), (0, 10)])
def test_what_cannot_be_the_same_prompt_is_not_learned(counted: int, reported: int) -> None:
    scale = TokenScale()
    scale.learn(QWEN, counted, reported)
    assert scale[QWEN] == 1
