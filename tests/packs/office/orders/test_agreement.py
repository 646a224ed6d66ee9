"""What is written is of the kind of what it replaces, and no word of an order is passed over in silence."""

import pytest

from metier.json_values import JsonObject
from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SlideText
from metier.packs.office.orders import read_orders
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._agreement import _check_kind
from tests.packs.office.orders.test_grounded import _sheet

PARTY = Reading(
    "年会.pptx",
    "pptx",
    slides=(
        SlideText(1, "年会", ("主题：同行致远", "一等奖3名：智能手表", "二等奖10名：蓝牙耳机")),
        SlideText(2, "Moves", ("Laser room: 13 July", "Records: 20 July")),
    ),
)
SITE = Reading(
    "方案.docx",
    "docx",
    (
        TextPiece("p1", "割接方案", level=1),
        TextPiece("p2", "割接窗口：2026年6月11日0:00至5:00"),
        TextPiece("p3", "观察指标两小时，无异常后结束。本次活动口号为标准统一。"),
        TextPiece("p4", "迟延的违约金为每日百元，押金为6000元。"),
        TextPiece("p5", "李更负责电梯大修。"),
        TextPiece("p6", "Review date: September 2026"),
        TextPiece("t1.r1.c1", "角色"),
        TextPiece("t1.r1.c2", "姓名"),
        TextPiece("t1.r2.c1", "传输工程师"),
        TextPiece("t1.r2.c2", "葛亮"),
    ),
)
ROUTES = Reading(
    "routes.xlsx",
    "xlsx",
    sheets=(
        _sheet(
            "Routes",
            ("Route", "Name", "Driver", "Stops", "Ready"),
            ("R1", "City centre", "Colin", 14.0, "Yes"),
            ("R2", "Villages", "Ewan", 12.0, "No"),
            ("R3", "Coast road", "Marta", 9.0, "No"),
        ),
    ),
)


def _steps(message: str, reading: Reading) -> list[JsonObject]:
    return list(read_orders(message, reading, language=language_of(message)).actions)


@pytest.mark.parametrize(
    ("message", "reading"),
    [
        ("一等奖换成平板", PARTY),
        ("主题换成感恩有你", PARTY),
        ("Change Laser room to 15 July", PARTY),
        ("Replace Records with 85%", PARTY),
        ("传输工程师换成李想", SITE),
        ("观察指标改成三小时", SITE),
        ("口号改成标准先行", SITE),
        ("电梯大修换成恒通来做", SITE),
        ("李更改成李明", SITE),
        ("不要违约金那句", SITE),
        *((f"传输工程师换成{one}", SITE) for one in ("关羽", "欧阳修", "倪萍", "小李")),
        ("Change R3 to Colin", ROUTES),
        ("Replace R3 with Anna", ROUTES),
        ("Change Coast road to Anna", ROUTES),
        ("Change Marta to two weeks", ROUTES),
        ("Change Marta to 30 days", ROUTES),
    ],
)
def test_a_label_a_role_or_a_row_never_becomes_a_value_of_another_kind(message: str, reading: Reading) -> None:
    answer = read_orders(message, reading, language=language_of(message))
    assert not answer.actions


def test_a_name_becomes_another_name_and_quoted_words_are_taken_as_they_are() -> None:
    assert _steps("把智能手表换成平板", PARTY)[0]["replace_text"] == "平板"
    assert _steps("把“一等奖”改成“特等奖”", PARTY)[0]["replace_text"] == "特等奖"
    assert _steps("传输工程师改成无线工程师", SITE)[0]["replace_text"] == "无线工程师"
    assert _steps("Replace Marta with Anna", ROUTES)[0]["replace_text"] == "Anna"


def test_a_new_day_or_month_keeps_the_year_and_the_hours_of_the_old_one() -> None:
    assert _steps("割接窗口改成6月13日", SITE)[0]["replace_text"] == "2026年6月13日0:00至5:00"
    (step,) = _steps("The review date is October.", SITE)
    assert (step["find_text"], step["replace_text"]) == ("September", "October")


@pytest.mark.parametrize(
    "message",
    [
        "The villages go to Marta and have 14 stops.",
        "R3 is ready now and has 10 stops.",
        "Coast road goes to Ewan, Anna gets the villages",
        "R2改成Marta，薛冰来对接",
    ],
)
def test_a_second_half_is_never_passed_over(message: str) -> None:
    made = _steps(message, ROUTES)
    assert not made or len(made) > 1


RIGHT = (
    *(("Change 'City centre' to 'Old town'", ROUTES), ("Replace Marta with Anna", ROUTES)),
    *(("把智能手表换成平板", PARTY), ("sort by stops, highest first", ROUTES), ("R3 has 10 stops", ROUTES)),
)
MORE = (
    *(", and they get 14 stops", ", our price is £50", ", my number is 0117 496 0000", " and Colin gets the airport"),
    ", people need 9 of them",
    *("，王芳来对接", "，客户要2份", "，财务的电话是13800002099", "，张伟顶上"),
)


@pytest.mark.parametrize(("message", "reading"), RIGHT)
def test_words_that_say_more_never_leave_the_writing_as_it_was(message: str, reading: Reading) -> None:
    made = _steps(message, reading)
    assert made
    for more in MORE:
        assert _steps(message + more, reading) != made, more


@pytest.mark.parametrize("kind", ["数字", "文本格式", "a number"])
def test_a_word_for_a_kind_is_no_value(kind: str) -> None:
    with pytest.raises(OrderUnclear):
        _check_kind({"op": "set_cells", "cells": [{"cell": "B4", "value": kind}]}, set())
    _check_kind({"op": "set_cells", "cells": [{"cell": "B4", "value": kind}]}, {kind})
    _check_kind({"op": "set_cells", "cells": [{"cell": "S!B1", "value": kind}]}, set())
    _check_kind({"op": "set_cells", "cells": [{"cell": "B4", "value": "300"}]}, set())
