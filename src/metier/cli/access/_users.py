"""`metier users`: who may use the server."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli.access._archives import (
    EXPORT_OPTION,
    OUT_OPTION,
    YES_OPTION,
    confirm_deletion,
    get_default_path,
    open_places,
    write_archive,
)
from metier.cli.access._keys import LABEL_OPTION, ROLE_OPTION, print_new_key
from metier.cli.access._open import terminal_principal
from metier.cli.terminal import (
    JSON_OPTION,
    format_time,
    open_store,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
)
from metier.errors import Conflict

if TYPE_CHECKING:
    from metier.json_values import JsonObject
    from metier.store import NewApiKey
    from metier.user_data import DeletedUser

app = typer.Typer(help="Say who may use the server.", no_args_is_help=True)


@app.command("add")
def add_command(
    name: str = typer.Argument(help="The user's name; conversations belong to it."),
    role: list[str] | None = ROLE_OPTION,
    label: str = LABEL_OPTION,
    same_person: bool = typer.Option(False, "--same-person", help="Conversations stored under this name are theirs."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Add a user with a first key, which is shown once. From then on the server answers only who has a key."""
    made = asyncio.run(_add(name, role or [], label, same_person=same_person))
    print_new_key(made, as_json=as_json)


async def _add(name: str, roles: list[str], label: str, *, same_person: bool) -> "NewApiKey":
    from metier.settings import load_settings
    from metier.store import fold_user_name, parse_roles

    checked = parse_roles(roles)
    if not same_person and fold_user_name(name) in map(fold_user_name, load_settings().api_keys):
        raise Conflict(
            f"METIER_API_KEYS has a user {name!r} already", hint="take another name; --same-person if it is the same"
        )
    async with open_store() as store, store.transaction() as tx:
        await tx.users.add(name)
        if not same_person and await tx.owned.has_records(name):
            raise Conflict(
                f"there are conversations or data of an earlier user {name!r}",
                hint=f"metier users delete {name} deletes them; --same-person if they are theirs",
            )
        made = await tx.keys.create(name, checked, label=label)
        by = terminal_principal()
        await tx.audit.append(by, "user.added", name)
        await tx.audit.append(by, "key.created", made.key.id, {"user": name, "roles": sorted(checked)})
        return made


@app.command("list")
def list_command(as_json: bool = JSON_OPTION) -> None:
    """List the users with their keys. Those of METIER_API_KEYS stand in the settings."""
    found = asyncio.run(_list())
    if as_json:
        print_json({"users": found})
        return
    if not found:
        print_note(say("no_users"))
        return
    print_table(
        ("user", "added", "keys", "roles"),
        [
            (
                str(one["name"]),
                format_time(datetime.fromisoformat(str(one["created_at"]))),
                str(one["keys"]),
                str(one["roles"]),
            )
            for one in found
        ],
    )


async def _list() -> "list[JsonObject]":
    async with open_store() as store:
        keys = [one for one in await store.keys.list() if one.revoked_at is None]
        return [
            {
                **user.to_json(),
                "keys": sum(one.user == user.name for one in keys),
                "roles": ", ".join(sorted({role for one in keys if one.user == user.name for role in one.roles})),
            }
            for user in await store.users.list()
        ]


@app.command("remove")
def remove_command(name: str = typer.Argument(help="The user's name.")) -> None:
    """Remove a user and revoke the keys, at once. The conversations stay: `delete` deletes them too."""
    revoked = asyncio.run(_remove(name))
    print_line(say("user_removed", name=name, keys=revoked))


async def _remove(name: str) -> int:
    async with open_store() as store, store.transaction() as tx:
        revoked = await tx.users.remove(name)
        await tx.audit.append(terminal_principal(), "user.removed", name, {"revoked": revoked})
        return revoked


@app.command("export")
def export_command(name: str = typer.Argument(help="The user's name."), out: Path | None = OUT_OPTION) -> None:
    """Write all that is stored of a user to a ZIP archive."""
    target = out or get_default_path(name)
    asyncio.run(_export(name, target))
    print_line(str(target))


async def _export(name: str, target: Path) -> None:
    from metier.user_data import export_user, require_known_user

    async with open_places() as places:
        await require_known_user(places, name)
        await places.store.audit.append(terminal_principal(), "user.exported", name)
        await write_archive(target, lambda file: export_user(places, name, file))


@app.command("delete")
def delete_command(
    name: str = typer.Argument(help="The user's name."), yes: bool = YES_OPTION, export: Path | None = EXPORT_OPTION
) -> None:
    """Delete a user with keys, conversations, files and telemetry."""
    if export is not None:
        asyncio.run(_export(name, export))
    confirm_deletion(f"user {name} with all conversations", yes=yes)
    gone = asyncio.run(_delete(name))
    print_line(say("user_deleted", name=name, talks=gone.conversations, keys=gone.keys))


async def _delete(name: str) -> "DeletedUser":
    from metier.user_data import delete_user, require_known_user

    async with open_places() as places:
        await require_known_user(places, name)
        return await delete_user(places, name, terminal_principal())
