"""A question about a change is never an order for it: every wording of an order, asked about, drafts nothing."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from metier.language import language_of
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.test_told_or_ordered import FEES, LEASE, PAY

_ASKED_ZH: Final = (
    *("{}合适吗？", "要不要{}？", "该不该{}", "是不是应该{}？", "{}会怎么样？", "{}会有什么影响", "为什么{}？"),
    *("谁让你{}的？", "{}了没有？", "有必要{}吗？", "{}违法吗？", "如果{}会怎样"),
)
_ASKED_EN: Final = (
    *("Should we {}?", "Why did you {}?", "What happens if I {}?", "Is it ok to {}?", "Do you think we should {}"),
    *("How do I {}?", "Did you {}?", "I wonder if we should {}", "Would it be better to {}?", "When did you {}?"),
)
_EVERY: Final = 12  # a wording in twelve; all of them hold, in two minutes


def test_every_order_that_is_asked_about_orders_nothing(readings: dict[str, Reading]) -> None:
    lines = (Path(__file__).parent / "wordings.jsonl").read_text("utf-8").splitlines()
    orders: list[dict[str, Any]] = [json.loads(line) for line in lines]
    # What stands behind a colon is the text to write, a question too.
    orders = [one for one in orders if one["steps"] and ":" not in one["message"] and "：" not in one["message"]]
    for one in orders[::_EVERY]:
        message = one["message"].rstrip("。.?？")
        language = language_of(message)
        for asked in _ASKED_ZH if language == "zh" else _ASKED_EN:
            said = asked.format(message[:1].lower() + message[1:] if language == "en" else message)
            assert not read_orders(said, readings[one["file"]], language=language).actions, said


@pytest.mark.parametrize(
    ("message", "reading"),
    [
        ("押金改成多少合适？", LEASE),
        ("租金改成多少", LEASE),
        ("押金改为什么好", LEASE),
        ("会议时间改到几点比较好？", LEASE),
        ("恒通状态改成哪个", PAY),
        ("恒通的金额改成多少才合理", PAY),
        ("恒通的负责人换成谁？", PAY),
        ("What should the deposit be changed to?", FEES),
        ("Which fee should we change to £12?", FEES),
        ("Why was the deposit changed to £25?", FEES),
        ("Could it be that the rent is £950?", FEES),
        ("各负责人分别有多少金额", PAY),
        ("每种状态一共有多少个？", PAY),
        ("How many fees are there of each kind", FEES),
    ],
)
def test_a_value_that_is_asked_for_is_never_written(message: str, reading: Reading) -> None:
    assert not read_orders(message, reading, language=language_of(message)).actions


@pytest.mark.parametrize(
    ("message", "reading"),
    [
        ("能不能把恒通状态改成已付？", PAY),
        ("可以把恒通状态改成已付吗？", PAY),
        ("Could you change the deposit to £25?", FEES),
        ("Can we change the rent to £950?", FEES),
        ("在第二段加个批注：押金为什么是6000元？", LEASE),
    ],
)
def test_a_request_in_the_form_of_a_question_is_still_an_order(message: str, reading: Reading) -> None:
    assert read_orders(message, reading, language=language_of(message)).actions
