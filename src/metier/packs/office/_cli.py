"""`metier office`: check plans, look at what they would change, write them to files, undo."""

import json
import shutil
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import find_free_name, find_language, print_line, print_note, print_table
from metier.errors import InvalidInput, PathNotFound, UsageError

if TYPE_CHECKING:
    from metier.packs.office._hosts import Execution, WriteMode, WriteRequest
    from metier.packs.office.plan import OfficePlan

app = typer.Typer(
    name="office",
    help="Plans for Word, Excel and PowerPoint files.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)


class ModeOption(StrEnum):
    """How changes are written, as values of an option."""

    direct = "direct"
    tracked = "tracked"
    compare_table = "compare_table"


_FILE = typer.Argument(..., metavar="FILE", help="docx, xlsx or pptx")
_PLAN = typer.Argument(..., metavar="PLAN", help="JSON file with an ah32.plan.v1 plan; - reads standard input.")
_MODE = typer.Option(ModeOption.direct, "--mode", help="direct, tracked (changes and comments) or compare_table.")
_JSON = typer.Option(False, "--json", help="Print one JSON document.")


@app.command("validate")
def validate_command(plan: str = _PLAN, as_json: bool = _JSON) -> None:
    """Check a plan. What was repaired is listed, and what is wrong with its path."""
    from metier.packs.office.plan import load_plan

    loaded = load_plan(_read_plan_text(plan))
    told = {
        "ok": loaded.plan is not None,
        "problems": [one.to_json() for one in loaded.problems],
        "repairs": [one.to_json() for one in loaded.repairs],
    }
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        for mark, lines in (("~", loaded.repairs), ("✗", loaded.problems)):
            for one in lines:
                print_line(f"{mark} {one.text(find_language())}")
        print_line("valid" if loaded.plan is not None else "not valid")
    raise typer.Exit(0 if loaded.plan is not None else 1)


@app.command("preview")
def preview_command(file: Path = _FILE, plan: str = _PLAN, mode: ModeOption = _MODE, as_json: bool = _JSON) -> None:
    """Print what a plan would change in a file. The file is not touched."""
    from metier.packs.office._hosts import host_for

    loaded = _load_plan(plan, file)
    _print_execution(host_for(file).dry_run(loaded, file, request=_request(mode, None)), as_json=as_json)


@app.command("apply")
def apply_command(
    file: Path = _FILE,
    plan: str = _PLAN,
    mode: ModeOption = _MODE,
    only: list[str] | None = typer.Option(
        None, "--only", help="Ids of changes from the preview (repeat); default all."
    ),
    in_place: bool = typer.Option(False, "--in-place", help="Write into the file itself; a backup is kept beside it."),
    as_json: bool = _JSON,
) -> None:
    """Write a plan to a file. It is a new file beside it, or with --in-place the file itself."""
    from metier.packs.office._hosts import host_for
    from metier.packs.office.files import write_document

    loaded, host = _load_plan(plan, file), host_for(file)
    request = _request(mode, frozenset(only) if only else None)
    target = file if in_place else find_free_name(file, ".v")
    backup = find_free_name(file, ".bak")

    def _execute(before: Path, after: Path) -> "Execution":
        execution = host.execute(loaded, before, after, request=request)
        if in_place and not execution.unchanged:  # a file that is refused leaves no backup behind
            shutil.copy2(file, backup)
        return execution

    try:
        done = write_document(file, target, _execute)
    except BaseException:
        backup.unlink(missing_ok=True)
        raise
    _print_execution(done.execution, as_json=as_json)
    if done.execution.unchanged:
        if not in_place:
            target.unlink(missing_ok=True)
        print_note("nothing was changed")
        return
    print_note(f"→ {target}" + (f" (backup: {backup})" if in_place else ""))


@app.command("undo")
def undo_command(file: Path = _FILE) -> None:
    """Undo what was written in place. The file gets the exact bytes of its newest backup."""
    from metier.packs.office.files import check_replaceable, lock_document, replace_file

    backups = sorted(
        (one for one in file.parent.glob(f"{file.stem}.bak*{file.suffix}") if one.stem.rpartition(".bak")[2].isdigit()),
        key=lambda one: int(one.stem.rpartition(".bak")[2]),
    )
    if not backups:
        raise PathNotFound(f"{file.name} has no backup", hint="only a file that was written in place has one")
    with lock_document(file):
        check_replaceable(file)
        replace_file(file, backups[-1].read_bytes())
        backups[-1].unlink()
    print_note(f"→ {file}")


@app.command("pdf")
def pdf_command(
    file: Path = _FILE, out: Path | None = typer.Option(None, "--out", help="File to write; default: beside it.")
) -> None:
    """Draw the exact pages of a document. LibreOffice does it, cut off from the network."""
    from metier.packs.office.views import render_exact

    if not file.is_file():
        raise PathNotFound(f"there is no file {file.name!r}", hint="check the path")
    target = out or file.with_suffix(".pdf")
    target.write_bytes(render_exact(file).content)
    print_note(f"→ {target}")


def _read_plan_text(plan: str) -> str:
    if plan == "-":
        return typer.get_text_stream("stdin").read()
    try:
        return Path(plan).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PathNotFound(f"the plan {plan!r} cannot be read", hint="name a JSON file") from error


def _load_plan(plan: str, file: Path) -> "OfficePlan":
    from metier.packs.office._hosts import find_host_app
    from metier.packs.office.files import open_package
    from metier.packs.office.plan import load_plan

    if not file.is_file():
        raise PathNotFound(f"there is no file {file.name!r}", hint="check the path")
    host = find_host_app(file)
    if host is None:
        open_package(file)  # says what kind of file it is
        raise UsageError(f"plans cannot change {file.name!r}", hint="docx, xlsx and pptx files")
    loaded = load_plan(_read_plan_text(plan), host=host)
    for one in loaded.repairs:
        print_note(f"~ {one.text(find_language())}")
    if loaded.plan is None:
        lines = "; ".join(one.text("en") for one in loaded.problems[:5])
        raise InvalidInput(f"the plan cannot be carried out: {lines}", hint="`metier office validate PLAN` lists all")
    return loaded.plan


def _request(mode: ModeOption, chosen: frozenset[str] | None) -> "WriteRequest":
    from metier.packs.office._hosts import WriteRequest

    named: WriteMode = mode.value
    return WriteRequest(mode=named, chosen=chosen)


def _print_execution(execution: "Execution", *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(execution.to_json(), ensure_ascii=False, indent=2))
        return
    rows = [(one.id, one.address, one.title.en, one.before[:60], one.after[:60]) for one in execution.changes]
    if rows:
        print_table(("id", "place", "change", "before", "after"), rows)
    for one in execution.skipped:
        print_note(f"! {one.action_id} {one.op}: {one.reason.text(find_language())}")
    for warning in execution.warnings:
        print_note(f"! {warning.text(find_language())}")
