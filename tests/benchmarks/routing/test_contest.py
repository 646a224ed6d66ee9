from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.routing._contest import AccuracyRow, SampleSize, build_routers, measure_set
from benchmarks.routing._data import LabelledSet, load_sets
from benchmarks.routing._measures import RouterAnswer
from benchmarks.routing._ours import BOTH_VIEWS, ONE_VIEW, WORDS_ONLY, MetierRouter
from metier.skills import Skill
from tests.benchmarks.routing.test_data import write_set


class Parrot:
    """Answers with the skill that has this very word in an example; sure of it, as far as it goes."""

    name = "parrot"
    notes: tuple[str, ...] = ()

    def __init__(self, *, believes: bool = True, says_none: bool = True, english_only: bool = False) -> None:
        self.gives_probabilities = believes
        self.says_none = says_none
        self.english_only = english_only
        self.told: list[Sequence[Skill]] = []

    def accepts(self, *, chinese: bool) -> bool:
        return not (chinese and self.english_only)

    def fit(self, skills: Sequence[Skill]) -> None:
        self.told.append(skills)

    def ask(self, message: str) -> RouterAnswer:
        words = set(message.split())
        found = [(skill.id, 0.9) for skill in self.told[-1] if words & set(" ".join(skill.examples).split())]
        return RouterAnswer(tuple(found), none=not found, ms=2.0)


@pytest.fixture
def labelled(tmp_path: Path) -> LabelledSet:
    (found,) = load_sets(write_set(tmp_path))
    return found


def _rows(labelled: LabelledSet, router: Parrot) -> dict[str, AccuracyRow]:
    return {row.given: row for row in measure_set(labelled, [router], SampleSize(2, 6))}


def test_every_draw_is_asked_and_pooled(labelled: LabelledSet) -> None:
    row = _rows(labelled, Parrot())["10"]
    assert row.messages == 12
    assert row.p50_ms == row.p95_ms == 2.0
    assert row.none is not None
    assert row.none.outside == 4


def test_without_examples_the_parrot_knows_nothing(labelled: LabelledSet) -> None:
    rows = _rows(labelled, Parrot())
    assert rows["names"].first == 0
    assert rows["10"].among > 0


def test_a_threshold_is_chosen_at_ten_examples_only(labelled: LabelledSet) -> None:
    rows = _rows(labelled, Parrot())
    assert {given for given, row in rows.items() if row.tuned} == {"10"}


def test_a_router_that_states_no_probability_has_no_calibration_error(labelled: LabelledSet) -> None:
    assert _rows(labelled, Parrot(believes=False))["10"].calibration is None
    assert _rows(labelled, Parrot())["10"].calibration is not None


def test_a_router_that_never_says_none_gets_a_chosen_threshold_all_the_same(labelled: LabelledSet) -> None:
    row = _rows(labelled, Parrot(says_none=False))["10"]
    assert row.none is None
    assert row.tuned is not None


def test_a_router_is_not_asked_in_a_language_it_does_not_know() -> None:
    pool = [("今天下雨吗", "天气"), ("放一首歌", "音乐")]
    chinese = LabelledSet("pool", pool, pool, chinese=True)
    assert list(measure_set(chinese, [Parrot(english_only=True)], SampleSize(1, 2))) == []


def test_a_row_says_how_far_it_can_be_trusted() -> None:
    told = AccuracyRow("clinc150", "10", "parrot", 400, 90.0, 97.5, 1.0, 2.0).to_json()
    assert told["first_error"] == 1.5
    assert (told["calibration"], told["none"], told["tuned"]) == (None, None, None)


def test_our_own_router_takes_part_by_words_alone(tmp_path: Path, labelled: LabelledSet) -> None:
    router = MetierRouter(WORDS_ONLY, tmp_path / "storage")
    (row,) = measure_set(labelled, [router], SampleSize(1, 8), givens=["10"])
    assert row.first == 100
    assert row.none is not None


def test_for_chinese_the_booster_is_not_another_router(tmp_path: Path) -> None:
    accepts = {name: MetierRouter(name, tmp_path).accepts(chinese=True) for name in (WORDS_ONLY, ONE_VIEW, BOTH_VIEWS)}
    assert accepts == {WORDS_ONLY: True, ONE_VIEW: True, BOTH_VIEWS: False}


def test_peers_take_part_only_when_asked_for(tmp_path: Path) -> None:
    assert [router.name for router in build_routers(tmp_path, peers=False)] == [WORDS_ONLY, ONE_VIEW, BOTH_VIEWS]
    assert [router.name for router in build_routers(tmp_path, peers=False, only=[WORDS_ONLY])] == [WORDS_ONLY]
