"""Server side of a worker: start the zygote, send it a job, read the output, stop it."""

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.tools.sandbox._protocol import MAX_SCRIPT_RESULT_BYTES, STARTED, ExceededLimit, Job, SharedPaths, pack
from metier.tools.sandbox._shared_paths import CLEAN_ENVIRONMENT, WRITABLE_DEVICES, list_linked_names, list_shared_paths

MAX_STREAM_BYTES: Final = 64 * 1024
_ENVELOPE_BYTES: Final = 64 * 1024
_CHUNK_BYTES: Final = 64 * 1024
_GRACE_S: Final = 6.0
_PAUSE_S: Final = 0.002
_DRAIN_S: Final = 0.5
_ZYGOTE: Final = Path(__file__).with_name("_zygote.py")


class WorkerLost(Exception):
    """The worker died before the run started, so a retry is safe."""


@dataclass(frozen=True, slots=True)
class CapturedOutput:
    """First bytes of a stream; `cut` is true if there were more."""

    data: bytes = b""
    cut: bool = False

    def text(self) -> str:
        return self.data.decode("utf-8", errors="replace")


@dataclass(frozen=True, slots=True)
class WorkerResult:
    """Result of a run. `code` is negative for a signal, None if the exit status is unknown.

    `refused` is the error if the sandbox could not be set up; empty otherwise. `exceeded` is the limit for which the
    supervisor stopped the run, or which its folder exceeds at the end.
    """

    code: int | None
    refused: str
    timed_out: bool
    result: CapturedOutput
    stdout: CapturedOutput
    stderr: CapturedOutput
    exceeded: ExceededLimit | None = None


class _PipeReader:
    """Reads a pipe to its end, keeps the first bytes and discards the rest."""

    def __init__(self, descriptor: int, keep_bytes: int) -> None:
        self._descriptor = descriptor
        self._keep_bytes = keep_bytes
        self._kept = bytearray()
        self._cut = False
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    def _read(self) -> None:
        try:
            chunk = os.read(self._descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.close()
            return
        room = self._keep_bytes - len(self._kept)
        self._kept += chunk[: max(0, room)]
        self._cut = self._cut or len(chunk) > room

    def close(self) -> CapturedOutput:
        if not self.ended.done():
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self.ended.set_result(None)
        return CapturedOutput(bytes(self._kept), self._cut)


class Worker:
    """Running zygote process."""

    def __init__(self, process: asyncio.subprocess.Process, door: socket.socket) -> None:
        self._process = process
        self._socket = door

    @classmethod
    async def start(cls, prefix: Sequence[str] = ()) -> "Worker":
        """Start an interpreter with a clean environment and one socket as its only open file."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        interpreter = (sys.executable, "-I", "-B", "-X", "utf8", str(_ZYGOTE))
        common = SharedPaths(list_shared_paths(), WRITABLE_DEVICES, list_linked_names())
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(ours.close)
            process = await asyncio.create_subprocess_exec(
                *prefix,
                *interpreter,
                str(theirs.fileno()),
                json.dumps(common._asdict()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(CLEAN_ENVIRONMENT),
                cwd="/",
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
            undo.pop_all()
        ours.setblocking(False)
        return cls(process, ours)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def stop(self) -> None:
        """Close the socket and wait for the process to exit; current runs continue until their own sockets close."""
        self._socket.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _GRACE_S)
        if self.is_alive:
            self._process.kill()
            await self._process.wait()

    async def run(self, job: Job, wall_s: float) -> WorkerResult:
        """Run a job and wait for its end, at most `wall_s`; cancelling stops it."""
        control, result, stdout, stderr = await self._begin()
        heard = asyncio.ensure_future(_read_status(control))
        try:
            status, timed_out = await _send_and_wait(control, pack(job), heard, wall_s)
            await asyncio.wait([result.ended, stdout.ended, stderr.ended], timeout=_DRAIN_S)
        finally:
            heard.cancel()
            _close(control)
            captured = [stream.close() for stream in (result, stdout, stderr)]
        return _parse_status(status, timed_out, captured)

    async def _begin(self) -> tuple[socket.socket, _PipeReader, _PipeReader, _PipeReader]:
        ours, theirs = socket.socketpair()
        pipes = [os.pipe() for _ in range(3)]
        try:
            await self._hand_over([theirs.fileno(), *(write for _, write in pipes)])
        except OSError as error:
            ours.close()
            for read, _ in pipes:
                os.close(read)
            raise WorkerLost(str(error)) from error
        finally:
            theirs.close()
            for _, write in pipes:
                os.close(write)
        ours.setblocking(False)
        keeps = (MAX_SCRIPT_RESULT_BYTES + _ENVELOPE_BYTES, MAX_STREAM_BYTES, MAX_STREAM_BYTES)
        result, stdout, stderr = (_PipeReader(read, keep) for (read, _), keep in zip(pipes, keeps, strict=True))
        return ours, result, stdout, stderr

    async def _hand_over(self, descriptors: list[int]) -> None:
        while True:
            try:
                socket.send_fds(self._socket, [b"run"], descriptors)
            except BlockingIOError:  # many runs at once: the zygote has not yet read the earlier messages
                await asyncio.sleep(_PAUSE_S)
            else:
                return


async def _send_and_wait(
    control: socket.socket, message: bytes, heard: "asyncio.Future[bytes]", wall_s: float
) -> tuple[bytes, bool]:
    """Send the job and wait for its end; return the supervisor's status and whether the run timed out."""
    try:
        async with asyncio.timeout(wall_s):
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await asyncio.get_running_loop().sock_sendall(control, message)
            return await asyncio.shield(heard), False
    except TimeoutError:
        return await _stop_supervisor(control, heard), True
    except asyncio.CancelledError:
        await _stop_supervisor(control, heard)
        raise


def _close(control: socket.socket) -> None:
    """Unregister the socket from the loop before its file descriptor is reused."""
    loop = asyncio.get_running_loop()
    loop.remove_reader(control)
    loop.remove_writer(control)
    control.close()


async def _read_status(control: socket.socket) -> bytes:
    """Read all that the supervisor writes until it closes the socket."""
    loop = asyncio.get_running_loop()
    said = bytearray()
    try:
        while chunk := await loop.sock_recv(control, 4096):
            said += chunk
    except ConnectionResetError:
        pass
    return bytes(said)


async def _stop_supervisor(control: socket.socket, heard: "asyncio.Future[bytes]") -> bytes:
    """Tell the supervisor to stop, and wait for it to kill all processes."""
    with contextlib.suppress(OSError):
        control.shutdown(socket.SHUT_WR)
    done, _ = await asyncio.wait([heard], timeout=_GRACE_S)
    return heard.result() if done else STARTED


def _parse_status(status: bytes, timed_out: bool, captured: Sequence[CapturedOutput]) -> WorkerResult:
    if not timed_out and not status.startswith(STARTED):
        raise WorkerLost("the worker hung up before the run began")
    said = status.removeprefix(STARTED).strip()
    known = json.loads(said) if said else {}
    exceeded = known.get("exceeded")
    result, stdout, stderr = captured
    return WorkerResult(
        known.get("code"),
        known.get("refused", ""),
        timed_out,
        result,
        stdout,
        stderr,
        ExceededLimit(*exceeded) if exceeded else None,
    )
