import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing.ranking import RoutingIndex
from metier.routing.ranking._bm25 import LexicalDocument, count_terms
from metier.routing.text import RoutingText, build_routing_text
from metier.textsearch import extract_terms
from tests.routing.support import DESK, ConceptView, text

TEXTS = [build_routing_text(skill) for skill in DESK]


def index_of(*texts: RoutingText, view: bool = True) -> RoutingIndex:
    return RoutingIndex(texts, {"concepts": ConceptView().sync(texts)} if view else {})


def test_known_term_counts_are_used_and_not_counted_again() -> None:
    first, second = text("a", description="alpha"), text("b", description="beta")
    known = {first.digest: LexicalDocument.of(["marked"])}
    index = RoutingIndex([first, second], {}, known)
    assert index.documents[first.digest] is known[first.digest]
    assert index.lexical.has_term("marked")
    assert index.lexical.has_term("beta")
    assert not index.lexical.has_term("alpha")


def test_a_count_of_nothing_is_known_too() -> None:
    empty = LexicalDocument.of([])
    one = text("a", description="alpha")
    assert RoutingIndex([one], {}, {one.digest: empty}).documents[one.digest] is empty


def test_the_catalogs_own_examples_say_how_hard_it_is() -> None:
    difficulty = index_of(*TEXTS).difficulty["concepts",]
    assert difficulty.covered == 1
    assert difficulty.accuracy_logit > 0


def test_examples_under_the_wrong_skills_make_a_catalog_hard() -> None:
    mixed = [text(f"s{at}", examples=tuple(one.examples[at] for one in TEXTS[:8])) for at in range(5)]
    assert (
        index_of(*mixed).difficulty["concepts",].accuracy_logit
        < index_of(*TEXTS).difficulty["concepts",].accuracy_logit
    )


def test_a_catalog_with_few_examples_says_nothing_of_itself() -> None:
    assert index_of(text("a", examples=("ppt", "slides"))).difficulty == {}
    assert index_of(*TEXTS, view=False).difficulty == {}
    trusted = [
        found["concepts",].trust if found else 0.0
        for count in range(1, 6)
        for found in [index_of(*(text(one.skill, examples=one.examples[:count]) for one in TEXTS[:5])).difficulty]
    ]
    assert trusted == [0.0, 0.0, 0.5, 1.0, 1.0]


def test_two_views_are_measured_alone_and_together() -> None:
    first, second = ConceptView(), ConceptView()
    index = RoutingIndex(TEXTS, {"one": first.sync(TEXTS), "two": second.sync(TEXTS)})
    assert set(index.difficulty) == {("one",), ("one", "two")}


@pytest.mark.parametrize("view", [True, False], ids=["vectors", "words"])
def test_an_index_of_no_skills_can_be_built(view: bool) -> None:
    index = index_of(view=view)
    assert len(index) == 0
    assert index.lexical.score(extract_terms("ppt")).values.shape == (0,)


def test_vectors_are_kept_in_the_order_of_the_texts() -> None:
    one, other = index_of(*TEXTS), index_of(*reversed(TEXTS))
    query = ConceptView().vectors(["ppt"])[0]
    assert np.allclose(one.views["concepts"].score(query), other.views["concepts"].score(query)[::-1])


PLACES = [(skill, at) for skill, one in enumerate(TEXTS) for at in range(len(one.examples))]


@given(place=st.sampled_from(PLACES), asked=st.sampled_from(PLACES))
def test_words_without_an_example_are_those_of_a_skill_that_never_had_it(
    place: tuple[int, int], asked: tuple[int, int]
) -> None:
    index = index_of(*TEXTS, view=False)
    message = extract_terms(TEXTS[asked[0]].examples[asked[1]])
    skill, at = place
    one = TEXTS[skill]
    rest = count_terms((*one.examples[:at], *one.examples[at + 1 :], *one.about, *one.labels))
    whole, left = index.score_words(message).values, index.score_words(message, place).values
    assert left[skill] == pytest.approx(index.lexical.score_one(message, rest), abs=1e-5)
    assert np.array_equal(np.delete(left, skill), np.delete(whole, skill))


def test_leaving_an_example_out_of_one_question_leaves_it_in_the_next() -> None:
    index = index_of(*TEXTS, view=False)
    skill, at = PLACES[0]
    message = extract_terms(TEXTS[skill].examples[at])
    before = index.score_words(message).values.copy()
    assert index.score_words(message, (skill, at)).values[skill] < before[skill]
    assert np.array_equal(index.score_words(message).values, before)


def test_every_skill_is_probed_once_before_any_is_probed_twice() -> None:
    index = index_of(
        text("none"),
        text("one", examples=("a",)),
        text("two", examples=("a", "b")),
        text("three", examples=("a", "b", "c")),
        view=False,
    )
    assert index.pick_probes(99) == [(2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]
    assert index.pick_probes(3) == [(2, 0), (3, 0), (2, 1)]


def test_no_skill_is_probed_more_than_twelve_times() -> None:
    assert len(index_of(text("a", examples=tuple(map(str, range(40)))), view=False).pick_probes(99)) == 12
    assert index_of(view=False).pick_probes(99) == []


@pytest.mark.parametrize(
    ("names", "usable"),
    [((), []), (("a",), [("a",)]), (("a", "b"), [("a",), ("a", "b")])],
    ids=["words", "one view", "two views"],
)
def test_a_message_may_come_with_the_first_view_or_with_all(
    names: tuple[str, ...], usable: list[tuple[str, ...]]
) -> None:
    assert RoutingIndex(TEXTS, {name: ConceptView().sync(TEXTS) for name in names}).view_sets == usable
