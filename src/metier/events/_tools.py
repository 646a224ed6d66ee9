"""Data of the events of a tool call: call, progress, result, refusal, exception."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events._model import CallInfo, Detail, ErrorInfo, EventData, JsonMap, JsonModel

GateLayerName = Literal["operator", "skill", "plan", "task_type", "default"]


class ToolEventData(EventData):
    """Data of an event about one tool call."""

    call: str = Field(description="the id of the call")
    tool: str = Field(description="its tool")


class CallRepair(JsonModel):
    """A change to a call that the model got nearly right."""

    argument: str = Field(description="the argument; empty for the tool's name")
    code: Literal["renamed", "converted", "dropped"]
    was: JsonValue = Field(description="before: the value, or the name if it was renamed")
    now: JsonValue = Field(description="after")


class ToolCalled(ToolEventData):
    """A tool is about to run; stored before it acts."""

    arguments: JsonMap = Field(description="as it is called")
    title: str | None = Field(None, description="name of the tool for people")
    details: list[Detail] | None = Field(None, description="its arguments in words")
    step: str | None = Field(None, description="the step of the plan that calls it")
    text: str | None = Field(None, description="what the assistant said with it")
    calls: list[CallInfo] | None = Field(None, description="all calls of the same message")
    repairs: list[CallRepair] | None = Field(None, description="what was changed in the model's call before it ran")


class ToolProgress(ToolEventData):
    """How far a tool is that takes long; at most four a second, and the last one before the result."""

    share: float = Field(description="how much is done, from 0 to 1")
    text: str = Field(description="what is being done, in a sentence; may be empty")


class ToolResult(ToolEventData):
    """The answer to a call. Every call gets exactly one."""

    ok: bool = Field(description="whether it did what it should")
    state: Literal["done", "failed", "refused", "invalid", "stopped", "unknown"] = Field(
        description="`unknown`: stopped, and it may have taken effect"
    )
    data: JsonValue = Field(None, description="the whole result")
    content: str | None = Field(None, description="what the model reads, when that is not the data itself")
    error: ErrorInfo | None = Field(None, description="why it failed")
    elapsed_ms: float | None = Field(None, description="time taken")
    notes: list[JsonValue] | None = Field(None, description="sentences about the run")
    retrieved: Literal["knowledge", "memory", "cases", "web"] | None = Field(
        None, description="what was searched, if the call looked something up"
    )
    kept: list[str] | None = Field(None, description="paths of the user's data that it changed")


class ToolViolation(ToolEventData):
    """The gate refused a call; it did not run, and a violation is on record."""

    level: Literal["warning"]
    code: str = Field(description="why, as a word")
    layer: GateLayerName = Field(description="who refused")
    source: str = Field(description="which policy, skill or plan")
    reason: str = Field(description="why, as a sentence")
    args_digest: str = Field(description="sha256 of the arguments")
    allowed: list[str] = Field(description="tools that may be called now")


class ExceptionRequested(EventData):
    """The model asks to use a tool that is not allowed."""

    tool: str = Field(description="the tool")
    reason: str = Field(description="the model's reason")
    request: str | None = Field(description="the id of the request")


class ExceptionDecided(EventData):
    """A person or a policy has decided; a grant holds for this turn."""

    tool: str = Field(description="the tool")
    request: str | None = Field(description="the id of the request")
    state: Literal["granted", "denied"]
    by: str = Field(description="the user, or `policy`")
    reason: str | None = Field(None, description="the model's reason")
    note: str | None = Field(None, description="what the person said")
