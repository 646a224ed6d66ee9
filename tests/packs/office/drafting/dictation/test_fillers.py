"""Fillers of speech say nothing; the words of a text, of a quotation and of a name stay."""

import pytest

from metier.packs.office.drafting.dictation import strip_fillers


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("嗯 把项目说明删了", "把项目说明删了"),
        ("嗯那个帮我插一个表格", "帮我插一个表格"),
        ("那个，领导要个表", "领导要个表"),
        ("插一个表 嗯 列是姓名 电话", "插一个表 列是姓名 电话"),
        ("汇总一下报销金额啊 市场部500", "汇总一下报销金额 市场部500"),
        ("标题呢是年度总结", "标题是年度总结"),
        ("um insert a table with uh five rows", "insert a table with five rows"),
        ("okay so add a slide", "add a slide"),
    ],
)
def test_fillers_go(said: str, meant: str) -> None:
    assert strip_fillers(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "那个表格删掉",
        "这个项目的负责人改成王芳",
        "文末加一段“嗯，我知道了”",
        "额度改成500",
        "就是说明那一段加粗",
        "So far we have three rows; add one",
        "add the hummus row",
        "嗯",
    ],
)
def test_words_of_a_thing_stay(said: str) -> None:
    assert strip_fillers(said) == said
