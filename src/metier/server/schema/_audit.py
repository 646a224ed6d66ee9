"""Refused calls, exceptions and plans in the API."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from metier.events import JsonMap, JsonModel
from metier.server.schema._conversations import Timestamp, format_time

if TYPE_CHECKING:
    from metier.store import ExceptionRequest, SavedPlan


class AuditEntryInfo(JsonModel):
    """One decision: who, with which key, what and about what."""

    number: int
    at: Timestamp
    user: str
    key: str = Field(description="id of the key; empty if there was none")
    action: str = Field(
        description="`approval.approved`, `approval.refused`, `key.created` …", examples=["key.created"]
    )
    target: str = Field(description="id or name of what it is about")
    data: JsonMap = Field(description="names and digests")
    previous: str = Field(description="`hash` of the line before")
    hash: str = Field(description="sha256 of the line without its hash, as canonical JSON")


class AuditPage(JsonModel):
    """Lines of the audit log, oldest first."""

    entries: list[AuditEntryInfo]


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


class ProposedEditInfo(JsonModel):
    """Change of a skill's file."""

    path: str
    diff: str = Field(description="as a unified diff")


class ExceptionAdviceInfo(JsonModel):
    """What is on record for a tool under a skill, and what to do about it."""

    skill: str
    tool: str
    asked: int
    granted: int
    denied: int
    refused: int = Field(description="calls that the gate refused")
    advice: Literal["list", "review", "wait", "keep"]
    text: str = Field(description="the advice as a sentence")
    reasons: list[str] = Field(description="why it was wanted, the first three")
    edit: ProposedEditInfo | None


class ExceptionReport(JsonModel):
    """Which skill should list which tool, what should be changed first."""

    exceptions: list[ExceptionAdviceInfo]


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
