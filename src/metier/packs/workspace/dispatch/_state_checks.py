"""Whether the state after a run is the one that the task asks for: files in the workspace, kept facts."""

import sqlite3
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.packs.workspace.dispatch._tasks import DispatchTask


def find_differences(task: DispatchTask, workspace: Path, memories: list[str]) -> list[str]:
    """What differs from the expected state, one line each."""
    expect: Any = task.expect
    found = [f"file {name}" for name, want in expect.get("files", {}).items() if not _holds(workspace / name, want)]
    found += [f"memory {words!r}" for words in expect.get("memory", ()) if not any(words in one for one in memories)]
    found += [f"unwanted file {name}" for name in expect.get("absent", ()) if (workspace / name).exists()]
    found += [
        f"unwanted memory {one!r}" for one in expect.get("forgotten", ()) if any(one == kept for kept in memories)
    ]
    found += [f"changed {name}" for name in expect.get("unchanged", ()) if not _is_same(task, workspace, name)]
    if expect.get("untouched"):
        there = {one.name for one in workspace.iterdir() if one.is_file()} if workspace.is_dir() else set()
        found += [f"unwanted file {name}" for name in sorted(there - set(task.files))]
        found += ["unwanted memory"] if memories else []
    return found


def read_memories(storage: Path, conversation: str) -> list[str]:
    """Facts kept in a conversation."""
    file = storage / "memory.sqlite3"
    if not file.exists():
        return []
    connection = sqlite3.connect(file)
    try:
        rows = connection.execute(
            "SELECT text FROM memories WHERE owner = ?", (f"conversation:{conversation}",)
        ).fetchall()
    finally:
        connection.close()
    return [str(row[0]) for row in rows]


def _is_same(task: DispatchTask, workspace: Path, name: str) -> bool:
    file = workspace / name
    return file.exists() and file.read_text("utf-8") == task.files[name]


def _holds(file: Path, want: Mapping[str, Any]) -> bool:
    try:
        text = _read(file, want["kind"])
    except (OSError, ValueError, KeyError):
        return False
    return all(word in text for word in want["contains"])


def _read(file: Path, kind: str) -> str:
    """Text of a file, opened by the library of its kind."""
    if not file.exists():
        raise OSError(file)
    if kind in ("pptx", "docx") and not zipfile.is_zipfile(file):
        raise ValueError(f"{file.name!r} is no {kind} file")
    if kind == "pptx":
        from pptx import Presentation

        slides = Presentation(str(file)).slides
        return "\n".join(shape.text for slide in slides for shape in slide.shapes if shape.has_text_frame)
    if kind == "docx":
        from docx import Document

        return "\n".join(one.text for one in Document(str(file)).paragraphs)
    return file.read_text("utf-8")
