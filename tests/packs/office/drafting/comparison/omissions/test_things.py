"""A chart that a request names is drawn or asked about, and an order for a piece is never written as its text."""

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.drafting.comparison.omissions._things import find_lost_chart
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


@pytest.mark.parametrize(
    "said",
    [
        "新建工作表叫汇总，并把标题加粗",
        "新建工作表叫汇总，表头月份、金额",
        "新建一个叫预算的表，列是项目、金额，3行",
        "Create a sheet called Budget with columns Item, Qty and Price",
        "把甲改成乙，把乙改成甲",
    ],
)
def test_the_rest_of_a_message_is_no_name_of_a_sheet_and_a_name_is_not_lost(said: str) -> None:
    values: dict[str, str | float] = {"A1": "名称", "B1": "数量", "A2": "甲", "B2": 3.0, "A3": "乙", "B3": 5.0}
    cells = tuple(SheetCell(address, value) for address, value in values.items())
    reading = Reading("a.xlsx", "xlsx", sheets=(SheetCells("台账", cells),))
    plan = draft_plan(said, host="et", language=language_of(said), reading=reading).plan
    names = [one["sheet_name"] for one in list_steps(plan or {"actions": []}) if one["op"] == "ensure_sheet"]
    assert all(one in ("汇总", "预算", "Budget") for one in names)
    assert plan is None or names


def test_pieces_at_the_start_stay_together_there() -> None:
    reading = Reading("a.docx", "docx", (TextPiece("p1", "项目说明"), TextPiece("p2", "正文")))
    plan = draft_plan("在开头加标题“摘要”，再加一段“很短。”", host="wps", language="zh", reading=reading).plan
    assert [one.get("text") or one.get("anchor") for one in list_steps(plan or {})] == [
        "start_of_document",
        "cursor",
        "# 摘要",
        "很短。",
    ]
