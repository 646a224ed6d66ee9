"""The way of writing is taken out of a message where it is one, and stays where it is what is asked for."""

import pytest

from metier.packs.office.conversation._modes import find_mode, remove_mode


@pytest.mark.parametrize(
    ("words", "left", "mode"),
    [
        ('change "a" to "b" with tracked changes', 'change "a" to "b"', "tracked"),
        ('Change "a" to "b", redline please.', 'Change "a" to "b"', "tracked"),
        ('With tracked changes: change "a" to "b"', 'change "a" to "b"', "tracked"),
        ('change "a" to "b" directly', 'change "a" to "b"', "direct"),
        ('change "a" to "b" and show the changes in a comparison table', 'change "a" to "b"', "compare_table"),
        ("把“甲”改成“乙”，用修订写", "把“甲”改成“乙”", "tracked"),
        ("用修订模式把“甲”改成“乙”", "把“甲”改成“乙”", "tracked"),
        ("把“甲”改成“乙”，保留修改痕迹。", "把“甲”改成“乙”", "tracked"),
        ("把“甲”改成“乙”，直接修改", "把“甲”改成“乙”", "direct"),
        ("把“甲”改成“乙”，直接写入", "把“甲”改成“乙”", "direct"),
        ("把“甲”改成“乙”，改动列成对照表", "把“甲”改成“乙”", "compare_table"),
        ("用对照表把“甲”改成“乙”", "把“甲”改成“乙”", "compare_table"),
    ],
)
def test_a_way_of_writing_is_no_part_of_the_change(words: str, left: str, mode: str) -> None:
    assert (remove_mode(words), find_mode(words)) == (left, mode)


@pytest.mark.parametrize(
    "words",
    [
        "accept all tracked changes",
        "turn off tracked changes",
        "allow only tracked changes",
        'add the sentence "It was written directly"',
        "add the prices as a comparison table",
        "把价格写成对照表",
        "接受所有修订",
        "保护文档，只允许用修订改",
        "用对照表",
    ],
)
def test_what_is_asked_for_stays(words: str) -> None:
    assert remove_mode(words) == words


@pytest.mark.parametrize(
    "words",
    [
        "麻烦做个客户需求对照表：编号、客户要求、是否满足、备注四列，除表头外5个空行",
        "插入一张对照表，四列",
        "加一个修订记录表，列为版本、日期、批注",
        "加一行标题“修订说明”",
        "在末尾加一段：本制度修订后报总经理批准。",
        "Add a table with the columns Task, Owner, Comments",
        "Insert a comparison table of the two offers",
        "Put the two charts side by side",
        "Write about the track record of the team",
    ],
)
def test_things_with_the_name_of_a_way_of_writing_say_nothing_of_it(words: str) -> None:
    assert find_mode(words) == ""


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("审查合同，风险写成批注", "tracked"),
        ("审一下合同，用修订和批注", "tracked"),
        ("改完给我一张前后对照表", "compare_table"),
        ("Review the contract with comments", "tracked"),
        ("Fix the names and show the changes side by side", "compare_table"),
        ("加一张表，列为甲、乙，用修订写", "tracked"),
    ],
)
def test_a_way_of_writing_is_read_wherever_it_stands(words: str, mode: str) -> None:
    assert find_mode(words) == mode
