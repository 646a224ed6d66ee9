from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.routing._contest import SampleSize
from benchmarks.routing._data import LabelledSet, draw_pairs
from benchmarks.routing._measures import RouterAnswer
from benchmarks.routing._pairs import PairRow, measure_pairs
from metier.skills import Skill

TRAIN = [(f"{what} number {number}", what) for what in ("rain", "songs", "stocks") for number in range(12)]
RAIN_AND_SONGS = ("will it rain, and play a song", frozenset({"rain", "songs"}))
STOCKS_AND_RAIN = ("stocks, and the rain too", frozenset({"rain", "stocks"}))
STRANGE = ("rain and a thing nobody has", frozenset({"rain", "tax"}))


@dataclass
class Fixed:
    """Says the same to every message."""

    said: tuple[str, ...]
    name: str = "fixed"
    gives_probabilities: bool = False
    says_none: bool = False
    notes: tuple[str, ...] = ()
    english_only: bool = False
    fitted: list[int] = field(default_factory=list)

    def accepts(self, *, chinese: bool) -> bool:
        return not (chinese and self.english_only)

    def fit(self, skills: Sequence[Skill]) -> None:
        self.fitted.append(len(skills))

    def ask(self, message: str) -> RouterAnswer:
        return RouterAnswer(tuple((skill, 0.5) for skill in self.said), none=False, ms=1.0)


def _ask(labelled: LabelledSet, router: Fixed) -> list[PairRow]:
    return list(measure_pairs(labelled, [router], SampleSize(draws=2, messages=9)))


def test_both_must_be_the_first_two_in_any_order_or_among_three() -> None:
    labelled = LabelledSet("set", TRAIN, TRAIN, pairs=[RAIN_AND_SONGS, STOCKS_AND_RAIN])
    (row,) = _ask(labelled, router := Fixed(("songs", "rain", "stocks")))
    assert (row.messages, row.both, row.among) == (4, 50.0, 100.0)
    assert router.fitted == [3, 3]


def test_a_message_for_a_skill_that_is_not_there_is_not_asked() -> None:
    (row,) = _ask(LabelledSet("set", TRAIN, TRAIN, pairs=[RAIN_AND_SONGS, STRANGE]), Fixed(("rain", "songs")))
    assert (row.messages, row.both) == (2, 100.0)


def test_a_set_without_such_messages_and_a_router_without_the_language_give_no_row() -> None:
    assert _ask(LabelledSet("set", TRAIN, TRAIN), Fixed(())) == []
    chinese = LabelledSet("set", TRAIN, TRAIN, chinese=True, pairs=[RAIN_AND_SONGS])
    assert _ask(chinese, Fixed((), english_only=True)) == []


def test_the_same_seed_and_number_draw_the_same_messages() -> None:
    labelled = LabelledSet("set", TRAIN, TRAIN, pairs=[(str(number), frozenset({"rain"})) for number in range(40)])
    first, again = (draw_pairs(labelled, 0, messages=5) for _ in range(2))
    assert first == again != draw_pairs(labelled, 1, messages=5)
