"""Cepstrum pre-whitening of a record, and spectra divided by their local median."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._fast_fft import fast_length

Array = NDArray[np.float64]

_SMALLEST: Final = 1e-12


def prewhiten_cepstrum(signal: Array) -> Array:
    """Give every spectral line the same amplitude, so that shaft and gear lines hide no weak impacts."""
    from scipy import fft

    length = fast_length(len(signal))
    spectrum = fft.rfft(signal - signal.mean(), length)
    size = np.abs(spectrum)
    spectrum /= np.maximum(size, max(float(size.max()) * _SMALLEST, np.finfo(float).tiny), out=size)
    return np.asarray(fft.irfft(spectrum, length, overwrite_x=True)[: len(signal)], np.float64)


def divide_by_local_median(spectrum: Spectrum, width_hz: float) -> Array:
    """Amplitude over the median of its neighbourhood, interpolated between blocks of `width_hz`."""
    amplitude = spectrum.amplitude
    block = min(max(round(width_hz / spectrum.step_hz), 9), len(amplitude))
    blocks = len(amplitude) // block
    medians = np.median(amplitude[: blocks * block].reshape(blocks, block), axis=1)
    centres = (np.arange(blocks) + 0.5) * block
    floor = np.interp(np.arange(len(amplitude)), centres, medians)
    return np.asarray(amplitude / np.maximum(floor, np.finfo(float).tiny), np.float64)
