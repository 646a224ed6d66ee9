"""What the provider tests share: a runtime whose model is a real client of a local server, and tools that remember."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metier.agent import ModelConfig, Runtime, TurnRequest, load_model
from metier.agent.models import RetryPolicy
from metier.settings import Settings
from metier.store import Event
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

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def policy(self, **changes: Any) -> RetryPolicy:
        return RetryPolicy(jitter=lambda: 1.0, sleep=self.slept.append, async_sleep=self.sleep, **changes)


@dataclass(slots=True)
class Live:
    """A runtime, the server that its model is, and what its tool was called with."""

    server: ModelServer
    runtime: Runtime
    notes: Notes
    waits: Waits

    @property
    def provider(self) -> str:
        return self.server.api.provider

    def reset(self, ability: Ability | None = None) -> None:
        self.server.reset(ability)
        self.notes.written.clear()
        self.waits.slept.clear()

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
    provider: str, folder: Path, *, config: Any = None, retries: Any = None, **more: Any
) -> AsyncIterator[Live]:
    """A runtime in this folder whose model is a real client of a server of this provider."""
    notes, waits = Notes(), Waits()
    with ModelServer(APIS[provider]()) as server:
        model = load_model(config_of(server, **(config or {})), retries=waits.policy(**(retries or {})))
        async with Runtime.open(settings_in(folder, **more), model=model, tools=notes.tools()) as runtime:
            yield Live(server, runtime, notes, waits)


def streamed_texts(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Each text of a turn as it was streamed, and as it was stored; a text that was not streamed twice as stored."""
    found, pieces = [], ""
    for event in events:
        if event.kind == "text.delta":
            pieces += str(event.data["text"])
        elif event.kind == "text.done":
            found.append((pieces or str(event.data["text"]), str(event.data["text"])))
            pieces = ""
    return [*found, (pieces, "")] if pieces else found
