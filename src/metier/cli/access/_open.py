"""Store of the settings for a command, and who runs the command."""

import getpass
from typing import TYPE_CHECKING

from metier.cli._run import TERMINAL_KEY

if TYPE_CHECKING:
    from metier.store import Principal


def terminal_principal() -> "Principal":
    """Who runs this command, for the audit log: the name in the operating system, at the terminal."""
    from metier.store import LOCAL_USER, Principal

    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        name = LOCAL_USER
    return Principal(name, TERMINAL_KEY)
