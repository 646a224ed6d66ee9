"""DiagnosisThresholds of the diagnosis, measured on noise and on synthetic records of known truth."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from metier.packs.phm.diagnosis._branches import BranchName

_FILE: Final = Path(__file__).with_name("thresholds.toml")
# What a score may rise above that of a healthy record of the same machine before it is an alarm.
_BASELINE_RISE: Final = 0.4


@dataclass(frozen=True, slots=True)
class DiagnosisThresholds:
    """Alarm per branch, and the numbers of the decision."""

    alarm: Mapping[BranchName, float]
    unexplained: Mapping[BranchName, float]
    beat: Mapping[BranchName, float]
    margin: float
    faulty_excess: float
    kurtosis: float
    speed_strength: float
    speed_gain: float

    def raise_to(self, scores: Mapping[BranchName, float]) -> "DiagnosisThresholds":
        """DiagnosisThresholds for a machine whose healthy record reaches these scores."""
        alarm = {name: max(level, scores.get(name, 0.0) + _BASELINE_RISE) for name, level in self.alarm.items()}
        return replace(self, alarm=MappingProxyType(alarm))


@cache
def read_thresholds() -> DiagnosisThresholds:
    """Read the shipped thresholds."""
    whole = tomllib.loads(_FILE.read_text("utf-8"))
    alarm, unexplained, beat = (
        MappingProxyType(dict(cast("Mapping[BranchName, float]", whole[key])))
        for key in ("alarm", "unexplained", "beat")
    )
    return DiagnosisThresholds(alarm, unexplained, beat, **whole["decision"])
