"""A number is the same number however it is written."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from metier.patterns import write_chinese_integer
from metier.questions import Results, answer_question, parse_question, results_from_events
from metier.questions._numbers import find_limits, write_digits

_FULL_WIDTH = str.maketrans("0123456789,", "０１２３４５６７８９，")


def _spell(number: int) -> list[str]:
    """Ways in which people write a number of at least a thousand."""
    grouped = f"{number:,}"
    plain = f"{number}"
    ways = [
        plain,
        grouped,
        plain.translate(_FULL_WIDTH),
        grouped.translate(_FULL_WIDTH),
        grouped.replace(",", "\u00a0"),
    ]
    ways += [f"¥{grouped}", write_chinese_integer(number), f"{number / 10_000:.4f}万", f"{number / 10**8:.8f} 亿"]
    ways += [f"{number / 1_000:.3f} thousand", f"{number / 10**6:.6f} million", f"{number / 10**6:.6f}百万"]
    return ways


@settings(max_examples=30, deadline=None)
@given(st.integers(min_value=1_000, max_value=900_000_000))
def test_every_way_of_writing_a_number_is_read_as_that_number(number: int) -> None:
    for way in _spell(number):
        assert find_limits(write_digits(f"销售额超过{way}的地区")) == (("above", float(number)),), way
        assert find_limits(write_digits(f"regions below {way}")) == (("below", float(number)),), way


def test_short_and_mixed_ways_are_read_and_codes_and_shares_are_left_alone() -> None:
    read = {
        "2万5": "25000", "2万5千": "25000", "1亿2000万": "120000000", "40多万": "400000", "两万五": "25000",
        "一百五十万": "1500000", "half a million": "500000", "two hundred thousand": "200000", "1,50,000": "150000",
        "2.000.000": "2000000", "负一百零四": "-104", "低于-2万": "低于-20000", "超过百万": "超过1000000",
        "460-00-100,031": "460-00-100,031", "100031,100034": "100031,100034", "二三百": "二三百", "几十万": "几十万",
        "百分之六十": "60%", "3千米": "3千米", "-95,-100": "-95,-100",
    }  # fmt: skip
    assert {text: write_digits(text) for text in read} == read


def _show(heading: str, rows: list[list[Any]], unit: str = "") -> Results:
    columns = [{"key": key, "title": key, "type": "text", "unit": ""} for key in ("地区", heading)]
    columns[1]["unit"] = unit
    page: dict[str, Any] = {"table": "t", "call": "c", "columns": columns, "rows": rows, "total": len(rows)}
    return results_from_events([("分析示例销售数据", [("table", {**page, "title": "各地区"})])])


def _ask(text: str, results: Results) -> str:
    question = parse_question(text)
    answer = None if question is None else answer_question(question, results, "zh")
    return "" if answer is None else answer.text


def test_a_limit_with_marks_or_multipliers_keeps_exactly_the_rows_beyond_it() -> None:
    sales = _show("销售额", [["西南", 2_780_000], ["华北", 920_000], ["华东", 2_100_000], ["华南", 1_700_000]])
    ways = ["2,000,000", "200万", "2百万", "二百万", "２００万", "2000k", "2m", "0.02亿", "200万元", "2 million"]
    ways += ["¥2,000,000", "$2m", "2000000"]
    told = {way: _ask(f"哪些地区的销售额超过{way}", sales) for way in ways}
    assert [way for way, text in told.items() if "4 行中有 2 行" not in text or "华南" in text] == []
    assert "4 行中有 1 行" in _ask("销售额在100万元以下的地区有几个", sales)


def test_a_column_that_counts_in_a_unit_of_its_own_is_compared_in_that_unit() -> None:
    sales = _show("销售额(万元)", [["西南", 278], ["华北", 92], ["华东", 210], ["华南", 170]])
    for way in ("200万", "二百万", "0.02亿", "200"):
        assert "4 行中有 2 行" in _ask(f"哪些地区的销售额超过{way}", sales), way
    rates = _show("下行速率", [["西南", 4.0], ["华北", 9.0]], "Mbps")
    assert "2 行中有 1 行" in _ask("哪些地区的下行速率低于5M", rates)
