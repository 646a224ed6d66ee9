"""Tool protocol and its values: call, context, result, failure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from metier.json_values import JsonObject
from metier.language import Language
from metier.tools._spec import ToolSpec

ProgressCallback: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Tool call requested by the model, a plan or a person."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Context of a tool call: conversation, turn, workspace folder, and the open document if there is one.

    `user_data` is what the skill in use declares: `{"profile": {…}, "skill_data": {skill: {…}}}`.
    `progress` is set if somebody watches: it takes the fraction done, from 0 to 1, and a sentence. It never blocks and
    may be called from any thread, at any rate. `language` is that of the conversation, for texts that a person reads.
    `delivery` is how the skill in use wants documents written: `writeback`, `anchor`, `style`, and what its plans must
    be (`plan`), as far as it says so.
    """

    workspace: Path
    conversation: str = ""
    turn: str = ""
    document: str | None = None
    progress: ProgressCallback | None = field(default=None, repr=False, compare=False)
    user: str = ""
    user_data: JsonObject = field(default_factory=dict, repr=False)
    language: Language = "en"
    delivery: JsonObject = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a call returned no data: error code, message, and what to do."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a tool call: data or a failure, never both. `notes` tell what was truncated or noticed.

    `keep` are values for the user's profile and skill data by path (`skill_data.coach.plan`), None to remove one. The
    runtime stores them if the skill in use declares the path; a value replaces the one before. `cause` is the exception
    that the tool raised, for those who retry it; it is never stored.
    """

    data: JsonObject | None = None
    failure: ToolFailure | None = None
    elapsed_ms: float = 0.0
    notes: tuple[str, ...] = ()
    keep: JsonObject = field(default_factory=dict, repr=False)
    cause: Exception | None = field(default=None, repr=False, compare=False)

    @property
    def ok(self) -> bool:
        return self.failure is None

    @classmethod
    def fail(cls, code: str, message: str, *, hint: str = "", elapsed_ms: float = 0.0) -> "ToolResult":
        return cls(failure=ToolFailure(code, message, hint), elapsed_ms=elapsed_ms)


class ToolError(Exception):
    """Expected failure that a tool raises: what went wrong as a sentence, a code for programs, and what to do."""

    def __init__(self, message: str, *, code: str = "tool_failed", hint: str = "") -> None:
        super().__init__(message)
        self.failure = ToolFailure(code, message, hint)

    def to_result(self) -> ToolResult:
        return ToolResult(failure=self.failure)


class Tool(Protocol):
    """Interface of every tool: a Python function, a script in the sandbox, a tool of an MCP server.

    `run` gets arguments that match the schema. It returns a failure or raises `ToolError` for expected errors; any
    other exception is a bug and becomes the failure `tool_crashed`.
    """

    @property
    def spec(self) -> ToolSpec: ...

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult: ...
