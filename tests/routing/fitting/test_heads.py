"""The heads find what the data says, and only that."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.routing.fitting import LabelledScore, fit_heads
from metier.routing.ranking import SIGNALS, Heads, Odds, expand_signals, load_shipped_heads, to_probability

PARTS = ("meant", "right", "among")
WIDTH = len(SIGNALS)
ZEROS, ONES = np.zeros(WIDTH), np.ones(WIDTH)
WIDE = len(expand_signals(ZEROS.astype(np.float32), ZEROS, ONES))


def plain(**constants: float) -> Heads:
    """Heads that say the same of everything."""
    parts = {name: np.zeros(WIDE) for name in ("meant", "right", "among")}
    for name, value in constants.items():
        parts[name][-1] = value
    return Heads(ZEROS, ONES, **parts)


def truth(seed: int = 7) -> Heads:
    """Heads that weigh a few of the signals."""
    chance = np.random.default_rng(seed)
    parts = {name: np.where(np.arange(WIDE) < 6, chance.normal(0, 1, WIDE), 0) for name in ("meant", "right", "among")}
    return Heads(ZEROS, ONES, **parts)


def odds(heads: Heads, signals: NDArray[np.float32], part: str) -> float:
    """What one head says, whatever the others do."""
    return float(expand_signals(signals, heads.mean, heads.deviation) @ getattr(heads, part))


def messages(by: Heads, count: int) -> list[LabelledScore]:
    """Messages of which these heads know the truth."""
    chance = np.random.default_rng(1)
    found = []
    for signals in chance.normal(size=(count, WIDTH)).astype(np.float32):
        meant, right, among = (chance.random() < to_probability(odds(by, signals, part)) for part in PARTS)
        found.append(LabelledScore(signals, bool(meant), bool(right), bool(among)))
    return found


def distance(one: Heads, other: Heads, part: str) -> float:
    """How far apart two heads are, in probability."""
    rows = np.random.default_rng(3).normal(size=(500, WIDTH)).astype(np.float32)
    first, second = (np.array([to_probability(odds(heads, row, part)) for row in rows]) for heads in (one, other))
    return float(np.abs(first - second).mean())


def test_a_known_model_is_found_again() -> None:
    known = truth()
    found = fit_heads(messages(known, 3000), prior=plain(), trust=1.0)
    for part in ("meant", "right", "among"):
        assert distance(plain(), known, part) > 0.15
        assert distance(found, known, part) < 0.06


def test_a_known_model_is_found_without_a_prior() -> None:
    known = truth()
    sure = replace(known, meant=plain(meant=30.0).meant)
    found = fit_heads(messages(sure, 3000))
    assert distance(found, known, "right") < 0.05
    assert distance(found, known, "among") < 0.05


def test_without_a_prior_messages_for_no_skill_count_less() -> None:
    half = plain()
    found = fit_heads(messages(half, 3000))
    assert to_probability(found(np.zeros(WIDTH, dtype=np.float32)).meant) == pytest.approx(2 / 3, abs=0.05)


def outsiders(count: int, **signals: float) -> list[LabelledScore]:
    """As many messages for nobody as for the winner, with the same signals."""
    row = np.zeros(WIDTH, dtype=np.float32)
    for name, value in signals.items():
        row[SIGNALS.index(name.replace("_", " "))] = value
    return [LabelledScore(row, yes, yes, yes) for yes in (True, False) for _ in range(count)]


@pytest.mark.parametrize(
    ("only", "share"), [(0.0, 1 / 1.05), (1.0, 1 / 1.15)], ids=["a winner with examples", "a winner that only says"]
)
def test_messages_for_nobody_say_more_against_a_winner_without_examples(only: float, share: float) -> None:
    judged = outsiders(200, description_only=only)
    found = fit_heads(judged)
    for part, expected in (("meant", 2 / 3), ("right", share), ("among", share)):
        assert to_probability(odds(found, judged[0].signals, part)) == pytest.approx(expected, abs=1e-3)


def test_catalogs_of_one_trade_say_which_skill_is_right_and_not_whether_any_is_meant() -> None:
    mixed = messages(truth(), 400)
    trade = [replace(one, meant=False, right=False, among=False, alike=True) for one in messages(truth(), 400)]
    alone, both, plainly = (fit_heads(judged) for judged in (mixed, mixed + trade, [*mixed, *map(_unlike, trade)]))
    assert distance(alone, both, "meant") < 0.01 < 0.1 < distance(alone, plainly, "meant")
    assert distance(alone, both, "right") > 0.02


def _unlike(one: LabelledScore) -> LabelledScore:
    return replace(one, alike=False)


def three_of_four(count: int = 20, *, offset: float = 0.0) -> list[LabelledScore]:
    """Messages of which, whatever their signals, exactly three of four are meant, right and among the first three."""
    rows = np.random.default_rng(2).normal(size=(count, WIDTH)).astype(np.float32)
    shift = Odds(0.0, offset, offset)
    return [LabelledScore(row, yes, yes, yes, shift) for row in rows for yes in (True, True, True, False)]


LOG_3 = float(np.log(3))


def test_heads_stay_at_their_prior_when_the_data_agrees() -> None:
    prior = plain(meant=LOG_3, right=LOG_3, among=LOG_3)
    found = fit_heads(three_of_four(), prior=prior)
    for part in ("meant", "right", "among"):
        np.testing.assert_allclose(getattr(found, part), getattr(prior, part), atol=1e-6)


def test_heads_leave_their_prior_as_far_as_the_data_says_otherwise() -> None:
    known, other = truth(), truth(seed=8)
    few, many = (fit_heads(messages(known, count), prior=other, trust=10) for count in (30, 2000))
    for part in ("meant", "right", "among"):
        assert distance(many, known, part) < distance(few, known, part) < distance(other, known, part)


def test_the_scale_of_a_prior_is_kept() -> None:
    prior = load_shipped_heads()["lex"]
    found = fit_heads(messages(truth(), 40), prior=prior)
    assert found.mean is prior.mean
    assert found.deviation is prior.deviation


def test_what_the_offset_of_a_catalog_explains_the_heads_need_not_explain() -> None:
    prior = plain(meant=LOG_3)
    told, untold, against = (fit_heads(three_of_four(offset=offset), prior=prior) for offset in (LOG_3, 0.0, -LOG_3))
    for part in ("right", "among"):
        np.testing.assert_allclose(getattr(told, part), getattr(prior, part), atol=1e-6)
        assert getattr(against, part)[-1] > getattr(untold, part)[-1] + 0.5 > 1
    np.testing.assert_allclose(told.meant, prior.meant, atol=1e-6)


def test_a_prior_that_is_far_off_is_left_for_what_the_data_says() -> None:
    """Whole steps of Newton's method go further off with every step here."""
    wrong = plain(meant=12.0, right=12.0, among=-12.0)
    found = fit_heads(three_of_four(100), prior=wrong)
    for part in ("meant", "right", "among"):
        assert distance(found, plain(**{part: LOG_3}), part) < 0.1


def test_data_of_one_kind_only_gives_finite_heads() -> None:
    always = [replace(one, meant=True, right=True, among=True) for one in messages(truth(), 50)]
    found = fit_heads(always)
    assert all(np.isfinite(part).all() for part in (found.meant, found.right, found.among))
