"""Questions what was changed are told from orders and from questions what would be changed."""

import pytest

from metier.agent.choice.details._what_changed import asks_what_changed


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("改了哪些地方", True),
        ("刚才改了什么？", True),
        ("哪些地方被改了", True),
        ("你都改了哪几处呀", True),
        ("这次修改了什么内容", True),
        ("改了哪些参数？", True),
        ("下发了哪些参数", True),
        ("哪些小区被改了", True),
        ("修改了哪些单元格", True),
        ("which parameters were changed?", True),
        ("what values did you change?", True),
        ("推荐改哪些参数", False),
        ("改了多少个参数", False),
        ("what did you change?", True),
        ("which cells were changed?", True),
        ("What has been changed in the document", True),
        ("show me what you changed", True),
        ("把改了的地方标红", False),
        ("改哪些地方", False),
        ("第二条改了什么好", False),
        ("what should be changed?", False),
        ("what changes the color of litmus?", False),
        ("change the title", False),
    ],
)
def test_a_whole_message_asks_what_was_changed(message: str, asks: bool) -> None:
    assert asks_what_changed(message) is asks
