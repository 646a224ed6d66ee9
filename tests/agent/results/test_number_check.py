"""Numbers of a report against the results it was written from."""

import re
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metier.agent.results import find_unknown_numbers
from metier.json_values import JsonValue
from metier.patterns import read_chinese_number

RESULT: JsonValue = {
    "summary": "RSRP均值 -97.34 dBm，MR覆盖率 93.2%，共 12 个小区，场景 DT20260101，日期 2026-01-05，改善 3.25 dB。",
    "rows": [{"cell": "A1", "rsrp": -115.27, "share": 0.3123}] * 7,
    "distance_m": 1234,
    "users": 23456,
    "version": "1.2.3",
}


@pytest.mark.parametrize(
    "text",
    [
        "MR覆盖率 93.2%",
        "约 93%",
        "93.2％",
        "coverage of 93.2 percent",
        "覆盖率为 0.932",
        "31.23%，约三成",
        "百分之三十一",
        "九成三",
        "RSRP -97.34dBm",
        "RSRP为−97.3 dBm",
        "RSRP-97.34",
        "a level of -97 dBm",
        "下降了 97.34",
        "提升 3.25 dB，约 3.3 dB",
        "12 个小区",
        "十二个小区",
        "twelve cells",
        "共 7 条",
        "seven rows",
        "小区 A1",
        "A1-A1",
        "场景 DT20260101（20260101）",
        "2026年1月5日",
        "2026/1/5",
        "1月5日",
        "2026年",
        "Jan 5, 2026",
        "1,234 m",
        "1234米",
        "1.234 km",
        "约 1.2 公里",
        "2.3万用户",
        "23.5k users",
        "版本 1.2.3",
        "-97.34~-115.27",
        "1. 弱覆盖\n2. 干扰\n\n(3) 容量\n**4.** 其他\n### 5: more",
        "（1）先看覆盖；（2）再看干扰",
        "| 1 | A1 |\n| 2 | A1 |",
        "第3步、第二条、步骤 4、step 5 of 9, the 2nd",
        "三个原因、4 条建议、two main reasons, 5 findings",
        "最差的3个小区，前五个，these two cells, Top 5, TOP10",
        "一个小区、一次",
        "4G/5G 网络，3GPP，IPv6，H2O",
        "见 https://example.org/2031/99",
        "",
    ],
)
def test_figures_of_the_results_pass_however_they_are_written(text: str) -> None:
    assert find_unknown_numbers(text, [RESULT]) == ()


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("MR覆盖率 93.3%", ("93.3%",)),
        ("约 94%", ("94%",)),
        ("-93.2%", ("-93.2%",)),
        ("四成", ("四成",)),
        ("百分之四十一", ("百分之四十一",)),
        ("RSRP -97.4 dBm", ("-97.4 dBm",)),
        ("RSRP -97.35", ("-97.35",)),
        ("提升 3.25%", ("3.25%",)),
        ("13 个小区", ("13",)),
        ("十三个小区", ("十三个",)),
        ("eight rows", ("eight",)),
        ("其中 5 个小区", ("5",)),
        ("小区 A2", ("A2",)),
        ("场景 DT20260102", ("DT20260102",)),
        ("场景 20260102", ("20260102",)),
        ("2026-01-06", ("2026-01-06",)),
        ("2025年1月5日", ("2025年1月5日",)),
        ("1月6日", ("1月6日",)),
        ("1,235", ("1,235",)),
        ("1.3 km", ("1.3 km",)),
        ("2.4万", ("2.4万",)),
        ("版本 1.2.4", ("1.2.4",)),
        ("12.5 dB\n12.5 dB and 8", ("12.5 dB", "8")),
        ("1. 弱覆盖 99 处", ("99",)),
        ("12.5 起", ("12.5",)),
    ],
)
def test_a_figure_that_is_not_in_the_results_is_named(text: str, unknown: tuple[str, ...]) -> None:
    assert find_unknown_numbers(text, [RESULT]) == unknown


