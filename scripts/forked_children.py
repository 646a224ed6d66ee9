"""Processes that tests kill or look at from outside, forked from one that has imported what they need.

To import Metier takes two seconds of CPU, and a started process does it anew. `make test` forks one process that has
imported every test (`fork_source`); a run of pytest on its own starts one that imports what children need, on first
use. Either waits for a function to call, and forks a process that calls it.
"""

import logging
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple, NoReturn

_ADDRESS = "TESTS_FORK_FROM"  # variable with the path of the socket
_NEEDED = (
    *("metier.agent", "metier.store.database._sqlite", "metier.testing", "metier.tools.builtin", "tests.e2e.child"),
    *("alembic.command", "jmespath", "jsonschema"),  # imported where they are used, which is in every child
)
_MAX_WAITING = 64
_LOOK_AFTER_S = 0.2  # how often a child that says nothing is looked for


class Request(NamedTuple):
    """A function to call in a child, and where."""

    function: Callable[..., object]
    arguments: tuple[object, ...]
    folder: str
    environment: Mapping[str, str]


class Ended(NamedTuple):
    """Last message about a child: its exit code, negative for a signal; what it returned, or its traceback."""

    code: int
    returned: Any = None
    error: str = ""


class Child:
    """A process that calls a function; the function takes a connection as its last argument, to say something.

    One that says nothing for `max_silence_s` is killed: a child that hangs fails its test and not the whole run.
    """

    max_silence_s = 300.0

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._talk = _connect()
        self._talk.send(Request(function, arguments, os.getcwd(), dict(os.environ)))  # noqa: PTH109 - a word to send
        self.pid: int = self._talk.recv()

    def hear(self) -> Any:
        """What the child says next, or how it ended."""
        if not self._talk.poll(self.max_silence_s):
            self._signal_end()
            raise TimeoutError(f"the child said nothing for {self.max_silence_s:g} s and was killed")
        return self._talk.recv()

    def kill(self) -> Ended:
        """Kill the child and wait for its end."""
        self._signal_end()
        return self.wait()

    def _signal_end(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> Ended:
        """Wait for the end of the child."""
        while not isinstance(heard := self.hear(), Ended):
            pass
        self._talk.close()
        return heard


def run_in_child(function: Callable[..., object], *arguments: object) -> Ended:
    """Call a function in a child and wait for the end."""
    return Child(_without_connection, function, *arguments).wait()


def _without_connection(function: Callable[..., object], *arguments: object) -> object:
    return function(*arguments[:-1])


@contextmanager
def fork_source() -> Iterator[None]:
    """Fork this process once; what is forked from that has all that is imported here."""
    server, path = _listen()
    ends, stays = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(stays)
        serve(server, ends)
    server.close()
    os.close(ends)
    os.environ[_ADDRESS] = path
    owner = os.getpid()
    try:
        yield
    finally:
        if os.getpid() == owner:  # and not a test process forked meanwhile, which ends here too
            _end_source(pid, stays, path)


def _end_source(pid: int, stays: int, path: str) -> None:
    del os.environ[_ADDRESS]
    os.kill(pid, signal.SIGKILL)  # test processes hold the other end of the pipe too
    os.waitpid(pid, 0)
    os.close(stays)
    shutil.rmtree(Path(path).parent)


def serve(server: socket.socket, life_ends: int) -> NoReturn:
    """Fork a child for each connection until the process that started this one is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that look after the children
    while True:
        ready, _, _ = select.select([server.fileno(), life_ends], [], [])
        if life_ends in ready:
            shutil.rmtree(Path(server.getsockname()).parent, ignore_errors=True)
            os._exit(0)
        accepted, _ = server.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            server.close()
            with suppress(EOFError, OSError):
                _look_after_child(Connection(accepted.detach()))
            os._exit(0)
        accepted.close()


def _look_after_child(talk: Connection) -> None:
    """Start the child that was asked for, pass on what it says, and report its end."""
    request: Request = talk.recv()
    heard, says = Pipe(duplex=False)
    pid = os.fork()
    if pid == 0:
        talk.close()
        heard.close()
        _be_child(request, says)
    says.close()
    talk.send(pid)
    last: object = None
    status: int | None = None
    with suppress(EOFError, OSError):
        while status is None or heard.poll():  # what a dead child has said before is still passed on
            if status is None and not heard.poll(_LOOK_AFTER_S):
                status = _find_status(pid)  # a process of the child's own may keep the pipe open after its end
            elif isinstance(last := heard.recv(), Ended):
                break
            else:
                talk.send(last)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1] if status is None else status)
    talk.send(last._replace(code=code) if isinstance(last, Ended) else Ended(code))


def _find_status(pid: int) -> int | None:
    """Status with which a child has ended, or None while it runs."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return status if ended else None


def _be_child(request: Request, says: Connection) -> NoReturn:
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    logging.lastResort = logging.NullHandler()  # what a child logs is no part of what pytest prints
    try:
        says.send(Ended(0, request.function(*request.arguments, says)))
    except BaseException:  # noqa: BLE001 - the process ends here
        says.send(Ended(1, error=traceback.format_exc()))
        os._exit(1)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _connect() -> Connection:
    client = socket.socket(socket.AF_UNIX)
    client.connect(os.environ.get(_ADDRESS) or _start())
    return Connection(client.detach())


@cache
def _start() -> str:
    """Start a process that imports what children need; it ends with this one. The path of its socket."""
    server, path = _listen()
    ends, _ = os.pipe()  # the other end stays open as long as this process lives
    words = [sys.executable, "-c", f"import {__name__} as it; it.import_and_serve({server.fileno()}, {ends})"]
    passed = (server.fileno(), ends)
    process = Popen(words, pass_fds=passed, cwd=Path(__file__).parents[1])  # noqa: S603 - this module
    process.returncode = 0  # it ends when this process has ended: there is nothing to wait for
    server.close()
    os.close(ends)
    return path


def import_and_serve(server: int, life_ends: int) -> NoReturn:
    """Import what children need, then fork them."""
    for name in _NEEDED:
        import_module(name)
    serve(socket.socket(fileno=server), life_ends)


def _listen() -> tuple[socket.socket, str]:
    path = str(Path(tempfile.mkdtemp(prefix="tests-fork-")) / "socket")
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(_MAX_WAITING)
    return server, path
