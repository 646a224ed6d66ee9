"""Figures of the pack, `metier bench phm [--data DIR]`: diagnosis, false alarms, trends, remaining life and cost.

Public records are read from the data folder and are not part of the project; without it only the synthetic figures are
measured. No threshold of the diagnosis was read off these records.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.bench import Figure
from metier.packs.phm._run_cost import measure_run_cost
from metier.packs.phm.bearings import Fault, RollingBearing, find_bearing
from metier.packs.phm.diagnosis import Diagnosis, diagnose
from metier.packs.phm.operators import measure_throughput
from metier.packs.phm.samples import make_healthy
from metier.packs.phm.trends import estimate_remaining_life, fit_life_model, follow_health, read_units

Array = NDArray[np.float64]

_TYPES: Final[tuple[Fault, ...]] = ("inner", "outer", "ball")
_HEALTHY_RECORDS: Final = 1000
_HEALTHY_SEED: Final = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class _Labelled:
    number: int
    label: str
    samples: NDArray[np.int16]
    scale: float
    fs: float
    rpm: float

    @property
    def signal(self) -> Array:
        return self.samples.astype(np.float64) * self.scale


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts over the labelled faults."""

    right: int
    confident: int
    confident_wrong: int
    unexplained: int
    auroc: float
    cpu_s: float


def measure(data: Path | None = None) -> Iterator[Figure]:
    """Measure everything that the data folder allows."""
    if data is not None:
        if (data / "cwru").is_dir():
            yield from _measure_cwru(_read_cwru(data / "cwru"))
        if (data / "pybearing").is_dir():
            yield from _measure_force(data / "pybearing" / "raw_force.npy")
        yield from _measure_trends(data)
    yield from _measure_healthy()
    yield _measure_operators()
    yield from measure_run_cost()


def _measure_cwru(records: Sequence[_Labelled]) -> Iterator[Figure]:
    right = find_bearing("6205")
    tally = _tally(records, right)
    yield _count("60 faults: right in forced choice", tally.right, 47, more=True)
    yield Figure("phm", "60 faults: macro AUROC", tally.auroc, 0.93, 61, unit="", more=True)
    yield _count("60 faults: confident and right", tally.confident, 32, more=True)
    yield _count("60 faults: confident and wrong", tally.confident_wrong, 1)
    yield Figure("phm", "61 files", tally.cpu_s, 15, 61, unit="CPU s")
    for share in (1.04, 0.96):
        off = _tally(records, right, speed=share)
        plain = _tally(records, right, speed=share, reflect=False)
        name = f"speed given {share - 1:+.0%}"
        yield _count(f"{name}: right", off.right, 46, more=True, raw=plain.right)
        yield _count(f"{name}: confident and wrong", off.confident_wrong, 1, raw=plain.confident_wrong)
    wrong = _tally(records, find_bearing("6203"))
    yield _count("wrong bearing named: confident", wrong.confident + wrong.confident_wrong, 1)
    yield _count("wrong bearing named: unexplained line reported", wrong.unexplained, 59, more=True)
    header = next(one for one in records if one.number == 158)
    found = _run(header, right)
    yield Figure("phm", "file 158: rpm found", found.rpm or 0.0, None, 1, unit="rpm")
    yield Figure("phm", "file 158: distance from 1797 rpm", abs((found.rpm or 0.0) - 1797), 3, 1, unit="rpm")
    yield _count("file 158: outer race and the header error told", _is_told(found), 0, more=True)
    normal = next(one for one in records if one.label == "normal")
    length = int(normal.fs)
    pieces = [normal.signal[at : at + length] for at in range(0, len(normal.samples) - length + 1, length)]
    whole = [normal.signal, *pieces]
    alarms = sum(diagnose(one, fs=normal.fs, rpm=normal.rpm, bearing=right).alarm for one in whole)
    yield Figure("phm", "alarms on the normal record and its 1 s pieces", alarms, 1, len(whole), unit="")


def _is_told(found: Diagnosis) -> int:
    return int(found.verdict == "outer" and any(one.code == "speed_wrong" for one in found.findings))


def _tally(
    records: Sequence[_Labelled], bearing: RollingBearing, *, speed: float = 1.0, reflect: bool = True
) -> _Tally:
    started = process_time()
    results = [(one, _run(one, bearing, speed=speed, reflect=reflect)) for one in records]
    spent = process_time() - started
    faults = [(one, found) for one, found in results if one.label != "normal"]
    sure = [one.label == found.verdict for one, found in faults if found.level == "confident"]
    return _Tally(
        right=sum(_force_choice(found) == one.label for one, found in faults),
        confident=sum(sure),
        confident_wrong=len(sure) - sum(sure),
        unexplained=sum(any(f.code == "unexplained_line" for f in found.findings) for _, found in faults),
        auroc=float(np.mean([_compute_auroc(results, fault) for fault in _TYPES])),
        cpu_s=spent,
    )


def _run(record: _Labelled, bearing: RollingBearing, *, speed: float = 1.0, reflect: bool = True) -> Diagnosis:
    return diagnose(record.signal, fs=record.fs, rpm=record.rpm * speed, bearing=bearing, reflect=reflect)


def _force_choice(found: Diagnosis) -> Fault:
    return max(_TYPES, key=lambda fault: found.ranking.get(fault, -np.inf))


