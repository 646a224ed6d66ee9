"""Branches in the making: a locked file for each, so that what a process that died had copied is deleted.

Files are copied first and the conversation is stored last, at once with all its records: a branch is there as a whole
or not at all.
"""

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from metier.errors import RecordNotFound
from metier.store import Store
from metier.workspaces import delete_tree, workspace_folder

_FOLDER: Final = "branching"
_log = logging.getLogger(__name__)


@contextmanager
def mark_branch(storage: Path, branch: str) -> Iterator[None]:
    """Mark a branch while the block makes it; cancelled or killed, the mark stays: nobody knows how far it came."""
    mark = storage / _FOLDER / branch
    mark.parent.mkdir(parents=True, exist_ok=True)
    with mark.open("x") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        except Exception:
            mark.unlink(missing_ok=True)
            raise
        mark.unlink(missing_ok=True)


async def remove_abandoned_branches(storage: Path, store: Store) -> None:
    """Delete the files that processes which died had copied for branches that were not stored."""
    for mark in sorted((storage / _FOLDER).glob("*")):
        try:
            with mark.open() as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                try:
                    await store.conversations.get(mark.name)
                except RecordNotFound:
                    delete_tree(workspace_folder(storage, mark.name))
                mark.unlink(missing_ok=True)
        except OSError as error:  # another server works on it
            _log.debug("branch %s is left alone: %s", mark.name, error)
