"""`metier route`: find the skill for a message and explain the choice; fit the router's probabilities."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import PACK_OPTION, SKILLS_OPTION, open_library, open_packs
from metier.cli.terminal import JSON_OPTION, parse_language, print_json, print_line, print_note

if TYPE_CHECKING:
    from metier.language import Language
    from metier.pack import Pack
    from metier.routing import Decision
    from metier.routing.advice import AdviceNote
    from metier.routing.fitting import FitReport
    from metier.settings import Settings
    from metier.tasks import TaskAnalysis

_MAX_CONFUSIONS = 8

app = typer.Typer(
    no_args_is_help=True, help="Find the skill for a message.", epilog="Options: `metier route message --help`."
)


def insert_message_command(arguments: Sequence[str]) -> list[str]:
    """`metier route "…"` stands for `metier route message "…"`: insert the missing command name."""
    spoken = len(arguments) > 1 and arguments[0] == "route" and arguments[1] not in ("message", "fit", "--help")
    return ["route", "message", *arguments[1:]] if spoken else list(arguments)


@app.command("message")
def message_command(
    message: str = typer.Argument(..., help="What a user would write."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    host: str | None = typer.Option(
        None, "--host", help="Application the message comes from: writer, et (sheets), wpp (slides) …"
    ),
    groups: list[str] | None = typer.Option(None, "--group", help="Only skills of this group; repeat it for more."),
    active: str | None = typer.Option(None, "--active", help="The skill in use when the message arrives."),
    explain: bool = typer.Option(False, "--explain", help="Say the task type and why, feature by feature."),
    language: str | None = typer.Option(None, "--language", help="Say it in zh or en; default: as the message."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Find the skill for a message: auto, suggest or none. The word `message` may be left out."""
    from metier.pack import build_pack_glossary
    from metier.routing import open_router
    from metier.settings import load_settings
    from metier.skills import narrow_groups
    from metier.tasks import open_analyzer
    from metier.tools import load_task_types

    settings = load_settings()
    tongue = _choose_language(language, settings, message)
    chosen = open_packs(packs)
    catalog = open_library(folders, chosen).catalog()
    router = open_router(settings, glossary=build_pack_glossary(chosen))
    if groups:
        router = replace(router, groups=narrow_groups(settings.skill_groups, groups))
    if router.needs_search(message, catalog=catalog, host=host):
        # Loaded ahead, so that the time shown is that of the message.
        router.prepare(catalog, host=host)
    decision = router.route(message, catalog=catalog, host=host, active=active)
    analysis = open_analyzer(load_task_types(settings.task_types_file), router).analyze(message, decision)
    _print_decision(decision, analysis, tongue, explain=explain, as_json=as_json)
    if not as_json and decision.verdict == "none":
        _print_fitting_packs(message, chosen, tongue, list_all=not len(catalog))
    router.close()


def _print_decision(
    decision: "Decision", analysis: "TaskAnalysis", language: "Language", *, explain: bool, as_json: bool
) -> None:
    if as_json:
        print_json({**decision.to_json(language), "task": analysis.to_json(language)})
        return
    lines = decision.explain(language)
    if explain:
        lines = [*lines, *analysis.explain(language)]
    for line in lines if explain or decision.route == "list" else lines[:1]:
        print_line(line)


def _print_fitting_packs(message: str, chosen: "tuple[Pack, ...]", language: "Language", *, list_all: bool) -> None:
    """Print which installed packs are not in use and would take the message, and the command to use one."""
    from metier.cli._packs import suggest_packs

    command = f"metier route {{pack}}{shlex.quote(message)}"
    for line in suggest_packs(message, chosen, language, command, list_all=list_all):
        print_note(line)


def _choose_language(asked: str | None, settings: "Settings", message: str) -> "Language":
    """Choose the language: the option, then the settings, then that of the message."""
    from metier.language import resolve_language

    match asked or settings.language:
        case "zh" | "en" | "auto" as setting:
            return resolve_language(setting, message)
    raise typer.BadParameter("zh or en", param_hint="--language")


@app.command("fit")
def fit_command(
    messages: Path | None = typer.Argument(
        None, help='JSON lines: {"message": "…", "skill": "id" or null}; default: the eval queries of the skills.'
    ),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    out: Path | None = typer.Option(None, "--out", help="Folder to write to; default: the storage folder."),
    language: str | None = typer.Option(None, "--language", help="Say it in zh or en; default: the settings'."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Fit the probabilities to your own labelled messages. Says which skills take each other's.

    Nothing is saved unless messages that are left out are told better.
    """
    from metier.pack import build_pack_glossary
    from metier.routing import HEADS_FILE, open_router
    from metier.routing.fitting import fit_messages, read_evals, read_labelled, write_heads
    from metier.settings import load_settings

    settings = load_settings()
    tongue = parse_language(language, settings.language)
    chosen = open_packs(packs)
    catalog = open_library(folders, chosen).catalog()
    labelled = read_evals(catalog) if messages is None else read_labelled(messages)
    heads, report = fit_messages(open_router(settings, glossary=build_pack_glossary(chosen)), catalog, labelled)
    place = (out or settings.storage_dir) / HEADS_FILE
    if report.is_better:
        write_heads(place, heads, {"messages": f"{report.messages} labelled messages"})
    if as_json:
        print_json({**report.to_json(), "saved": str(place) if report.is_better else None})
    else:
        _print_fit(report, place, tongue)


def _print_fit(report: "FitReport", place: Path, language: "Language") -> None:
    from metier.routing.advice import AdviceNote

    def percent(share: float) -> str:
        return f"{share * 100:.1f}"

    print_line(AdviceNote.of("fit_right", count=report.messages, percent=percent(report.right)).text(language))
    before, after = percent(report.error_before), percent(report.error_after)
    print_line(AdviceNote.of("fit_error", before=before, after=after).text(language))
    for one in report.confusions[:_MAX_CONFUSIONS]:
        text, count = one.messages[0], len(one.messages)
        note = AdviceNote.of("fit_confused", count=count, skill=one.skill, other=one.other, text=text)
        print_line(note.text(language))
    for skipped in report.skipped:
        print_note(AdviceNote.of("fit_skipped", text=skipped).text(language))
    print_note(_build_outcome(report, place).text(language))


def _build_outcome(report: "FitReport", place: Path) -> "AdviceNote":
    from metier.routing.advice import AdviceNote

    if report.is_better:
        return AdviceNote.of("fit_saved", place=str(place))
    code = "fit_kept_error" if report.error_after >= report.error_before else "fit_kept_loss"
    return AdviceNote.of(code, count=report.messages)
