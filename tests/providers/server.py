"""A model's endpoint on this machine: speaks a provider's API exactly, and misbehaves where a test says so."""

import asyncio
import contextlib
import json
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

KEY = "sk-test"
MODEL = "test-model"
_SCHEMA_FIELDS = ("response_format", "structured_outputs", "guided_json", "json_schema", "format", "output_config")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model writes it. `arguments` is text: it may be broken off, or no JSON at all."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint answers to one request.

    `end` says how the reply ends: `none` closes the connection in order but without the API's end mark, `cut` resets
    it. After `stall` frames nothing more is sent until the client leaves. `error` is sent in the middle of the stream.
    `whole` answers a request for a stream with one JSON body. With a `status` that is not 200, `text` is the message of
    the error; `body` replaces the whole answer.
    """

    text: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    reasoning: tuple[str, ...] = ()
    redacted: str = ""  # reasoning that only the provider can read
    reasoning_field: str = "reasoning_content"  # of OpenAI's protocol, which has two names for it
    end: Literal["complete", "length", "filter", "none", "cut"] = "complete"
    usage: tuple[int, int] | None = (11, 7)
    choices: int = 1
    stall: int | None = None
    error: str = ""
    whole: bool = False
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """A request that came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ability:
    """What the endpoint can do, and whom it lets in.

    `reasoning` says what it demands of a message with calls that the model made in this turn: that its reasoning comes
    back as it was (`required`), or that it does not come back at all (`refused`).
    """

    tools: bool = True
    streams: bool = True
    usage_option: bool = True
    schemas: bool = False
    reasoning: Literal["", "refused", "required"] = ""
    key: str = KEY


class Api(ABC):
    """One provider's API: how replies, streams and errors look on the wire."""

    provider: str
    stream_type = "text/event-stream"
    silent_frames = 0  # frames at the beginning of which the client makes no chunk

    @abstractmethod
    def url(self, root: str) -> str:
        """Address that a user would put into METIER_BASE_URL."""

    @abstractmethod
    def is_chat(self, path: str) -> bool:
        """Whether this path is where the model is asked."""

    @abstractmethod
    def get(self, path: str) -> object:
        """JSON of a request without a body, for example the list of models; None if there is no such page."""

    @abstractmethod
    def key(self, request: Received) -> str:
        """The key that came with a request."""

    @abstractmethod
    def wants_stream(self, request: Received) -> bool: ...

    @abstractmethod
    def frames(self, reply: Reply, request: Received) -> Iterator[bytes]:
        """Frames of a streamed reply, the end mark included if the reply has one."""

    @abstractmethod
    def whole(self, reply: Reply, request: Received) -> object:
        """JSON of a reply that is not streamed."""

    @abstractmethod
    def error(self, status: int, message: str) -> object:
        """JSON of an error."""

    def refusal(self, request: Received, ability: Ability) -> Reply | None:
        """Answer to a request that asks for something the endpoint cannot do."""
        if not ability.tools and request.body.get("tools"):
            return Reply(status=400, text=(f"{MODEL} does not support tools",))
        if not ability.schemas and any(request.body.get(name) for name in _SCHEMA_FIELDS):
            return Reply(status=400, text=("response_format is not supported",))
        if not ability.streams and self.wants_stream(request):
            return Reply(status=400, text=("streaming is not supported: set stream to false",))
        return None


def split(text: str) -> list[str]:
    """Text in two pieces, as arguments arrive."""
    half = max(1, len(text) // 2)
    return [piece for piece in (text[:half], text[half:]) if piece]


def sse(data: object, event: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {event}\n" if event else ""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"{head}data: {text}\n\n".encode()


class ModelServer:
    """HTTP server in a thread of its own, so that synchronous clients and other event loops can ask it too."""

    def __init__(self, api: Api, ability: Ability | None = None) -> None:
        self.api = api
        self.ability = ability or Ability()
        self.requests: list[Received] = []
        self.on_stall: Callable[[int], None] = lambda chunks: None  # called when a reply stalls after these chunks
        self.on_request: Callable[[], None] = lambda: None
        self._replies: deque[Reply] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def reply(self, *replies: Reply) -> Self:
        """Add replies, one per request."""
        self._replies.extend(replies)
        return self

    def reset(self, ability: Ability | None = None) -> None:
        """Forget requests and replies."""
        self.ability = ability or Ability()
        self.requests.clear()
        self._replies.clear()

    @property
    def root(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def url(self) -> str:
        return self.api.url(self.root)

    @property
    def replies_left(self) -> int:
        return len(self._replies)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Bodies of the requests to the model."""
        return [one.body for one in self.requests if self.api.is_chat(one.path)]

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        mine = asyncio.current_task()
        rest = [task for task in asyncio.all_tasks() if task is not mine]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            request = await _read(reader)
            self.requests.append(request)
            self.on_request()
            await self._answer(request, reader, writer)
        writer.close()

    async def _answer(self, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.ability.key and self.api.key(request) != self.ability.key:
            await _send(writer, 401, self.api.error(401, "wrong key"))
        elif not self.api.is_chat(request.path):
            found = self.api.get(request.path)
            await _send(writer, 404 if found is None else 200, found or self.api.error(404, "no such page"))
        else:
            reply = self.api.refusal(request, self.ability) or self._next_reply()
            await self._chat(reply, request, reader, writer)

    def _next_reply(self) -> Reply:
        return self._replies.popleft() if self._replies else Reply(status=418, text=("the script has no reply left",))

    async def _chat(
        self, reply: Reply, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if reply.body is not None:
            await _send(writer, reply.status, reply.body, reply.headers)
        elif reply.status != 200:
            await _send(writer, reply.status, self.api.error(reply.status, "".join(reply.text)), reply.headers)
        elif self.api.wants_stream(request) and not reply.whole:
            await self._stream(reply, request, reader, writer)
        else:
            await _send(writer, 200, self.api.whole(reply, request), reply.headers)

    async def _stream(
        self, reply: Reply, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if reply.stall == 0:
            await self._stall(reader, 0)
            return
        writer.write(_head(200, {"content-type": self.api.stream_type, "transfer-encoding": "chunked"}))
        for number, frame in enumerate(self.api.frames(reply, request), 1):
            writer.write(b"%x\r\n%s\r\n" % (len(frame), frame))
            await writer.drain()
            if number == reply.stall:
                await self._stall(reader, number - self.api.silent_frames)
                return
        if reply.end == "cut":
            writer.write(b"ff\r\n")  # announces a chunk that never comes
        else:
            writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def _stall(self, reader: asyncio.StreamReader, chunks: int) -> None:
        self.on_stall(chunks)
        await reader.read()  # until the client leaves


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {
        key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in head[1:] if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(method, path, headers, json.loads(body) if body else {})


async def _send(
    writer: asyncio.StreamWriter, status: int, answer: object, more: Mapping[str, str] | None = None
) -> None:
    body = answer if isinstance(answer, bytes) else json.dumps(answer, ensure_ascii=False).encode()
    kind = "text/html" if isinstance(answer, bytes) else "application/json"
    writer.write(_head(status, {"content-type": kind, "content-length": str(len(body)), **(more or {})}) + body)
    await writer.drain()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} X", *(f"{key}: {value}" for key, value in headers.items()), "connection: close"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
