"""Commands of packs: listed in `metier --help` from `pack.toml`; the pack is imported when its command runs."""

import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from typer.core import TyperCommand, TyperGroup

from metier.cli.terminal._help import HELP_FILE, translate_help
from metier.cli.terminal._words import find_language
from metier.errors import InvalidPack

if TYPE_CHECKING:
    from typer._click import Command, Context

    from metier.pack import PackCommand


class PackCommandGroup(TyperGroup):
    """The commands of Metier and, behind them, those of installed packs. A pack cannot replace a command of Metier."""

    @cached_property
    def pack_commands(self) -> "dict[str, PackCommand]":
        from metier.pack import list_pack_commands

        found: dict[str, PackCommand] = {}
        for one in list_pack_commands():
            if one.name not in self.commands:
                found.setdefault(one.name, one)
        return found

    def list_commands(self, ctx: "Context") -> list[str]:
        return [*super().list_commands(ctx), *self.pack_commands]

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Command by name; for one of a pack an empty one with its title, enough for a list of commands."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in self.pack_commands:
            return own
        title = self.pack_commands[cmd_name].title.text(find_language())
        return TyperCommand(cmd_name, help=title, short_help=title)

    def resolve_command(self, ctx: "Context", args: list[str]) -> "tuple[str | None, Command | None, list[str]]":
        name = args[0] if args else ""
        if name in self.commands or name.startswith("-") or name not in self.pack_commands:
            return super().resolve_command(ctx, args)
        return name, _import_command(self.pack_commands[name]), args[1:]


def _import_command(command: "PackCommand") -> "Command":
    from typer import Typer
    from typer.main import get_command

    module, _, attribute = command.app.partition(":")
    hint = "see commands in its pack.toml; perhaps an extra is missing"
    try:
        found: object = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InvalidPack(f"command {command.name!r} of a pack cannot be loaded: {error}", hint=hint) from error
    if not isinstance(found, Typer):
        raise InvalidPack(f"command {command.name!r} of a pack is no Typer app: {command.app!r}", hint=hint)
    loaded = get_command(found)
    if file := sys.modules[module].__file__:
        translate_help(loaded, Path(file).with_name(HELP_FILE))
    return loaded
