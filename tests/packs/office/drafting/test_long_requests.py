"""The work for a request grows with its length, not with the square of it."""

import cProfile
import pstats

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("clause", "count"),
    [("大家都等着呢，", 40), ("谢谢，", 40), ("每行都要留空，", 10), ("低于60的标红，", 10), ("mark every row, ", 10)],
)
def test_four_times_the_clauses_are_at_most_six_times_the_calls(clause: str, count: int) -> None:
    draft_plan("插入一个表格，列名为姓名、电话", host="wps", language="zh")
    one, few, many = (
        _count_calls(f"插入一个表格，列名为姓名、电话，{clause * (1 + more)}") for more in (0, count, 4 * count)
    )
    assert many - one < 6 * (few - one)  # the first costs more than all others


def _count_calls(request: str, host: HostApp = "wps") -> int:
    with cProfile.Profile() as profile:
        draft_plan(request, host=host, language="zh")
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # set when it is made


@pytest.mark.parametrize(
    ("host", "clause"),
    [("et", "把A列加粗，"), ("wps", "第二段加粗，第三段不要，"), ("wps", "a, "), ("wps", "：x"), ("wpp", "1月启动，")],
)
def test_four_times_the_clauses_of_a_message_are_no_more_than_eight_times_the_calls(host: HostApp, clause: str) -> None:
    few, many = (_count_calls(clause * count, host) for count in (40, 160))
    assert many < 8 * few + 20_000


@pytest.mark.parametrize("host", ["wps", "et", "wpp"])
def test_a_message_over_the_limit_is_asked_to_be_shorter_before_it_is_read(host: HostApp) -> None:
    draft = draft_plan("把A列加粗，" * 2_000, host=host, language="zh")
    assert draft.code == "too_long"
    assert _count_calls("把A列加粗，" * 2_000, host) < 1_000
