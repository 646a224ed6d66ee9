"""The limits of the diagnosis, read once from `thresholds.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Threshold:
    """One limit and what it means."""

    name: str
    value: float
    unit: str
    meaning_zh: str
    meaning_en: str


@cache
def thresholds() -> Mapping[str, Threshold]:
    """Every limit by its name."""
    read = tomllib.loads(Path(__file__).with_name("thresholds.toml").read_text("utf-8"))
    return MappingProxyType({name: Threshold(name, **entry) for name, entry in read.items()})


def limit(name: str) -> float:
    """The value of one limit."""
    return thresholds()[name].value
