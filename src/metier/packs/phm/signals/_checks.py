"""Checks of the arrays that enter a signal function: each failure is a sentence that a user can act on."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "LONG_RECORD",
    "ComplexArray",
    "FloatArray",
    "check_band",
    "check_clipping",
    "check_pair",
    "check_rate",
    "check_signal",
    "check_spectrum",
    "check_varies",
    "count_clipped",
    "ensure_writable",
    "map_blocks",
    "shorten_floats",
]

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
ComplexArray: TypeAlias = npt.NDArray[np.complexfloating[Any, Any]]

LONG_RECORD = 4_194_304  # samples; longer records are treated in blocks and in single precision to save memory
_BLOCK = 1_048_576
_MIN_FLAT_RUN = 3
_MAX_CLIPPED_SHARE = 0.001


def check_signal(x: npt.ArrayLike, *, min_length: int = 2, what: str = "the signal") -> FloatArray:
    """Real, finite array of at least `min_length` samples along the last axis; float32 stays float32."""
    array = np.asarray(x)
    if np.iscomplexobj(array):
        raise ValueError(f"{what} is complex; take its magnitude or its phase first")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{what} holds {array.dtype} values, not numbers")
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:
        array = array.astype(np.float64)
    if array.ndim == 0 or array.size == 0:
        raise ValueError(f"{what} is empty")
    if array.shape[-1] < min_length:
        raise ValueError(f"{what} has {array.shape[-1]} samples, at least {min_length} are needed")
    with np.errstate(invalid="ignore", over="ignore"):
        total = array.sum()  # one pass; a sum that overflows is looked at again
    if not np.isfinite(total):
        bad = int(np.count_nonzero(~np.isfinite(array)))
        if bad:
            raise ValueError(f"{what} holds {bad} values that are NaN or infinite; cut or repair them first")
    return array


def check_varies(x: FloatArray, *, what: str = "the signal") -> FloatArray:
    """Refuse a signal that is constant along the last axis: a dead sensor, not a quiet machine."""
    if bool(np.any(np.max(x, axis=-1) == np.min(x, axis=-1))):
        raise ValueError(f"{what} is constant: the sensor may be dead or disconnected")
    return x


def check_spectrum(spectrum: npt.ArrayLike, *, min_length: int = 3) -> FloatArray:
    """Real, finite spectrum without negative values."""
    array = check_signal(spectrum, min_length=min_length, what="the spectrum")
    if bool((array < 0).any()):
        raise ValueError("the spectrum has negative values: a raw signal or decibels, not magnitudes or powers")
    if not bool(array.any(axis=-1).all()):
        raise ValueError("the spectrum is zero everywhere")
    return array


def check_rate(fs: float) -> float:
    """Sampling rate in samples per unit of the axis."""
    if not (np.isfinite(fs) and fs > 0):
        raise ValueError(f"the sampling rate must be a positive number, not {fs!r}")
    return float(fs)


def check_band(band: Sequence[float], fs: float, *, what: str = "the band") -> tuple[float, float]:
    """Band (low, high) with 0 <= low < high <= fs / 2."""
    if len(band) != 2:
        raise ValueError(f"{what} needs two frequencies, low and high, not {len(band)}")
    low, high = float(band[0]), float(band[1])
    if not 0 <= low < high <= fs / 2:
        raise ValueError(f"{what} {low:g}-{high:g} Hz must rise and lie between 0 and {fs / 2:g} Hz (half the rate)")
    return low, high


def check_pair(x: npt.ArrayLike, y: npt.ArrayLike, *, min_length: int = 2) -> tuple[FloatArray, FloatArray]:
    """Two finite signals of the same length."""
    first = check_signal(x, min_length=min_length, what="the first signal")
    second = check_signal(y, min_length=min_length, what="the second signal")
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(f"the two signals differ in length: {first.shape[-1]} and {second.shape[-1]} samples")
    return first, second


def count_clipped(x: FloatArray) -> int:
    """Samples in runs of three or more that stand exactly at the maximum or the minimum of a record."""
    total = 0
    for extreme in (x.max(axis=-1, keepdims=True), x.min(axis=-1, keepdims=True)):
        at = x == extreme
        if np.count_nonzero(at) < _MIN_FLAT_RUN:
            continue
        runs = at[..., :-2] & at[..., 1:-1] & at[..., 2:]
        inside = np.zeros_like(at)
        for offset in range(_MIN_FLAT_RUN):
            inside[..., offset : offset + runs.shape[-1]] |= runs
        total += int(np.count_nonzero(inside))
    return total


def shorten_floats(x: FloatArray) -> FloatArray:
    """Single precision for a long record: ten minutes at 51.2 kHz fit into 120 MB instead of 250."""
    return x.astype(np.float32) if x.shape[-1] > LONG_RECORD and x.dtype != np.float32 else x


def map_blocks(x: FloatArray, function: Callable[[FloatArray], FloatArray], *, overlap: int) -> FloatArray:
    """Apply a function that keeps the length to a record in blocks; `overlap` samples at their ends are dropped."""
    n = x.shape[-1]
    result = np.empty(x.shape, dtype=np.float32)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        first, last = max(0, start - overlap), min(n, stop + overlap)
        if last - first < 4 * overlap:
            first = max(0, last - 4 * overlap)
        result[..., start:stop] = function(x[..., first:last])[..., start - first : stop - first]
    return result


def ensure_writable(x: FloatArray) -> FloatArray:
    """The array, or a copy if it is read-only: PyWavelets takes no read-only buffers."""
    return x if x.flags.writeable else x.copy()


def check_clipping(x: FloatArray, *, what: str = "the signal") -> FloatArray:
    """Refuse a record whose peaks are cut off: a figure that depends on the peak would be too small."""
    clipped = count_clipped(x)
    if clipped > _MAX_CLIPPED_SHARE * x.size:
        raise ValueError(f"{what} is clipped: {clipped} of {x.size} samples stand at the limit; its peak is not known")
    return x
