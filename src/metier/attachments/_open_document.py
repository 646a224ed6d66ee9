"""The document that is open in the user's program, kept while its turn waits for an answer."""

from pathlib import Path
from typing import Final

_FOLDER: Final = ".open-document"
_MAX_BYTES: Final = 4 << 20


def keep_open_document(workspace: Path, turn: str, text: str) -> None:
    """Keep the document of this turn in place of any earlier one; a longer one than 4 MiB is not kept."""
    raw = text.encode("utf-8", "replace")
    folder = workspace / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.iterdir():
        other.unlink(missing_ok=True)
    if len(raw) <= _MAX_BYTES:
        (folder / f"{turn}.txt").write_bytes(raw)


def read_open_document(workspace: Path, turn: str) -> str | None:
    """The document that was open when this turn began; None if there was none."""
    try:
        return (workspace / _FOLDER / f"{turn}.txt").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
