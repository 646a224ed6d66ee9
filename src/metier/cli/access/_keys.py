"""`metier keys`: API keys of users, with their roles."""

import asyncio
from typing import TYPE_CHECKING

import typer

from metier.cli.access._open import terminal_principal
from metier.cli.terminal import (
    JSON_OPTION,
    open_store,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_value,
)

if TYPE_CHECKING:
    from metier.store import ApiKey, NewApiKey

app = typer.Typer(help="Make and revoke API keys.", no_args_is_help=True)

ROLE_OPTION = typer.Option(
    None, "--role", "-r", help="approver or operator, beside user, which every key is (repeat for both)."
)
LABEL_OPTION = typer.Option("", "--label", "-l", help="What the key is for, such as 'browser'.")


@app.command("create")
def create_command(
    user: str = typer.Option(..., "--user", "-u", help="Whose key it is."),
    role: list[str] | None = ROLE_OPTION,
    label: str = LABEL_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Make a key. It is shown once; the store keeps only its digest. It works at once, without a restart."""
    print_new_key(asyncio.run(_create(user, role or [], label)), as_json=as_json)


async def _create(user: str, roles: list[str], label: str) -> "NewApiKey":
    from metier.store import parse_roles

    checked = parse_roles(roles)
    async with open_store() as store, store.transaction() as tx:
        made = await tx.keys.create(user, checked, label=label)
        told = {"user": user, "roles": sorted(checked)}
        await tx.audit.append(terminal_principal(), "key.created", made.key.id, told)
        return made


def print_new_key(made: "NewApiKey", *, as_json: bool) -> None:
    """Print a new key: the secret on standard output, the rest as notes."""
    if as_json:
        print_json({"key": made.key.to_json(), "secret": made.secret})
        return
    roles = [translate_value(one) for one in sorted(made.key.roles)]
    print_note(say("key_made", key=made.key.id, user=made.key.user, roles=roles))
    print_line(made.secret)
    print_note(say("key_use"))


@app.command("list")
def list_command(
    user: str | None = typer.Option(None, "--user", "-u", help="Only of this user."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List the keys, the newest first, without their secrets."""
    found = asyncio.run(_list(user))
    if as_json:
        print_json({"keys": [one.to_json() for one in found]})
        return
    if not found:
        print_note(say("no_keys"))
        return
    print_table(("id", "user", "roles", "label", "made", "revoked"), [_format_row(one) for one in found])


async def _list(user: str | None) -> "tuple[ApiKey, ...]":
    async with open_store() as store:
        return await store.keys.list(user)


def _format_row(one: "ApiKey") -> tuple[str, ...]:
    times = [f"{at.astimezone():%Y-%m-%d %H:%M}" if at else "–" for at in (one.created_at, one.revoked_at)]
    return one.id, one.user, ", ".join(map(translate_value, sorted(one.roles))), one.label or "–", *times


@app.command("revoke")
def revoke_command(key: str = typer.Argument(help="The key's id, as `metier keys list` shows it.")) -> None:
    """Revoke a key: it opens nothing from now on."""
    revoked = asyncio.run(_revoke(key))
    print_line(say("key_revoked", key=revoked.id, user=revoked.user))


async def _revoke(key: str) -> "ApiKey":
    async with open_store() as store, store.transaction() as tx:
        revoked = await tx.keys.revoke(key)
        await tx.audit.append(terminal_principal(), "key.revoked", key, {"user": revoked.user})
        return revoked
