"""Synthetic vibration records of known truth: healthy machines, and bearings with one defect.

A healthy record has coloured noise, shaft and gear lines, mains lines and now and then a stray shock. A defect adds a
train of impacts with slip, each ringing at a resonance, modulated by load as the defect travels (an inner race by the
shaft, a ball by the cage).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import Fault, RollingBearing
from metier.packs.phm.signals._fast_fft import fast_length

Array = NDArray[np.float64]

_RATES_HZ: Final = (8192, 12_000, 25_600)
_RINGING: Final = 4096


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a synthetic record is made of; `strength` is the peak of an impact over the RMS of the noise."""

    fs: float
    seconds: float
    shaft_hz: float
    bearing: RollingBearing
    fault: Fault | None
    strength: float
    slip: float
    seed: int

    @property
    def rpm(self) -> float:
        return self.shaft_hz * 60


def draw_recipe(seed: int, fault: Fault | None) -> Recipe:
    """Draw machine, bearing, speed, sampling and strength at random."""
    random = np.random.default_rng(seed)
    balls = int(random.integers(7, 15))
    ratio = float(random.uniform(0.6, 0.9)) * np.pi / balls * 0.8
    return Recipe(
        fs=float(random.choice(_RATES_HZ)),
        seconds=float(random.uniform(1.0, 6.0)),
        shaft_hz=float(random.uniform(10, 50)),
        bearing=RollingBearing("synthetic", balls, round(40 * ratio, 3), 40.0, float(random.choice([0.0, 0.0, 15.0]))),
        fault=fault,
        strength=float(np.exp(random.uniform(np.log(1.0), np.log(12.0)))),
        slip=float(random.uniform(-0.008, 0.004)),
        seed=seed,
    )


def make_healthy(seed: int) -> tuple[Array, Recipe]:
    """A healthy record with its recipe."""
    recipe = draw_recipe(seed, None)
    return make_record(recipe), recipe


def make_fault(seed: int, fault: Fault) -> tuple[Array, Recipe]:
    """A record with one defect, with its recipe."""
    recipe = draw_recipe(seed, fault)
    return make_record(recipe), recipe


def make_record(recipe: Recipe) -> Array:
    """Build the record of a recipe; the same recipe gives the same samples."""
    random = np.random.default_rng([recipe.seed, 1])
    count = int(recipe.fs * recipe.seconds)
    time = np.arange(count) / recipe.fs
    signal = _make_noise(random, count, recipe.fs)
    signal += _make_lines(random, time, recipe)
    if random.random() < 0.3:
        signal += _ring(random, recipe.fs, count, random.uniform(0, recipe.seconds, 3), 8 * random.random(3))
    if recipe.fault is not None:
        signal += _make_impacts(random, count, recipe)
    return signal


def _make_noise(random: np.random.Generator, count: int, fs: float) -> Array:
    """White noise with one to three broad resonances, RMS 1."""
    white = random.standard_normal(count)
    whole = white.copy()
    for _ in range(int(random.integers(1, 4))):
        centre, q = random.uniform(0.05, 0.45) * fs, random.uniform(2, 12)
        whole += random.uniform(0.5, 4) * _resonate(white, centre / fs, q)
    return np.asarray(whole / whole.std(), np.float64)


def _resonate(values: Array, centre: float, q: float) -> Array:
    """Peak filter of second order at a share of the rate, by its spectrum; the padding outlasts its ringing."""
    from scipy import fft

    length = fast_length(len(values) + _RINGING)
    gain = 1 / (1 + np.tan(np.pi * centre / q))
    back = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    poles = 1 - 2 * gain * np.cos(2 * np.pi * centre) * back + (2 * gain - 1) * back**2
    response = (1 - gain) * (1 - back**2) / poles
    return np.asarray(fft.irfft(fft.rfft(values, length) * response, length)[: len(values)], np.float64)


def _make_lines(random: np.random.Generator, time: Array, recipe: Recipe) -> Array:
    """Shaft harmonics, a gear mesh modulated by the shaft, and mains lines."""
    lines = np.zeros(len(time))
    for number in range(1, 11):
        size = random.exponential(0.4) / number**0.5
        lines += size * np.cos(2 * np.pi * (number * recipe.shaft_hz * time + random.random()))
    mesh = int(random.integers(17, 40)) * recipe.shaft_hz
    if mesh < 0.4 * recipe.fs and random.random() < 0.5:
        modulation = 1 + random.uniform(0, 0.5) * np.cos(2 * np.pi * recipe.shaft_hz * time)
        lines += random.exponential(0.3) * modulation * np.cos(2 * np.pi * mesh * time)
    mains = float(random.choice([50.0, 60.0]))
    for number in (1, 2, 4, 6):
        lines += random.exponential(0.1) * np.cos(2 * np.pi * (number * mains * time + random.random()))
    return lines


def _make_impacts(random: np.random.Generator, count: int, recipe: Recipe) -> Array:
    assert recipe.fault is not None
    rate = recipe.bearing.orders[recipe.fault] * recipe.shaft_hz * (1 + recipe.slip)
    times = np.array(list(_walk(random, rate, recipe.seconds)))
    turns = {"inner": recipe.shaft_hz, "ball": recipe.bearing.ftf * recipe.shaft_hz}.get(recipe.fault, 0.0)
    depth = random.uniform(0.4, 0.9) if turns else 0.0
    load = 1 + depth * np.cos(2 * np.pi * (turns * times + random.random()))
    sizes = recipe.strength * load * (1 + 0.15 * random.standard_normal(len(times)))
    return _ring(random, recipe.fs, count, times, sizes)


def _walk(random: np.random.Generator, rate_hz: float, seconds: float) -> Iterator[float]:
    """Times of impacts one period apart, each period with its own slip."""
    at = random.random() / rate_hz
    while at < seconds:
        yield at
        at += (1 + 0.01 * random.standard_normal()) / rate_hz


def _ring(random: np.random.Generator, fs: float, count: int, times: Array, sizes: Array) -> Array:
    """A resonance struck at these times."""
    from scipy import fft

    train = np.zeros(count)
    np.add.at(train, np.minimum((times * fs).astype(np.int64), count - 1), sizes)
    centre, damping = random.uniform(0.12, 0.4) * fs, random.uniform(0.02, 0.08)
    length = int(min(count, 6 / (damping * 2 * np.pi * centre) * fs) + 8)
    after = np.arange(length) / fs
    response = np.exp(-damping * 2 * np.pi * centre * after) * np.sin(2 * np.pi * centre * after)
    whole = fast_length(count + length)
    return np.asarray(fft.irfft(fft.rfft(train, whole) * fft.rfft(response, whole), whole)[:count], np.float64)
