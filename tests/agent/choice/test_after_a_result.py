"""Short messages after a result: once more, another place by its name alone, the next skill, a form that waits."""

import pytest

from metier.agent.turn import wants_again


@pytest.mark.parametrize(
    "message", ["重来", "再来一遍", "一样来一遍", "重新分析一下", "same again", "do it again", "start over"]
)
def test_a_message_that_only_asks_for_the_work_once_more_is_read(message: str) -> None:
    assert wants_again(message)


@pytest.mark.parametrize(
    "message", ["再见", "重来的人", "the same for pump 2", "again and again he failed", "再分析一下广州"]
)
def test_what_names_anything_else_is_no_wish_for_the_same(message: str) -> None:
    assert not wants_again(message)
