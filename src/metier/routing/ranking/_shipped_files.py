"""Files that ship with the router: used only with the content that was shipped."""

import hashlib
import json
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parents[1] / "data"
CHECKSUMS_FILE: Final = "checksums.json"


def find_shipped_file(name: str) -> Path:
    """Return the path of a file after comparing its content with its SHA-256; ValueError if it differs.

    A graph or a matrix with one changed byte may still load, and then gives other vectors without saying so.
    """
    try:
        known = json.loads((DATA / CHECKSUMS_FILE).read_bytes())[name]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged_error(CHECKSUMS_FILE) from error
    path = DATA / name
    if hash_file(path) != known:
        raise _damaged_error(name)
    return path


def _damaged_error(name: str) -> ValueError:
    return ValueError(f"the file {name!r} of this installation is damaged: install metier again")


def hash_file(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
