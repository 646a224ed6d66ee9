"""What was in a file before is there as it was."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

__all__ = ["check_order", "check_parts"]


def check_order(found: Sequence[str], wanted: Sequence[str]) -> str:
    """Empty if everything wanted is found in this order; else the first that is not."""
    left = iter(found)
    missing = [one for one in wanted if not any(one in other for other in left)]
    return f"missing or out of order: {missing[0][:80]!r}" if missing else ""


def check_parts(before: Path, after: Path) -> str:
    """Empty if every sheet and slide has the bytes it had; which sheet is shown does not count."""
    old, new = _read_parts(before), _read_parts(after)
    kept = [name for name in old if re.search(r"/(?:worksheets/sheet|slides/slide)\d+\.xml$", name)]
    changed = [name for name in kept if old[name] not in new.values()]
    return f"changed parts: {changed}" if changed else ""


def _read_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name).replace(b' tabSelected="1"', b"") for name in package.namelist()}
