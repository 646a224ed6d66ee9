"""Text of a document, whole or line by line with places."""

import codecs
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import BoundedSemaphore
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

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
        "locked": (FileLocked, "is protected by a password", "save it without a password and use that"),
        "damaged": (FileDamaged, "is damaged or incomplete", "open and save it again, or use another copy"),
        "heavy": (FileTooComplex, "is too large to read once unpacked", "use a smaller part of it"),
    }
)


class DocumentLine(NamedTuple):
    """Line of a document and its place: `p4`, `s2`, `Sheet1!12` or `L7`; empty for a heading that the reader made."""

    place: str
    text: str


def describe_place(place: str) -> tuple[str, str]:
    """What a place is (`page`, `slide`, `row` or `line`) and its number or name."""
    kind = {"p": "page", "s": "slide", "L": "line"}.get(place[:1], "row")
    return (kind, place[1:]) if kind != "row" and place[1:].isdecimal() else ("row", place)


def read_office_lines(
    name: str, ending: str, content: bytes, max_chars: int = MAX_TEXT_CHARS
) -> tuple[DocumentLine, ...] | None:
    """Lines of a pdf or Office file with their places; None if the library for it is not installed.

    A process of its own reads the file. A locked, damaged or too large one raises a kind of `InvalidInput`.
    """
    answer = _run_reader(ending, content, max_chars)
    if answer.get("problem") == "missing":
        return None
    if "problem" in answer:
        raise _make_error(name, answer["problem"])
    return tuple(DocumentLine(str(place), str(text)) for place, text in answer["lines"])


def _run_reader(ending: str, content: bytes, max_chars: int) -> dict[str, Any]:
    """What the program that reads such files prints."""
    command = [sys.executable, "-I", "-W", "ignore", str(_READER), ending, str(max_chars)]
    try:
        with _SLOTS:
            done = subprocess.run(  # noqa: S603 - our own program
                command, input=content, capture_output=True, timeout=_TIMEOUT_S, check=False, env=dict(_ENVIRONMENT)
            )
    except subprocess.TimeoutExpired:
        return {"problem": "heavy"}
    if done.returncode != 0:
        return {"problem": "heavy" if done.returncode < 0 else "damaged"}
    return cast("dict[str, Any]", json.loads(done.stdout))


def extract_text(name: str, ending: str, content: bytes) -> str | None:
    """Text of a file, at most `MAX_TEXT_CHARS`; None for a picture.

    A pdf or Office file that is locked, damaged or too large to unpack raises a kind of `InvalidInput`.
    """
    if ending in TEXT_ENDINGS:
        return _decode(content)[:MAX_TEXT_CHARS]
    lines = read_office_lines(name, ending, content) if ending in OFFICE_ENDINGS else None
    return None if lines is None else "\n".join(line.text for line in lines).strip()[:MAX_TEXT_CHARS]


def _decode(content: bytes) -> str:
    """Text of the content, whose last character may be cut off."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("replace").decode(content)
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(content)
    except UnicodeDecodeError:
        return codecs.getincrementaldecoder("gb18030")("replace").decode(content)


def _make_error(name: str, problem: str) -> InvalidInput:
    kind, words, hint = _PROBLEMS[problem]
    return kind(f"{name[:80]!r} {words}", hint=hint)
