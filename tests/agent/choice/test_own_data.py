"""Who wants all own data deleted or handed over is shown the place where that is done."""

import re

import pytest

from metier.agent.choice._own_data import asks_about_own_data, point_to_own_data
from metier.language import Language


@pytest.mark.parametrize(
    "message",
    [
        "删掉我所有的数据",
        "请帮我删除我的全部资料。",
        "把我的所有数据都删掉吧",
        "清空关于我的信息",
        "我的个人信息全部删除",
        "导出我的数据",
        "忘掉关于我的一切",
        "delete all my data",
        "Please erase all of my personal data",
        "forget everything you know about me",
        "Export my data please",
        "wipe my profile",
        "忘掉我的生日",
        "你记得我哪些信息",
        "你都知道我什么",
        "导出我的资料",
        "export my profile",
        "what do you know about me",
        "What have you stored about me?",
        "forget my date of birth",
    ],
)
def test_a_wish_about_all_own_data_is_recognised(message: str) -> None:
    assert asks_about_own_data(message)


@pytest.mark.parametrize(
    "message",
    [
        "删掉我的数据表里的第三行",
        "删除所有空行",
        "清除数据里的重复记录",
        "导出数据",
        "分析我的数据",
        "delete all rows without a name",
        "remove duplicates from my data",
        "export the table",
        "export the data",
        "what do you know about bearings",
        "记得我上次说的合同吗",
    ],
)
def test_a_wish_about_a_table_is_left_to_the_skills(message: str) -> None:
    assert not asks_about_own_data(message)


@pytest.mark.parametrize(
    ("message", "language", "told"),
    [
        ("删掉我所有的数据", "zh", "什么都没有删除"),
        ("delete all my data", "en", "Nothing was deleted"),
        ("导出我的资料", "zh", ""),
        ("export my profile", "en", ""),
        ("what do you know about me", "en", ""),
    ],
)
def test_the_place_is_named_and_only_who_wants_to_delete_hears_that_nothing_was(
    message: str, language: Language, told: str
) -> None:
    said = point_to_own_data(message, language)
    assert "(#my-data)" in said
    assert told in said
    assert told or not re.search("没有删除|Nothing was", said)
