"""What a message says is written whole and where it says, or asked about: no order in a value, no place lost."""

import json
from typing import Any, Final

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp

_NOTICE = ("年度通知", "会议3月5日召开，会期两天。", "请各部门报送名单。", "联系人：李丽", "电话：13800138000")
_MEMO = ("Office Move", "The move starts on 3 March.", "Contact: Al Reyes", "Phone: 555-0142", "Pack desks")
_ROWS: Final[tuple[tuple[str | float, ...], ...]] = (
    ("姓名", "数量", "单价", "金额"),
    ("张三", 10.0, 5.0, 50.0),
    ("李四", 3.0, 20.0, 60.0),
)


def _read(host: HostApp, message: str) -> Reading:
    match host:
        case "wps":
            lines = _MEMO if message.isascii() else _NOTICE
            pieces = (TextPiece(f"p{at}", line, level=int(at == 1)) for at, line in enumerate(lines, 1))
            return Reading("a.docx", "docx", tuple(pieces))
        case "et":
            cells = [
                SheetCell(f"{'ABCD'[column]}{row}", value)
                for row, values in enumerate(_ROWS, 1)
                for column, value in enumerate(values)
            ]
            return Reading("a.xlsx", "xlsx", sheets=(SheetCells("销售", tuple(cells)),))
        case "wpp":
            slides = (SlideText(1, "汇报"), SlideText(2, "进展", ("选型\n签约\n试点",)), SlideText(3, "问题", ("慢",)))
            return Reading("a.pptx", "pptx", slides=slides)


def _draft(host: HostApp, message: str) -> Any:
    return draft_plan(message, host=host, language=language_of(message), reading=_read(host, message))


def _list_cells(plan: Any) -> dict[str, object]:
    made = [cell for one in plan["actions"] for cell in one.get("cells", [])]
    return {one["cell"].partition("!")[2]: one.get("formula", one.get("value")) for one in made}


@pytest.mark.parametrize(
    ("message", "cells"),
    [
        ("A6=丙 B6=7", {"A6": "丙", "B6": 7}),
        ("Set A6 to Glue and B6 to 7", {"A6": "Glue", "B6": 7}),
        ("A6=Glue, B6=4, C6=2.5", {"A6": "Glue", "B6": 4, "C6": 2.5}),
        ("把A6改成合计，D6改成=SUM(D2:D3)", {"A6": "合计", "D6": "=SUM(D2:D3)"}),
        ("A6=合计 D6=SUM(D2:D3)", {"A6": "合计", "D6": "=SUM(D2:D3)"}),
        ("Set A6 to Rent and utilities", {"A6": "Rent and utilities"}),
        ("A6写“B6=4”，C6写好", {"A6": "B6=4", "C6": "好"}),
    ],
)
def test_each_cell_gets_its_own_value(message: str, cells: dict[str, object]) -> None:
    assert _list_cells(_draft("et", message).plan) == cells


@pytest.mark.parametrize(
    ("host", "message", "written"),
    [
        ("et", "新建一个叫汇总的工作表", ["汇总"]),
        ("et", "Make a sheet named Q1 and copy 销售 there", ["Q1"]),
        ("et", "加一列净额，等于金额减10%", ["=D2*(1-0.1)"]),
        ("et", "加一列折后，等于单价乘数量减5%", ["=(C2*B2)*(1-0.05)"]),
        ("et", "第一行冻结，A列也冻结", ["B2"]),
        ("wpp", "Add a timeline slide: Jan 2024 kickoff, Mar 2024 beta", ["Jan 2024", "kickoff", "Mar 2024", "beta"]),
        ("wpp", "Add a timeline slide: March 3 kickoff, April 5 beta", ["March 3", "April 5"]),
        ("wpp", "Add a timeline: Q1 2024: vendor; Q2 2024: pilot", ["Q1 2024", "vendor", "pilot"]),
        ("wpp", "加一页时间线：2024年3月3日启动、5月10日试点、年底上线", ["2024年3月3日", "5月10日", "年底", "上线"]),
        ("wpp", "加一页时间线：1月至3月设计、6月15日验收", ["1月至3月", "设计", "6月15日"]),
        ("wpp", "加一页大数字：30% 同比增长", ["30%", "同比增长"]),
        ("wpp", "Add a KPI slide: revenue 1,200, margin 30%", ['"1,200"', "revenue", "30%"]),
        ("wpp", "加一页“问题与对策”：进度慢——加人；缺钱——追加", ['"问题", "对策"']),
        ("wpp", 'Add a slide "Problems and fixes": slow - hire; costly - cut', ['"Problem", "Fix"']),
        ("wpp", "加一页目录：背景、进展、问题", ['"title": "目录"']),
        ("wpp", "加一页“计划”，内容是：1. 扩大试点 2. 完善制度", ["扩大试点\\n完善制度"]),
        ("wps", 'Add a heading "Costs" and a table with columns Item, Cost: Rent 1,000; Food 500', ["# Costs"]),
        ("wps", "Add three bullets: delay, iPhone cost, staff", ["delay\\niPhone cost\\nstaff"]),
        ("wps", "Change the phone to 555-0199 and the contact to Kim Lee", ['"555-0199"', '"Kim Lee"']),
        ("wps", "Add a paragraph at the end saying that parking is free", ['"parking is free"']),
    ],
)
def test_names_days_and_words_are_written_as_the_message_says_them(
    host: HostApp, message: str, written: list[str]
) -> None:
    plan = json.dumps(_draft(host, message).plan, ensure_ascii=False)
    assert [one for one in written if one not in plan] == []