def _compute_auroc(results: Sequence[tuple[_Labelled, Diagnosis]], fault: Fault) -> float:
    """Area under the curve of the lead of a fault over the best other one."""
    from scipy.stats import rankdata

    leads, own = [], []
    for one, found in results:
        others = max(found.ranking.get(other, -9.0) for other in _TYPES if other != fault)
        leads.append(found.ranking.get(fault, -9.0) - others)
        own.append(one.label == fault)
    ranks, mine = rankdata(leads), np.array(own)
    count = int(mine.sum())
    return float((ranks[mine].sum() - count * (count + 1) / 2) / (count * (len(mine) - count)))


def _read_cwru(folder: Path) -> list[_Labelled]:
    """Records by number only; file names with their labels are not passed on."""
    labels = {"B": "ball", "IR": "inner", "OR": "outer", "N": "normal"}
    rows = json.loads((folder / "cwru_12k_de.json").read_text("utf-8"))
    with np.load(folder / "cwru_12k_de.npz", allow_pickle=False) as stored:
        return [
            _Labelled(row["number"], labels[row["label"]], stored[row["key"]], row["scale"], row["fs"], row["rpm"])
            for row in rows
        ]


def _measure_force(path: Path) -> Iterator[Figure]:
    found = diagnose(np.load(path)[1], fs=6400, rpm=306, bearing=find_bearing("1560kk"))
    yield _count("damaged bearing, force signal: inner race", int(found.verdict == "inner"), 0, more=True)


def _measure_trends(data: Path) -> Iterator[Figure]:
    ims = data / "ims" / "nasa.bearing.aggregates.csv"
    if ims.is_file():
        with ims.open(encoding="utf-8") as file:
            first = [float(row["bearing 1"]) for row in csv.DictReader(file)]
        alarm = follow_health(np.array(first)).first_alarm or 0
        yield Figure(
            "phm",
            "IMS bearing 1: distance of the first lasting alarm from record 550",
            abs(alarm - 550),
            50.5,
            1,
            unit="records",
        )
        yield Figure("phm", "IMS bearing 1: first lasting alarm", alarm, None, 1, unit="record")
    femto = data / "femto" / "Bearing3_1.npz"
    if femto.is_file():
        yield from _measure_femto(femto)
    cmapss = data / "cmapss"
    if cmapss.is_dir():
        started = process_time()
        model = fit_life_model(read_units(cmapss / "train_FD001.txt.gz"))
        found = model.predict(read_units(cmapss / "test_FD001.txt.gz"))
        truth = read_units(cmapss / "RUL_FD001.txt.gz").rows.ravel()
        inside = (truth >= found.low) & (truth <= found.high)
        error = float(np.sqrt(np.mean((found.cycles - truth) ** 2)))
        yield Figure("phm", "C-MAPSS FD001: RMSE", error, 14, len(truth), unit="cycles")
        yield Figure(
            "phm", "C-MAPSS FD001: 80 % intervals hold", 100 * float(inside.mean()), None, len(truth), unit="%"
        )
        yield Figure("phm", "C-MAPSS FD001: fit and predict", process_time() - started, None, 1, unit="CPU s")


def _measure_femto(path: Path) -> Iterator[Figure]:
    """Remaining life asked at every tenth record: no number may come before degradation is seen."""
    with np.load(path, allow_pickle=False) as stored:
        level = (stored["acc_mg"][:, :, 0] / 1000).std(axis=1)
    alarm = follow_health(level, baseline=51, lasting=10).first_alarm or len(level)
    early = 0
    for at in range(60, len(level) + 1, 10):
        trend = follow_health(level[:at], baseline=51, lasting=10)
        early += estimate_remaining_life(trend, failure_level=2.0).records is not None and at <= alarm
    yield Figure("phm", "FEMTO 3_1: remaining life given before degradation", early, 1, len(level) // 10, unit="")
    yield Figure("phm", "FEMTO 3_1: first lasting alarm", alarm, None, 1, unit="record")


def _measure_healthy() -> Iterator[Figure]:
    alarms = 0
    for seed in range(_HEALTHY_SEED, _HEALTHY_SEED + _HEALTHY_RECORDS):
        signal, recipe = make_healthy(seed)
        alarms += diagnose(signal, fs=recipe.fs, rpm=recipe.rpm, bearing=recipe.bearing).alarm
    yield Figure("phm", "alarms on synthetic healthy records", alarms, 2, _HEALTHY_RECORDS, unit="")


def _measure_operators() -> Figure:
    """Cost of eleven features, envelope spectrum and four harmonic scores in a DAG; the target is 1.3 times by hand."""
    cost = measure_throughput()
    name = f"{cost.records:,} × {cost.samples} through operators"
    by_hand = cost.by_hand_s
    return Figure("phm", name, cost.by_operators_s, 1.3 * by_hand, cost.records, by_hand, "by hand", unit="CPU s")


def _count(name: str, value: int, target: float | None, *, more: bool = False, raw: int | None = None) -> Figure:
    shown = None if raw is None else float(raw)
    return Figure(
        "phm",
        name,
        value,
        target,
        60,
        raw=shown,
        raw_name="without reflection" if raw is not None else "",
        unit="",
        more=more,
    )
