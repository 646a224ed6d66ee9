"""Numbers in Chinese characters and English words."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.patterns import (
    ENGLISH_NUMBER,
    read_chinese_digits,
    read_chinese_integer,
    read_chinese_number,
    read_english_number,
    write_chinese_integer,
)


@given(st.integers(0, 10**16 - 1), st.booleans())
def test_a_number_that_was_written_in_chinese_is_read_back(value: int, is_formal: bool) -> None:
    assert read_chinese_integer(write_chinese_integer(value, is_formal=is_formal)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10), ("十二", 12), ("二十", 20), ("廿八", 28), ("一百零五", 105), ("一百五", 150), ("两万五", 25_000),
        ("两万零五", 20_005), ("一亿二千万", 120_000_000), ("一万亿", 10**12), ("叁拾贰万", 320_000),
        ("二〇二六", 2026),
        ("七○", 70), ("万", 10_000), ("俩", 2), ("三千六", 3_600),
    ],
)  # fmt: skip
def test_everyday_formal_and_spoken_forms_are_read(text: str, value: int) -> None:
    assert read_chinese_integer(text) == value
    assert read_chinese_number(text)[0] == value


@pytest.mark.parametrize("text", ["", "二三十", "三五", "两三", "十十五个", "三个", "点", "12", "abc", "百分之三"])
def test_what_is_no_single_number_is_not_read(text: str) -> None:
    assert read_chinese_integer(text) is None


@given(st.text(alphabet="零〇一二两三四五六七八九十百千万亿点廿", max_size=20))
def test_no_row_of_numerals_is_too_odd_to_be_looked_at(text: str) -> None:
    value, step = read_chinese_number(text)
    assert value >= 0
    assert step > 0
    assert (read_chinese_integer(text) or 0) >= 0


def test_digits_that_stand_for_themselves_are_read_only_where_a_year_is_meant() -> None:
    assert [read_chinese_digits(text) for text in ("八五", "二〇二六", "十五", "")] == [85, 2026, None, None]


def test_large_numbers_are_as_exact_as_their_last_named_place() -> None:
    texts = ("三十二万", "两万五千", "两万五", "三万零七", "一百二十")
    assert [read_chinese_number(text)[1] for text in texts] == [10_000, 1_000, 1_000, 1, 1]


def test_formal_amounts_are_read_as_written() -> None:
    texts = ("叁仟零零伍", "伍万零零叁拾", "壹佰伍", "壹佰伍拾")
    assert [read_chinese_integer(text) for text in texts] == [3_005, 50_030, 105, 150]


def test_decimals_tell_the_value_of_their_last_digit() -> None:
    assert read_chinese_number("三点五") == (Decimal("3.5"), Decimal("0.1"))
    assert read_chinese_number("一点二万") == (Decimal(12_000), Decimal(1_000))


def test_numbers_out_of_reach_are_written_in_digits() -> None:
    assert write_chinese_integer(-3) == "-3"
    assert write_chinese_integer(10**16) == str(10**16)


def test_english_words_are_numbers_and_places() -> None:
    words = ("three", "Third ", "twelfth", "twenty", "many", "twenty-five", "forty two")
    assert [read_english_number(word) for word in words] == [3, 3, 12, 20, None, 25, 42]
    whole = [one for one in ("twenty-five", "fourteen", "fourty") if re.fullmatch(ENGLISH_NUMBER, one)]
    assert whole == ["twenty-five", "fourteen"]
