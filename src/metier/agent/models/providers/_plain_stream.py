"""Pieces of a stream as plain objects, as they came: OpenAI's package warns of odd types when it writes them out."""

from collections.abc import AsyncIterator
from typing import Any, Self


class PlainCompletions:
    """The asynchronous completions of OpenAI's package; a stream of them gives plain objects."""

    def __init__(self, completions: Any) -> None:
        self._completions = completions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._completions, name)

    async def create(self, **payload: Any) -> Any:
        """Send a request as the package does."""
        made = await self._completions.create(**payload)
        return _PlainStream(made) if payload.get("stream") else made


class _PlainStream:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stream.__aexit__(*error)

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for piece in self._stream:
            yield piece if isinstance(piece, dict) else piece.model_dump(warnings=False)
