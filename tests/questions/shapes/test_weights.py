"""Other weights for a table of weighted means on screen."""

import pytest

from metier.language import Language
from metier.questions import Results, ResultTable, answer_question, parse_question
from metier.questions._results import TableColumn

_TITLES = ("名次", "选项", "收入 ×5", "成长 ×4", "通勤 ×1", "总分")
_ROWS = ((1, "B公司", 6, 9, 5, 7.1), (2, "A公司", 8, 4, 7, 6.3))


def _ask(said: str, titles: tuple[str, ...] = _TITLES, language: Language = "zh") -> tuple[str, list[object]]:
    columns = tuple(TableColumn(title, title) for title in titles)
    table = ResultTable("决策矩阵", columns, _ROWS, len(_ROWS), "A还是B")
    question = parse_question(said)
    answer = None if question is None else answer_question(question, Results(tables=(table,)), language)
    if answer is None or not answer.tables:
        return "", []
    return answer.text, [row[1] for row in answer.tables[0].rows]


@pytest.mark.parametrize(
    ("said", "weights", "order"),
    [
        ("要是通勤最重要呢", "收入 4、成长 4、通勤 5", ["B公司", "A公司"]),
        ("把收入的权重改成1", "收入 1、成长 4、通勤 1", ["B公司", "A公司"]),
        ("如果收入翻倍", "收入 10、成长 4、通勤 1", ["A公司", "B公司"]),
        ("成长减半呢", "收入 5、成长 2、通勤 1", ["A公司", "B公司"]),
        ("要是成长不重要呢？", "收入 5、成长 1、通勤 1", ["A公司", "B公司"]),
    ],
)
def test_the_ranking_follows_the_weights_that_are_wished_for(said: str, weights: str, order: list[str]) -> None:
    text, names = _ask(said)
    assert names == order
    assert f"权重换成{weights}" in text


def test_in_english_too_and_the_former_winner_is_told() -> None:
    titles = ("rank", "option", "pay ×5", "growth ×4", "commute ×1", "total")
    text, names = _ask("what if pay counts double?", titles, "en")
    assert names == ["A公司", "B公司"]
    assert "before it was B公司" in text
    assert _ask("What if commute mattered most?", titles, "en")[1]
    assert _ask("what if the weight of growth were 1?", titles, "en")[1] == ["A公司", "B公司"]


@pytest.mark.parametrize("said", ["要是天气最重要呢", "收入最高的是哪个", "what if it rains?", "哪个最重要"])
def test_what_names_no_aspect_changes_no_weight(said: str) -> None:
    assert "权重换成" not in _ask(said)[0]


def test_a_table_whose_last_column_is_no_weighted_mean_is_left_alone() -> None:
    assert "权重换成" not in _ask("要是通勤最重要呢", ("名次", "选项", "收入 ×5", "成长 ×9", "通勤 ×1", "总分"))[0]
