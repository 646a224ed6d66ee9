"""The work for a request grows with its length, not with the square of it."""

import cProfile
import pstats

import pytest

from metier.packs.office.drafting import draft_plan


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


def _count_calls(request: str) -> int:
    with cProfile.Profile() as profile:
        draft_plan(request, host="wps", language="zh")
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # set when it is made
