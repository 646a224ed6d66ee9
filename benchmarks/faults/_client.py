"""Client of the fault suite: sends messages, reads streams to their end or their break, and remembers what it saw."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from metier.errors import StoreBusy, StoreUnavailable

_ENDS: Final = ("turn.done", "turn.failed", "pause.opened")
_BUSY_S: Final = 60.0
_AGAIN_S: Final = 0.2
_SILENT: Final = (StoreUnavailable.code, StoreBusy.code)
_BROKEN: Final = (httpx.TransportError, httpx.StreamError)


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event as a stream delivered it; joined pieces of text have a `first_seq` before their `seq`."""

    seq: int
    first_seq: int
    kind: str
    turn: str | None
    data: dict[str, Any]


@dataclass(slots=True)
class Transcript:
    """Everything one reader has seen of a conversation."""

    status: int = 0
    conversation: str = ""
    turn: str = ""
    events: list[SeenEvent] = field(default_factory=list)
    error: dict[str, Any] = field(default_factory=dict)
    closed: dict[str, Any] = field(default_factory=dict)  # why the server ended the stream before its turn

    @property
    def last_seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def is_ended(self) -> bool:
        """Whether the stream told how the turn ended."""
        last = self.events[-1] if self.events else None
        return last is not None and (
            last.kind in _ENDS or (last.kind == "error" and last.data.get("code") in ("stopped", "interrupted"))
        )

    @property
    def is_starved(self) -> bool:
        """Whether the database did not answer in time, on a machine that others starve; that is told, and no kill."""
        last = self.events[-1] if self.events else None
        told = last.data if last is not None and last.kind == "turn.failed" else self.error
        return told.get("code") in _SILENT

    @property
    def is_cut_off(self) -> bool:
        """Whether the stream ended before its turn because the database did not answer in time."""
        return self.closed.get("code") in _SILENT

    def find(self, kind: str) -> list[SeenEvent]:
        return [event for event in self.events if event.kind == kind]


class Client:
    """HTTP client of one server."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str, *, timeout_s: float = 60.0) -> AsyncIterator["Client"]:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        # Without `verify=False` each client reads all certificates: more work than a turn of the server.
        async with httpx.AsyncClient(base_url=address, timeout=timeout_s, limits=limits, verify=False) as http:  # noqa: S501 - http
            yield cls(http)

    async def chat(self, message: str, *, key: str | None = None, conversation: str | None = None) -> Transcript:
        """Send a message and read its turn; a connection that breaks ends the transcript and nothing else."""
        body = {"message": message, "conversation_id": conversation, "idempotency_key": key}
        return await self._read("POST", "/api/chat", json={name: one for name, one in body.items() if one})

    async def chat_accepted(self, message: str, key: str) -> Transcript:
        """Send a message, and with its key again as long as a starved server says 503."""
        until = time.monotonic() + _BUSY_S
        seen = await self.chat(message, key=key)
        while seen.status == httpx.codes.SERVICE_UNAVAILABLE and time.monotonic() < until:
            await asyncio.sleep(_AGAIN_S)
            seen = await self.chat(message, key=key)
        return seen

    async def answer(self, pause: str, answer: object, *, key: str | None = None) -> Transcript:
        body = {"answer": answer, **({"idempotency_key": key} if key else {})}
        return await self._read("POST", f"/api/pauses/{pause}", json=body)

    async def read_stored(self, conversation: str, after: int = 0) -> Transcript:
        """Read the stored events after a number as a stream, as a reader that comes back does."""
        headers = {"Last-Event-ID": str(after)}
        return await self._read("GET", f"/api/conversations/{conversation}/events?follow=false", headers=headers)

    async def get(self, path: str) -> dict[str, Any]:
        """Read a page, again while the server says 503: a starved database is to be asked later, as it says."""
        until = time.monotonic() + _BUSY_S
        while (answer := await self._http.get(path)).status_code == httpx.codes.SERVICE_UNAVAILABLE:
            if time.monotonic() > until:
                break
            await asyncio.sleep(_AGAIN_S)
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    async def post(self, path: str, body: object) -> httpx.Response:
        return await self._http.post(path, json=body)

    async def turns(self, conversation: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.get(f"/api/conversations/{conversation}/turns"))["turns"]
        return found

    async def open_pauses(self, conversation: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.get(f"/api/pauses?conversation={conversation}"))["pauses"]
        return found

    async def wait_for_pause(self, conversation: str) -> str | None:
        """Id of the open pause; None if none opens in time. The stream of a starved turn may end before its pause."""
        until = time.monotonic() + _BUSY_S
        while not (found := await self.open_pauses(conversation)) and time.monotonic() < until:  # noqa: ASYNC110 - a server
            await asyncio.sleep(_AGAIN_S)
        return str(found[0]["pause"]) if found else None

    async def _read(self, method: str, path: str, **given: Any) -> Transcript:
        seen = Transcript()
        try:
            async with self._http.stream(method, path, **given) as answer:
                seen.status = answer.status_code
                seen.conversation = answer.headers.get("X-Conversation-Id", "")
                seen.turn = answer.headers.get("X-Turn-Id", "")
                if answer.status_code != httpx.codes.OK:
                    seen.error = json.loads(await answer.aread()).get("error", {})
                    return seen
                async for event in _read_events(answer, seen):
                    seen.events.append(event)
        except _BROKEN as error:
            seen.error = {"code": "connection", "message": repr(error)}
        return seen


async def _read_events(answer: httpx.Response, seen: Transcript) -> AsyncIterator[SeenEvent]:
    async for line in answer.aiter_lines():
        if line.startswith("data: "):
            told = json.loads(line.removeprefix("data: "))
            if "seq" not in told:  # the last frame of a stream that the server ended
                seen.closed = told
                continue
            yield SeenEvent(
                told["seq"], told.get("first_seq", told["seq"]), told["kind"], told.get("turn"), told["data"]
            )
