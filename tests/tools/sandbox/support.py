"""What a test can see of processes and open files."""

import asyncio
from pathlib import Path


async def text_of(path: Path) -> str:
    """The text of a file as soon as there is one."""

    def look() -> str:
        return path.read_text().strip() if path.exists() else ""

    while not (text := look()):  # noqa: ASYNC110 - the writer is another process
        await asyncio.sleep(0.005)
    return text


def is_alive(pid: str | int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "\nState:\tZ" not in status.read_text()


def open_files() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()}
