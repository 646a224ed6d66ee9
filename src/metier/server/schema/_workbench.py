"""Share links, feedback, what waits, and figures over time in the API."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events import JsonModel
from metier.server.schema._conversations import Timestamp

VerdictName = Literal["up", "down"]
ReasonName = Literal["wrong_skill", "wrong_result", "incomplete", "slow", "other"]


class ShareInfo(JsonModel):
    """A share link without its token."""

    id: str
    conversation: str
    created_at: Timestamp
    expires_at: Timestamp | None
    revoked_at: Timestamp | None


class NewShareInfo(ShareInfo):
    """A share link that was just made."""

    path: str = Field(description="address of the page that it opens, with the token; told once")


class ShareList(JsonModel):
    """Share links of a conversation, newest first."""

    shares: list[ShareInfo]


class SharedConversation(JsonModel):
    """A conversation behind a share link."""

    title: str | None = Field(description="its title when it was shared")
    shared_at: Timestamp
    last_seq: int = Field(description="number of the last event that the link shows")


class WaitingInfo(JsonModel):
    """What waits for the user."""

    conversations: dict[str, int] = Field(description="open questions by conversation")
    approvals: int = Field(description="calls of others that the key may approve")


class FeedbackInfo(JsonModel):
    """A rating of an answer."""

    id: str
    at: Timestamp
    conversation: str
    turn: str
    user: str
    verdict: VerdictName
    reason: ReasonName | None
    note: str
    skill: str | None = Field(description="the skill that answered")
    message: str | None = Field(description="what was answered; for operators")


class FeedbackList(JsonModel):
    """Ratings, newest first."""

    feedback: list[FeedbackInfo]


class RemovedFeedback(JsonModel):
    """Whether there was a rating to remove."""

    removed: bool


class RoutingQuery(JsonModel):
    """A message and whether it should trigger the skill."""

    query: str
    should_trigger: bool


class RoutingCaseInfo(JsonModel):
    """Queries of a skill's evals with a case from feedback."""

    skill: str
    file: str = Field(description="where the skill keeps its queries, from its folder")
    queries: list[RoutingQuery]


class TurnStats(JsonModel):
    """Figures of some turns."""

    turns: int
    failed: int
    p50_ms: int | None = Field(description="median of their durations, without waiting for people")
    p95_ms: int | None
    model_calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None = Field(description="when prices are set")


class StepStats(TurnStats):
    """Figures of one hour or day."""

    at: Timestamp


class SkillStats(TurnStats):
    """Figures of one skill."""

    skill: str | None = Field(description="null where none was in use")


class ErrorStats(JsonModel):
    """How often turns failed with a code."""

    code: str | None
    count: int


class StatsInfo(JsonModel):
    """Figures over time."""

    step: Literal["hour", "day"]
    steps: list[StepStats]
    total: TurnStats
    skills: list[SkillStats]
    errors: list[ErrorStats]


class ViewRun(JsonModel):
    """Text in one style; `mark` tells a tracked insertion or deletion, `comment` the id of the comment about it."""

    text: str
    mark: Literal["", "ins", "del"] = ""
    bold: bool = False
    comment: str = ""


class ViewCell(JsonModel):
    """A cell of a table or of a sheet."""

    address: str
    runs: list[ViewRun] = Field([], description="of a table")
    column: int = 0
    text: str = ""
    formula: str = ""
    number: bool = Field(False, description="a number or a date, not a text that looks like one")
    hidden: bool = False


class ViewLine(JsonModel):
    """A row of a sheet."""

    number: int
    cells: list[ViewCell]


class ViewBlock(JsonModel):
    """A paragraph, heading, table, sheet or slide; `address` finds it again in the file."""

    kind: Literal["paragraph", "heading", "table", "sheet", "slide"]
    address: str
    level: int = 0
    number: str = Field("", description="automatic number as the page shows it")
    align: str = ""
    runs: list[ViewRun] = Field([], description="of a paragraph or heading")
    rows: list[list[ViewCell]] = Field([], description="of a table")
    title: str = ""
    texts: list[str] = Field([], description="of a slide")
    notes: str = ""
    columns: int = 0
    lines: list[ViewLine] = Field([], description="of a sheet")


class ViewComment(JsonModel):
    """A comment of a docx."""

    id: str
    author: str
    text: str
    address: str


class DocumentView(JsonModel):
    """A document as blocks of plain text."""

    path: str
    name: str
    kind: Literal["docx", "xlsx", "pptx"]
    blocks: list[ViewBlock]
    comments: list[ViewComment]
    truncated: bool = Field(description="whether more is in the file than is shown")


class SkillDataInfo(JsonModel):
    """Data that a skill keeps of the user, and how often it was changed."""

    version: int
    data: dict[str, JsonValue]


class UserProfile(JsonModel):
    """What is stored about a user, besides conversations."""

    user: str
    profile: dict[str, JsonValue] = Field(description="by field, as skills declare them")
    skill_data: dict[str, SkillDataInfo] = Field(description="by skill")
    facts: list[dict[str, JsonValue]] = Field(description="what conversations have settled")


class DeletedProfile(JsonModel):
    """Whose data was deleted."""

    deleted: str