def test_without_sources_every_figure_is_unknown_and_words_are_not() -> None:
    assert find_unknown_numbers("共 3 处，见 A1、5G", []) == ("3",)
    assert find_unknown_numbers("共 3 处，DT20260101", []) == ("3", "DT20260101")


def test_a_number_of_things_is_no_measured_value() -> None:
    source = "发射功率 7 处，方位角 12 处；azimuth: 13 changes"
    assert find_unknown_numbers("发射功率改 7 个小区，方位角改了十二处，13 places, 13", [source]) == ()
    assert find_unknown_numbers("发射功率 7 dBm，方位角 12度，azimuth 13°", [source]) == ("7 dBm", "12度", "13°")


def test_a_list_without_blanks_may_be_read_as_numbers() -> None:
    assert find_unknown_numbers("110,120", ["110 和 120"]) == ()


@pytest.mark.parametrize(
    ("text", "value", "step"),
    [
        ("十二", "12", "1"),
        ("三百零五", "305", "1"),
        ("两万三千", "23000", "1000"),
        ("一亿零二十", "100000020", "1"),
        ("二〇二六", "2026", "1"),
        ("三点一四", "3.14", "0.01"),
        ("一点二万", "12000", "1000"),
    ],
)
def test_chinese_numerals(text: str, value: str, step: str) -> None:
    assert read_chinese_number(text) == (Decimal(value), Decimal(step))


decimals = st.decimals(-10_000, 10_000, allow_nan=False, allow_infinity=False, places=2)
numbers = st.one_of(st.integers(-(10**7), 10**7).map(Decimal), decimals)


def _forms(number: Decimal, digits: int) -> list[str]:
    """A number as reports write it: rounded, with separators, with a unit."""
    rounded = round(number, digits)
    return [f"{rounded}", f"为{rounded} dB", f"{rounded:,}", f"{rounded}%", f"({rounded})。"]


@given(st.lists(numbers, min_size=1, max_size=20), st.data(), st.integers(0, 2))
def test_numbers_of_the_results_always_pass(values: list[Decimal], data: st.DataObject, digits: int) -> None:
    number = data.draw(st.sampled_from(values))
    text = data.draw(st.sampled_from(_forms(number, digits)))
    assert find_unknown_numbers(text, [{"rows": [float(one) for one in values]}]) == ()


@given(st.lists(decimals, min_size=1, max_size=20), st.data())
def test_a_changed_digit_never_passes(values: list[Decimal], data: st.DataObject) -> None:
    """Whatever digit of a number is changed, unless that makes another number of the results."""
    written = f"{data.draw(st.sampled_from(values)):.2f}"
    place = data.draw(st.sampled_from([found.start() for found in re.finditer(r"\d", written)]))
    digit = data.draw(st.sampled_from("0123456789"))
    changed = written[:place] + digit + written[place + 1 :]
    assume(abs(Decimal(changed)) not in {abs(value) for value in values})
    known: list[JsonValue] = [f"{value:.2f} dBm" for value in values]
    assert find_unknown_numbers(f"RSRP 为 {changed} dBm", known) == (f"{changed} dBm",)


@given(st.integers(1000, 99_999_999), st.data())
def test_a_changed_digit_of_a_name_never_passes(number: int, data: st.DataObject) -> None:
    written = str(number)
    place, digit = data.draw(st.integers(0, len(written) - 1)), data.draw(st.sampled_from("0123456789"))
    changed = written[:place] + digit + written[place + 1 :]
    assert (find_unknown_numbers(f"场景 DT{changed}", [f"DT{number}"]) == ()) == (changed == written)


@pytest.mark.parametrize("char", [*"0a-.,一点成 \n|#*(第个前1", "a-", "1.", "1,", "一点"])
def test_long_runs_of_a_character_are_read_too(char: str) -> None:
    find_unknown_numbers(char * 10_000, [])


@given(st.text("0123456789.,-+%年月日 成个点三十A#:/()\n|", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert find_unknown_numbers(text, [text]) == ()
