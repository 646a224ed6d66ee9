"""A call, what it runs in, and what came back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from metier.jsons import JsonObject
from metier.tools._spec import ToolSpec

Progress: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model, a plan or a person asks for."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a call runs: one conversation, one turn, one folder of its own, and the open document if there is one.

    `progress` is there when somebody looks on: how much is done, from 0 to 1, and a sentence. It may be called from any
    thread and as often as one likes; it never waits.
    """

    workspace: Path
    conversation: str = ""
    turn: str = ""
    document: str | None = None
    progress: Progress | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a call gave no data: one word, a sentence, what to do."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Data, or a failure; never both. `notes` say what was cut or noticed on the way."""

    data: JsonObject | None = None
    failure: ToolFailure | None = None
    elapsed_ms: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.failure is None

    @classmethod
    def failed(cls, code: str, message: str, *, hint: str = "", elapsed_ms: float = 0.0) -> "ToolResult":
        return cls(failure=ToolFailure(code, message, hint), elapsed_ms=elapsed_ms)


class Tool(Protocol):
    """Anything that can be called: a Python function, a script in the sandbox, a tool of an MCP server.

    `run` gets arguments that fit the schema. It returns a failure for what a caller could expect to go wrong,
    and never raises for that; what it does raise is a bug and becomes the failure `tool_crashed`.
    """

    @property
    def spec(self) -> ToolSpec: ...

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult: ...
