import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from metier.routing.ranking import Heads, Odds, OffsetFile, Offsets, Query, RoutingIndex, load_shipped_heads, rank
from metier.routing.ranking import _calibration as offset_module
from metier.routing.ranking._calibration import compute_offset
from metier.routing.text import RoutingText, build_routing_text
from metier.textsearch import extract_terms
from tests.routing.support import DESK, ConceptView, text

ALPHABET = "abcdefghijklmnopqrst"
SURE, UNSURE = 3.0, -3.0


@dataclass
class Fixed:
    """Heads that are always as sure, and count how often they are asked."""

    right: float
    asked: int = 0

    def __call__(self, signals: object) -> Odds:
        self.asked += 1
        return Odds(0.0, self.right, self.right)


def offset(index: RoutingIndex, right: float, views: tuple[str, ...] = ()) -> float:
    return compute_offset(index, Fixed(right), views)  # type: ignore[arg-type]


def of(offsets: Offsets, heads: Fixed) -> float:
    return offsets.get(heads, ())  # type: ignore[arg-type]


def words(letters: str = ALPHABET, examples: int = 2) -> list[RoutingText]:
    """Skills that have a word each."""
    return [text(letter * 4, examples=tuple(f"{letter * 4} {at}" for at in range(examples))) for letter in letters]


def index_of(texts: Sequence[RoutingText]) -> RoutingIndex:
    return RoutingIndex(texts, {})


def mixed_up() -> list[RoutingText]:
    """The examples of every skill are said like those of others, and each in its own way."""
    return [
        RoutingText(
            f"{at}", "", f"{at}", tuple(f"{ALPHABET[(at + 7 * which) % 20] * 4}" for which in (1, 2)), (), (), ()
        )
        for at in range(20)
    ]


def test_no_single_example_brings_the_whole_offset() -> None:
    counts = range(9, 17)
    indexes = [index_of(words(ALPHABET[:count])) for count in counts]
    assert [len(index.pick_probes(99)) for index in indexes] == [2 * count for count in counts]
    found = [offset(index, SURE - 5) for index in indexes]
    assert found[:2] == [0, 0]
    steps = [abs(after - before) for before, after in pairwise(found)]
    assert 0 < max(steps) <= max(map(abs, found)) / 2, found


def test_skills_with_one_example_have_no_say() -> None:
    assert offset(index_of(words(examples=1)), UNSURE) == 0


def test_good_news_is_believed_only_so_far() -> None:
    assert offset(index_of(words()), UNSURE) == 0.35


