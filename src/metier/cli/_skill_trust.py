"""`metier skills add`, `pin`, `approve`, `verify` and `remove`: which skills there are and a person approved."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import SKILLS_OPTION, open_library
from metier.cli.access import terminal_principal
from metier.cli.terminal import JSON_OPTION, open_store, print_diagnostics, print_json, print_line, print_note, say
from metier.errors import Conflict, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metier.skills import AddedSkill, Catalog, LockEntry, Skill


def add_command(
    source: str = typer.Argument(..., metavar="SRC", help="A folder, an archive, or the address of a Git repository."),
    target: Path | None = typer.Option(None, "--to", help="The skills folder; default: that of METIER_SKILLS_DIR."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace skills that are already there."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Approve all of them without asking."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Add skills of others. Shows the findings and asks for approval."""
    import tempfile

    from metier.settings import load_settings
    from metier.skills import SkillLibrary, add_skills, fetch_skills, open_skill_approvals

    settings = load_settings()
    into = target or settings.skills_dir[0]
    with tempfile.TemporaryDirectory(prefix="metier-add-") as draft:
        added = add_skills(fetch_skills(source, Path(draft)), into, overwrite=overwrite)
    if not as_json:
        print_diagnostics([found for one in added for found in one.diagnostics])
    catalog = SkillLibrary.from_folders(into).catalog()
    approved = [
        one.id
        for one in added
        if one.target is not None and one.id in catalog and _wants_approval(one, yes=yes, quiet=as_json)
    ]
    if approved:
        chosen = [catalog[one] for one in approved]
        _record("skill.approved", chosen)  # before it has an effect
        open_skill_approvals(settings).pin(chosen, terminal_principal().user)
    if as_json:
        print_json({"added": [{**one.to_json(), "approved": one.id in approved} for one in added]})
        return
    for one in added:
        state = "skill_added_approved" if one.id in approved else "skill_added"
        print_line(say("skill_not_added" if one.target is None else state, skill=one.id, target=one.target))


def _wants_approval(one: "AddedSkill", *, yes: bool, quiet: bool) -> bool:
    if yes or quiet or not sys.stdin.isatty():
        return yes
    return typer.confirm(say("approve_untrusted" if one.untrusted else "approve_skill", skill=one.id))


def pin_command(folders: list[Path] | None = SKILLS_OPTION, as_json: bool = JSON_OPTION) -> None:
    """Approve every skill as it is now. Writes the lock file and keeps a copy of each skill; packs need no approval."""
    from metier.settings import load_settings
    from metier.skills import open_skill_approvals

    settings = load_settings()
    catalog = open_library(folders, trust="off").catalog()
    _record("skills.pinned", catalog)  # before it has an effect
    entries = open_skill_approvals(settings).pin(catalog, terminal_principal().user, replace_all=True)
    if as_json:
        print_json({"lock": str(settings.skill_lock), "skills": [_entry_to_json(entry) for entry in entries]})
        return
    print_line(say("pinned", count=len(entries), lock=settings.skill_lock))
    if settings.skill_trust != "require":
        print_note(say("trust_off"))


def approve_command(
    skill_id: str = typer.Argument(..., metavar="ID", help="The skill's id."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Approve without asking."),
    digest: str = typer.Option("", "--digest", help="Approve only if this is the version; its beginning suffices."),
    folders: list[Path] | None = SKILLS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Approve a new or changed skill. Shows what changed first; servers use the new version at once."""
    from metier.skills import diff_skills, find_waiting

    library = open_library(folders, trust="require")
    waiting = find_waiting(library.catalog().waiting, skill_id)
    if digest and not waiting.skill.digest.startswith(digest):
        hint = f"it is version {waiting.skill.digest[:12]} now"
        raise Conflict(f"{skill_id!r} is not version {digest[:12]!r}", hint=hint)
    found = diff_skills(waiting.shared, waiting.skill)
    if not as_json:
        print_line(found.text + (f"\n{say('longer')}" if found.cut else ""))
    question = say("approve_version", digest=waiting.skill.digest[:12], skill=skill_id)
    if not yes and (as_json or not typer.confirm(question)):
        raise Refused(f"{skill_id!r} was not approved", hint="--yes approves without asking")
    _record("skill.approved", [waiting.skill], waiting.approved)  # before it has an effect
    entry = library.approve(skill_id, waiting.skill.digest, terminal_principal().user)
    if as_json:
        print_json(_entry_to_json(entry))
    else:
        print_line(say("approved", skill=skill_id, digest=entry.digest[:12]))


def remove_command(
    skill_id: str = typer.Argument(..., metavar="ID", help="The skill's id."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Remove without asking."),
    folders: list[Path] | None = SKILLS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Remove a skill, whoever installed it. Its files and its approval go; skills of packs stay."""
    from metier.settings import load_settings
    from metier.skills import delete_skill, open_skill_approvals

    library = open_library(folders, trust="off")
    skill = library.catalog()[skill_id]
    if not yes and (as_json or not typer.confirm(say("remove_skill", skill=skill_id, path=skill.source.path))):
        raise Refused(f"{skill_id!r} was not removed", hint="--yes removes without asking")
    _record("skill.removed", [skill])  # before it has an effect
    delete_skill(skill, library.roots)
    open_skill_approvals(load_settings()).withdraw(skill_id)
    if as_json:
        print_json({"skill": skill_id, "removed": str(skill.source.path)})
    else:
        print_line(say("skill_removed", skill=skill_id))


def verify_command(folders: list[Path] | None = SKILLS_OPTION, as_json: bool = JSON_OPTION) -> None:
    """Compare the skills with the lock file. Exit code 1 when one was changed, is new, or is missing."""
    from metier.settings import load_settings
    from metier.skills import open_skill_approvals

    catalog: Catalog = open_library(folders, trust="off").catalog()
    report = open_skill_approvals(load_settings()).verify(catalog)
    if as_json:
        print_json(report.to_json())
    else:
        for skill in report.changed:
            print_line(say("changed", skill=skill))
        for skill in report.unknown:
            print_line(say("new", skill=skill))
        for skill in report.missing:
            print_line(say("missing", skill=skill))
        if report.is_clean:
            print_line(say("verified", count=len(catalog)))
    if not report.is_clean:
        raise typer.Exit(1)


def _record(action: str, skills: "Iterable[Skill]", approved: "Skill | None" = None) -> None:
    """Write what is about to be done with each skill to the audit log."""
    import asyncio

    async def append() -> None:
        async with open_store() as store, store.transaction() as tx:
            for skill in skills:
                data = {"digest": skill.digest, "source": str(skill.source.path)}
                before = {"before": approved.digest} if approved is not None else {}
                await tx.audit.append(terminal_principal(), action, skill.id, {**data, **before})

    asyncio.run(append())


def _entry_to_json(entry: "LockEntry") -> dict[str, str]:
    return {"id": entry.id, "digest": entry.digest, "source": entry.source, "at": entry.at, "by": entry.by}
