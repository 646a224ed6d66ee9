"""A row that is named is what the answer is about, or the answer says that it is not there."""

import pytest

from metier.language import Language, language_of
from metier.questions import Results, ResultTable, TableColumn, answer_question, parse_question

_MONTHS = [("2025-01", 310_000.0), ("2025-02", 900_000.0), ("2025-03", 390_000.0), ("2025-09", 700_000.0)]
_MONTHS += [("2025-10", 804_023.23)]
_REGIONS = [("西南", 2_780_000.0), ("华北", 920_000.0), ("华东", 2_100_000.0), ("华南", 1_700_000.0)]
_CELLS = [("460-00-100025", 41.0, -3.8), ("460-00-100031", 43.0, -1.8), ("460-00-100050", 44.0, -0.8)]


def _table(title: str, heads: list[tuple[str, str]], rows: list[tuple[str | float, ...]]) -> ResultTable:
    columns = tuple(TableColumn(name, name, unit) for name, unit in heads)
    return ResultTable(title, columns, tuple(rows), len(rows), "分析")


_SALES = Results(
    (
        _table("各地区的销售额（合计，共 4 个）", [("地区", ""), ("销售额 (合计)", "")], [*_REGIONS]),
        _table("销售额按月的走势（合计）", [("周期", ""), ("销售额 (合计)", "")], [*_MONTHS]),
    )
)
_POWERS = [("小区id", ""), ("发射功率", "dBm"), ("与中位数之差", "dB")]
_RADIO = Results((_table("根因：功率偏低", _POWERS, [*_CELLS]),))
_PLAIN = Results((_table("小区指标", _POWERS[:2], [one[:2] for one in _CELLS]),))


def _ask(text: str, results: Results, language: Language | None = None) -> str:
    question = parse_question(text)
    answer = None if question is None else answer_question(question, results, language or language_of(text))
    return "" if answer is None else answer.text


@pytest.mark.parametrize(
    ("text", "results", "told"),
    [
        ("10月销售额多少", _SALES, "804023.23"),
        ("十月的销售额是多少", _SALES, "804023.23"),
        ("2025年10月销售额是多少", _SALES, "804023.23"),
        ("有几个月销售额不到40万", _SALES, "5 行中有 2 行"),
        ("销售额最高的月份是哪个", _SALES, "2025-02"),
        ("销售额高于500,000的月份有几个", _SALES, "5 行中有 3 行"),
        ("华东卖了多少？", _SALES, "2100000"),
        ("50号小区的发射功率是多少", _RADIO, "44 dBm"),
        ("100025的功率比中位数低了多少dB", _RADIO, "-3.8 dB"),
        ("100025的发射功率比中位数低了多少dB", _PLAIN, "-2 dB"),
    ],
)
def test_a_named_row_is_what_the_answer_is_about(text: str, results: Results, told: str) -> None:
    assert told in _ask(text, results)


@pytest.mark.parametrize(
    ("text", "results", "name"),
    [
        ("12月销售额多少", _SALES, "12月"),
        ("8月10号的销售额是多少", _SALES, "8月10号"),
        ("三季度销售额多少", _SALES, "季度"),
        ("2023年销售额多少", _SALES, "2023年"),
        ("99号小区的发射功率是多少", _RADIO, "99号小区"),
    ],
)
def test_a_named_row_that_is_not_there_is_told_and_nothing_else_is_given(
    text: str, results: Results, name: str
) -> None:
    told = _ask(text, results)
    assert name in told
    assert "没有" in told
    assert "平均" not in told
