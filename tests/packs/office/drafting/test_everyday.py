"""Everyday wordings of requests for something new: each a class that was asked about in vain, or written wrong."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp) -> str:
    draft = draft_plan(request, host=host, language=language_of(request))
    assert draft.plan is not None, draft.question
    return json.dumps(draft.plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "插入一个表格，列为日期、收入、支出，表头要加粗", ['"日期", "收入", "支出"']),
        (
            "wps",
            "Insert a table with columns Room, Guest, Nights and make the header bold.",
            ['"Room", "Guest", "Nights"'],
        ),
        (
            "wps",
            "Quotation please: 4 x Chair at 60, 2 x Desk at 180.",
            ['"Chair", "4", "60"', '"Desk", "2", "180"', "600"],
        ),
        ("wpp", "风险应对页：停电（备用电源）、漏水（抽水泵）。", ['"停电", "备用电源"', '"漏水", "抽水泵"']),
        (
            "wpp",
            "加一页问题与措施，问题一 流程长，措施 网上办；问题二 人手少，措施 轮班",
            ['"流程长", "网上办"', '"人手少", "轮班"'],
        ),
        (
            "wpp",
            "Title page please. Title: Spring fair. Subtitle: Room 12",
            ['"title": "Spring fair"', '"content": "Room 12"'],
        ),
        (
            "et",
            "做预算表，表头是项目、预算、已用、结余，数据：水费 100，80；电费 200，230。结余那列用公式算",
            ["=B2-C2", "=B3-C3"],
        ),
        ("et", "Gantt table over 4 weeks, one column per week; tasks are Plan, Build, Test.", ['"Week 4"', '"Build"']),
    ],
)
def test_an_everyday_wording_is_carried_out(host: HostApp, request_text: str, written: list[str]) -> None:
    made = _draft(request_text, host)
    assert [one for one in written if one not in made] == []


def test_a_table_of_its_heading_row_has_no_other_rows() -> None:
    assert '"rows": 1' in _draft("Insert a table that only has its heading row: Student, Subject, Grade.", "wps")


def test_a_bold_heading_is_no_bold_header() -> None:
    made = _draft('Heading in bold "Scope", then two lines below: "One is here." and "Two is here."', "wps")
    assert "# Scope" in made


def test_a_question_mark_behind_a_name_is_not_lost() -> None:
    request = "I'd like a table: Action, Who, Done? Six empty rows."
    assert '"Action", "Who", "Done?"' in _draft(request, "wps")
    assert (
        draft_plan("Could you add a table with columns Action, Who, Done?", host="wps", language="en").plan is not None
    )


def test_for_whom_something_is_is_told_and_not_carried_out() -> None:
    draft = draft_plan("周五前要发给王总的周报，分本周业绩、客户动态、下周目标三块", host="wps", language="zh")
    assert draft.plan is not None, draft.question
    assert draft.left_out == ("周五前要发给王总的",)


def test_clauses_about_an_outline_are_none_of_its_headings() -> None:
    found = draft_plan("先搭个架子：主题是老旧小区改造，大纲给到三级。", host="wps", language="zh")
    written = json.dumps(found.plan, ensure_ascii=False)
    assert "老旧小区改造" in written
    assert "### " in written
    assert "大纲给" not in written


def test_how_many_tasks_there_are_is_no_task() -> None:
    found = draft_plan(
        "A Gantt table please. Four tasks, Dig, Pour, Build and Paint, across nine weeks.", host="et", language="en"
    )
    written = json.dumps(found.plan)
    assert "Four tasks" not in written
    assert all(task in written for task in ("Dig", "Pour", "Build", "Paint"))
