"""Branches of a bearing diagnosis: the same harmonic test on three envelope spectra of one record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import Fault, RollingBearing
from metier.packs.phm.signals._envelope import (
    SpectralBand,
    Spectrum,
    compute_amplitude_spectrum,
    compute_envelope_spectrum,
    find_kurtogram_band,
)
from metier.packs.phm.signals._harmonics import HarmonicScore, Mask, mask_multiples, score_harmonics
from metier.packs.phm.signals._speed import SpeedEstimate, estimate_speed
from metier.packs.phm.signals._whitening import prewhiten_cepstrum

Array = NDArray[np.float64]
BranchName = Literal["prewhitened", "full_band", "kurtogram_band"]

BRANCHES: Final[tuple[BranchName, ...]] = ("prewhitened", "full_band", "kurtogram_band")
_MAINS_HZ: Final = (50.0, 60.0)
_HIGHEST_ORDER: Final = 36


@dataclass(frozen=True, slots=True, eq=False)
class Spectra:
    """Everything computed once from a record, whatever the speed and the bearing."""

    fs: float
    raw: Spectrum
    envelopes: Mapping[BranchName, Spectrum]
    band: SpectralBand

    def estimate_speed(self, shaft_hz: float) -> SpeedEstimate:
        """Shaft rate from the lines of the record and of its envelope."""
        return estimate_speed((self.raw, self.envelopes["full_band"]), shaft_hz)


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


def compute_spectra(signal: Array, fs: float) -> Spectra:
    """Compute the spectrum of the record and its three envelope spectra."""
    band = find_kurtogram_band(signal, fs)
    envelopes: dict[BranchName, Spectrum] = {
        "prewhitened": compute_envelope_spectrum(prewhiten_cepstrum(signal), fs),
        "full_band": compute_envelope_spectrum(signal, fs),
        "kurtogram_band": compute_envelope_spectrum(signal, fs, band),
    }
    return Spectra(fs, compute_amplitude_spectrum(signal, fs), envelopes, band)


def mask_known_lines(spectrum: Spectrum, shaft_hz: float) -> Mask:
    """Bins free of shaft and mains lines: those lines are no evidence of a bearing fault."""
    return mask_multiples(spectrum, (shaft_hz, *_MAINS_HZ), highest_hz=_HIGHEST_ORDER * shaft_hz)


def score_branch(name: BranchName, spectrum: Spectrum, shaft_hz: float, bearing: RollingBearing) -> Branch:
    """Score the faults of a bearing on one envelope spectrum."""
    keep = mask_known_lines(spectrum, shaft_hz)
    tested = {
        fault: score_harmonics(spectrum, order * shaft_hz, keep)
        for fault, order in bearing.orders.items()
        if not is_shaft_multiple(order)
    }
    return Branch(name, {fault: score for fault, score in tested.items() if score is not None})


def is_shaft_multiple(order: float) -> bool:
    """Whether an order lies so close to a multiple of the shaft that slip hides the difference."""
    nearest = round(order)
    return nearest > 0 and abs(order - nearest) < 0.005 * order