def test_misses_say_less_of_a_catalog_the_fewer_examples_its_skills_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message meets all examples of a skill, a left-out example one less."""
    monkeypatch.setattr(offset_module, "_fit_offset", lambda *_: -1.0)
    found = [offset(index_of(words(examples=count)), SURE) for count in (2, 3, 5, 10)]
    assert found == pytest.approx([-1 / 2, -2 / 3, -4 / 5, -9 / 10])


def test_hits_say_as_much_of_a_catalog_with_few_examples_as_of_one_with_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offset_module, "_fit_offset", lambda *_: 0.2)
    assert {offset(index_of(words(examples=count)), SURE) for count in (2, 3, 10)} == {0.2}


def test_a_catalog_whose_examples_mislead_makes_the_router_less_sure() -> None:
    index = index_of(mixed_up())
    assert offset(index, SURE) < -0.5
    assert offset(index, SURE) < offset(index, 0.0) < 0


def test_heads_that_are_as_sure_as_they_should_be_are_left_alone() -> None:
    index = index_of([*words("abcdefghij"), *mixed_up()[:10]])
    right = [
        int(rank(index, Query(extract_terms(_said(index, probe)), {}, left_out=probe)).order[0]) == probe[0]
        for probe in index.pick_probes(99)
    ]
    share = sum(right) / len(right)
    assert 0.2 < share < 0.8
    assert offset(index, math.log(share / (1 - share))) == pytest.approx(0, abs=1e-6)


def _said(index: RoutingIndex, probe: tuple[int, int]) -> str:
    return index.texts[probe[0]].examples[probe[1]]


def test_skills_without_examples_make_the_offset_smaller() -> None:
    told, untold = mixed_up(), [text(f"more-{at}", description="something else") for at in range(20)]
    assert offset(index_of([*told, *untold]), SURE) == pytest.approx(offset(index_of(told), SURE) / 2, rel=0.05)


def test_the_offset_is_found_with_the_views_a_message_comes_with() -> None:
    texts, view = [build_routing_text(skill) for skill in DESK], ConceptView()
    index = RoutingIndex(texts, {"concepts": view.sync(texts)})
    heads = load_shipped_heads()
    found = {views: compute_offset(index, heads["use" if views else "lex"], views) for views in ((), ("concepts",))}
    assert all(-3 < value <= 0.35 for value in found.values())
    assert view.embedded == []


def edited(texts: Sequence[RoutingText], *places: int) -> list[RoutingText]:
    return [replace(one, digest=f"{one.digest}-new") if at in places else one for at, one in enumerate(texts)]


Change = Callable[[list[RoutingText]], list[RoutingText]]


@pytest.mark.parametrize(
    ("change", "carried"),
    [
        pytest.param(lambda texts: texts, True, id="nothing"),
        pytest.param(lambda texts: edited(texts, 3), True, id="one of twenty"),
        pytest.param(lambda texts: texts[1:], True, id="one taken away"),
        pytest.param(lambda texts: [*texts, text("new")], True, id="one more"),
        pytest.param(lambda texts: texts[::-1], True, id="another order"),
        pytest.param(lambda texts: edited(texts, 3, 4, 5), False, id="three of twenty"),
        pytest.param(lambda texts: texts[3:], False, id="three taken away"),
        pytest.param(lambda texts: [*texts, *(text(f"new-{at}") for at in range(3))], False, id="three more"),
    ],
)
def test_an_offset_is_carried_over_when_less_than_a_tenth_has_changed(change: Change, carried: bool) -> None:
    heads = Fixed(SURE)
    before = Offsets(index_of(mixed_up()))
    found = of(before, heads)
    asked = heads.asked
    after = Offsets(index_of(change(mixed_up())), before)
    again = of(after, heads)
    assert (heads.asked == asked) is carried
    assert not carried or again == found


def test_many_small_edits_in_a_row_are_a_large_one() -> None:
    heads, texts = Fixed(SURE), mixed_up()
    offsets = Offsets(index_of(texts))
    of(offsets, heads)
    asked = heads.asked
    for at in range(3):
        texts = edited(texts, at)
        offsets = Offsets(index_of(texts), offsets)
    of(offsets, heads)
    assert heads.asked > asked


def test_an_offset_is_found_once() -> None:
    heads, offsets = Fixed(SURE), Offsets(index_of(mixed_up()))
    found = of(offsets, heads)
    asked = heads.asked
    assert asked > 0
    assert of(offsets, heads) == found
    assert heads.asked == asked


def test_an_offset_of_the_same_skills_and_heads_outlives_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads, file = load_shipped_heads()["lex"], OffsetFile(tmp_path / "new" / "offsets.json")
    found = Offsets(index_of(mixed_up()), stored=file).get(heads, ())
    monkeypatch.setattr(offset_module, "compute_offset", lambda *_: 7.0)
    again, others = Offsets(index_of(mixed_up()), stored=file), Offsets(index_of(words()), stored=file)
    refitted = replace(heads, right=heads.right + 1)
    assert (again.get(heads, ()), others.get(heads, ())) == (found, 7.0)
    assert Offsets(index_of(mixed_up()), stored=file).get(refitted, ()) == 7.0
    for damaged in ("", "[]", "{", file.path.read_text("utf-8").replace(str(found), "NaN")):
        file.path.write_text(damaged, "utf-8")
        assert Offsets(index_of(mixed_up()), stored=file).get(heads, ()) == 7.0


def test_shipped_heads_are_surer_of_a_clear_catalog_than_of_a_misleading_one() -> None:
    heads: Heads = load_shipped_heads()["lex"]
    assert compute_offset(index_of(mixed_up()), heads, ()) < compute_offset(index_of(words()), heads, ())


def test_an_offset_is_found_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred small products on two busy cores took six seconds, on one thread half a second."""
    inside: list[bool] = []

    @contextmanager
    def held() -> Iterator[None]:
        inside.append(True)
        yield
        inside.append(False)

    class Watching(Fixed):
        def __call__(self, signals: object) -> Odds:
            assert inside == [True]
            return super().__call__(signals)

    monkeypatch.setattr(offset_module, "one_thread", held)
    of(Offsets(index_of(mixed_up())), Watching(SURE))
    assert inside == [True, False]
