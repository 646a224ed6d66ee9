"""Sentences before the order about the world are left out, also where they refuse, count or name a thing."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.talk import is_told


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("标书下午四点就封", "zh"),
        ("投资人那边临时改了主题", "zh"),
        ("领导只给一分钟", "zh"),
        ("教研会上次开了三个小时", "zh"),
        ("加盟商总问什么时候能开门", "zh"),
        ("the director only ever reads bullets", "en"),
        ("the board pack goes out tonight and it still has no picture", "en"),
        ("Finance rejected it twice", "en"),
        ("swimmers never notice the rules", "en"),
    ],
)
def test_a_sentence_about_the_world_before_the_order_is_left_out(said: str, language: str) -> None:
    order = (
        "插入一个表格，列为姓名、电话，3行"
        if language == "zh"
        else "Please insert a table with the columns Name and Phone and 3 rows"
    )
    joined = f"{said}，{order}" if language == "zh" else f"{said}. {order}"
    alone, whole = (draft_plan(one, host="wps", language="zh" if language == "zh" else "en") for one in (order, joined))
    assert alone.plan is not None
    assert whole.plan is not None
    assert whole.plan["actions"] == alone.plan["actions"]
    assert whole.left_out


@pytest.mark.parametrize(
    "said",
    [
        "老板不喜欢红色",
        "客户要求用英文",
        "我们就不要序号了",
        "检查组每次都看最后一列",
        "财务只认两位小数",
        "还差一页封面",
        "经办人写王芳",
        "The boss hates red",
        "My boss can't stand Comic Sans",
        "Our client asked for landscape",
        "Nobody needs a header",
        "Last time the rows were too narrow",
        "Sister Doyle never on nights",
    ],
)
def test_a_taste_a_ban_or_a_part_before_the_order_is_never_left_out_by_the_reader(said: str) -> None:
    assert not is_told(said, is_first=True)


@pytest.mark.parametrize("said", ["周报每周五交", "月报要交了", "投后月报每月五号发"])
def test_a_report_spoken_of_beside_an_order_for_a_table_makes_no_report(said: str) -> None:
    draft = draft_plan(f"{said}，插入一个表格，列为姓名、电话，3行", host="wps", language="zh")
    assert draft.plan is None or "# " not in str(draft.plan["actions"])


@pytest.mark.parametrize("said", ["我们的用楷体吧", "看着要像大公司出的", "小四", "the donor is Margaret Anne Hollis"])
def test_a_statement_of_what_is_to_stand_there_is_asked_about(said: str) -> None:
    order = (
        "Insert a table with the columns Name and Phone, 3 rows"
        if said.isascii()
        else "插入一个表格，列为姓名、电话，3行"
    )
    whole = f"{said}. {order}" if said.isascii() else f"{said}，{order}"
    assert draft_plan(whole, host="wps", language="en" if said.isascii() else "zh").plan is None
