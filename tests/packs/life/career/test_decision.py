"""Weights in words, weights given anew, and what is told of a weight that would change the winner."""

import pytest

from metier.packs.life.career import Criterion, describe_decision, describe_unread, find_flips, read_criteria, reweigh


@pytest.mark.parametrize(
    ("said", "weights"),
    [
        ("收入最重要，其次成长，离家近一般", {"收入": 5, "成长": 4, "离家近": 2}),
        ("最看重的是稳定、收入也重要、面子无所谓", {"稳定": 5, "收入": 4, "面子": 1}),
        ("首先是健康，然后是钱，最后是名声", {"健康": 5, "钱": 4, "名声": 2}),
        ("收入 > 成长 > 离家近", {"收入": 5, "成长": 4, "离家近": 3}),
        ("pay matters most, then growth, commute is less important", {"pay": 5, "growth": 4, "commute": 2}),
        ("Salary is the most important, friends are important and the title doesn't matter",
         {"Salary": 5, "friends": 4, "title": 1}),
        ("first health, second money, last fame", {"health": 5, "money": 4, "fame": 2}),
    ],
)  # fmt: skip
def test_the_order_that_is_said_in_words_becomes_the_weights(said: str, weights: dict[str, float]) -> None:
    read, is_read = read_criteria(said, "zh")
    assert is_read
    assert {one.name: one.weight for one in read} == weights


def test_aspects_without_a_word_of_importance_weigh_the_same() -> None:
    read, is_read = read_criteria("收入，成长，离家近", "zh")
    assert (is_read, [(one.name, one.weight) for one in read]) == (True, [("收入", 3), ("成长", 3), ("离家近", 3)])


def test_a_weight_that_cannot_be_is_not_told() -> None:
    criteria = tuple(Criterion(name, 3) for name in ("pay", "growth", "home"))
    scores = ((5.0, 3.0, 2.0), (3.0, 5.0, 4.0))
    assert [flip for flip in find_flips(("big firm", "start-up"), criteria, scores) if flip.at < 0.05] == []
    told = str(describe_decision(("big firm", "start-up"), criteria, scores, "en")["summary"])
    assert "0.0" not in told
    assert told.startswith("**Start-up** comes first")


def test_weights_given_in_place_of_scores_are_taken_and_the_scores_asked_for_again() -> None:
    criteria = (Criterion("收入", 3), Criterion("成长", 3), Criterion("离家近", 3))
    changed = reweigh("收入:3 成长:5 离家近:2", criteria)
    assert [one.weight for one in changed] == [3, 5, 2]
    assert "成长 5" in describe_unread(("A", "B"), 3, "zh", changed)
    assert reweigh("大厂 5 3 2；创业 3 5 4", criteria) == ()
