import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.textsearch import extract_terms, fold, has_cjk, id_to_words, lower_keep_length, normalize_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("ＰＰＴ", "ppt", id="full width"),
        pytest.param("Don't", "dont", id="apostrophe"),
        pytest.param("Don’t", "dont", id="typographic apostrophe"),
        pytest.param("Don＇t", "dont", id="full-width apostrophe"),
        pytest.param("P\u200bP\x00T", "ppt", id="what cannot be seen"),
        pytest.param("a\ud800b", "ab", id="half a character"),
        pytest.param("one\rtwo", "one\rtwo", id="a line end still parts words"),
        pytest.param("㎡", "m2", id="compatibility form"),
    ],
)
def test_folding_ignores_how_a_text_is_written(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_plain_keeps_the_case_because_embedders_read_it() -> None:
    assert normalize_text("ＶｏＬＴＥ don't") == "VoLTE don't"


@given(st.text())
def test_lower_case_keeps_every_place(text: str) -> None:
    assert len(lower_keep_length(text)) == len(text)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert extract_terms(fold(text)) == extract_terms(text)


def test_chinese_needs_no_spaces() -> None:
    found = extract_terms("物理资源块")
    assert found.words == ["物", "理", "资", "源", "块", "物理", "理资", "资源", "源块"]
    assert "#资源块" in found.pieces


def test_two_scripts_in_one_word_are_taken_apart() -> None:
    assert extract_terms("5G负荷高").words == ["5g", "负", "荷", "高", "负荷", "荷高"]


def test_latin_words_also_count_by_their_parts() -> None:
    found = extract_terms("congested")
    assert found.words == ["congested"]
    assert {"#_co", "#cong", "#ed_"} <= set(found.pieces)


def test_words_and_pieces_never_meet() -> None:
    found = extract_terms("资源 ab")
    assert not set(found.words) & set(found.pieces)


@pytest.mark.parametrize("name", ["weekly-report", "weekly_report", "weeklyReport"])
def test_an_id_is_read_as_words(name: str) -> None:
    assert id_to_words(name).lower() == "weekly report"


@pytest.mark.parametrize(
    ("text", "answer"), [("plain", False), ("混合 mixed", True), ("かな", True), ("한글", True), ("naïve", False)]
)
def test_scripts_without_spaces_are_known(text: str, answer: bool) -> None:
    assert has_cjk(text) is answer
