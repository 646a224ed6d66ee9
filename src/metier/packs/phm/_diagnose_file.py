"""Diagnosis of a file: the record with what the user gives beside it."""

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from metier.errors import MetierError, PathNotFound
from metier.language import Language
from metier.packs.phm.bearings import read_bearing
from metier.packs.phm.diagnosis import MAX_SAMPLES, BaselineRecord, Diagnosis, diagnose, refuse_unreadable
from metier.packs.phm.loaders import Record, read_record


@dataclass(frozen=True, slots=True)
class DiagnosisRequest:
    """What a user says about a record; None where the file or its sidecar shall tell."""

    fs: float | None = None
    rpm: float | None = None
    bearing: str | None = None
    channel: str | None = None
    baseline: Path | None = None

    def check(self) -> None:
        """Refuse what is wrong for every file, before the first is read."""
        if self.bearing is not None:
            read_bearing(self.bearing)
        if self.baseline is not None and not self.baseline.is_file():
            raise PathNotFound(f"there is no file {self.baseline.name!r}", hint="--baseline takes a healthy record")

    @property
    def digest(self) -> str:
        """Short digest, to tell results of other requests apart."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:10]


def diagnose_file(
    path: Path, request: DiagnosisRequest, *, picture: Language | None = None
) -> tuple[Record, Diagnosis]:
    """Read a record and diagnose it; what the user gives overrides the file."""
    record = read_record(path, channel=request.channel).keep_middle(MAX_SAMPLES)
    record = replace(
        record,
        fs=request.fs or record.fs,
        rpm=request.rpm or record.rpm,
        bearing=request.bearing or record.bearing,
    )
    baseline = None
    if request.baseline is not None:
        healthy = read_record(request.baseline, channel=request.channel).keep_middle(MAX_SAMPLES)
        baseline = BaselineRecord(healthy.samples, healthy.fs, healthy.rpm)
    return record, diagnose_record(record, baseline=baseline, picture=picture)


def diagnose_safely(
    path: Path, request: DiagnosisRequest, *, picture: Language | None = None
) -> tuple[Record, Diagnosis]:
    """Diagnose one of several files: one that cannot be read is a finding and does not stop the others."""
    try:
        return diagnose_file(path, request, picture=picture)
    except MetierError as error:
        empty = Record(path.name, "?", np.zeros(0), None, "?", "?", None, None, ())
        return empty, refuse_unreadable(error.message)


def diagnose_record(
    record: Record, *, baseline: BaselineRecord | None = None, picture: Language | None = None
) -> Diagnosis:
    """Diagnose a record with the facts it carries; with `picture` its graph is drawn in that language."""
    return diagnose(
        record.samples,
        fs=record.fs or 0.0,
        rpm=record.rpm,
        bearing=None if record.bearing is None else read_bearing(record.bearing),
        kind=record.kind,
        unit=record.unit,
        length=record.length,
        is_cut=record.is_cut,
        baseline=baseline,
        picture=picture,
    )
