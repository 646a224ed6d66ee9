"""Charts have the title, the unit and the note that the request gives, and all of its numbers."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp = "wps") -> str:
    draft = draft_plan(request, host=host, language=language_of(request))
    assert draft.plan is not None, draft.question
    return json.dumps(draft.plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("host", "said", "title", "point"),
    [
        ("wps", "Insert a bar chart titled Headcount by Office: London 45, Leeds 18.", "Headcount by Office", "London"),
        ("et", "Make a line chart called Signups: Jan 40, Feb 52, Mar 47", "Signups", "Jan"),
        ("wps", "插入柱状图，标题是客户数：北京 30、上海 45、广州 28", "客户数", "北京"),
        ("wps", "柱状图，北京30，上海45，标题门店数", "门店数", "北京"),
    ],
)
def test_a_title_ends_where_the_figures_begin(host: HostApp, said: str, title: str, point: str) -> None:
    written = _draft(said, host)
    assert f'"title": "{title}"' in written
    assert f'["{point}", "' in written


def test_a_unit_is_told_under_a_title_too() -> None:
    assert "客诉量（件）" in _draft("折线图 1月12，2月15，3月18，标题“客诉量”，单位：件")


def test_a_note_may_have_a_colon_in_it() -> None:
    assert '"text": "单位：件"' in _draft("折线图 1月12 2月15 3月18，标题“客诉量”，说明写单位：件")
