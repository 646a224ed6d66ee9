"""`metier phm`: diagnose records, screen a fleet, list bearings."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import typer

from metier.language import Language

if TYPE_CHECKING:
    from metier.packs.phm._diagnose_file import DiagnosisRequest

app = typer.Typer(
    name="phm",
    help="Diagnosis of rotating machines from vibration records.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)

_FS = typer.Option(None, "--fs", min=1.0, max=1e9, help="Sampling rate in Hz, if the file does not tell it.")
_RPM = typer.Option(None, "--rpm", min=0.1, max=1e7, help="Shaft speed in rpm.")
_BEARING = typer.Option(None, "--bearing", "-b", help="Name, or balls,ball_d,pitch_d,contact_deg.")
_CHANNEL = typer.Option(None, "--channel", "-c", help="Channel of the file; default: the first of vibration.")
_BASELINE = typer.Option(None, "--baseline", help="Healthy record of the same machine.")
_LANGUAGE = typer.Option(None, "--language", "-l", help="zh or en; default: as set, else the system's.")
_JSON = typer.Option(False, "--json", help="Print JSON, one object per file.")

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"missing_rate": "--fs", "missing_speed": "--rpm", "missing_bearing": "--bearing"}
)
_SHOWN: Final = (0, 1, 2, 3, 5)  # file, condition, severity, fault, confidence


@app.command("diagnose")
def diagnose_command(
    files: list[Path] = typer.Argument(..., metavar="FILE...", help=".mat, .csv, .wav, .npy, .npz, .h5, .parquet"),
    fs: float | None = _FS,
    rpm: float | None = _RPM,
    bearing: str | None = _BEARING,
    channel: str | None = _CHANNEL,
    baseline: Path | None = _BASELINE,
    report: Path | None = typer.Option(None, "--report", help="Write a report: .html, .pdf or .md."),
    language: str | None = _LANGUAGE,
    as_json: bool = _JSON,
) -> None:
    """Diagnose the bearing of each record."""
    from rich.console import Console
    from rich.progress import track

    from metier.language import choose
    from metier.packs.phm._diagnose_file import DiagnosisRequest, diagnose_file, diagnose_safely
    from metier.packs.phm.reports import check_format, write_report

    spoken = _choose_language(language)
    request = DiagnosisRequest(fs, rpm, bearing, channel, baseline)
    request.check()
    if report is not None:
        check_format(report)
    run = diagnose_file if len(files) == 1 else diagnose_safely
    results = []
    shown = track(
        files,
        description=choose(spoken, en="diagnosing", zh="诊断中"),
        console=Console(stderr=True),
        transient=True,
        disable=len(files) < 2,
    )
    for path in shown:
        record, found = run(path, request, picture=spoken if report is not None else None)
        results.append((record, found))
        if as_json:
            typer.echo(
                json.dumps({"file": path.name, "channel": record.channel, **found.to_json()}, ensure_ascii=False)
            )
        else:
            typer.echo(_describe(path, request, record.channel, found, spoken))
    if report is not None:
        typer.echo(f"{write_report(report, results, spoken)}", err=True)


@app.command("gear")
def gear_command(
    files: list[Path] = typer.Argument(..., metavar="FILE...", help=".mat, .csv, .wav, .npy, .npz, .h5, .parquet"),
    teeth: int | None = typer.Option(None, "--teeth", min=3, help="Teeth of the gear on this shaft."),
    fs: float | None = _FS,
    rpm: float | None = _RPM,
    channel: str | None = _CHANNEL,
    language: str | None = _LANGUAGE,
    as_json: bool = _JSON,
) -> None:
    """Diagnose the gear of a shaft. By synchronous average, FM0, FM4 and M6A."""
    from dataclasses import replace

    from metier.packs.phm.gears import analyse_gear, describe_gear
    from metier.packs.phm.loaders import read_record

    spoken = _choose_language(language)
    for path in files:
        record = read_record(path, channel=channel)
        record = replace(record, fs=fs or record.fs, rpm=rpm or record.rpm, teeth=teeth or record.teeth)
        found = analyse_gear(record)
        if as_json:
            typer.echo(
                json.dumps({"file": path.name, "channel": record.channel, **found.to_json()}, ensure_ascii=False)
            )
        else:
            typer.echo(f"{path.name} [{record.channel}]: {describe_gear(found, spoken).replace('**', '')}")


@app.command("fleet")
def fleet_command(
    folder: Path = typer.Argument(..., metavar="DIR", help="Folder of records, with its sub-folders."),
    engine: str = typer.Option("local", "--engine", help="local or dask."),
    out: Path = typer.Option(Path("fleet.xlsx"), "--out", help="Table to write; results are kept beside it as .jsonl."),
    fs: float | None = _FS,
    rpm: float | None = _RPM,
    bearing: str | None = _BEARING,
    channel: str | None = _CHANNEL,
    language: str | None = _LANGUAGE,
    as_json: bool = _JSON,
) -> None:
    """Screen a fleet: every record of a folder, worst first. A run that was stopped goes on where it was."""
    from rich.console import Console
    from rich.progress import Progress

    from metier.cli.terminal import print_table
    from metier.errors import UsageError
    from metier.language import choose
    from metier.packs.phm._diagnose_file import DiagnosisRequest
    from metier.packs.phm._fleet import list_cells, list_heads, screen_fleet, write_table

    if engine not in ("local", "dask"):
        raise UsageError(f"there is no engine {engine!r}", hint="local or dask")
    spoken = _choose_language(language)
    request = DiagnosisRequest(fs, rpm, bearing, channel)
    request.check()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(choose(spoken, en="diagnosing", zh="诊断中"), total=None)
        rows = screen_fleet(
            folder,
            request,
            engine="dask" if engine == "dask" else "local",
            done=out.with_suffix(".jsonl"),
            progress=lambda at, of: bar.update(task, completed=at, total=of),
        )
    written = write_table(rows, out, spoken)
    if as_json:
        for row in rows:
            typer.echo(json.dumps({"file": row.file, **row.result}, ensure_ascii=False))
    else:
        headings, cells = list_heads(spoken), [list_cells(row, spoken) for row in rows]
        shown = [["" if one[at] is None else str(one[at]) for at in _SHOWN] for one in cells]
        print_table([headings[at] for at in _SHOWN], shown)
    typer.echo(str(written), err=True)


@app.command("bearings")
def bearings_command(
    as_json: bool = typer.Option(False, "--json", help="Print JSON, one object per bearing."),
) -> None:
    """List the known bearings. With their fault frequencies in shaft orders."""
    from metier.cli.terminal import print_table
    from metier.packs.phm.bearings import list_bearings

    known = list_bearings().values()
    if as_json:
        for one in known:
            typer.echo(json.dumps(one.to_json(), ensure_ascii=False))
        return
    rows = [(one.name, *(f"{order:.4f}" for order in (one.bpfo, one.bpfi, one.bsf, one.ftf))) for one in known]
    print_table(("bearing", "BPFO", "BPFI", "BSF", "FTF"), rows)


@app.command("limits")
def limits_command(
    workers: int = typer.Option(1, "--workers", min=1, help="Processes that share the work."),
) -> None:
    """Compute the limits of unexplained lines. From healthy synthetic records; prints the tables of thresholds."""
    from itertools import groupby

    from metier.packs.phm.diagnosis import compute_line_limits

    limits = compute_line_limits(workers=workers)
    for table, kinds in groupby(limits, key=lambda kind: kind[0]):
        typer.echo(f"[{table}]")
        for kind in kinds:
            typer.echo(f"{kind[1]} = {limits[kind]:g}")


def _choose_language(asked: str | None) -> Language:
    from metier.cli.terminal import parse_language
    from metier.settings import load_settings

    return parse_language(asked, load_settings().language)


def _describe(path: Path, request: "DiagnosisRequest", channel: str, found: object, language: Language) -> str:
    from metier.packs.phm.diagnosis import Diagnosis
    from metier.packs.phm.reports import describe_verdict

    assert isinstance(found, Diagnosis)
    rpm = "" if found.rpm is None else f" · {found.rpm:.0f} rpm"
    lines = [f"{path.name} [{channel}{rpm}]: {describe_verdict(found, language).replace('**', '')}"]
    for one in found.findings:
        option = _OPTIONS.get(one.code)
        lines.append(f"  - {one.text(language)}" + (f" ({option})" if option else ""))
    return "\n".join(lines)
