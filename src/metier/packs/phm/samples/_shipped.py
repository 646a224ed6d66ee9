"""Samples that come with the pack: a measured force record (pybearing, MIT) and records made from recipes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from metier.language import BilingualText
from metier.packs.phm.bearings import find_bearing
from metier.packs.phm.loaders import Record, complete_record, read_record
from metier.packs.phm.samples._synthetic import Recipe, make_record

_FOLDER: Final = Path(__file__).parent / "files"
_FS: Final = 12_000.0
_SHAFT_HZ: Final = 29.53
_SECONDS: Final = 5.0
_HISTORY: Final = 350


@dataclass(frozen=True, slots=True)
class Sample:
    """A shipped sample: its title, what is true about it, and its recipe unless it was measured.

    `noise_g` is the RMS of the noise in its recipe: a healthy machine runs as quietly as ISO 20816 wants it.
    """

    id: str
    title: BilingualText
    truth: str
    recipe: Recipe | None = None
    noise_g: float = 1.0
    told_rpm: float | None = None


def list_samples() -> Mapping[str, Sample]:
    """Samples by id."""
    return _SAMPLES


def load_sample(sample_id: str, facts: Path | None = None) -> Record:
    """Record of a sample; a synthetic one is computed. A sidecar at `facts` overrides what the sample tells."""
    recipe = _SAMPLES[sample_id].recipe
    record = read_record(_FOLDER / "force_1560kk.npz") if recipe is None else _make(sample_id, recipe)
    return record if facts is None else complete_record(record, facts)


@cache
def _make(sample_id: str, recipe: Recipe) -> Record:
    """Record of a recipe, computed once: half a megabyte each, and a conversation asks for the same ones."""
    sample = _SAMPLES[sample_id]
    rpm = round(sample.told_rpm or recipe.rpm, 1)
    samples = make_record(recipe) * sample.noise_g
    samples.setflags(write=False)
    return Record(sample.id, "acc", samples, recipe.fs, "g", "vibration", rpm, recipe.bearing.name, ("acc",))


def make_trend(*, count: int = 350, onset: int = 280, seed: int = 11) -> np.ndarray:
    """RMS of a machine by record: steady, then growing from `onset` on."""
    random = np.random.default_rng(seed)
    growth = np.exp(0.018 * np.maximum(np.arange(count) - onset, 0))
    return np.asarray(0.42 * growth * (1 + 0.03 * random.standard_normal(count)))


def make_history(sample_id: str) -> np.ndarray:
    """RMS of a synthetic sample by record up to the record itself; it grows unless the machine is healthy."""
    record, sample = load_sample(sample_id), _SAMPLES[sample_id]
    at = list(_SAMPLES).index(sample_id)
    onset = _HISTORY if sample.truth == "normal" else 260 + 10 * at
    series = make_trend(count=_HISTORY, onset=onset, seed=at)
    scaled = series * (float(np.std(record.samples)) / series[-1])
    return np.asarray(scaled)


def make_gear_record(*, seed: int = 5, cracked: bool = True) -> Record:
    """Gear of 23 teeth at 20 revolutions a second, with one cracked tooth."""
    random = np.random.default_rng(seed)
    fs, shaft, teeth = 12_800.0, 20.0, 23
    time = np.arange(int(fs * 8)) / fs
    mesh = np.cos(2 * np.pi * teeth * shaft * time) + 0.4 * np.cos(4 * np.pi * teeth * shaft * time)
    tooth = np.exp(-0.5 * (((time * shaft) % 1 - 0.5) / 0.012) ** 2)
    bump = (1.6 if cracked else 0.0) * tooth * np.cos(2 * np.pi * 1900 * (time - 0.5 / shaft))
    samples = np.asarray(mesh + bump + 0.4 * random.standard_normal(len(time)))
    return Record("gearbox", "acc", samples, fs, "g", "vibration", 60 * shaft, None, ("acc",), teeth)


def _build(fault: str, seed: int, strength: float) -> Recipe:
    kind = {"outer": "outer", "inner": "inner", "ball": "ball"}.get(fault)
    return Recipe(_FS, _SECONDS, _SHAFT_HZ, find_bearing("6205"), kind, strength, -0.003, seed)  # type: ignore[arg-type]  # the names of the faults, or None


_SAMPLES: Mapping[str, Sample] = MappingProxyType(
    {
        one.id: one
        for one in (
            Sample(
                "pump",
                BilingualText("1号泵", "pump 1"),
                "inner",
                _build("inner", 31, 5.0),
                noise_g=0.15,
            ),
            Sample(
                "fan",
                BilingualText("2号风机", "fan 2"),
                "outer",
                _build("outer", 32, 5.0),
                noise_g=0.1,
            ),
            Sample(
                "motor",
                BilingualText("3号电机", "motor 3"),
                "ball",
                _build("ball", 33, 6.0),
                noise_g=0.12,
            ),
            Sample("blower", BilingualText("4号鼓风机", "blower 4"), "normal", _build("normal", 34, 0.0), 0.018),
            Sample(
                "conveyor",
                BilingualText("5号输送机", "conveyor 5"),
                "outer",
                _build("outer", 35, 5.0),
                noise_g=0.12,
                told_rpm=_SHAFT_HZ * 60 * 1.04,
            ),
            Sample("rig", BilingualText("试验台（实测）", "test rig (measured)"), "inner"),
        )
    }
)
