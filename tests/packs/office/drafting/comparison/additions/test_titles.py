"""A title that a request labels is the title that is written, and a title alone is nothing but a title."""

import pytest

from metier.language import Language
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps


@pytest.mark.parametrize(
    "said",
    [
        "文种：周报\n标题（艺术字）：研发周报\n正文各部分：本周进展 / 风险与问题 / 下周工作",
        "周报，标题（艺术字）为研发周报，分本周进展、风险与问题、下周工作三部分",
        "写一份周报，标题(用艺术字)：“研发周报”，正文分为本周进展、风险与问题、下周工作三部分。",
    ],
)
def test_a_title_behind_a_remark_in_brackets_is_written_as_the_remark_says(said: str) -> None:
    plan = draft_plan(said, host="wps", language="zh").plan
    assert plan is not None
    assert "'op': 'insert_word_art', 'text': '研发周报'" in str(plan)
    assert all(f"## {one}" in str(plan) for one in ("本周进展", "风险与问题", "下周工作"))


@pytest.mark.parametrize(
    "said",
    [
        "会议纪要模板，标题（居中）：项目例会纪要，包括时间、地点、参会人员",
        "插入表格，标题（表格上方）：人员名单，列为姓名、部门，3行",
        "插入标题（加粗）：工作背景，下面一行文字：“本项目由市局立项。”",
    ],
)
def test_a_title_whose_remark_is_not_understood_is_asked_about(said: str) -> None:
    draft = draft_plan(said, host="wps", language="zh")
    assert draft.plan is None
    assert draft.question


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("插入艺术字：研发周报", "zh"),
        ("插入标题（艺术字）：研发周报", "zh"),
    ],
)
def test_an_order_for_a_title_alone_writes_no_document_of_that_name(said: str, language: Language) -> None:
    assert draft_plan(said, host="wps", language=language).plan is None


@pytest.mark.parametrize(
    ("said", "language", "text"),
    [("插入标题：会议纪要", "zh", "# 会议纪要"), ("Insert the heading: Weekly report", "en", "# Weekly report")],
)
def test_a_heading_that_is_named_like_a_document_is_written_as_a_heading(
    said: str, language: Language, text: str
) -> None:
    steps = list_steps(draft_plan(said, host="wps", language=language).plan or {})
    assert [one["text"] for one in steps if one["op"] == "insert_text"] == [text]


@pytest.mark.parametrize(
    ("said", "language", "text"),
    [("插入艺术字：年度计划", "zh", "年度计划"), ("Add word art: Annual plan", "en", "Annual plan")],
)
def test_a_title_alone_that_is_no_kind_of_document_is_written(said: str, language: Language, text: str) -> None:
    assert f"'text': '{text}'" in str(draft_plan(said, host="wps", language=language).plan)
