"""Fleet screening: every record of a folder, worst first; results are kept beside the table so that a run can go on."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal

from metier.errors import InvalidInput, MissingExtra
from metier.json_values import JsonObject
from metier.packs.phm._diagnose_file import DiagnosisRequest, diagnose_safely
from metier.packs.phm.loaders import list_record_files, list_sidecars

EngineName = Literal["local", "dask"]

_RANK: Final = ("faulty", "suspect", "undetermined", "normal")


@dataclass(frozen=True, slots=True)
class FleetRow:
    """One record of a fleet."""

    file: str
    stamp: str
    result: JsonObject

    @property
    def urgency(self) -> tuple[int, float]:
        """Sort key, worst first."""
        confidence = self.result.get("confidence")
        rank = _RANK.index(str(self.result.get("condition", "undetermined")))
        return rank, -float(confidence) if isinstance(confidence, int | float) else 0.0


def screen_fleet(
    folder: Path,
    request: DiagnosisRequest,
    *,
    engine: EngineName = "local",
    done: Path | None = None,
    progress: Callable[[int, int], None] = lambda _at, _of: None,
) -> tuple[FleetRow, ...]:
    """Diagnose every record of a folder. Results in `done` of unchanged files are not computed again."""
    files = list_record_files(folder)
    if not files:
        raise InvalidInput(
            f"{folder.name!r} holds no records", hint="a folder of .mat, .csv, .wav, .npz, .h5 or .parquet"
        )
    known = {(row.file, row.stamp): row for row in _read_done(done)}
    rows: list[FleetRow] = []
    waiting: list[tuple[str, str, Path]] = []
    for path in files:
        name, stamp = path.relative_to(folder).as_posix(), _stamp(path, request)
        if (name, stamp) in known:
            rows.append(known[name, stamp])
        else:
            waiting.append((name, stamp, path))
    progress(len(rows), len(files))
    for row in _run_all(waiting, request, engine):
        rows.append(row)
        _append(done, row)
        progress(len(rows), len(files))
    return tuple(sorted(rows, key=lambda row: (*row.urgency, row.file)))


def write_table(rows: Sequence[FleetRow], path: Path) -> Path:
    """Write the rows as an Excel file."""
    try:
        from openpyxl import Workbook
    except ImportError as error:
        raise MissingExtra("a table as .xlsx needs openpyxl", hint="pip install metier[office]") from error
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "fleet"
    heads = ("file", "condition", "verdict", "level", "confidence", "rpm", "rms", "kurtosis", "findings")
    sheet.append(heads)
    for row in rows:
        findings = row.result.get("findings", [])
        texts = (
            [str(one.get("code")) for one in findings if isinstance(one, dict)] if isinstance(findings, list) else []
        )
        sheet.append([row.file, *(row.result.get(head) for head in heads[1:-1]), ", ".join(texts)])
    sheet.freeze_panes = "A2"
    sheet.column_dimensions["A"].width = 32
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
    return path


def _run_all(
    waiting: Sequence[tuple[str, str, Path]], request: DiagnosisRequest, engine: EngineName
) -> Iterator[FleetRow]:
    job = partial(_diagnose_to_json, request=request)
    paths = [path for _, _, path in waiting]
    results = _map_on_dask(job, paths) if engine == "dask" else map(job, paths)
    for (name, stamp, _), result in zip(waiting, results, strict=True):
        yield FleetRow(name, stamp, result)


def _map_on_dask(job: Callable[[Path], JsonObject], paths: Sequence[Path]) -> Iterator[JsonObject]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise MissingExtra("the engine dask needs dask and distributed", hint="pip install metier[dask]") from error
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        for future in client.map(job, paths, pure=False, retries=2):
            yield future.result()


def _diagnose_to_json(path: Path, request: DiagnosisRequest) -> JsonObject:
    return diagnose_safely(path, request)[1].to_json()


def _stamp(path: Path, request: DiagnosisRequest) -> str:
    """What a result depends on: the file, its sidecar and the request."""
    parts = [f"{told.st_size}-{told.st_mtime_ns}" for told in (one.stat() for one in (path, *list_sidecars(path)))]
    return "-".join((*parts, request.digest))


def _read_done(done: Path | None) -> Iterator[FleetRow]:
    if done is None or not done.is_file():
        return
    for line in done.read_text("utf-8").splitlines():
        try:
            row = json.loads(line)
            yield FleetRow(row["file"], row["stamp"], row["result"])
        except (ValueError, KeyError, TypeError):
            continue  # the last line of a run that was killed may be cut


def _append(done: Path | None, row: FleetRow) -> None:
    if done is None:
        return
    done.parent.mkdir(parents=True, exist_ok=True)
    with done.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"file": row.file, "stamp": row.stamp, "result": row.result}, ensure_ascii=False) + "\n")
