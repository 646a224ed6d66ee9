"""Thresholds of the diagnosis, read once from `thresholds.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold and its meaning."""

    name: str
    value: float
    unit: str
    meaning_zh: str
    meaning_en: str


@cache
def load_thresholds() -> Mapping[str, Threshold]:
    """Load all thresholds by name."""
    read = tomllib.loads(Path(__file__).with_name("thresholds.toml").read_text("utf-8"))
    return MappingProxyType({name: Threshold(name, **entry) for name, entry in read.items()})


def get_threshold(name: str) -> float:
    """Value of one threshold."""
    return load_thresholds()[name].value