@pytest.mark.parametrize(
    ("host", "message"),
    [
        # what stands beside a new sheet, and what is its name
        ("et", "Create a sheet called Sales and add a total row"),
        ("et", "Create a sheet called Ideas and bold the header"),
        ("et", "Create a sheet called R&D, QA"),
        ("et", "新建工作表叫备注，放在最前面"),
        ("et", "复制工作表，新名字叫“备份”，然后在备份里删掉第3行"),
        # a formula that the new table would not have
        ("et", "做个表：数量、单价、金额，金额=数量*单价，苹果 3 5，梨 4 6"),
        # an exception, a value for its line, an empty place
        ("wps", "第一段居中，第三段不要"),
        ("wpp", "每页加页脚“内部资料”，第1页不要"),
        ("wps", "Remove Al Reyes"),
        ("et", "Delete column Z"),
        ("wpp", "把第1页移到最前面"),
        ("wpp", "Move slide 1 to position 1"),
        # no title, or several things as one
        ("wpp", "加一页，标题“”，内容：甲、乙"),
        ("wpp", "加一页数据：30% 增长、1,200 用户"),
        ("wpp", "加一页结尾：谢谢！联系人 李丽 13800138000"),
        ("wpp", 'Add a slide with the text "To be, or not to be"'),
        ("wpp", "加一页对比：左边“线下”：贵、慢；右边“线上”：快、便宜"),
        # words of a figure or a list that would be lost
        ("wpp", "加一页大数字：98% 满意度，说明：客户调查"),
        ("wps", "Add three bullets: x, y if Bob agrees, z"),
        # the place or the look of a new piece
        ("wps", "在第二段前面加标题“A”，再加一段“B”"),
        ("wps", "最后加一段“特此通知。”，段前空一行"),
        ("wps", "最后加一段：特此通知。段前空一行"),
        ("wpp", "第2页加一点：通过验收，放在最前"),
        ("wpp", "最后加一页“谢谢”，字号60"),
        ("wpp", "在进展后面加一页“试点”，写两点：用户500人、好评率96%"),
        ("wps", "Insert a numbered list after Pack desks: return keys, sign form 7, leave"),
        # what is left out beside a change of what is there
        ("wps", "把电话改成139，学生免费"),
        ("wps", "把联系人改成王芳，发给王总"),
    ],
)
def test_what_a_plan_would_lose_or_take_too_far_is_asked_about(host: HostApp, message: str) -> None:
    draft = _draft(host, message)
    assert draft.plan is None, draft.plan
    assert draft.question


def test_a_part_that_may_be_an_order_is_named_in_the_question() -> None:
    assert "“发给王总”" in _draft("wps", "把联系人改成王芳，发给王总").question


@pytest.mark.parametrize(
    ("message", "op", "anchor"),
    [
        ("After Office Move add a paragraph “Keys are here.”", "insert_after_text", "Office Move"),
        ("电话后面加“转802”", "insert_after_text", "电话：13800138000"),
    ],
)
def test_a_piece_stands_behind_what_it_is_to_follow(message: str, op: str, anchor: str) -> None:
    language = language_of(message)
    reading = _read("wps", "Office" if language == "en" else message)
    plan = draft_plan(message, host="wps", language=language, reading=reading).plan
    actions: Any = plan["actions"] if plan else [{}]
    step = actions[0]
    assert step["op"] == op
    assert ("new_paragraph_before" in step) == (language == "en")
