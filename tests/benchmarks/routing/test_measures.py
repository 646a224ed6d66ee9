import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.routing._measures import (
    Abstention,
    RouterAnswer,
    calibration_error,
    calibration_error_by_chance,
    count_abstentions,
    find_best_threshold,
    share_error,
)

SCORES = st.lists(st.floats(0, 1).map(lambda score: round(score, 2)), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("scores", "right", "error"),
    [
        pytest.param([1.0, 1.0], [True, True], 0, id="sure and right"),
        pytest.param([1.0, 1.0], [True, False], 50, id="sure and half right"),
        pytest.param([0.5, 0.5], [True, False], 0, id="half sure and half right"),
        pytest.param([0.05, 0.95], [True, False], 95, id="wrong both ways"),
        pytest.param([], [], 0, id="nothing"),
    ],
)
def test_the_calibration_error_is_the_gap_between_belief_and_truth(
    scores: list[float], right: list[bool], error: float
) -> None:
    assert calibration_error(scores, right) == pytest.approx(error)


@pytest.mark.parametrize(
    ("scores", "error"),
    [
        pytest.param([1.0] * 40, 0, id="always sure"),
        pytest.param([0.5] * 100, 4, id="of a hundred coins, four more or less than half"),
        pytest.param([0.5] * 10_000, 0.4, id="with more messages less"),
        pytest.param([], 0, id="nothing"),
    ],
)
def test_an_honest_router_has_a_calibration_error_by_chance(scores: list[float], error: float) -> None:
    assert calibration_error_by_chance(scores) == pytest.approx(error, abs=max(error / 5, 0.01))


def _f1(inside: list[float], outside: list[float], threshold: float) -> float:
    return count_abstentions([score < threshold for score in inside], [score < threshold for score in outside]).f1


@given(SCORES, SCORES, st.floats(-1, 2))
def test_no_other_threshold_is_better_than_the_chosen_one(
    inside: list[float], outside: list[float], other: float
) -> None:
    chosen = _f1(inside, outside, find_best_threshold(inside, outside))
    assert chosen >= _f1(inside, outside, other) - 1e-9


def test_the_threshold_lies_between_the_two_scores_it_parts() -> None:
    assert find_best_threshold([0.8, 0.9], [0.1, 0.4]) == pytest.approx(0.6)


def test_without_messages_outside_nothing_is_refused() -> None:
    assert find_best_threshold([0.2, 0.4], []) == float("-inf")


def test_refusals_are_counted_against_what_should_be_refused() -> None:
    found = count_abstentions([True, True, False, False], [True, True, False])
    assert [found.precision, found.recall, found.f1] == pytest.approx([50, 66.67, 57.14], abs=0.01)
    assert found.to_json()["asked"] == 7


@pytest.mark.parametrize(
    ("found", "error"),
    [
        pytest.param(Abstention(0, 0, 0, 0), 0, id="nothing asked"),
        pytest.param(Abstention(10, 10, 10, 20), 0, id="all right"),
        pytest.param(Abstention(50, 100, 50, 200), 4.44, id="half right"),
    ],
)
def test_the_error_of_an_f1_follows_from_its_counts(found: Abstention, error: float) -> None:
    assert found.f1_error == pytest.approx(error, abs=0.01)


def test_the_error_of_a_share_shrinks_with_the_messages() -> None:
    assert share_error(50, 100) == pytest.approx(5)
    assert share_error(50, 400) == pytest.approx(2.5)
    assert share_error(100, 0) == 0


def test_an_answer_with_nothing_in_it_is_neither_right_nor_sure() -> None:
    nothing = RouterAnswer((), none=True, ms=1)
    assert nothing.score == 0
    assert not nothing.is_right("")
