"""Who wants all own data deleted or handed over is shown the place where that is done."""

import pytest

from metier.agent.choice._own_data import asks_about_own_data, point_to_own_data


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
        "删掉我的出生信息吧",
        "forget my birthday",
        "Delete my date of birth please",
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
        "你知道这个表里有什么信息",
        "忘掉我说的话",
        "看看我的数据",
        "show my data",
        "what do you know about pumps",
        "forget my last message",
    ],
)
def test_a_wish_about_a_table_is_left_to_the_skills(message: str) -> None:
    assert not asks_about_own_data(message)


@pytest.mark.parametrize(
    "message",
    [
        "你记得我哪些信息",
        "你都知道我些什么",
        "系统保存了关于我的哪些资料？",
        "看看我的资料",
        "我的档案在哪",
        "导出我的资料",
        "what do you know about me",
        "which data do you have about me?",
        "Show me what you remember about me",
        "where is my profile",
        "export my profile",
    ],
)
def test_who_wants_to_see_or_export_own_data_reads_nothing_of_deleting(message: str) -> None:
    assert asks_about_own_data(message)
    for language, said in (("zh", "没有删除"), ("en", "Nothing was deleted")):
        told = point_to_own_data(message, language)  # type: ignore[arg-type]
        assert "(#my-data)" in told
        assert said not in told


def test_the_place_is_named_with_a_link_and_nothing_is_said_to_be_done() -> None:
    for language, said in (("zh", "什么都没有删除"), ("en", "Nothing was deleted")):
        told = point_to_own_data("delete all my data", language)  # type: ignore[arg-type]
        assert "(#my-data)" in told
        assert said in told
