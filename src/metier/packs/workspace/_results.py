"""Results that another skill of the conversation takes up: the last report of each kind, kept in its folder.

A report is larger than a fact (2,000 characters) or an output of a task (20,000), so it is a file. The folder is
hidden: its files are neither shown as results nor offered by the file tools.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from metier.json_values import JsonObject

ReportKind = Literal["research_report", "data_report", "outline"]
_FOLDER: Final = ".results"
_MAX_BYTES: Final = 4 * 1024 * 1024


def keep_report(workspace: Path, kind: ReportKind, report: JsonObject) -> None:
    """Keep a report; it replaces the one of the same kind before it."""
    folder = workspace / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, ensure_ascii=False, default=dict)
    if len(text.encode()) > _MAX_BYTES:
        raise ValueError(f"a {kind} of {len(text):,} characters is too large to keep")
    draft = folder / f"{kind}.json.part"
    draft.write_text(text, "utf-8")
    draft.replace(folder / f"{kind}.json")


def find_report_time(workspace: Path, kind: ReportKind) -> float:
    """When a report of this kind was kept, in seconds; 0 without one."""
    try:
        return (workspace / _FOLDER / f"{kind}.json").stat().st_mtime
    except OSError:
        return 0.0


def read_report(workspace: Path, kind: ReportKind) -> JsonObject | None:
    """The last report of a kind; None if the conversation has none that can be read."""
    file = workspace / _FOLDER / f"{kind}.json"
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        value = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, Mapping) else None
