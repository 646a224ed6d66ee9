"""Connections: one that does not send the headers of a request in time is told and closed, one too many is refused."""

import asyncio
from typing import Any, Final

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from metier.errors import Unavailable
from metier.server.http import build_error_response

_MAX_UNSENT_BYTES: Final = 4096  # asyncio holds 64 KiB for a client that does not read
_Protocol: Any = AutoHTTPProtocol


class TimedProtocol(_Protocol):  # type: ignore[misc]  # the class is chosen by uvicorn at run time
    """uvicorn's protocol with a limit on the time that headers may take, for every request of a connection.

    uvicorn itself ends idle connections between two requests, and waits for ever once one has begun. It answers a
    connection too many in plain text; here it gets an error as from everywhere else.
    """

    headers_within_s = 10.0
    _deadline: asyncio.TimerHandle | None = None
    _has_begun = False  # some of the headers came

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._connections_max: int | None = given[0].limit_concurrency if given else named["config"].limit_concurrency
        self.limit_concurrency: int | None = None  # it is checked when the connection is made

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        if self._connections_max is not None and len(self.connections) > self._connections_max:
            self.app = refuse_connection
        transport.set_write_buffer_limits(high=_MAX_UNSENT_BYTES)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
            return
        self._has_begun = True
        if self._deadline is None:
            self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_headers(self) -> None:
        self._deadline = self.loop.call_later(self.headers_within_s, self._give_up)

    def _give_up(self) -> None:
        """Close the connection; whoever began a request hears why, an idle connection is closed without a word."""
        if self._has_begun and not self.transport.is_closing():
            self.transport.write(_build_late_answer(self.headers_within_s))
        self.transport.close()

    def _stop_waiting(self) -> None:
        self._has_begun = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _build_late_answer(within_s: float) -> bytes:
    late = Unavailable(f"the headers did not come within {within_s:g} s", hint="send the request again, faster")
    body = bytes(build_error_response(late, 408).body)
    head = f"HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body


async def refuse_connection(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 503 to a connection that is one too many, and close it."""
    hint = "try again in a moment; METIER_CONNECTIONS_MAX is the limit"
    response = build_error_response(Unavailable("the server holds as many connections as it may", hint=hint))
    response.headers["Connection"] = "close"
    await response(scope, receive, send)
