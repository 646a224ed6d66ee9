"""What the provider tests share: a runtime whose model is a real client of a local server, and tools that remember."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from metier.agent import ModelConfig, Runtime, TurnRequest, load_model
from metier.agent.models import ResilientModel, RetryPolicy
from metier.clock import utc_now
from metier.settings import Settings
from metier.tools import Tool, function_tool
from tests.e2e.support import Told, told
from tests.providers.anthropic_api import AnthropicApi
from tests.providers.ollama_api import OllamaApi
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, Ability, Api, Call, ModelServer, Reply

APIS: dict[str, type[Api]] = {"openai": OpenAIApi, "anthropic": AnthropicApi, "ollama": OllamaApi}
NOTE = '{"path": "a.txt", "text": "whole"}'
HALF = '{"path": "a.txt", "text": "half of'
WRITE = Call("write_note", NOTE)


@dataclass(slots=True)
class Notes:
    """Tools that remember what they were called with."""

    written: list[tuple[str, str]] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        def write_note(path: str, text: str) -> dict[str, Any]:
            """Write a note."""
            self.written.append((path, text))
            return {"path": path}

        return (function_tool(write_note),)


@dataclass(slots=True)
class Waits:
    """Waits before retries that only write down how long."""

    slept: list[float] = field(default_factory=list)
    gaps: int = 0  # how often a chunk was waited for
    _limit: asyncio.Timeout | None = None
    _stalled_after: int | None = None

    def timeout(self, _: float) -> asyncio.Timeout:
        """A limit that is reached when the server stalls and all it sent is read, however fast this machine is."""
        self.gaps += 1
        self._limit = asyncio.timeout(0 if self._take_stall() else None)
        return self._limit

    def stall(self, loop: asyncio.AbstractEventLoop, chunks: int) -> None:
        """Called by the server, from its own thread, when it has sent this many chunks and sends no more."""

        def stop() -> None:
            self._stalled_after = chunks
            if self._limit is not None and self._take_stall():
                self._limit.reschedule(loop.time())

        loop.call_soon_threadsafe(stop)

    def _take_stall(self) -> bool:
        if self._stalled_after is None or self.gaps <= self._stalled_after:
            return False
        self._stalled_after = None
        return True

    def reset(self) -> None:
        self.slept.clear()
        self._limit, self.gaps, self._stalled_after = None, 0, None

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def policy(self, **changes: Any) -> RetryPolicy:
        waits: dict[str, Any] = {"sleep": self.slept.append, "async_sleep": self.sleep, "timeout": self.timeout}
        return RetryPolicy(jitter=lambda: 1.0, **{**waits, **changes})


@dataclass(slots=True)
class Live:
    """A runtime, the server that its model is, and what its tool was called with."""

    server: ModelServer
    model: ResilientModel
    runtime: Runtime
    notes: Notes
    waits: Waits

    @property
    def provider(self) -> str:
        return self.server.api.provider

    def reset(self, ability: Ability | None = None) -> None:
        self.server.reset(ability)
        self.model._quirks.clear()
        self.notes.written.clear()
        self.waits.reset()

    async def ask(self, *replies: Reply, message: str = "please write a note", conversation: str | None = None) -> Told:
        """Send one message, to which the model gives these replies."""
        self.server.reply(*replies)
        return await told(self.runtime.turn(TurnRequest(message, conversation=conversation)))


def config_of(server: ModelServer, **more: Any) -> ModelConfig:
    """Model at this server, as an operator would set it."""
    return ModelConfig(f"{server.api.provider}:{MODEL}", base_url=server.url, api_key=KEY, **more)


def settings_in(folder: Path, **more: Any) -> Settings:
    given: dict[str, Any] = {"skills_dir": (folder / "skills",), "storage_dir": folder / "storage", "embedder": "none"}
    return Settings(**{**given, **more})


@asynccontextmanager
async def opened(
    provider: str,
    folder: Path,
    *,
    config: Mapping[str, Any] | None = None,
    retries: Mapping[str, Any] | None = None,
    clock: Callable[[], datetime] = utc_now,
    **more: Any,
) -> AsyncIterator[Live]:
    """A runtime in this folder whose model is a real client of a server of this provider; `more` are settings."""
    notes, waits = Notes(), Waits()
    with ModelServer(APIS[provider]()) as server:
        server.on_stall = partial(waits.stall, asyncio.get_running_loop())
        model = load_model(config_of(server, **(config or {})), retries=waits.policy(**(retries or {})))
        assert isinstance(model, ResilientModel)
        async with Runtime.open(settings_in(folder, **more), model=model, tools=notes.tools(), clock=clock) as runtime:
            yield Live(server, model, runtime, notes, waits)
