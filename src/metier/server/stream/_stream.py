"""Event streams: the hub's frames as a `text/event-stream` response."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from metier.errors import MetierError
from metier.server.stream._frames import encode_failure
from metier.server.stream._hub import Hub, Reader
from metier.server.stream._slots import StreamSlot
from metier.store import end_shared_wait

_log = logging.getLogger(__name__)
_PIECE_BYTES: Final = 4096
# Sent first so that proxies forward the headers; sets the reconnect delay of EventSource.
_RETRY_FRAME: Final = b"retry: 1000\n\n"
STREAM_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}

OpenReader = Callable[[], AbstractContextManager[Reader]]


class EventStream(Response):
    """SSE response for one reader. The reader is closed when the client disconnects; the turn continues.

    A stream that is ended early has a last frame `stream.closed` with code, message and hint.
    """

    media_type = "text/event-stream"

    def __init__(
        self, hub: Hub, slot: StreamSlot, opening: OpenReader, *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(None, headers={**STREAM_HEADERS, **(headers or {})})
        del self.headers["content-length"]
        self._hub = hub
        self._slot = slot
        self._open_reader = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._stream(receive, send)
        finally:
            self._slot.release()

    async def _stream(self, receive: Receive, send: Send) -> None:
        end_shared_wait()  # the request is answered; what follows waits by itself
        with self._open_reader() as reader:
            self._slot.end_with(reader.finish)
            gone = asyncio.create_task(_finish_on_disconnect(receive, reader))
            broken: MetierError | None = None
            try:
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                await self._send_frames(reader, send)
            except MetierError as error:  # the client reconnects with the last event id it has seen
                _log.warning("a stream of %s broke off: %s", reader.conversation, error)
                broken = error
            finally:
                gone.cancel()
            failure = self._slot.failure or broken
            last = b"" if failure is None else encode_failure(failure)
            await send({"type": "http.response.body", "body": last, "more_body": False})

    async def _send_frames(self, reader: Reader, send: Send) -> None:
        await send({"type": "http.response.body", "body": _RETRY_FRAME, "more_body": True})
        async for wire in self._hub.follow(reader):
            for start in range(0, len(wire), _PIECE_BYTES):  # the connection holds one piece for a client that stalls
                piece = wire[start : start + _PIECE_BYTES]
                await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _finish_on_disconnect(receive: Receive, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.finish()
