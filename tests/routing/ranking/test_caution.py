"""How much surer a skill must be in a catalog whose skills are near to each other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from pathlib import Path

import pytest

from metier.routing.ranking import Odds, OffsetFile, Offsets, Query, RoutingIndex, load_shipped_heads, rank
from metier.routing.ranking import _calibration as caution_module
from metier.routing.ranking._calibration import compute_caution
from metier.routing.text import RoutingText
from metier.textsearch import extract_terms
from tests.routing.support import ConceptView, text

VIEW = ConceptView()
VIEWS = (VIEW.name,)
BAR = log(0.8 / 0.2)


@dataclass
class Listed:
    """Heads that are as sure as the next of these numbers, over and over."""

    rights: Sequence[float]
    given: list[float] = field(default_factory=list)

    def __call__(self, signals: object) -> Odds:
        self.given.append(self.rights[len(self.given) % len(self.rights)])
        return Odds(3.0, self.given[-1], self.given[-1])


def build_index(skills: int = 25, examples: int = 2) -> RoutingIndex:
    texts = [text(f"s{at}", examples=tuple(f"word{at} {one}" for one in range(examples))) for at in range(skills)]
    return index_of(texts)


def index_of(texts: Sequence[RoutingText]) -> RoutingIndex:
    return RoutingIndex(texts, {VIEW.name: VIEW.sync(texts)})


def caution(
    index: RoutingIndex, heads: Listed, views: tuple[str, ...] = VIEWS, offset: float = 0.0, usual: float = 0.8
) -> float:
    return compute_caution(index, heads, views, offset, usual)  # type: ignore[arg-type]


@pytest.mark.parametrize("offset", [-0.5, 0.0, 0.3])
def test_another_skill_takes_at_most_an_eighth_of_the_examples_whose_skill_is_not_there(offset: float) -> None:
    heads = Listed([at / 10 for at in range(35)])
    found = caution(build_index(), heads, offset=offset)
    taken = [right for right in heads.given if right + offset >= BAR + found]
    assert len(heads.given) == 50
    assert 0.08 < len(taken) / 50 <= 0.12


def test_a_catalog_of_skills_that_are_far_apart_asks_for_nothing() -> None:
    assert caution(build_index(), Listed([BAR, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0])) == 0


def test_a_surer_setting_needs_less_caution_on_top_of_it() -> None:
    usual, sure = (caution(build_index(), Listed([3.0]), usual=usual) for usual in (0.8, 0.9))
    assert log(0.8 / 0.2) + usual == pytest.approx(log(0.9 / 0.1) + sure) == pytest.approx(3.0)


def test_caution_is_bounded() -> None:
    assert caution(build_index(), Listed([9.0])) == 2.0


def test_few_examples_and_words_alone_ask_for_nothing() -> None:
    assert caution(build_index(skills=10), Listed([9.0])) == 0
    assert caution(build_index(skills=25, examples=1), Listed([9.0])) == 0
    assert caution(build_index(), Listed([9.0]), views=()) == 0


def test_no_single_example_brings_the_whole_caution() -> None:
    found = [caution(build_index(skills=skills), Listed([9.0])) for skills in range(10, 17)]
    assert (found[0], found[-1]) == (0, 2.0)
    assert max(after - before for before, after in pairwise(found)) <= 0.5


def test_a_skill_that_is_absent_is_as_if_the_catalog_did_not_have_it() -> None:
    texts = [text(f"s{at}", examples=(f"same words {at}", f"more {at}")) for at in range(6)]
    said = extract_terms("same words 2")
    vectors = {VIEW.name: VIEW.vectors(["same words 2"])[0]}
    absent = rank(index_of(texts), Query(said, vectors, absent=2))
    without = rank(index_of(texts[:2] + texts[3:]), Query(said, vectors))
    assert [texts[at].skill for at in absent.order] == [(texts[:2] + texts[3:])[at].skill for at in without.order]
    assert absent.scores.max() - absent.scores.min() == pytest.approx(
        without.scores.max() - without.scores.min(), abs=0.2
    )


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []

    def compute(*given: object) -> float:
        found.append(1.0)
        return 0.7

    monkeypatch.setattr(caution_module, "compute_caution", compute)
    return found


def test_caution_is_found_once_and_outlives_the_process(calls: list[float], tmp_path: Path) -> None:
    heads, file = load_shipped_heads()["use"], OffsetFile(tmp_path / "offsets.json")
    index = build_index(skills=3)
    first = Offsets(index, stored=file)
    assert first.get_caution(heads, VIEWS, 0.8) == first.get_caution(heads, VIEWS, 0.8) == 0.7
    assert Offsets(index, stored=file).get_caution(heads, VIEWS, 0.8) == 0.7
    assert Offsets(index, first).get_caution(heads, VIEWS, 0.8) == 0.7
    assert Offsets(index, stored=file).get(heads, VIEWS) == 0
    assert len(calls) == 1
