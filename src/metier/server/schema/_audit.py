"""Refused calls, exceptions and plans in the API."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from metier.events import JsonMap, JsonModel
from metier.server.schema._conversations import Timestamp, format_time

if TYPE_CHECKING:
    from metier.store import ExceptionRequest, SavedPlan


class ViolationInfo(JsonModel):
    """A call that the gate refused."""

    id: str
    at: Timestamp
    conversation: str
    turn: str | None
    tool: str
    args_digest: str = Field(description="sha256 of the arguments")
    layer: Literal["operator", "skill", "plan", "task_type", "default"]
    code: str
    reason: str
    skill: str | None


class ViolationList(JsonModel):
    """Refused calls, newest first."""

    violations: list[ViolationInfo]


class ExceptionInfo(JsonModel):
    """A request to use a tool that is not allowed."""

    id: str
    conversation: str
    turn: str | None
    tool: str
    reason: str
    skill: str | None
    state: Literal["requested", "granted", "denied"]
    requested_at: Timestamp
    decided_by: str | None
    note: str | None
    decided_at: Timestamp | None

    @classmethod
    def from_record(cls, one: "ExceptionRequest") -> "ExceptionInfo":
        return cls(
            id=one.id,
            conversation=one.conversation,
            turn=one.turn,
            tool=one.tool,
            reason=one.reason,
            skill=one.skill,
            state=one.state,
            requested_at=one.requested_at.isoformat(),
            decided_by=one.decided_by,
            note=one.note,
            decided_at=format_time(one.decided_at),
        )


class ExceptionList(JsonModel):
    """Exceptions and their state, newest first."""

    exceptions: list[ExceptionInfo]


class PlanInfo(JsonModel):
    """A saved version of a plan."""

    conversation: str
    version: int
    turn: str | None
    state: Literal["draft", "running", "done", "failed", "abandoned"]
    plan: JsonMap
    saved_at: Timestamp

    @classmethod
    def from_record(cls, one: "SavedPlan") -> "PlanInfo":
        return cls(
            conversation=one.conversation,
            version=one.version,
            turn=one.turn,
            state=one.state,
            plan=dict(one.plan),
            saved_at=one.saved_at.isoformat(),
        )


class PlanList(JsonModel):
    """Saved plans of a conversation, newest first."""

    plans: list[PlanInfo]
