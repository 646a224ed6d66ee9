"""`metier doctor`: check what works on this machine, and say how to fix what does not."""

import asyncio
import platform
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, say, translate_head, translate_text
from metier.errors import MetierError, Unavailable

Status = Literal["ok", "warning", "failed"]
_MARKS: Mapping[Status, str] = {"ok": "✓", "warning": "!", "failed": "✗"}


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """Result of one check."""

    name: str
    status: Status
    message: str
    hint: str = ""


def doctor_command(as_json: bool = JSON_OPTION) -> None:
    """Check this machine. Exit code 6 when something Metier needs is not there."""
    checks = [_run_check(name, look) for name, look in _CHECKS]
    failed = [check for check in checks if check.status == "failed"]
    if as_json:
        print_json({"ok": not failed, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            print_line(f"{_MARKS[check.status]} {translate_head(check.name)}: {translate_text(check.message)}")
            if check.hint:
                print_line(f"    {check.hint}")
    if failed:
        print_note(say("checks_failed", failed=len(failed), count=len(checks)))
        raise typer.Exit(Unavailable.exit_code)


def _run_check(name: str, look: Callable[[], DoctorCheck]) -> DoctorCheck:
    try:
        return look()
    except MetierError as error:
        return DoctorCheck(name, "failed", error.message, error.hint)


def _check_python() -> DoctorCheck:
    return DoctorCheck(
        "python",
        "ok",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}, SQLite {sqlite3.sqlite_version}",
    )


def _check_settings() -> DoctorCheck:
    from metier.settings import find_unknown_settings, load_settings

    if faults := load_settings().faults:
        message = f"FAULT INJECTION IS ON (METIER_FAULTS={faults}): the server will fail on purpose"
        return DoctorCheck("settings", "failed", message, "remove METIER_FAULTS; it is for tests of crashes only")
    if unknown := find_unknown_settings():
        return DoctorCheck("settings", "warning", "; ".join(unknown), "correct the name or remove it")
    return DoctorCheck("settings", "ok", "every setting can be read")


def _check_skills() -> DoctorCheck:
    from metier.cli._library import open_library, open_packs
    from metier.settings import load_settings

    settings = load_settings()
    packs = open_packs(list(settings.packs) or ["all"])  # as `metier serve` does
    catalog = open_library(None, packs).catalog()
    refused = sum(found.effect == "refused" for found in catalog.diagnostics) - len(catalog.waiting)
    overridden = [str(found.skill) for found in catalog.diagnostics if found.code == "skill_overridden"]
    behind = [one.id for one in catalog if not one.invocation.by_user]
    parts = [f"{len(catalog)} loaded, {refused} refused, digest {catalog.digest[:12]}, trust {settings.skill_trust}"]
    parts += [f"only behind others: {', '.join(behind)}"] if behind else []
    parts += [f"overridden: {', '.join(overridden)}"] if overridden else []
    parts += [f"waiting for approval: {', '.join(one.id for one in catalog.waiting)}"] if catalog.waiting else []
    message = "; ".join(parts)
    if refused or catalog.waiting:
        return DoctorCheck("skills", "warning", message, "`metier skills list` says why")
    if not len(catalog):
        return DoctorCheck(
            "skills", "warning", message, "`metier skills new my-skill` makes one, or set METIER_SKILLS_DIR"
        )
    return DoctorCheck("skills", "ok", message)


def _check_packs() -> DoctorCheck:
    from metier.pack import select_packs
    from metier.settings import load_settings

    packs = select_packs(load_settings(), all_by_default=True)
    if packs.problems:
        hints = dict.fromkeys(one.hint for one in packs.problems if one.hint)
        return DoctorCheck("packs", "warning", "; ".join(one.message for one in packs.problems), "; ".join(hints))
    return DoctorCheck("packs", "ok", f"{len(packs.found)} can be used")


def _check_store() -> DoctorCheck:
    from metier.settings import load_settings
    from metier.store import Store

    settings = load_settings()

    async def check() -> tuple[str, ...]:
        store = Store.open(
            settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s
        )
        async with store as opened:
            return await opened.check()

    problems = asyncio.run(check())
    kind = settings.database_url.partition(":")[0]
    if problems:
        return DoctorCheck("store", "failed", "; ".join(problems), "restore the database from a backup")
    return DoctorCheck("store", "ok", f"{kind}, sound, durability {settings.durability}")


def _check_model() -> DoctorCheck:
    """Which model, whether its package and its key are there, and whether an address of one's own answers."""
    from metier.agent import ModelPool, ask_reachable
    from metier.settings import load_settings

    pool = ModelPool.from_settings(load_settings())
    entry = pool[pool.default]
    if entry.is_builtin:
        return DoctorCheck("model", "ok", "built in: skills run by their steps; METIER_MODEL names a language model")
    pool.get(pool.default)  # raises if its package or its key is missing
    key = f"key from {entry.key_source}" if entry.key_source else "no key"
    message = f"{entry.config.label or entry.config.name}, {key}"
    reached = asyncio.run(ask_reachable(entry))
    if reached is None:
        return DoctorCheck("model", "ok", message, "`metier model test` tries it out")
    status: Status = "warning" if reached.status == "failed" else "ok"
    return DoctorCheck("model", status, f"{message}; {reached.message}", reached.hint)


def _check_office() -> DoctorCheck:
    """Whether exact pages of documents can be drawn; everything else of documents works without LibreOffice."""
    import shutil

    found = shutil.which("soffice") or shutil.which("libreoffice")
    if found is None:
        message = "LibreOffice is not installed: documents are shown as text, tables and cards"
        return DoctorCheck("documents", "ok", message, "with it, their exact pages can be drawn as PDF")
    if not all(map(shutil.which, ("unshare", "prlimit", "timeout"))):
        message = f"{found}, but unshare, prlimit or timeout is missing: exact pages are not drawn"
        return DoctorCheck("documents", "ok", message, "they cut LibreOffice off from the network and limit it")
    return DoctorCheck("documents", "ok", f"{found} draws exact pages as PDF, without network")


def _check_browser() -> DoctorCheck:
    """Whether browser_use has a browser; without one it reads pages as fetch_web_content does."""
    from metier.settings import load_settings
    from metier.tools.browser import probe_browser

    found = probe_browser(load_settings().browser)
    if not found.is_usable:
        return DoctorCheck("browser", "ok", f"{found.message}: browser_use reads pages without one", found.hint)
    return DoctorCheck("browser", "ok" if found.sandboxed else "warning", found.message, found.hint)


def _check_tokenizer() -> DoctorCheck:
    from metier.tokens import count_tokens

    return DoctorCheck("tokenizer", "ok", f"o200k, offline; 弱覆盖 costs {count_tokens('弱覆盖')} tokens")


def _check_sandbox() -> DoctorCheck:
    from metier.tools.sandbox import probe

    report = probe()
    return DoctorCheck("sandbox", "ok" if report.tier else "warning", report.message, report.hint)


def _check_routing() -> DoctorCheck:
    from metier.routing import open_router
    from metier.settings import load_settings

    settings = load_settings()
    views: list[str] = []
    lost: list[DoctorCheck] = []
    for view in open_router(settings).views:
        try:
            view.embed("skill")
            views.append(view.name)
        except Unavailable as error:
            lost.append(DoctorCheck("routing", "warning", f"by words alone: {view.name}: {error.message}", error.hint))
    if lost:
        return lost[0]
    return DoctorCheck("routing", "ok", f"by words and by meaning: {', '.join(views)}" if views else "by words alone")


def _check_guards() -> DoctorCheck:
    from metier.cli._library import open_packs
    from metier.pack import DescribedGuard, load_pack_guards
    from metier.settings import load_settings

    settings = load_settings()
    guards = load_pack_guards(open_packs(list(settings.packs) or ["all"]), settings)
    told = [one.describe() for one in guards if isinstance(one, DescribedGuard)]
    return DoctorCheck("guards", "ok", f"{len(guards)} of packs" + "".join(f"; {one}" for one in told))


def _check_telemetry() -> DoctorCheck:
    from metier.settings import load_settings
    from metier.telemetry import TelemetryQueries, open_telemetry, telemetry_path

    settings = load_settings()
    with open_telemetry(settings):  # raises if an address is invalid
        pass
    rows, size = TelemetryQueries(telemetry_path(settings)).size()
    message = f"{settings.telemetry_mode}, {rows} events, {size} bytes, texts {settings.telemetry_content}"
    return DoctorCheck("telemetry", "ok", f"{message}, spans {'on' if settings.otlp_endpoint else 'off'}")


_CHECKS: tuple[tuple[str, Callable[[], DoctorCheck]], ...] = (
    ("python", _check_python),
    ("settings", _check_settings),
    ("packs", _check_packs),
    ("skills", _check_skills),
    ("store", _check_store),
    ("telemetry", _check_telemetry),
    ("model", _check_model),
    ("tokenizer", _check_tokenizer),
    ("routing", _check_routing),
    ("guards", _check_guards),
    ("sandbox", _check_sandbox),
    ("documents", _check_office),
    ("browser", _check_browser),
)
