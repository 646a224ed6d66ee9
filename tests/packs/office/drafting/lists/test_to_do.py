"""Things to do as a part of minutes or of a report: a section with points, no headings."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan

if TYPE_CHECKING:
    from metier.language import Language


@pytest.mark.parametrize(
    ("request_", "section", "points"),
    [
        ("写周报，包括待办清单：订会议室、发通知", "## 待办清单", "1. 订会议室\\n2. 发通知"),
        (
            "写周报，分本周工作、下周计划两部分，加上待办清单：订会议室、发通知",
            "## 待办清单",
            "1. 订会议室\\n2. 发通知",
        ),
        ("写一份会议纪要，包括待办事项：订会议室、发通知", "## 待办事项", "1. 订会议室\\n2. 发通知"),
        (
            "Write a weekly report including a to-do list: book the room, send the mail",
            "## To-do list",
            "1. Book the room\\n2. Send the mail",
        ),
        (
            "Write meeting minutes with action items: book the room; send the mail",
            "## Action items",
            "2. Send the mail",
        ),
    ],
)
def test_the_items_are_points_of_one_section(request_: str, section: str, points: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    plan = str(draft_plan(request_, host="wps", language=language).plan)
    assert section in plan
    assert points in plan
    assert plan.count(section.removeprefix("## ")) == 1


def test_a_list_without_items_is_a_section_to_fill_in() -> None:
    plan = str(draft_plan("写周报，包括待办清单", host="wps", language="zh").plan)
    assert "## 本周工作" in plan
    assert "## 待办清单" in plan


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("Add a slide about customer feedback: praise, complaints, ideas", "Customer feedback"),
        ("Make a slide on our risks with three points: delay, cost, staff", "Risks"),
        ("加一页关于客户反馈的幻灯片：表扬、投诉、建议", "客户反馈"),
    ],
)
def test_what_a_slide_is_about_is_its_title(request_: str, title: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    assert f"'title': '{title}'" in str(draft_plan(request_, host="wpp", language=language).plan)
