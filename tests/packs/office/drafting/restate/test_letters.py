"""Who is asked and who signs are no part of what is wanted, and what stays as it is needs no step."""

import pytest

from metier.language import Language
from metier.packs.office.drafting import draft_plan


@pytest.mark.parametrize(
    "before",
    ["小李，帮忙", "王秘书：\n请", "刘老师您好，想请您", "赵姐，麻烦", "何秘书，烦请", "陈总，能不能"],
)
def test_a_chinese_letter_is_read_without_its_addressee(before: str) -> None:
    plan = draft_plan(f"{before}在文末插入一个表格，列为姓名、电话，3行。", host="wps", language="zh").plan
    assert "[['姓名', '电话'], ['', '']" in str(plan)
    assert before[0:2] not in str(plan)


@pytest.mark.parametrize(
    ("before", "after"), [("Hi Dana, could you ", ""), ("Dear Priya, please ", " Kind regards, Tom")]
)
def test_an_english_letter_is_read_without_its_addressee_and_signature(before: str, after: str) -> None:
    plan = draft_plan(
        f"{before}insert a table with the columns Name and Phone and 3 rows.{after}", host="wps", language="en"
    )
    assert "[['Name', 'Phone'], ['', '']" in str(plan.plan)
    assert not any(name in str(plan.plan) for name in ("Dana", "Priya", "Tom"))


@pytest.mark.parametrize(
    "said", ["小王，小李，小张做成一个值班表，列为姓名、日期，三行", "小王，请假；小李，请假；做成一个表格"]
)
def test_people_of_a_list_are_nobody_who_is_asked(said: str) -> None:
    draft = draft_plan(said, host="wps", language="zh")
    assert draft.plan is None or "小王" in str(draft.plan)


@pytest.mark.parametrize(
    "before", ["汇总，请", "小计，请", "加总，请", "施工，请", "小区，请", "老人，请", "小李请假三天，"]
)
def test_a_word_that_only_looks_like_a_person_is_not_left_out(before: str) -> None:
    draft = draft_plan(f"{before}插入一个表格，列为姓名、天数，3行", host="wps", language="zh")
    assert draft.plan is None or before[:2] in str(draft.plan)


@pytest.mark.parametrize(
    ("more", "language"),
    [
        ("，已有正文保持原样", "zh"),
        ("，正文请勿改动", "zh"),
        ("。原有内容请不要改动", "zh"),
        ("，表头一行加粗", "zh"),
        (" and a bold header", "en"),
    ],
)
def test_what_holds_anyway_is_no_demand(more: str, language: Language) -> None:
    said = (
        "在文末插入一个表格，列为姓名、电话，3行"
        if language == "zh"
        else "Insert a table with the columns Name and Phone, 3 rows"
    )
    plain, with_more = (draft_plan(one, host="wps", language=language).plan for one in (said, f"{said}{more}"))
    assert plain is not None
    assert with_more == plain
