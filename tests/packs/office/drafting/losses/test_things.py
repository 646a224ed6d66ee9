"""A chart that a request names is drawn or asked about, and an order for a piece is never written as its text."""

import pytest

from metier.language import language_of
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.losses._things import find_lost_chart
from metier.packs.office.drafting.restate import list_steps
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("said", "host"),
    [
        ("加页:线上报名人数,折线图,周一15 周二28 周三22 周四40", "wpp"),
        ("Add a slide: sign-ups, line chart, Mon 15 Tue 28 Wed 22", "wpp"),
        ('Build this outline: heading 1 "Camp", heading 2 "Arrival" with the text "At 9 am.", torch, jacket', "wps"),
    ],
)
def test_what_is_lost_is_asked_about_or_written(said: str, host: HostApp) -> None:
    reading = Reading("a.pptx", "pptx", slides=(SlideText(1, "已有的一页"),)) if host == "wpp" else None
    plan = draft_plan(said, host=host, language=language_of(said), reading=reading).plan
    steps = [] if plan is None else list_steps(plan)
    assert not steps or any(one["op"] == "add_chart" for one in steps)


@pytest.mark.parametrize("said", ["插入一个表格，不要折线图", "a table, not a line chart", "列为柱状图、折线图"])
def test_a_chart_that_is_refused_or_a_name_is_no_loss(said: str) -> None:
    assert find_lost_chart(RequestText(said), [{"op": "insert_table"}]) == ""
