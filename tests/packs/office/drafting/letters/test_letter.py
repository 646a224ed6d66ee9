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
    assert plan is not None
    assert "[['姓名', '电话'], ['', '']" in str(plan)
    assert before[0:2] not in str(plan["actions"])


@pytest.mark.parametrize(
    ("before", "after"), [("Hi Dana, could you ", ""), ("Dear Priya, please ", " Kind regards, Tom")]
)
def test_an_english_letter_is_read_without_its_addressee_and_signature(before: str, after: str) -> None:
    plan = draft_plan(
        f"{before}insert a table with the columns Name and Phone and 3 rows.{after}", host="wps", language="en"
    )
    assert plan.plan is not None
    assert "[['Name', 'Phone'], ['', '']" in str(plan.plan)
    assert not any(name in str(plan.plan["actions"]) for name in ("Dana", "Priya", "Tom"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("老周，", "，谢啦"),
        ("王姐好，我是养护队小吕，", "。谢谢王姐！"),
        ("丽丽你好，我是教务处的老韩。", "，麻烦了，张敏"),
        ("客户催得急死了，小孟你帮个忙：", "。多谢，改天请教您别的。"),
        ("汛期快到了，小苗，", "。拜托拜托"),
        ("对账的日子到了，柳姐受累，", "，辛苦您"),
        ("", "，回头请你喝奶茶。行政部小王"),
    ],
)
def test_a_chinese_message_is_drafted_as_its_order_alone(before: str, after: str) -> None:
    order = "插入一个表格，列为姓名、电话，3行"
    alone, whole = (draft_plan(one, host="wps", language="zh").plan for one in (order, f"{before}{order}{after}"))
    assert alone is not None
    assert whole is not None
    assert whole["actions"] == alone["actions"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Hi Priya, ", " Thanks a lot! – Tom"),
        ("Dear Mr Okafor, ", " Yours sincerely, Helen Marsh"),
        ("Good morning Aisha, I hope you had a good weekend. ", " Warm regards, Simon Bell, Operations"),
        ("Lena, the consultant is on her way. ", " Cheers, Mick"),
        ("Morning Kwame! Sorry to bother you so early. ", " Thanks ever so much, you're a star!"),
        ("Hi Noah, ", " Ta!"),
        ("Hi all, ", "\nTom"),
    ],
)
def test_an_english_message_is_drafted_as_its_order_alone(before: str, after: str) -> None:
    order = "Please insert a table with the columns Name and Phone and 3 rows."
    alone, whole = (draft_plan(one, host="wps", language="en").plan for one in (order, f"{before}{order}{after}"))
    assert alone is not None
    assert whole is not None
    assert whole["actions"] == alone["actions"]


def test_who_is_asked_and_who_signs_are_told() -> None:
    said = "小李，插入一个表格，列为姓名、电话，3行。谢谢。行政部小王"
    assert draft_plan(said, host="wps", language="zh").left_out == ("小李", "谢谢。行政部小王")


@pytest.mark.parametrize(
    "said",
    [
        "插入一个表格，列为品名、价格，3行，谢谢，高亮",
        "插入一个表格，列为品名、价格，3行，谢谢，万元",
        "插入一个表格，列为姓名、班次，3行，小李你放第一行",
        "插入一个表格，列为姓名、班次，3行，改天请教您的电话也加上",
        "插入一个表格，列为姓名、班次，3行，落款王芳，谢谢",
        "插入一个表格，列为姓名、班次，3行。王总签字",
        "Landscape, please insert a table with the columns Name and Phone and 3 rows.",
        "Insert a table with the columns Name and Phone and 3 rows. Thanks, Landscape",
        "Tom, Anna and Bea: make a table with the columns Name and Shift",
    ],
)
def test_a_demand_beside_the_courtesy_is_asked_about(said: str) -> None:
    assert draft_plan(said, host="wps", language="en" if said.isascii() else "zh").plan is None


def test_thanks_that_are_a_text_are_written() -> None:
    plan = draft_plan("插入一个三点总结：欢迎，加油，谢谢", host="wps", language="zh").plan
    assert "3. 谢谢" in str(plan)


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
