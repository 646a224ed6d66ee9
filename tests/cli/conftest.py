"""The command tree of one process."""

from collections.abc import Iterator
from functools import cache

import pytest
import typer
from typer.main import get_command

from metier.cli import _main


@pytest.fixture(autouse=True, scope="session")
def _commands_built_once() -> Iterator[None]:
    """To read the options of a command takes 30 ms; a process of the command does it once, these tests 200 times.

    Not that of all commands, which is built for help: its texts are translated in place.
    """
    build_once = cache(get_command)

    def build(app: typer.Typer) -> object:
        return get_command(app) if app is _main.app else build_once(app)

    keep_branch = cache(lambda name: original(_main.app, name))
    original = _main._keep_branch
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_main, "get_command", build)
        patch.setattr(_main, "_keep_branch", lambda _app, name: keep_branch(name))
        yield
