import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.text import TriggerIndex
from metier.routing.text._triggers import WordFinder
from tests.routing.support import text


@pytest.mark.parametrize(
    ("word", "message", "there"),
    [
        pytest.param("pdf", "open the pdf now", True, id="whole word"),
        pytest.param("pdf", "pdfium", False, id="beginning of a word"),
        pytest.param("pdf", "mypdf", False, id="end of a word"),
        pytest.param("pdf", "mypdf or pdf", True, id="second place counts"),
        pytest.param("pdf", "导出pdf文件", True, id="between Chinese"),
        pytest.param("pdf", "a_pdf_b", True, id="underscores part words"),
        pytest.param("caf", "café", False, id="accents belong to the word"),
        pytest.param("5g", "15g", False, id="digits belong to the word"),
        pytest.param("slide deck", "a slide deck, please", True, id="two words"),
        pytest.param("周报", "写本周周报吧", True, id="Chinese anywhere"),
        pytest.param("图", "画图", True, id="one character"),
        pytest.param("图", "画画", False, id="not there"),
    ],
)
def test_latin_words_are_whole_and_chinese_ones_anywhere(word: str, message: str, there: bool) -> None:
    assert bool(WordFinder([word]).find(message)) is there


@given(st.lists(st.text("ab图周 ", min_size=1, max_size=3), max_size=6), st.text("ab图周 ", max_size=12))
def test_the_finder_finds_exactly_what_a_search_word_by_word_finds(words: list[str], message: str) -> None:
    one_by_one = {hit for word in words for hit in WordFinder([word]).find(message)}
    assert set(WordFinder(words).find(message)) == one_by_one
    assert all(message[hit.start : hit.end] == hit.word for hit in one_by_one)


def test_a_trigger_that_many_skills_share_is_worth_less() -> None:
    listeners = TriggerIndex([text("a", triggers=("图",)), text("b", triggers=("图", "饼图")), text("c")])
    hits = listeners.find_hits("画一张饼图")
    assert hits == {0: ("图",), 1: ("饼图", "图")}
    assert listeners.weigh_hits(hits) == {0: 0.5, 1: 1.5}


def test_a_heap_of_triggers_is_worth_no_more_than_three() -> None:
    listeners = TriggerIndex([text("a", triggers=tuple("甲乙丙丁戊"))])
    assert listeners.weigh_hits(listeners.find_hits("甲乙丙丁戊")) == {0: 3.0}


def test_refused_words_lead_to_every_skill_they_may_mean() -> None:
    listeners = TriggerIndex([text("pdf"), text("b", triggers=("pdf",)), text("c")])
    assert listeners.find_by_names(["pdf"]) == {0: ("pdf",), 1: ("pdf",)}


def test_the_places_of_a_message_know_which_skills_they_name() -> None:
    listeners = TriggerIndex([text("pdf"), text("b", triggers=("pdf", "图")), text("c", title="Charts")])
    places = listeners.find_mentions("图 in a pdf, charts")
    assert [(place.start, place.end, list(place.skills)) for place in places] == [
        (0, 1, [1]),
        (7, 10, [0, 1]),
        (12, 18, [2]),
    ]
