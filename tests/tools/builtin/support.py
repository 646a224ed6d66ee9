"""What the tests of the built-in tools share."""

import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from jsonschema import Draft202012Validator

from metier.json_values import JsonObject, JsonValue
from metier.tools import Tool, ToolContext, ToolResult


async def run(tool: Tool, workspace: Path, conversation: str = "c1", **arguments: JsonValue) -> ToolResult:
    """Call a tool as the executor does: with arguments that fit its schema."""
    Draft202012Validator(tool.spec.parameters).validate(arguments)
    return await tool.run(arguments, ToolContext(workspace, conversation))


def data_of(result: ToolResult) -> JsonObject:
    assert result.failure is None, result.failure
    assert result.data is not None
    return result.data


def code_of(result: ToolResult) -> str:
    assert result.failure is not None, result.data
    assert result.failure.message
    return result.failure.code


def rows_of(result: ToolResult, key: str) -> list[JsonObject]:
    rows = data_of(result)[key]
    assert isinstance(rows, list)
    assert all(isinstance(row, Mapping) for row in rows)
    return rows


def place(folder: Path, **files: str | bytes) -> None:
    """Put files into a folder, which is made; a name may hold what a keyword may not: write `**{"a.md": …}`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def open_files() -> int:
    return len(names_in(Path("/dev/fd")))


class Secret(NamedTuple):
    """A folder outside the workspace that nothing may touch, and what it looks like untouched."""

    folder: Path
    before: tuple[tuple[str, int, bytes], ...]

    def untouched(self) -> bool:
        return look_at(self.folder) == self.before


def look_at(folder: Path) -> tuple[tuple[str, int, bytes], ...]:
    return tuple(
        (str(path.relative_to(folder)), path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    )


def plant(folder: Path) -> Secret:
    """A workspace with everything in it that could lead out, and the outside it could lead to."""
    outside, workspace = folder / "outside", folder / "ws"
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.txt").write_text("SECRET", "utf-8")
    (outside / "deep" / "secret.txt").write_text("SECRET", "utf-8")
    (workspace / "a" / "b").mkdir(parents=True)
    (workspace / "a" / "plain.txt").write_text("plain", "utf-8")
    (workspace / "out").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "secret.txt")
    (workspace / "a" / "up").symlink_to("../..")
    (workspace / "loop").symlink_to("loop")
    (workspace / "new").symlink_to(outside / "new.txt")
    os.link(outside / "secret.txt", workspace / "hard")
    os.mkfifo(workspace / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(workspace)
    try:
        listening.bind("socket")
    finally:
        os.chdir(here)
        listening.close()
    return Secret(outside, look_at(outside))


class Request(NamedTuple):
    """What a server was asked."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


Reply = Callable[[BaseHTTPRequestHandler, Request], None]


class Server(NamedTuple):
    """A real server on this machine, and what it was asked."""

    port: int
    requests: list[Request]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def reply_with(
    body: bytes, *, status: int = 200, content_type: str = "text/html", headers: Mapping[str, str] | None = None
) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, _request: Request) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", content_type)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


@contextmanager
def serving(replies: Mapping[str, Reply], host: str = "127.0.0.1", port: int = 0) -> Iterator[Server]:
    """Serve these paths (without their query) until the block ends; any other path is a 404."""
    requests: list[Request] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = Request(self.command, self.path, dict(self.headers), body)
            requests.append(request)
            try:
                replies.get(self.path.partition("?")[0], reply_with(b"", status=404))(self, request)
            except OSError:
                self.close_connection = True  # the client had enough

        do_POST = do_GET  # noqa: N815 - the name the server looks for

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer((host, port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Server(server.server_address[1], requests)
        finally:
            server.shutdown()
            thread.join()
