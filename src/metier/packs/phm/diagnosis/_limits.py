"""Limits of unexplained lines, computed by a rule from healthy synthetic records: no measured record is read.

A limit is the greatest score of its kind of line over all records, 5 % more, rounded up to a hundredth.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.packs.phm.diagnosis._branches import BranchName, score_branch
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine, find_unexplained_lines
from metier.packs.phm.samples import make_healthy
from metier.packs.phm.signals._batches import compute_envelope_spectra
from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._whitening import prewhiten_cepstrum

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Seeds that neither the bench (500000 to 500999) nor a test draws.
_SEEDS: Final = (range(100_000, 101_500), range(600_000, 601_000))
_MARGIN: Final = 1.05
_BATCH: Final = 50

LineKind = tuple[str, BranchName]


def compute_line_limits(seeds: Iterable[range] = _SEEDS, workers: int = 1) -> dict[LineKind, float]:
    """Limits by the table of the thresholds (`unexplained` or `beat`) and the branch."""
    batches = [one[at : at + _BATCH] for one in seeds for at in range(0, len(one), _BATCH)]
    if workers == 1:
        return _apply_rule(map(_measure_batch, batches))
    with ProcessPoolExecutor(workers) as pool:
        return _apply_rule(pool.map(_measure_batch, batches))


def _apply_rule(greatest: Iterable[Mapping[LineKind, float]]) -> dict[LineKind, float]:
    """Limits from the greatest scores of several batches of records."""
    whole: dict[LineKind, float] = {}
    for one in greatest:
        whole |= {kind: max(score, whole.get(kind, score)) for kind, score in one.items()}
    return {kind: math.ceil(round(score * _MARGIN * 100, 6)) / 100 for kind, score in sorted(whole.items())}


def _measure_batch(seeds: range) -> dict[LineKind, float]:
    greatest: dict[LineKind, float] = {}
    for seed in seeds:
        for branch, line in _list_lines(seed):
            kind: LineKind = ("beat" if line.is_beat else "unexplained", branch)
            greatest[kind] = max(line.score, greatest.get(kind, line.score))
    return greatest


def _list_lines(seed: int) -> Iterator[tuple[BranchName, UnexplainedLine]]:
    """Strongest lines of a healthy record at its true speed, with its own bearing named."""
    signal, recipe = make_healthy(seed)
    sources: dict[BranchName, NDArray[np.float64]] = {"prewhitened": prewhiten_cepstrum(signal), "full_band": signal}
    for name, source in sources.items():
        lines, step = compute_envelope_spectra(source, fs=recipe.fs)
        spectrum = Spectrum(lines.astype(np.float64), step)
        branch = score_branch(name, spectrum, recipe.shaft_hz, recipe.bearing)
        for line in find_unexplained_lines(spectrum, recipe.shaft_hz, recipe.bearing, branch):
            yield name, line
