"""Run as a process of its own by the tests: says `ready`, waits for a line, syncs again and again."""

import sys
from pathlib import Path

from metier.routing.vectors import VectorStore
from tests.routing.letters import Letters, text_of


def main(folder: str, own: str, rounds: str) -> None:
    """Every round changes this process's own skills, removes the other's and keeps the common ones."""
    store = VectorStore(Path(folder), Letters(), patience_s=60)
    common = [text_of(f"common-{at}", f"example {at}") for at in range(20)]
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for at in range(int(rounds)):
        found = store.sync([*common, *(text_of(f"{own}-{skill}", f"round {at}") for skill in range(10))])
        sys.stdout.write(f"{len(found)} {' | '.join(store.notes)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
