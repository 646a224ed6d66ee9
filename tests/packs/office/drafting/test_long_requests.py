"""The work for a request grows with its length, not with the square of it."""

import cProfile
import pstats

import pytest

from metier.packs.office.drafting import draft_plan


@pytest.mark.parametrize("clause", ["每行都要留空，", "大家都等着呢，", "谢谢，", "低于60的标红，", "mark every row, "])
def test_four_times_the_clauses_are_at_most_six_times_the_calls(clause: str) -> None:
    draft_plan("插入一个表格，列名为姓名、电话", host="wps", language="zh")
    few, many = (_count_calls(f"插入一个表格，列名为姓名、电话，{clause * count}") for count in (40, 160))
    assert many < 6 * few


def _count_calls(request: str) -> int:
    with cProfile.Profile() as profile:
        draft_plan(request, host="wps", language="zh")
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # set when it is made
