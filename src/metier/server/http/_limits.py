"""Limits per request and user: body size, requests per minute."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metier.errors import InvalidInput, RateLimited, TooLarge, Unavailable
from metier.server.http._errors import build_error_response

_BODY_TIMEOUT_S: Final = 30.0
FILE_PATH: Final = "/attachments"


class BodyLimit:
    """ASGI middleware that refuses bodies that are too large, arrive too slowly or break off."""

    def __init__(
        self, app: ASGIApp, max_bytes: int, wait_s: float = _BODY_TIMEOUT_S, *, max_file_bytes: int = 0
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_file_bytes = max(max_bytes, max_file_bytes)
        self._wait_s = wait_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        is_file = str(scope["path"]).endswith(FILE_PATH) and scope["method"] == "POST"
        most = self._max_file_bytes if is_file else self._max_bytes
        if not told.isdigit() or int(told[:18]) > most:
            await _too_large_response(told.decode("latin-1")[:30], most, is_file=is_file)(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._wait_s):
                body = await _read_body(receive, most, int(told))
        except TimeoutError:
            slow = Unavailable(f"the body did not come within {self._wait_s:g} s", hint="send it again, faster")
            await build_error_response(slow, 408)(scope, receive, send)
            return
        except InvalidInput as broken:  # whoever sent it may be gone; what counts is that nothing is made of it
            await build_error_response(broken, 400)(scope, receive, send)
            return
        if body is None:
            await _too_large_response("more", most, is_file=is_file)(scope, receive, send)
            return
        await self._app(scope, _ReplayReceive(body, receive), send)


def _too_large_response(size: str, most: int, *, is_file: bool) -> ASGIApp:
    hint = f"send less; METIER_{'ATTACHMENT' if is_file else 'BODY'}_MAX_BYTES is the limit"
    return build_error_response(TooLarge(f"the body has {size} bytes; the most is {most}", hint=hint))


async def _read_body(receive: Receive, most: int, told: int) -> bytes | None:
    """Read the whole body; None if it is too large, `InvalidInput` if it broke off or is shorter than was told."""
    body = bytearray()
    while True:
        message = await receive()
        has_ended = message["type"] != "http.request"
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if has_ended or (not message.get("more_body", False) and len(body) < told):
            problem = f"the body broke off after {len(body)} bytes"
            raise InvalidInput(f"{problem} of {told}" if told else problem, hint="send it again")
        if not message.get("more_body", False):
            return bytes(body)


class _ReplayReceive:
    """ASGI receive callable that returns an already read body, then whatever comes next."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


@dataclass(slots=True)
class RateLimiter:
    """Token bucket per user: holds one minute of requests and refills steadily. 0 per minute means no limit."""

    per_minute: int
    clock: Callable[[], float] = monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, user: str) -> None:
        """Count one request; `RateLimited` with the time to wait if the bucket is empty."""
        if not self.per_minute:
            return
        now = self.clock()
        left, at = self._left.get(user, (float(self.per_minute), now))
        left = min(float(self.per_minute), left + (now - at) * self.per_minute / 60)
        if left < 1:
            wait_s = math.ceil((1 - left) * 60 / self.per_minute)
            hint = f"wait {wait_s} s; METIER_RATE_LIMIT is the limit"
            raise RateLimited(f"more than {self.per_minute} requests a minute", hint=hint, retry_after_s=wait_s)
        self._left[user] = (left - 1, now)
