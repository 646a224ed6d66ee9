"""What the server asks of a worker: one run, written as JSON on a socket."""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final, NamedTuple

_LENGTH: Final = struct.Struct("!Q")

RESULT_BYTES: Final = 1024 * 1024
# The supervisor's first word: from here on the run may have had effects.
STARTED: Final = b"started\n"


class Common(NamedTuple):
    """What every run of a worker may touch. `closed` says why another user could not reach it; empty when it can."""

    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
    closed: str = ""


class Job(NamedTuple):
    """One run. `confined` false means no walls at all; `uid` is the user to become, `abi` the Landlock version.

    What is `writable` belongs to that user during the run, and after it too unless `give_back` is set.
    `argv` makes it a command; without it, `source` is compiled under the file name `script` and its function
    `function` is called.
    """

    folder: str
    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
    confined: bool = True
    limited: bool = True
    abi: int = 0
    uid: int | None = None
    give_back: bool = False
    cpu_s: int = 0
    memory_bytes: int = 0
    file_bytes: int = 0
    processes: int = 0
    open_files: int = 0
    environment: Mapping[str, str] = {}
    argv: Sequence[str] | None = None
    stdin: str = ""
    script: str = ""
    function: str = ""
    source: str = ""
    arguments: Mapping[str, object] = {}


def pack(job: Job) -> bytes:
    """The job as it goes over the socket."""
    text = json.dumps(job._asdict(), ensure_ascii=True, default=dict).encode()
    return _LENGTH.pack(len(text)) + text


def unpack(source: BinaryIO) -> Job | None:
    """The job that comes over the socket; None when the server hung up before it was whole."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    text = source.read(size)
    return Job(**json.loads(text)) if len(text) == size else None
