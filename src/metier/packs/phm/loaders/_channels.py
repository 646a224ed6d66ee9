"""Channels of a file: named samples, a sampling rate if the file tells it, unit and kind."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MIN_SAMPLES: Final = 16
_MAX_CHANNELS: Final = 32
_TIME: Final = re.compile(r"(?i)^(t|time|time_?s|zeit|时间|时刻)([\s_(\[].*)?$")
_BRACKETED: Final = re.compile(r"[\[(（]\s*([^\])）]{1,8}?)\s*[\])）]\s*$")
_AT_END: Final = re.compile(r"(?i)(?:^|[\s_.-])(g|mm?_s2?|mm?/s2?|mps2|um|mm)$")
_UNITS: Final = MappingProxyType(
    {
        **{one: one for one in ("g", "m/s2", "mm/s2", "m/s", "mm/s", "um", "mm")},
        "gs": "g",
        "gn": "g",
        "m/ss": "m/s2",
        "mps2": "m/s2",
        "m/s/s": "m/s2",
        "mps": "m/s",
        "mmps": "mm/s",
        "微米": "um",
        "毫米": "mm",
    }
)
_KINDS: Final = (
    (re.compile(r"(?i)tach|puls|key_?phas|转速脉冲|键相"), "tacho"),
    (re.compile(r"(?i)\brpm\b|speed|encoder|转速"), "speed"),
    (re.compile(r"(?i)torque|扭矩|转矩"), "torque"),
    (re.compile(r"(?i)temp|温度"), "temperature"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """Samples of one channel."""

    name: str
    samples: Array
    fs: float | None = None
    unit: str = "?"
    kind: str = "vibration"


@dataclass(frozen=True, slots=True, eq=False)
class RecordFile:
    """Channels of a file and the scalars found beside them (rpm, fs, bearing); `is_cut` if its end is missing."""

    channels: tuple[Channel, ...]
    scalars: Mapping[str, float | str] = field(default_factory=dict)
    is_cut: bool = False


def build_file(arrays: Mapping[str, object], fs: float | None = None, *, is_cut: bool = False) -> RecordFile:
    """Sort named arrays into channels, a time axis and scalars."""
    columns: dict[str, Array] = {}
    scalars: dict[str, float | str] = {}
    for name, value in arrays.items():
        if isinstance(value, str):
            scalars[name.lower()] = value
            continue
        array = np.asarray(value)
        if array.dtype.kind in "US" and array.size == 1:
            scalars[name.lower()] = str(array.ravel()[0])
        elif array.dtype.kind in "fiub" and array.size == 1:
            scalars[_name_scalar(name)] = float(array.ravel()[0])
        elif array.dtype.kind in "fiub" and array.size >= MIN_SAMPLES:
            columns.update(_split_columns(name, array))
    rate = fs or _read_rate(scalars)
    times = [name for name, column in columns.items() if _TIME.match(name) or _is_ramp(column)]
    for name in times:
        step = _measure_step(columns[name])
        if rate is None and 1e-7 < step < 10:
            rate = round(1 / step, 6)
        if len(columns) > 1:
            del columns[name]
    found = [Channel(name, column, rate, guess_unit(name), guess_kind(name)) for name, column in columns.items()]
    return RecordFile(tuple(found[:_MAX_CHANNELS]), scalars, is_cut)


def guess_unit(name: str) -> str:
    """Unit of a channel that its name gives in brackets or at its end: acc [m/s²], acc_g; `?` if it gives none."""
    found = _BRACKETED.search(name) or _AT_END.search(name)
    plain = re.sub(r"[\s·*^]|(?<=s)ec", "", next(one for one in found.groups() if one).lower()) if found else ""
    plain = plain.replace("²", "2").replace("µ", "u").replace("μ", "u").replace("ms-2", "m/s2").replace("_", "/")
    return _UNITS.get(plain, "?")


def guess_kind(name: str) -> str:
    """Kind of a channel by its name."""
    return next((kind for words, kind in _KINDS if words.search(name)), "vibration")


def _split_columns(name: str, array: NDArray[np.generic]) -> dict[str, Array]:
    """Channels of an array: of two dimensions the shorter one counts them."""
    flat = np.squeeze(array)
    if flat.ndim == 1:
        return {name: np.asarray(flat, np.float64)}
    if flat.ndim != 2 or min(flat.shape) > _MAX_CHANNELS:
        return {}
    rows = flat if flat.shape[0] <= flat.shape[1] else flat.T
    return {f"{name}_{at + 1}": np.asarray(row, np.float64) for at, row in enumerate(rows)}


def _name_scalar(name: str) -> str:
    lower = name.lower().rpartition("/")[2]
    if "rpm" in lower or lower in ("speed", "shaft_speed"):
        return "rpm"
    return "fs" if lower in ("fs", "sr", "samplerate", "sample_rate", "sampling_rate", "fsamp") else lower


def _read_rate(scalars: Mapping[str, float | str]) -> float | None:
    value = scalars.get("fs")
    return value if isinstance(value, float) and value > 0 else None


def _measure_step(times: Array) -> float:
    """Step of a time axis; over its whole length, where rounded times count least, unless it has gaps."""
    step = float(np.median(np.diff(times[:1000])))
    whole = float(times[-1] - times[0]) / (len(times) - 1)
    return whole if abs(whole - step) < 0.01 * abs(step) else step


def _is_ramp(column: Array) -> bool:
    """Whether a column rises by the same step all along: a time axis without a name."""
    steps = np.diff(column[:2000])
    if len(steps) < MIN_SAMPLES or not np.isfinite(steps).all() or steps.min() <= 0:
        return False
    return float(np.ptp(steps)) < 1e-3 * float(steps.mean()) or float(np.ptp(steps)) < 2e-6
