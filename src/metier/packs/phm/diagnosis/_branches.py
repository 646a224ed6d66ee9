"""Branches of a bearing diagnosis: the same harmonic test on different envelope spectra of one record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from metier.packs.phm.bearings import Fault, RollingBearing
from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._harmonics import HarmonicScore, is_shaft_multiple, mask_known_lines, score_harmonics

BranchName = Literal["prewhitened", "full_band", "kurtogram_band"]

BRANCHES: Final[tuple[BranchName, ...]] = ("prewhitened", "full_band", "kurtogram_band")


@dataclass(frozen=True, slots=True)
class Branch:
    """Scores of the four faults on one envelope spectrum; a fault that cannot be tested there has none."""

    name: BranchName
    scores: Mapping[Fault, HarmonicScore]

    @property
    def ranking(self) -> tuple[Fault, ...]:
        """Faults by score, the best first."""
        return tuple(sorted(self.scores, key=lambda fault: -self.scores[fault].score))

    @property
    def score(self) -> float:
        """Score of the best fault; minus infinity without any."""
        return self.scores[self.ranking[0]].score if self.scores else -np.inf

    @property
    def margin(self) -> float:
        """Lead of the best fault over the second."""
        if len(self.scores) < 2:
            return 0.0
        first, second, *_ = self.ranking
        return self.scores[first].score - self.scores[second].score


def score_branch(name: BranchName, spectrum: Spectrum, shaft_hz: float, bearing: RollingBearing) -> Branch:
    """Score the faults of a bearing on one envelope spectrum."""
    keep = mask_known_lines(spectrum, shaft_hz)
    tested = {
        fault: score_harmonics(spectrum, order * shaft_hz, keep)
        for fault, order in bearing.orders.items()
        if not is_shaft_multiple(order)
    }
    return Branch(name, {fault: score for fault, score in tested.items() if score is not None})
