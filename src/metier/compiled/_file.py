"""The file with the kept code: beside the byte code of the package, and used as Python uses that."""

import contextlib
import importlib.util
import logging
import marshal
import os
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Final, NamedTuple

_FORMAT: Final = 1
_END: Final = b"\0"  # of the description before the code
_MAX_BYTES: Final = 16 * 1024 * 1024
_MAX_UNUSED_BYTES: Final = 12 * 1024 * 1024  # a server uses 8 MB; beyond, what this process did not use goes
_log = logging.getLogger(__name__)

PatternKey = tuple[str | bytes, int]


class KeptCode(NamedTuple):
    """Marshalled code: of the methods of dataclasses by their text, of patterns by the pattern and its flags."""

    methods: dict[str, bytes]
    patterns: dict[PatternKey, bytes]


def locate_file() -> Path:
    """Where the code of this Python is kept."""
    beside = Path(importlib.util.cache_from_source(str(Path(__file__).with_name("__init__.py"))))
    return beside.with_name(f"kept.{sys.implementation.cache_tag}.code")


def read_file(file: Path) -> KeptCode:
    """Read what was kept; empty if there is none, or if it is of another Python or damaged."""
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES)
    except OSError:
        return KeptCode({}, {})
    end = content.find(_END)
    code = memoryview(content)[end + len(_END) :]
    if content[: max(end, 0)] != _describe(code):
        return KeptCode({}, {})
    try:
        return KeptCode(*marshal.loads(code))  # noqa: S302 - as Python does with byte code
    except (ValueError, TypeError, EOFError):
        return KeptCode({}, {})


def write_file(file: Path, kept: KeptCode, used: KeptCode) -> bool:
    """Write the file in one step; False if it may not be written, or would be too large to be read again.

    What is kept and was not used is left out when there is much: it may be of classes that are no more.
    """
    content = _pack(kept)
    if len(content) > _MAX_UNUSED_BYTES:
        content = _pack(used)
    if len(content) > _MAX_BYTES:
        return False
    name = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=file.name, dir=file.parent)
        with open(handle, "wb") as opened:  # noqa: PTH123 - a handle, not a path
            opened.write(content)
        Path(name).chmod(0o644)  # as byte code: whoever may run the package may read it
        Path(name).replace(file)
    except OSError as error:
        _log.debug("compiled code is not kept: %s", error)
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - may be empty
        return False
    return True


def _pack(kept: KeptCode) -> bytes:
    code = marshal.dumps((kept.methods, kept.patterns))
    return _describe(code) + _END + code


def _describe(code: bytes | memoryview) -> bytes:
    """What the code depends on, and a checksum: a file of another Python, or one that is damaged, is not used."""
    return f"{_FORMAT} {sys.version} {zlib.crc32(code):08x}".encode()
