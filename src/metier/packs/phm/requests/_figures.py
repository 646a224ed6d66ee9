"""Figures of a record that a message names: RMS, kurtosis, crest factor and others."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.patterns import compile_later

Quantity = Literal[
    "rms", "kurtosis", "crest_factor", "peak", "peak_to_peak", "mean", "std", "skewness", "rate", "seconds", "channels"
]

_WORDS: Final[Mapping[Quantity, str]] = MappingProxyType(
    {
        "peak_to_peak": r"峰[-－—]?峰值?|\bpeak[- ]to[- ]peak\b|\bp-?p\b",
        "crest_factor": r"峰值(?:因[子数]|系数|指标)|波峰(?:因[子数]|系数)|\bcrest(?:\s+factor)?\b",
        "kurtosis": r"(?<!谱)峭度(?!图)|(?<!spectral )\bkurtosis\b",
        "rms": r"\brms\b|(?<![a-z])rms(?![a-z])|有效值|均方根",
        "peak": r"(?<!波)峰值(?!因|系|指)|最大值|\bpeak(?:\s+(?:value|level|amplitude))?\b",
        "skewness": r"偏度|歪度|\bskewness\b",
        "std": r"标准差|\bstandard\s+deviation\b|\bstd\b",
        "mean": r"直流(?:分量|偏置)?|均值|平均值|\bmean\b|\b(?:dc\s+)?offset\b|\bdc\b",
        "rate": r"采样率|采样频率|\bsampling\s+(?:rate|frequency)\b|\bsample\s+rate\b",
        "seconds": r"时长|多少秒|多长|\bduration\b|\bhow\s+long\s+is\b",
        "channels": r"几个通道|哪些通道|哪几个通道|通道数|\b(?:what|which|how\s+many)\s+channels\b",
    }
)
QUANTITIES: Final = tuple(_WORDS)
_PATTERNS: Final = MappingProxyType({name: compile_later(f"(?i){words}") for name, words in _WORDS.items()})
# Those that only a signal has: the others are also statistics of any table.
OF_SIGNALS: Final = frozenset({"kurtosis", "rms", "crest_factor"})


def list_quantities(message: str) -> tuple[Quantity, ...]:
    """The figures that a message names, in its order; a longer name hides the shorter one inside it."""
    found: list[tuple[int, int, Quantity]] = []
    for name, pattern in _PATTERNS.items():
        for hit in pattern.finditer(message):
            if not any(start < hit.end() and hit.start() < end for start, end, _ in found):
                found.append((hit.start(), hit.end(), name))
    return tuple(dict.fromkeys(name for *_, name in sorted(found)))


def drop_quantities(message: str) -> str:
    """The message without the names of figures."""
    for pattern in _PATTERNS.values():
        message = pattern.sub(" ", message)
    return message
