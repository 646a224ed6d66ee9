"""Text of an attached file, for skills and models."""

import codecs
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import BoundedSemaphore
from types import MappingProxyType
from typing import Final

from metier.errors import FileDamaged, FileLocked, FileTooComplex, InvalidInput

MAX_TEXT_CHARS: Final = 200_000
TEXT_ENDINGS: Final = frozenset({"txt", "md", "csv", "json", "log"})
OFFICE_ENDINGS: Final = frozenset({"docx", "xlsx", "pptx", "pdf"})
_READER: Final = Path(__file__).with_name("_office_reader.py")
_TIMEOUT_S: Final = 60
_SLOTS: Final = BoundedSemaphore(2)  # each reader may take a gigabyte
# Nothing of the server's own; numeric libraries that a parser imports would reserve memory for a thread per core.
_ENVIRONMENT: Final = MappingProxyType({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
_PROBLEMS: Final[Mapping[str, tuple[type[InvalidInput], str, str]]] = MappingProxyType(
    {
        "locked": (FileLocked, "is protected by a password", "save it without a password and attach that"),
        "damaged": (FileDamaged, "is damaged or incomplete", "open and save it again, or attach another copy"),
        "heavy": (FileTooComplex, "is too large to read once unpacked", "attach a smaller part of it"),
    }
)


def extract_text(name: str, ending: str, content: bytes) -> str | None:
    """Text of a file, at most `MAX_TEXT_CHARS`; None for a picture.

    A pdf or Office file that is locked, damaged or too large to unpack raises a kind of `InvalidInput`.
    """
    if ending in TEXT_ENDINGS:
        return _decode(content)[:MAX_TEXT_CHARS]
    return _read_apart(name, ending, content) if ending in OFFICE_ENDINGS else None


def _decode(content: bytes) -> str:
    """Text of the content, whose last character may be cut off."""
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(content)
    except UnicodeDecodeError:
        return codecs.getincrementaldecoder("gb18030")("replace").decode(content)


def _read_apart(name: str, ending: str, content: bytes) -> str | None:
    """Read in a process of its own, which limits its memory and time."""
    command = [sys.executable, "-I", "-W", "ignore", str(_READER), ending, str(MAX_TEXT_CHARS)]
    try:
        with _SLOTS:
            done = subprocess.run(  # noqa: S603 - our own program
                command, input=content, capture_output=True, timeout=_TIMEOUT_S, check=False, env=dict(_ENVIRONMENT)
            )
    except subprocess.TimeoutExpired:
        raise _make_error(name, "heavy") from None
    if done.returncode != 0:
        raise _make_error(name, "heavy" if done.returncode < 0 else "damaged")
    answer = json.loads(done.stdout)
    if answer.get("problem") == "missing":
        return None
    if "problem" in answer:
        raise _make_error(name, answer["problem"])
    return str(answer["text"])


def _make_error(name: str, problem: str) -> InvalidInput:
    kind, words, hint = _PROBLEMS[problem]
    return kind(f"{name[:80]!r} {words}", hint=hint)
