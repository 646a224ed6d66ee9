import pytest

from metier.tools.builtin._words import (
    extract_index_terms,
    extract_query_terms,
    fold_text,
    split_characters,
    strip_invisible,
)

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
    assert extract_index_terms(text) == terms


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
        assert set(extract_query_terms(text)) <= set(extract_index_terms(text))


def test_the_weaker_question_is_about_characters() -> None:
    assert split_characters(["变压", "压器", "tea"]) == ["变", "压", "器"]


def test_what_cannot_be_seen_is_dropped() -> None:
    assert strip_invisible("a\u200bb\u202ec\U000e0041d\ud800e\n") == "abcde\n"
    assert fold_text("ＡＢ") == "ab"
