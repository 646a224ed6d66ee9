import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.textsearch import (
    Bm25,
    extract_label_terms,
    extract_query_terms,
    extract_terms,
    extract_words,
    fold,
    has_cjk,
    id_to_words,
    lower_keep_length,
    normalize_text,
    split_characters,
    strip_invisible,
)


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


INDEXED = {
    "English": ("Weekly-Report v2", ["weekly", "report", "v2"]),
    "Chinese": ("变压器", ["变", "压", "器", "变压", "压器"]),
    "mixed": ("发report", ["发", "report"]),
    "an apostrophe": ("don’t", ["dont"]),
    "full width": ("ＡＢＣ１", ["abc1"]),
    "signs": ("…!?_", []),
}


@pytest.mark.parametrize(("text", "terms"), INDEXED.values(), ids=INDEXED)
def test_a_text_is_found_by_these_terms(text: str, terms: list[str]) -> None:
    assert extract_words(text) == terms


ASKED = {
    "pairs": ("变压器", ["变压", "压器"]),
    "one character": ("茶", ["茶"]),
    "question words": ("阈值是多少", ["阈值", "值是"]),
    "a particle at the end": ("上线了吗？", ["上线", "线了"]),
    "的 joins nothing": ("红色的设备", ["红色", "设备"]),
    "的 in a word": ("目的", ["目的"]),
    "English words that say nothing": ("what is the budget", ["budget"]),
    "nothing else": ("what is it", ["what", "is", "it"]),
    "only a question word": ("什么", ["什么"]),
    "twice": ("tea TEA tea", ["tea"]),
}


@pytest.mark.parametrize(("text", "terms"), ASKED.values(), ids=ASKED)
def test_a_question_asks_for_these_terms(text: str, terms: list[str]) -> None:
    assert extract_query_terms(text) == terms


def test_every_term_of_a_question_is_one_its_text_is_found_by() -> None:
    for text in ("变压器每年检修一次", "Weekly report 周报", "茶"):
        assert set(extract_query_terms(text)) <= set(extract_words(text))


def test_the_weaker_question_is_about_characters() -> None:
    assert split_characters(["变压", "压器", "tea"]) == ["变", "压", "器"]


def test_what_cannot_be_seen_is_dropped() -> None:
    assert strip_invisible("a\u200bb\u202ec\U000e0041d\ud800e\n") == "abcde\n"
    assert fold("ＡＢ") == "ab"


def test_a_form_feed_parts_words() -> None:
    assert extract_words("page\x0cnext") == ["page", "next"]


def test_a_label_is_its_words_or_its_only_character() -> None:
    assert extract_label_terms("弱覆盖 PRB 网") == ["弱覆", "覆盖", "prb", "网"]


def test_a_rare_term_weighs_more_and_repetition_counts_less_each_time() -> None:
    bm25 = Bm25(documents=10, mean_length=4.0)
    assert bm25.idf(1) > bm25.idf(9) > 0
    weights = {"rsrp": bm25.idf(1)}
    once, twice, thrice = (bm25.score(weights, {"rsrp": count}, 4) for count in (1, 2, 3))
    assert once < twice < thrice
    assert thrice - twice < twice - once
    assert thrice < weights["rsrp"] * (bm25.k1 + 1)


def test_a_long_document_scores_less_and_one_without_the_term_nothing() -> None:
    bm25 = Bm25(documents=2, mean_length=4.0)
    assert bm25.score({"a": 1.0}, {"a": 1}, 40) < bm25.score({"a": 1.0}, {"a": 1}, 4)
    assert bm25.score({"a": 1.0}, {"b": 1}, 4) == 0
