"""Only what asks about the data is answered from them, in the language of the question's own words."""

from pathlib import Path

import pytest

pytest.importorskip("pandas")

from metier.language import language_of
from metier.pack import PackQuestion
from metier.packs.workspace.data.questions import answer_from_file

_ROWS = """day,shop,category,staff,amount
2025-07-01,东门店,图书,小虎,100
2025-07-05,西门店,画册,小丽,200
2025-08-01,东门店,图书,小虎,500
2025-08-09,西门店,report covers,小丽,300
2025-08-20,东门店,report covers,小虎,50
2025-08-21,东门店,画册,小丽,50
"""


def _ask(text: str, folder: Path) -> str | None:
    (folder / "shop.csv").write_text(_ROWS, "utf-8")
    facts = {"data_file": "shop.csv"}
    found = answer_from_file(PackQuestion(text, "data-analysis", language_of(text), folder, facts))
    return found.text if found else None


@pytest.mark.parametrize(
    "text",
    [
        "面试怎么准备？",
        "标准是什么？",
        "以后怎么联系你？",
        "下个月的会议怎么安排？",
        "What should I wear next month?",
        "Can I trust my doctor?",
    ],
)
def test_a_question_that_names_no_data_is_left_to_others(tmp_path: Path, text: str) -> None:
    assert _ask(text, tmp_path) is None


@pytest.mark.parametrize("text", ["这份数据准吗", "Can I trust these figures?", "明年能卖多少", "数据可靠吗"])
def test_how_far_the_data_carry_is_told_when_they_are_named(tmp_path: Path, text: str) -> None:
    assert "2025-07-01" in (_ask(text, tmp_path) or "")


@pytest.mark.parametrize(
    ("text", "figure"),
    [("图书一共卖了多少钱", "600"), ("画册卖了多少", "250"), ("how much did report covers earn", "350")],
)
def test_values_of_the_table_are_no_words_of_an_order(tmp_path: Path, text: str, figure: str) -> None:
    assert figure in (_ask(text, tmp_path) or "")


@pytest.mark.parametrize("text", ["画图书的图，好吗？", "can you write a report on report covers?"])
def test_an_order_stays_one_beside_a_value(tmp_path: Path, text: str) -> None:
    assert _ask(text, tmp_path) is None


def test_an_english_question_with_a_chinese_name_stays_english(tmp_path: Path) -> None:
    assert "Computed from" in (_ask("how much did 东门店 sell?", tmp_path) or "")
    assert "I do not understand" in (_ask("Is 小虎 really the best seller because of luck?", tmp_path) or "")
    assert "按「" in (_ask("东门店的amount是多少", tmp_path) or "")
