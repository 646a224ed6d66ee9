"""What a test can see of processes and open files."""

import asyncio
import contextlib
import os
import shutil
from pathlib import Path


async def text_of(path: Path) -> str:
    """The text of a file as soon as there is one."""

    def look() -> str:
        return path.read_text().strip() if path.exists() else ""

    while not (text := look()):  # noqa: ASYNC110 - the writer is another process
        await asyncio.sleep(0.005)
    return text


def is_alive(pid: str | int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it may end between opening and reading
        return False


def find_processes(folder: Path) -> list[str]:
    """Processes that work in this folder; a process in a sandbox does not know the number that it has outside."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):  # somebody else's, or it has ended
            found += [place.parent.name] if place.readlink() == folder else []
    return found


def open_files() -> set[str]:
    return {path.name for path in Path("/dev/fd").iterdir()}


def find_bubblewrap() -> Path | None:
    """The binary that `make tests` found, or one on the PATH."""
    named = os.environ.get("METIER_TEST_BUBBLEWRAP") or shutil.which("bwrap")
    return Path(named) if named else None
