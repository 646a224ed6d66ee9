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
