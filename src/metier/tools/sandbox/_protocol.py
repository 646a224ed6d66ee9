"""Protocol between server and worker: one job, as JSON over a socket."""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final, Literal, NamedTuple

_LENGTH: Final = struct.Struct("!Q")

MAX_SCRIPT_RESULT_BYTES: Final = 1024 * 1024
# First message of the supervisor: after it, the run may have had effects.
STARTED: Final = b"started\n"


class SharedPaths(NamedTuple):
    """Paths that every run of a worker may access. `links` are names that lead to some of them by symbolic links."""

    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
    links: Sequence[str] = ()


class ExceededLimit(NamedTuple):
    """Limit that a run exceeded: what was measured, and how much is allowed.

    `disk`, `files` and `depth` are of its folder; `memory` is that of all its processes; `hidden` means that a process
    kept its open files from being seen.
    """

    kind: Literal["disk", "files", "depth", "memory", "hidden"]
    used: int
    limit: int


class Job(NamedTuple):
    """One run. `confined` false means no isolation; `uid` is the user to switch to, `abi` the Landlock version.

    `writable` paths belong to that user during the run, and afterwards too unless `give_back` is set. With `argv` the
    job is a command; without it, `source` is compiled under the file name `script` and its function `function` is
    called.
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
    address_bytes: int = 0
    file_bytes: int = 0
    disk_bytes: int = 0
    max_files: int = 0
    max_depth: int = 0
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
    """Serialise a job for the socket."""
    text = json.dumps(job._asdict(), ensure_ascii=True, default=dict).encode()
    return _LENGTH.pack(len(text)) + text


def unpack(source: BinaryIO) -> Job | None:
    """Read a job from the socket; None if the server closed it before the job was complete."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    text = source.read(size)
    return Job(**json.loads(text)) if len(text) == size else None
