"""`metier profile`: what is stored about a user besides conversations."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli.access._archives import YES_OPTION, confirm_deletion
from metier.cli.access._open import terminal_principal
from metier.cli.terminal import JSON_OPTION, open_store, print_json, print_line, print_note, say

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue

app = typer.Typer(help="See, correct, export and delete what is known of a user.", no_args_is_help=True)

_USER = typer.Option("local", "--user", "-u", help="Whose data; default: that of the terminal.")


@app.command("show")
def show_command(user: str = _USER, as_json: bool = JSON_OPTION) -> None:
    """Show profile, skill data and facts."""
    found = asyncio.run(_read(user))
    if as_json:
        print_json(found)
        return
    lines = [*_list_values("", found["profile"]), *_list_values("skill_data.", _unpack(found["skill_data"]))]
    for path, value in lines:
        print_line(f"{path} = {json.dumps(value, ensure_ascii=False, default=dict)}")
    if not lines:
        print_note(say("nothing_known", user=user))


@app.command("set")
def set_command(
    path: str = typer.Argument(help="For example birth_info.date"),
    value: str = typer.Argument(help="The new value: JSON, or a plain text; null removes it."),
    user: str = _USER,
) -> None:
    """Correct one value; charts computed from it go stale."""
    asyncio.run(_correct(user, path, value))
    print_note(say("value_changed", path=path))


@app.command("export")
def export_command(out: Path = typer.Argument(help="The JSON file to write."), user: str = _USER) -> None:
    """Write everything into a JSON file."""
    out.write_text(json.dumps(asyncio.run(_read(user)), ensure_ascii=False, indent=1, default=dict), "utf-8")
    print_note(str(out))


@app.command("delete")
def delete_command(user: str = _USER, yes: bool = YES_OPTION) -> None:
    """Delete all of it for good; conversations stay."""
    confirm_deletion(f"the profile of {user}", yes=yes)
    asyncio.run(_delete(user))
    print_note(say("profile_deleted", user=user))


async def _read(user: str) -> "JsonObject":
    from metier.user_data import read_profile

    async with open_store() as store:
        return await read_profile(store, user)


async def _correct(user: str, path: str, text: str) -> None:
    from metier.language import language_of
    from metier.pack import load_pack_guards, select_packs
    from metier.settings import load_settings
    from metier.user_data import correct_profile

    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        value = text
    settings = load_settings()
    guards = load_pack_guards(select_packs(settings, all_by_default=True).found, settings)
    async with open_store() as store:
        by, language = terminal_principal(), language_of(text)
        await correct_profile(store, user, {path: value}, by=by, guards=guards, language=language)


async def _delete(user: str) -> None:
    from metier.user_data import delete_profile

    async with open_store() as store:
        await delete_profile(store, user, terminal_principal())


def _unpack(kept: "JsonValue") -> "JsonObject":
    return {name: one["data"] for name, one in kept.items()} if isinstance(kept, dict) else {}


def _list_values(prefix: str, data: "JsonValue") -> "list[tuple[str, JsonValue]]":
    """Values by path, two levels deep."""
    found: list[tuple[str, JsonValue]] = []
    for name, value in data.items() if isinstance(data, dict) else ():
        inner = value.items() if isinstance(value, dict) else ()
        found += [(f"{prefix}{name}.{key}", one) for key, one in inner] or [(f"{prefix}{name}", value)]
    return found
