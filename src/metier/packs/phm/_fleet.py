"""Fleet screening: every record of a folder, worst first; results are kept beside the table so that a run can go on."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal

from metier.errors import InvalidInput, MissingExtra
from metier.json_values import JsonObject
from metier.language import Language, Sentences, choose
from metier.packs.phm._diagnose_file import DiagnosisRequest, diagnose_safely
from metier.packs.phm._severity import rank_urgency, rate_severity
from metier.packs.phm.diagnosis import name_fault, name_of, refuse_unreadable
from metier.packs.phm.loaders import list_record_files, list_sidecars

EngineName = Literal["local", "dask"]

_HEADS: Final = Sentences(
    {
        "heads": (
            "file,condition,severity (× healthy),fault,evidence,confidence (%),speed rpm,RMS,kurtosis,findings",
            "文件,状态,严重程度（健康值的倍数）,故障,证据,置信度（%）,转速 rpm,有效值,峭度,发现",
        )
    }
)


@dataclass(frozen=True, slots=True)
class FleetRow:
    """One record of a fleet."""

    file: str
    stamp: str
    result: JsonObject

    @property
    def severity(self) -> float:
        """Times the healthy value; a record of a folder has no history, so its kurtosis tells."""
        return rate_severity(_read_number(self.result.get("kurtosis")) or 0.0)

    @property
    def urgency(self) -> tuple[int, float, float]:
        """Sort key, worst first."""
        evidence = self.result.get("evidence")
        listed = [one for one in evidence if isinstance(one, dict)] if isinstance(evidence, list) else []
        over = [(_read_number(one.get("score")) or 0.0) - (_read_number(one.get("alarm")) or 0.0) for one in listed]
        return rank_urgency(str(self.result.get("condition", "undetermined")), self.severity, max(over, default=0.0))


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


def write_table(rows: Sequence[FleetRow], path: Path, language: Language) -> Path:
    """Write the rows as an Excel file in the reader's language."""
    try:
        from openpyxl import Workbook
    except ImportError as error:
        raise MissingExtra("a table as .xlsx needs openpyxl", hint="pip install metier[office]") from error
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = choose(language, en="fleet", zh="机群")
    sheet.append(list_heads(language))
    for row in rows:
        sheet.append(list_cells(row, language))
    sheet.freeze_panes = "A2"
    for column, width in (("A", 32), ("B", 12), ("C", 24), ("D", 16), ("E", 16), ("J", 80)):
        sheet.column_dimensions[column].width = width
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
    return path


def list_heads(language: Language) -> list[str]:
    """Headings of the table, one for each cell of a row."""
    return _HEADS.render("heads", language).split(",")


def list_cells(row: FleetRow, language: Language) -> list[str | float | None]:
    """Cells of a row; figures of a record that could not be read stay empty."""
    found = row.result
    condition, verdict, level = (str(found.get(key)) for key in ("condition", "verdict", "level"))
    is_read = bool(found.get("rms"))
    figures = [_read_number(found.get(key)) if is_read else None for key in ("rpm", "rms", "kurtosis")]
    confidence = _read_number(found.get("confidence"))
    words: list[str | float | None] = [
        row.file,
        name_of(condition, language),
        round(row.severity, 1) if is_read else None,
        *name_fault(condition, verdict, level, language),
        round(100 * confidence) if is_read and confidence is not None else None,
    ]
    findings = found.get("findings")
    texts = [one.get("text") for one in findings if isinstance(one, dict)] if isinstance(findings, list) else []
    told = [str(one.get(language, "")) for one in texts if isinstance(one, dict)]
    return [*words, *figures, "\n".join(told)]


def _read_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _run_all(
    waiting: Sequence[tuple[str, str, Path]], request: DiagnosisRequest, engine: EngineName
) -> Iterator[FleetRow]:
    job = partial(_diagnose_to_json, request=request)
    if engine == "local":
        yield from (FleetRow(name, stamp, job(path)) for name, stamp, path in waiting)
        return
    from metier.flow import DaskEngine

    with closing(DaskEngine()) as cluster:
        for ended in cluster.map(job, [path for _, _, path in waiting]):
            name, stamp, _ = waiting[ended.place]
            result = refuse_unreadable(ended.error).to_json() if ended.value is None else ended.value
            yield FleetRow(name, stamp, result)


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
    with done.open("ab+") as file:
        end = file.seek(0, 2)
        file.seek(max(end - 1, 0))
        if end and file.read(1) != b"\n":
            file.write(b"\n")  # the last line of a run that was killed may be cut
        line = json.dumps({"file": row.file, "stamp": row.stamp, "result": row.result}, ensure_ascii=False) + "\n"
        file.write(line.encode())
