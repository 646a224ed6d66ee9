"""Health index, lasting alarm and remaining life on series of known truth."""

import numpy as np
import pytest

from metier.errors import InvalidInput
from metier.packs.phm.signals._trends import estimate_remaining_life as estimate_life
from metier.packs.phm.trends import Units, estimate_remaining_life, fit_life_model, follow_health


def grow(start: int, count: int = 500, seed: int = 3) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal(count)
    rise = np.exp(0.02 * np.maximum(np.arange(count) - start, 0))
    return np.asarray(rise * (1 + 0.02 * noise))


def test_the_alarm_comes_after_the_onset_and_a_steady_machine_has_none() -> None:
    alarm = follow_health(grow(300)).first_alarm
    assert alarm is not None
    assert 300 <= alarm <= 320
    assert [follow_health(grow(500, seed=seed)).first_alarm for seed in range(20)] == [None] * 20
    spike = grow(500)
    spike[250:253] = 3.0
    assert follow_health(spike).first_alarm is None
    with pytest.raises(InvalidInput, match="30 finite records"):
        follow_health(np.ones(5))


def test_remaining_life_is_given_only_after_degradation_and_holds_the_truth() -> None:
    whole = grow(300)
    failure = 20.0
    end = 300 + np.log(failure) / 0.02
    early = estimate_remaining_life(follow_health(whole[:290], baseline=50, lasting=10), failure)
    assert (early.records, early.reason) == (None, "no_degradation")
    late = estimate_remaining_life(follow_health(whole[:400], baseline=50, lasting=10), failure)
    assert late.records == pytest.approx(end - 400, rel=0.2)
    assert (late.low or 0) <= (late.records or 0) <= (late.high or 0)


def test_life_learnt_from_other_units_predicts_within_its_interval() -> None:
    random = np.random.default_rng(0)

    def unit(number: int, life: int, seen: int) -> np.ndarray:
        cycle = np.arange(1, seen + 1)
        wear = np.exp((cycle - life) / 30)[:, None]
        sensors = wear * np.array([1.0, -2.0]) + 0.02 * random.standard_normal((seen, 2))
        return np.hstack([np.full((seen, 1), number), cycle[:, None], np.zeros((seen, 3)), sensors])

    train = Units(np.vstack([unit(n, life, life) for n, life in enumerate(random.integers(120, 220, 20))]))
    left = random.integers(10, 90, 20)
    test = Units(np.vstack([unit(n, 180, 180 - int(rest)) for n, rest in enumerate(left)]))
    found = fit_life_model(train).predict(test)
    assert np.sqrt(np.mean((found.cycles - left) ** 2)) < 15
    assert np.mean((left >= found.low) & (left <= found.high)) > 0.6


def test_the_interval_of_a_remaining_life_holds_the_record_that_first_reaches_the_level() -> None:
    random, held, count = np.random.default_rng(5), 0, 150
    for _ in range(count):
        levels = np.exp(0.02 * np.arange(200) + 0.1 * random.standard_normal(200))
        known, failure = levels[:60], float(np.exp(0.02 * 59 + 0.8))
        life = estimate_life(known, step=1.0, threshold=failure, model="exponential", confidence=0.8)
        assert life.low is not None
        assert life.high is not None
        held += bool(life.low <= np.argmax(levels[60:] >= failure) + 1 <= life.high)
    assert 0.7 < held / count < 0.9
