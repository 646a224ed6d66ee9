"""Event streams: what the hub tells, as `text/event-stream`, for as long as somebody reads."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from metier.errors import MetierError
from metier.server._hub import Hub, Reader

_log = logging.getLogger(__name__)
# The first bytes let proxies pass the head on, and tell EventSource how soon to come back.
_HELLO: Final = b"retry: 1000\n\n"
HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}

Opening = Callable[[], AbstractContextManager[Reader]]


class EventStream(Response):
    """The frames of one reader. The reader is let go when the client leaves; the turn is not."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, opening: Opening, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(None, headers={**HEADERS, **(headers or {})})
        del self.headers["content-length"]
        self._hub = hub
        self._opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._opening() as reader:
            gone = asyncio.create_task(_until_gone(receive, reader))
            try:
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                await self._tell(reader, send)
            except MetierError as error:  # the reader comes back with the number it has seen last
                _log.warning("a stream of %s broke off: %s", reader.conversation, error)
            finally:
                gone.cancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, reader: Reader, send: Send) -> None:
        await send({"type": "http.response.body", "body": _HELLO, "more_body": True})
        async for wire in self._hub.follow(reader):
            await send({"type": "http.response.body", "body": wire, "more_body": True})


async def _until_gone(receive: Receive, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.finish()
