"""`metier skills pin`, `approve` and `verify`: which versions of skills a person approved."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import DIR_OPTION, open_library
from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note
from metier.errors import Conflict, Refused

if TYPE_CHECKING:
    from metier.skills import Catalog, LockEntry, WaitingSkill


def pin_command(folders: list[Path] | None = DIR_OPTION, as_json: bool = JSON_OPTION) -> None:
    """Approve every skill as it is now. Writes the lock file and keeps a copy of each skill; packs need no approval."""
    from metier.settings import load_settings
    from metier.skills import open_skill_approvals

    settings = load_settings()
    catalog = open_library(folders, trust="off").catalog()
    entries = open_skill_approvals(settings).pin(catalog, _user(), replace_all=True)
    _record("skills.pinned", entries)
    if as_json:
        print_json({"lock": str(settings.skill_lock), "skills": [_entry_to_json(entry) for entry in entries]})
        return
    print_line(f"pinned {len(entries)} skills in {settings.skill_lock}")
    if settings.skill_trust != "require":
        print_note("changed skills are used at once until METIER_SKILL_TRUST is 'require'")


def approve_command(
    skill_id: str = typer.Argument(..., metavar="ID", help="The skill's id."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Approve without asking."),
    digest: str = typer.Option("", "--digest", help="Approve only if this is the version; its beginning suffices."),
    folders: list[Path] | None = DIR_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Approve a new or changed skill. Shows what changed first; servers use the new version at once."""
    from metier.skills import diff_skills, find_waiting

    library = open_library(folders, trust="require")
    waiting = find_waiting(library.catalog().waiting, skill_id)
    if digest and not waiting.skill.digest.startswith(digest):
        hint = f"it is version {waiting.skill.digest[:12]} now"
        raise Conflict(f"{skill_id!r} is not version {digest[:12]!r}", hint=hint)
    found = diff_skills(waiting.approved, waiting.skill)
    if not as_json:
        print_line(found.text + ("\n… (longer)" if found.cut else ""))
    if not yes and (as_json or not typer.confirm(f"approve version {waiting.skill.digest[:12]} of {skill_id}?")):
        raise Refused(f"{skill_id!r} was not approved", hint="--yes approves without asking")
    entry = library.approve(skill_id, waiting.skill.digest, _user())
    _record("skill.approved", (entry,), waiting)
    if as_json:
        print_json(_entry_to_json(entry))
    else:
        print_line(f"approved {skill_id} ({entry.digest[:12]})")


def verify_command(folders: list[Path] | None = DIR_OPTION, as_json: bool = JSON_OPTION) -> None:
    """Compare the skills with the lock file. Exit code 1 when one was changed, is new, or is missing."""
    from metier.settings import load_settings
    from metier.skills import open_skill_approvals

    catalog: Catalog = open_library(folders, trust="off").catalog()
    report = open_skill_approvals(load_settings()).verify(catalog)
    if as_json:
        print_json(report.to_json())
    else:
        for word, ids in report.to_json().items():
            for one in ids if isinstance(ids, list) else ():
                print_line(f"{word}: {one}")
        if report.is_clean:
            print_line(f"{len(catalog)} skills are as they were approved")
    if not report.is_clean:
        raise typer.Exit(1)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in a container
        return "local"


def _record(action: str, entries: "tuple[LockEntry, ...]", waiting: "WaitingSkill | None" = None) -> None:
    """Write each approval to the audit log."""
    import asyncio

    from metier.settings import load_settings
    from metier.store import Principal, Store

    settings = load_settings()
    before = waiting.approved.digest if waiting and waiting.approved else ""

    async def append() -> None:
        store = Store.open(
            settings.database_url, durability=settings.durability, busy_timeout_s=settings.busy_timeout_s
        )
        async with store as opened:
            for entry in entries:
                data = {"digest": entry.digest, "before": before, "source": entry.source}
                await opened.audit.append(Principal(entry.by), action, entry.id, data)

    asyncio.run(append())


def _entry_to_json(entry: "LockEntry") -> dict[str, str]:
    return {"id": entry.id, "digest": entry.digest, "source": entry.source, "at": entry.at, "by": entry.by}
