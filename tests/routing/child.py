"""A process that the tests run beside others: says `ready`, waits until its test lets all go, syncs again and again."""

import fcntl
import os
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

from metier.routing.vectors import VectorStore
from tests.capabilities import drop_all
from tests.routing.letters import Letters, text_of


def sync_as_anybody(folder: Path, gate: Path, says: Connection) -> None:
    """Sync once without the rights of root, which may write anywhere."""
    if os.geteuid() == 0:
        drop_all()
    sync(folder, "left", 1, gate, says)


def sync(folder: Path, own: str, rounds: int, gate: Path, says: Connection) -> None:
    """Every round changes this process's own skills, removes the other's and keeps the common ones."""
    warnings.simplefilter("error")
    store = VectorStore(folder, Letters(), patience_s=60)
    common = [text_of(f"common-{at}", f"example {at}") for at in range(20)]
    says.send("ready")
    with gate.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
    for at in range(rounds):
        found = store.sync([*common, *(text_of(f"{own}-{skill}", f"round {at}") for skill in range(10))])
        says.send(f"{len(found)} {' | '.join(store.notes)}")
