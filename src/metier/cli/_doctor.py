"""`metier doctor`: check what works on this machine, and say how to fix what does not."""

import asyncio
import platform
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

import typer

from metier.cli._output import JSON_OPTION, note, print_json, say
from metier.errors import MetierError, Unavailable

Status = Literal["ok", "warning", "failed"]
_MARKS: Mapping[Status, str] = {"ok": "✓", "warning": "!", "failed": "✗"}


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check."""

    name: str
    status: Status
    message: str
    hint: str = ""


def doctor_command(as_json: bool = JSON_OPTION) -> None:
    """Check this machine. Exit code 6 when something Metier needs is not there."""
    checks = [_checked(name, look) for name, look in _CHECKS]
    failed = [check for check in checks if check.status == "failed"]
    if as_json:
        print_json({"ok": not failed, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            say(f"{_MARKS[check.status]} {check.name}: {check.message}")
            if check.hint:
                say(f"    {check.hint}")
    if failed:
        note(f"{len(failed)} of {len(checks)} checks failed")
        raise typer.Exit(Unavailable.exit_code)


def _checked(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except MetierError as error:
        return Check(name, "failed", error.message, error.hint)


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}")


def _settings() -> Check:
    from metier.settings import load_settings

    load_settings()
    return Check("settings", "ok", "every setting can be read")


def _skills() -> Check:
    from metier.cli._library import open_library

    catalog = open_library(None).catalog()
    refused = sum(found.effect == "refused" for found in catalog.diagnostics)
    message = f"{len(catalog)} loaded, {refused} refused, digest {catalog.digest[:12]}"
    if refused:
        return Check("skills", "warning", message, "`metier skills list` says why")
    if not len(catalog):
        return Check("skills", "warning", message, "`metier skills new my-skill` makes one, or set METIER_SKILLS_DIR")
    return Check("skills", "ok", message)


def _store() -> Check:
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()

    async def look() -> tuple[str, ...]:
        store = Store.open(
            settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s
        )
        async with store as opened:
            return await opened.check()

    problems = asyncio.run(look())
    kind = settings.database_url.partition(":")[0]
    if problems:
        return Check("store", "failed", "; ".join(problems), "restore the database from a backup")
    return Check("store", "ok", f"{kind}, sound, durability {settings.durability}")


def _tokens() -> Check:
    from metier.tokens import count_tokens

    return Check("tokenizer", "ok", f"o200k, offline; 弱覆盖 costs {count_tokens('弱覆盖')} tokens")


def _sandbox() -> Check:
    from metier.tools.sandbox import probe

    report = probe()
    return Check("sandbox", "ok" if report.tier else "warning", report.message, report.hint)


def _routing() -> Check:
    from metier.routing import open_router
    from metier.settings import load_settings

    settings = load_settings()
    views: list[str] = []
    lost: list[Check] = []
    for view in open_router(settings).views:
        try:
            view.embed("skill")
            views.append(view.name)
        except Unavailable as error:
            lost.append(Check("routing", "warning", f"by words alone: {view.name}: {error.message}", error.hint))
    if lost:
        return lost[0]
    return Check("routing", "ok", f"by words and by meaning: {', '.join(views)}" if views else "by words alone")


def _telemetry() -> Check:
    from metier.settings import load_settings
    from metier.telemetry import TelemetryQueries, open_telemetry, telemetry_path

    settings = load_settings()
    with open_telemetry(settings):  # raises if an address is invalid
        pass
    rows, size = TelemetryQueries(telemetry_path(settings)).size()
    message = f"{settings.telemetry_mode}, {rows} events, {size} bytes, texts {settings.telemetry_content}"
    return Check("telemetry", "ok", f"{message}, spans {'on' if settings.otlp_endpoint else 'off'}")


_CHECKS: tuple[tuple[str, Callable[[], Check]], ...] = (
    ("python", _python),
    ("settings", _settings),
    ("skills", _skills),
    ("store", _store),
    ("telemetry", _telemetry),
    ("tokenizer", _tokens),
    ("routing", _routing),
    ("sandbox", _sandbox),
)
