"""Clauses that ask for nothing are set aside; whatever could change the result is kept."""

import pytest

from metier.packs.office.drafting._asides import asks, holds_anyway, is_aside, is_spoken


@pytest.mark.parametrize(
    "clause",
    [
        *(
            "学校机房要换设备",
            "外方同事也看",
            "下午开会要放",
            "照片等现场的人发来再换",
            "领导肯定会问风险",
            "文章写完了",
        ),
        *("My boss only reads lists", "Steering committee wants to see risks", "I keep losing track of things"),
    ],
)
def test_a_clause_that_only_tells_something_is_an_aside(clause: str) -> None:
    assert is_aside(clause)


@pytest.mark.parametrize(
    "clause",
    [
        *("再跑一遍也还是这一个", "只要一个", "别的先不用", "英文原话别改", "不得再插"),
        *("and if this gets run again", "don't add another one", "nothing else"),
    ],
)
def test_what_is_done_in_any_case_needs_no_answer(clause: str) -> None:
    assert holds_anyway(clause)


@pytest.mark.parametrize(
    "clause",
    [
        *(
            "表头用红色",
            "要横向的",
            "领导说标题居中",
            "只要英文的",
            "不要边框",
            "开头太素了",
            "再加一行",
            "三列就够了",
            "字大一点",
        ),
        *("删掉第二段", "the header is red", "it must be landscape", "without borders", "three columns are enough"),
        *("then make it bold", "we want it bigger", "at the top"),
    ],
)
def test_a_clause_that_could_change_the_result_is_no_aside(clause: str) -> None:
    assert asks(clause)
    assert not is_aside(clause)
    assert not holds_anyway(clause)


@pytest.mark.parametrize(
    "clause", ["下回再跑的时候可别又插一遍", "按这个顺序放", "就这些", "别插两遍", "everything else stays as it is"]
)
def test_no_second_one_the_given_order_and_that_was_all_hold_anyway(clause: str) -> None:
    assert holds_anyway(clause)


@pytest.mark.parametrize(
    "clause", ["供应商延期就启用备选供应商", "再加一行不要重复", "人员流失对应建立AB角", "需求分析"]
)
def test_what_may_be_content_is_not_taken_for_talk(clause: str) -> None:
    assert not is_spoken(clause)
    assert not holds_anyway(clause)
