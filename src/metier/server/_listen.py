"""Listening: one uvicorn process that reports its address and ends event streams before it stops."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from metier.background import run_async
from metier.errors import MetierError, Unavailable
from metier.server._connections import TimedProtocol
from metier.server._threads import WorkThreads, end_process
from metier.server.http import AppContext

_SHUTDOWN_TIMEOUT_S = 3
_POLL_S = 0.1


class _UvicornServer(uvicorn.Server):
    def __init__(self, app: FastAPI, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready
        self.threads = WorkThreads()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_default_executor(self.threads)
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        here = getattr(self._app.state, "serving", None)
        if here is not None:
            await self._drain(here)
            here.stream_slots.close(Unavailable("the server is stopping", hint="reconnect in a few seconds"))
            here.hub.close()  # open streams would delay the shutdown until its timeout
        await super().shutdown(sockets)
        # uvicorn sends itself the signals again when it is done; an orderly end on request is no failure.
        self._captured_signals = [one for one in self._captured_signals if one != signal.SIGTERM]

    async def _drain(self, here: AppContext) -> None:
        """Let running turns come to their end, unless that takes too long or the process is told again to stop."""
        draining = asyncio.create_task(here.runtime.drain(here.settings.drain_s))
        while not draining.done() and not self.force_exit:
            await asyncio.wait({draining}, timeout=_POLL_S)
        draining.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As uvicorn's; a second signal of either kind ends the wait."""
        self.force_exit = self.force_exit or self.should_exit
        super().handle_exit(sig, frame)


def serve(
    app: FastAPI,
    host: str,
    port: int,
    ready: Callable[[str], None],
    *,
    connections_max: int,
    ends_process: bool = False,
) -> None:
    """Serve until the process is stopped. `ready` gets the address, with the actual port if `port` is 0.

    More than `connections_max` connections at once are answered with 503. With `ends_process` it ends the process
    instead of returning if calls of tools that nobody waits for still run: the interpreter would wait for them.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except OSError as error:
        hint = "take another one with --port, or stop what listens there"
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}", hint=hint) from error
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S,
        lifespan="on",
        ws="none",
        http=TimedProtocol,
        limit_concurrency=connections_max,
    )
    with listening:
        server = _UvicornServer(app, config, lambda: ready(address))
        try:
            _run_server(server, app, listening)
        except KeyboardInterrupt:  # uvicorn sends itself SIGINT again when it is done
            if ends_process:
                end_process(server.threads)
            raise
    if not server.started:
        raise Unavailable("the server did not start", hint="the lines above say why")
    if ends_process:
        end_process(server.threads)


def _run_server(server: uvicorn.Server, app: FastAPI, listening: socket.socket) -> None:
    """Run the server; if the application refuses to start, raise its error instead of uvicorn's log and exit."""

    def find_refusal() -> MetierError | None:
        found = getattr(app.state, "refusal", None)
        return found if isinstance(found, MetierError) else None

    def is_shown(_record: logging.LogRecord) -> bool:
        return find_refusal() is None

    log = logging.getLogger("uvicorn.error")
    log.addFilter(is_shown)
    try:
        run_async(server.serve([listening]))
    except SystemExit:
        if (refusal := find_refusal()) is not None:
            raise refusal from None
        raise
    finally:
        log.removeFilter(is_shown)
