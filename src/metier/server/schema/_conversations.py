"""Conversations, messages, turns, events and questions in the API."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from metier.events import CallInfo, FactData, JsonModel, Question, stored_event_type

if TYPE_CHECKING:
    from metier.store import Conversation, Message, StoredFact, Turn

Timestamp = Annotated[str, Field(description="ISO 8601", json_schema_extra={"format": "date-time"})]
VoiceModeName = Literal["warm", "sarcastic", "wise"]


def format_time(moment: datetime | None) -> str | None:
    """Format a time in ISO 8601; None stays None."""
    return None if moment is None else moment.isoformat()


class StoredEvent(RootModel):  # type: ignore[type-arg]  # its root is declared below
    """One stored step of a conversation."""

    model_config = ConfigDict(defer_build=True)
    root: stored_event_type()  # type: ignore[valid-type]  # as a parameter of RootModel it would be built at import


class ConversationInfo(JsonModel):
    """A conversation."""

    id: str
    title: str | None
    skill: str | None = Field(description="the skill in use")
    voice_mode: VoiceModeName | None
    model: str | None = Field(description="the configured model that the user chose")
    created_at: Timestamp
    updated_at: Timestamp
    last_seq: int = Field(description="number of its newest event")
    pinned: bool = False
    branch_of: str | None = Field(None, description="the conversation that it was branched from")

    @classmethod
    def from_record(cls, one: "Conversation") -> "ConversationInfo":
        return cls(
            id=one.id,
            title=one.title,
            skill=one.skill,
            voice_mode=one.voice_mode,
            model=one.model,
            created_at=one.created_at.isoformat(),
            updated_at=one.updated_at.isoformat(),
            last_seq=one.last_seq,
            pinned=one.pinned_at is not None,
            branch_of=one.branch_of,
        )


class ConversationPage(JsonModel):
    """Conversations, most recently used first."""

    conversations: list[ConversationInfo]
    next: str | None = Field(description="the `before` of the next page")
    pinned: list[ConversationInfo] = Field(description="pinned ones, with the first page only")


class MessageInfo(JsonModel):
    """A message of the history that the model reads."""

    position: int
    turn: str | None
    at: Timestamp
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: list[CallInfo]
    tool_call_id: str | None
    name: str | None

    @classmethod
    def from_record(cls, one: "Message") -> "MessageInfo":
        return cls(
            position=one.position,
            turn=one.turn,
            at=one.at.isoformat(),
            role=one.role,
            content=one.content,
            tool_calls=[CallInfo(id=call.id, name=call.name, args=dict(call.args)) for call in one.tool_calls],
            tool_call_id=one.tool_call_id,
            name=one.name,
        )


class TurnInfo(JsonModel):
    """A turn: one message of the user and all that came of it."""

    id: str
    conversation: str
    state: Literal["running", "paused", "done", "failed", "interrupted"]
    started_at: Timestamp
    ended_at: Timestamp | None

    @classmethod
    def from_record(cls, one: "Turn") -> "TurnInfo":
        return cls(
            id=one.id,
            conversation=one.conversation,
            state=one.state,
            started_at=one.started_at.isoformat(),
            ended_at=format_time(one.ended_at),
        )


class TurnList(JsonModel):
    """Turns of a conversation, newest first."""

    turns: list[TurnInfo]


class TurnDetail(TurnInfo):
    """A turn with all its events."""

    events: list[StoredEvent]


class PauseInfo(Question):
    """An open question, with the fields of `pause.opened`."""

    conversation: str
    turn: str | None
    opened_at: Timestamp


class OwnPauseInfo(PauseInfo):
    """An open question of the caller."""

    refusal: Literal["", "role_missing", "self_approval"] = Field(
        "", description="why the caller may not approve it; empty if the caller may answer"
    )


class PauseList(JsonModel):
    """Open questions, oldest first."""

    pauses: list[OwnPauseInfo]


class SaidInfo(JsonModel):
    """A message, as an approver sees it."""

    role: Literal["user", "assistant"]
    content: str


class ApprovalInfo(JsonModel):
    """Calls that wait for approval, with enough of their conversation to judge them."""

    pause: PauseInfo
    owner: str = Field(description="whose conversation it is")
    title: str | None
    skill: str | None = Field(description="title of the skill in use")
    messages: list[SaidInfo] = Field(description="the last few messages")
    opened_at: Timestamp
    may_answer: bool = Field(description="false if the same key asked for it")


class ApprovalList(JsonModel):
    """Calls of all conversations that wait for approval, oldest first."""

    approvals: list[ApprovalInfo]


class ApprovalResult(JsonModel):
    """A decision that was taken."""

    pause: str
    decision: Literal["approve", "edit", "reject"]
    by: str


class FactInfo(FactData):
    """A fact of a conversation as it is now."""

    turn: str | None = Field(description="the turn that settled it; null if a person changed it")
    set_by: str | None = Field(description="the user who changed it")
    set_at: Timestamp

    @classmethod
    def from_record(cls, one: "StoredFact") -> "FactInfo":
        about = {"turn": one.turn, "set_by": one.set_by, "set_at": one.set_at.isoformat()}
        return cls.model_validate({**one.fact.to_json(), **about})


class FactList(JsonModel):
    """Facts of a conversation, the oldest first."""

    facts: list[FactInfo]


class ConversationDetail(ConversationInfo):
    """A conversation with its messages, its open questions and its running turn."""

    messages: list[MessageInfo]
    pauses: list[PauseInfo]
    running: str | None = Field(description="the turn that runs now")
    facts: list[FactInfo] = Field(description="what was settled in it")


class EventList(JsonModel):
    """Stored events of a conversation."""

    events: list[StoredEvent]
    last_seq: int = Field(description="number of the conversation's newest event")


class ConversationExport(JsonModel):
    """A whole conversation."""

    conversation: ConversationInfo
    facts: list[FactInfo]
    messages: list[MessageInfo]
    events: list[StoredEvent]


class DeletedConversation(JsonModel):
    """The conversation that was deleted."""

    deleted: str


class DeletedUserInfo(JsonModel):
    """The user that was deleted, with how many conversations, and how many keys were revoked."""

    deleted: str
    conversations: int
    keys: int


class StopResult(JsonModel):
    """Whether a turn was stopped."""

    stopped: bool


class AttachmentInfo(JsonModel):
    """A file that the user attached, or a project: a folder of the workspace."""

    path: str = Field(description="in the workspace")
    name: str = Field(description="for people")
    media_type: str = Field(description="told from the content")
    bytes: int
    text_chars: int = Field(description="how much text skills read from it; 0 for a picture or a scanned page")
    note: str = Field(default="", description="of a project that was just added: what was copied and left out")


class AttachmentList(JsonModel):
    """The attached files of a conversation."""

    attachments: list[AttachmentInfo]
