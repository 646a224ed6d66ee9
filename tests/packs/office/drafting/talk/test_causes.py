"""A clause that gives a cause is left out and told; one that asks for something in the guise of a cause is not."""

import pytest

from metier.packs.office.drafting.talk import strike_talk
from metier.packs.office.drafting.talk._causes import is_cause


@pytest.mark.parametrize(
    "clause",
    [
        "因为时间短",
        "由于上次漏签了几个人",
        "考虑到新人多",
        "Because visitors should see it at once",
        "because the inspector comes on Friday",
        "As the committee meets tomorrow",
    ],
)
def test_a_clause_with_a_word_of_cause_is_one(clause: str) -> None:
    assert is_cause(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "因为老板不喜欢红色",
        "因为要横着打印",
        "Because the header must be red",
        "because it has to be in English",
        "as a table",
        "时间短",
    ],
)
def test_a_taste_a_look_or_a_count_is_no_cause(clause: str) -> None:
    assert not is_cause(clause)


def test_a_cause_between_the_order_and_its_parts_is_left_out() -> None:
    struck = strike_talk("麻烦加一页议程，因为时间短，只讲三块：现场情况、整改措施、后续安排。")
    assert struck.left_out == ("因为时间短",)


def test_causes_that_are_the_points_themselves_stay() -> None:
    assert strike_talk("写三条要点：因为下雨，因为缺人，因为没钱。").left_out == ()
