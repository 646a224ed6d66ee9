"""Event streams: the hub's frames as a `text/event-stream` response."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from metier.errors import MetierError
from metier.server.stream._hub import Hub, Reader

_log = logging.getLogger(__name__)
# Sent first so that proxies forward the headers; sets the reconnect delay of EventSource.
_RETRY_FRAME: Final = b"retry: 1000\n\n"
STREAM_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}

OpenReader = Callable[[], AbstractContextManager[Reader]]


class EventStream(Response):
    """SSE response for one reader. The reader is closed when the client disconnects; the turn continues."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, opening: OpenReader, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(None, headers={**STREAM_HEADERS, **(headers or {})})
        del self.headers["content-length"]
        self._hub = hub
        self._open_reader = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._open_reader() as reader:
            gone = asyncio.create_task(_finish_on_disconnect(receive, reader))
            try:
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                await self._send_frames(reader, send)
            except MetierError as error:  # the client reconnects with the last event id it has seen
                _log.warning("a stream of %s broke off: %s", reader.conversation, error)
            finally:
                gone.cancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_frames(self, reader: Reader, send: Send) -> None:
        await send({"type": "http.response.body", "body": _RETRY_FRAME, "more_body": True})
        async for wire in self._hub.follow(reader):
            await send({"type": "http.response.body", "body": wire, "more_body": True})


async def _finish_on_disconnect(receive: Receive, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.finish()
