"""Diagnosis of a file: the record with what the user gives beside it."""

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from metier.packs.phm.bearings import RollingBearing, read_bearing
from metier.packs.phm.diagnosis import Diagnosis, diagnose
from metier.packs.phm.loaders import Record, read_record


@dataclass(frozen=True, slots=True)
class DiagnosisRequest:
    """What a user says about a record; None where the file or its sidecar shall tell."""

    fs: float | None = None
    rpm: float | None = None
    bearing: str | None = None
    channel: str | None = None
    baseline: Path | None = None

    @property
    def digest(self) -> str:
        """Short digest, to tell results of other requests apart."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:10]


def diagnose_file(path: Path, request: DiagnosisRequest) -> tuple[Record, Diagnosis]:
    """Read a record and diagnose it; what the user gives overrides the file."""
    record = read_record(path, channel=request.channel)
    record = replace(
        record,
        fs=request.fs or record.fs,
        rpm=request.rpm or record.rpm,
        bearing=request.bearing or record.bearing,
    )
    baseline = None if request.baseline is None else read_record(request.baseline, channel=request.channel).samples
    return record, diagnose_record(record, baseline_record=baseline)


def diagnose_record(record: Record, *, baseline_record: object = None) -> Diagnosis:
    """Diagnose a record with the facts it carries."""
    import numpy as np

    bearing: RollingBearing | None = None if record.bearing is None else read_bearing(record.bearing)
    baseline = None if baseline_record is None else np.asarray(baseline_record, np.float64)
    return diagnose(
        record.samples, fs=record.fs or 0.0, rpm=record.rpm, bearing=bearing, kind=record.kind, baseline=baseline
    )
