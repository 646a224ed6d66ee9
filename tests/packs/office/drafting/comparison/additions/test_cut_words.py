import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison.additions._cut_words import find_cut_word


@pytest.mark.parametrize(
    ("request_text", "texts", "cut"),
    [
        ("添一页议程，写上海分公司介绍、食堂改造", ["海分公司介绍", "食堂改造"], "上海"),
        ("添一页议程，写上班时间、食堂改造", ["班时间"], "上班时间"),
        ("图下面加一句说明 单位：万元", ["明 单位：万元"], "说明"),
        ("需列明召开时间、召开地点", ["明召开时间"], "列明"),
        ("列名依次写上作者、书名", ["上作者", "书名"], "写上作者"),
        ("C1写上半年销量", ["半年销量"], "上半年"),
    ],
)
def test_a_text_that_has_a_part_of_a_word_is_told_with_the_whole_word(
    request_text: str, texts: list[str], cut: str
) -> None:
    assert find_cut_word(request_text, texts) == cut


@pytest.mark.parametrize(
    ("request_text", "texts"),
    [
        ("添一页议程，写上海报设计、食堂改造", ["食堂改造"]),
        ("文末加一段工作安排表", ["工作安排"]),
        ("列为检测点、检测值三列", ["检测点", "检测值"]),
        ("写上海和北京，列出上海", ["上海"]),
        ("C1写上上月结余", ["上月结余"]),
        ("C1写上标题", ["标题"]),
        ("表头写上房号、租客", ["房号", "租客"]),
        ("第1周是启动，第2周是开发", ["第1周", "第2周", "启动"]),
        ("新建时间线页", ["时间线"]),
        ("add a table with Name and Phone", ["Name", "Phone"]),
        ("给李明确认一下，写王芳", ["王芳"]),
        ("", [""]),
    ],
)
def test_whole_words_parts_of_compounds_and_texts_of_elsewhere_are_no_parts(
    request_text: str, texts: list[str]
) -> None:
    assert find_cut_word(request_text, texts) == ""


@pytest.mark.parametrize("written", ["写上海分公司介绍", "写上班时间", "写下水道改造"])
def test_a_plan_never_has_a_part_of_a_word(written: str) -> None:
    message = f"添一页议程，{written}、食堂改造"
    draft = draft_plan(message, host="wpp", language="zh")
    assert draft.plan is None or not any(part in str(draft.plan) for part in ("'海", "'班时间", "'水道"))


def test_a_word_of_the_order_is_no_part_of_what_is_written() -> None:
    draft = draft_plan("添一页议程，依次写上作息调整、食堂改造、假期安全三项。", host="wpp", language="zh")
    assert draft.plan is not None
    assert "作息调整\\n食堂改造\\n假期安全" in str(draft.plan)
