"""Server processes: forked from a process that has imported everything, killed, stopped and started again."""

import asyncio
import multiprocessing
import os
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

import httpx

from benchmarks.faults._child import ServerOptions, run_server

# A process that has imported everything forks the servers: each would take two seconds of CPU to start anew.
_FORKS: Final = multiprocessing.get_context("forkserver")
_PRELOAD: Final = (
    *("benchmarks.faults._child", "metier.server", "metier.store.database._sqlite", "metier.store.database._postgres"),
    *("asyncpg", "alembic.command", "jmespath", "jsonschema", "uvicorn.protocols.http.h11_impl", "uvicorn.lifespan.on"),
)
_START_LIMIT_S: Final = 600.0  # the machine may be starved: how long a start took is a figure, not a failure
_POLL_S: Final = 0.02


class ServerDied(Exception):
    """A server ended although nothing was done to it."""


def prepare_forks() -> None:
    """Name what the forking process imports; before the first server."""
    _FORKS.set_forkserver_preload(list(_PRELOAD))


class ServerProcess:
    """A running server. Created by `start_server`."""

    def __init__(self, process: ForkServerProcess, pipe: Connection, address: str, started_at: float) -> None:
        self._process = process
        self._pipe = pipe
        self.address = address
        self.started_at = started_at

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    async def arm(self, faults: str) -> None:
        """Turn on faults in the running server."""
        self._pipe.send(faults)
        await _receive(self._pipe)

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.is_alive():
            os.kill(self.pid, number)

    async def wait(self, limit_s: float = 30.0) -> int | None:
        """Wait for the process to end; its exit code, or None if it is still there."""
        until = time.monotonic() + limit_s
        while self._process.is_alive() and time.monotonic() < until:  # noqa: ASYNC110 - another process
            await asyncio.sleep(_POLL_S)
        return self._process.exitcode

    async def wait_until_stopped(self, limit_s: float) -> bool:
        """Wait until the process has had SIGSTOP; whether it had."""
        until = time.monotonic() + limit_s
        while self._process.is_alive() and time.monotonic() < until:
            if self._read_stat()[0] == "T":
                return True
            await asyncio.sleep(_POLL_S)
        return False

    async def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
        await self.wait()

    async def stop(self, limit_s: float = 30.0) -> int | None:
        """End the server in good order."""
        self.send_signal(signal.SIGTERM)
        code = await self.wait(limit_s)
        if code is None:
            await self.kill()
        return code

    @property
    def cpu_s(self) -> float:
        """CPU time since the fork."""
        fields = self._read_stat()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read_stat(self) -> list[str]:
        """State of the process and its counters, as the kernel tells them."""
        return Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()

    @property
    def rss_bytes(self) -> int:
        return int(Path(f"/proc/{self.pid}/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def start_server(options: ServerOptions) -> ServerProcess:
    """Start a server and wait until `/readyz` answers 200."""
    started_at = time.monotonic()
    here, there = _FORKS.Pipe()
    process = _FORKS.Process(target=run_server, args=(options, there), daemon=True)
    process.start()
    there.close()
    try:
        address = await _receive(here)
    except (EOFError, TimeoutError) as error:
        process.join(1)
        raise ServerDied(
            f"the server did not start (exit code {process.exitcode}): {options.folder}/server.log"
        ) from error
    server = ServerProcess(process, here, address, started_at)
    await _wait_until_ready(server)
    return server


async def _wait_until_ready(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.address, verify=False) as client:  # noqa: S501 - http
        while time.monotonic() - server.started_at < _START_LIMIT_S:
            with suppress(httpx.TransportError):
                if (await client.get("/readyz")).status_code == httpx.codes.OK:
                    return
            await asyncio.sleep(_POLL_S)
    raise ServerDied("the server is not ready")


async def _receive(pipe: Connection) -> str:
    """What the server says next; polled, because a thread that waits for a dead process cannot be stopped."""
    until = time.monotonic() + _START_LIMIT_S
    while not pipe.poll():
        if time.monotonic() > until:
            raise TimeoutError
        await asyncio.sleep(_POLL_S)
    return str(pipe.recv())
