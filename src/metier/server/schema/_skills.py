"""Skills, their diagnostics, the reload log and routing decisions in the API."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events import AnalyzedTask, JsonMap, JsonModel, RouteCandidate, RouteNote
from metier.server.schema._conversations import Timestamp


class Diagnostic(JsonModel):
    """What the reader or the linter says of a file."""

    code: str
    severity: Literal["error", "warning", "info"]
    effect: Literal["refused", "repaired", "noted"]
    message: str
    hint: str
    texts: dict[str, str] = Field(description="the finding by language; the English one is the message")
    path: str
    line: int | None
    skill: str | None


class SkillUse(JsonModel):
    """How often a skill was used since the server started."""

    since: Timestamp
    activated: int
    turns: int
    failed: int
    violations: int
    last_at: Timestamp | None


class SkillInfo(JsonModel):
    """Main fields of a skill."""

    id: str
    title: str
    description: str
    titles: dict[str, str] = Field(description="the title by language; empty if there is one for all")
    descriptions: dict[str, str] = Field(description="the description by language; empty if there is one for all")
    summaries: dict[str, str] = Field(description="what it is for, for people who choose, by language")
    version: str
    priority: int
    enabled: bool
    group: str
    hosts: list[str]
    triggers: list[str]
    examples: list[str]
    allowed_tools: list[str] | None = Field(description="null: every tool")
    mode: Literal["chat", "deep"]
    digest: str
    tools: list[str] = Field(description="names of the tools it declares")
    layout: Literal["agent-skill", "flat", "manifest", "bare"]
    trusted: bool
    path: str
    findings: int = Field(description="how many diagnostics it has")
    usage: SkillUse


class SkillList(JsonModel):
    """The catalog, by descending priority."""

    digest: str
    skills: list[SkillInfo]
    diagnostics: list[Diagnostic]


class SkillSource(JsonModel):
    """Where a skill was read from."""

    path: str
    folder: str
    layout: Literal["agent-skill", "flat", "manifest", "bare"]
    trusted: bool
    approved: bool = Field(description="whether it runs from the copy that was made at its approval")


class SkillRule(JsonModel):
    """A rule in a file of its own: how one scenario is handled."""

    id: str
    title: str
    text: str
    impact: str
    impact_description: str
    tags: list[str]
    triggers: list[str]
    total_steps: int | None
    estimated_time: str


class SkillTool(JsonModel):
    """A tool that a skill declares."""

    name: str
    description: str
    parameters: JsonMap | None
    origin: Literal["script", "builtin", "declared"]
    script: str | None
    hints: JsonMap


class SkillFileInfo(JsonModel):
    """A file of a skill's folder."""

    path: str
    size_bytes: int
    sha256: str
    extra: bool


class SkillDetail(JsonModel):
    """All fields of a skill, with its instructions."""

    id: str
    title: str
    description: str
    titles: dict[str, str] = Field(description="the title by language; empty if there is one for all")
    descriptions: dict[str, str] = Field(description="the description by language; empty if there is one for all")
    source: SkillSource
    owner: str = Field(description="the user it belongs to until it is approved for all; empty: everybody's")
    digest: str
    version: str
    priority: int
    enabled: bool
    group: str
    hosts: list[str]
    tags: list[str]
    intents: list[str]
    triggers: list[str]
    examples: list[str]
    when_to_use: str
    instructions: str
    rules: dict[str, SkillRule]
    tools: list[SkillTool]
    allowed_tools: list[str] | None = Field(description="null: every tool")
    forbidden_tools: list[str]
    preapproved_tools: list[str]
    profile_fields: list[str]
    needs: JsonMap
    requires: list[str]
    next: list[str] = Field(description="skills that may follow")
    inputs: JsonMap | None
    outputs: JsonMap | None
    sop: list[JsonMap] = Field(description="steps")
    milestones: list[JsonMap]
    output: JsonMap
    cases: list[JsonMap]
    mode: Literal["chat", "deep"]
    default_scenario: str
    invocation: JsonMap
    document: JsonMap
    showing: JsonMap
    license: str
    compatibility: str
    metadata: JsonMap
    files: list[SkillFileInfo]
    findings: list[Diagnostic]
    usage: SkillUse
    before: list[str] = Field(description="skills that may precede it")
    untrusted: Literal["", "wording", "files"] = Field("", description="why nothing of it runs before it is approved")


class SkillChange(JsonModel):
    """How one skill changed."""

    skill: str
    change: Literal["added", "removed", "changed"]
    before: str | None = Field(description="digest")
    after: str | None = Field(description="digest")
    diff: str = Field(description="unified diff")
    cut: bool = Field(description="whether the diff is longer")


class Reload(JsonModel):
    """One change of the catalog."""

    at: Timestamp
    before: str = Field(description="digest of the catalog")
    after: str = Field(description="digest of the catalog")
    changes: list[SkillChange]
    findings: list[Diagnostic] = Field(description="diagnostics that are new")


class ReloadLog(JsonModel):
    """Changes of the catalog since the server started, newest first."""

    digest: str
    reloads: list[Reload]


class FilteredSkill(JsonModel):
    """A skill that was excluded before ranking."""

    skill: str
    code: str
    values: JsonMap
    text: str


class RouteThresholds(JsonModel):
    """Probabilities from which a skill is used, offered, or taken to be meant."""

    auto: float
    suggest: float
    meant: float
    surely_meant: float


class SkillRequestInfo(JsonModel):
    """A part of a message that asks for a skill of its own."""

    skill: str
    text: str


class TaskCandidate(JsonModel):
    """A skill that may do the task."""

    skill: str
    score: float


class TaskAnalysisInfo(AnalyzedTask):
    """What kind of task a message is, with the skills that may do it."""

    candidates: list[TaskCandidate]


class RouteDecision(JsonModel):
    """Which skill a message means, and why."""

    verdict: Literal["auto", "suggest", "none"]
    skill: str | None
    skills: list[str]
    requests: list[SkillRequestInfo] = Field(description="parts of a message that asks for several skills, in order")
    route: Literal["explicit", "list", "sticky", "search", "empty"]
    message: str = Field(description="the text without a command such as `/skill-id`")
    candidates: list[RouteCandidate]
    filtered: list[FilteredSkill]
    notes: list[str] = Field(description="sentences that explain the verdict")
    why: list[RouteNote] = Field(description="the same as codes")
    vectors: bool
    meant: float | None
    elapsed_ms: float
    thresholds: RouteThresholds
    titles: dict[str, str] = Field(description="titles of the candidates")
    explain: list[str] = Field(description="the decision as lines of text")
    digest: str = Field(description="of the catalog")
    task: TaskAnalysisInfo = Field(description="what kind of task the message is")


class GateLayerInfo(JsonModel):
    """Answer of one layer of the gate."""

    layer: Literal["operator", "skill", "plan", "task_type", "default"]
    source: str
    answer: Literal["allow", "deny", "confirm"] | None
    text: str


class GateVerdict(JsonModel):
    """Whether a call may run, and which layer says so."""

    tool: str
    answer: Literal["allow", "deny", "confirm"]
    code: str
    reason: str
    layer: Literal["operator", "skill", "plan", "task_type", "default"]
    source: str
    allowed: list[str] = Field(description="tools that may run")
    layers: list[GateLayerInfo]
    explain: list[str]
    task_type_reason: str | None


class ToolExampleInfo(JsonModel):
    """A call that shows how a tool is used."""

    arguments: JsonMap
    note: str


class ToolInfo(JsonModel):
    """A tool."""

    name: str
    description: str
    origin: Literal["builtin", "pack", "script", "mcp"]
    skill: str | None = Field(description="the skill that declares it")
    source: str = Field(description="the package, pack or MCP server that provides it")
    approval: str = Field(description="`never`, `always`, or an expression over the arguments")
    result: Literal["json", "text", "table", "chart", "image", "file"]
    timeout_s: float
    idempotent: bool
    effects: list[Literal["reads", "writes", "network", "executes"]]
    undoes: str = Field("", description="the tool whose effect it takes back")
    preview: str = Field("", description="what tells an approver what a call would do")
    parameters: JsonMap = Field(description="JSON Schema of the arguments")
    examples: list[ToolExampleInfo] = Field(default_factory=list, description="calls that show how it is used")
    edge_cases: list[str] = Field(default_factory=list, description="what it does where one may expect another thing")


class ToolProblem(JsonModel):
    """Why a declared tool cannot be used."""

    owner: str
    tool: str
    code: str
    message: str


class ToolList(JsonModel):
    """All tools."""

    tools: list[ToolInfo]
    collisions: dict[str, JsonValue] = Field(description="names that several sources declare")
    problems: list[ToolProblem]


class SkillFileChange(JsonModel):
    """File of a skill that differs from the approved version."""

    path: str
    change: Literal["added", "removed", "changed"]
    size_bytes: int


class PendingSkill(JsonModel):
    """Version of a skill that is not used before a person approves it."""

    id: str
    title: str
    path: str
    change: Literal["new", "changed"]
    digest: str = Field(description="the waiting version; send it back to approve this one and no other")
    approved: str | None = Field(description="digest of the version in use; null if none was approved")
    files: list[SkillFileChange]
    diff: str = Field(description="unified diff from the approved version to the waiting one")
    cut: bool = Field(description="whether the diff is longer")


class PendingSkillList(JsonModel):
    """Skills that wait for approval, and whether approval is needed at all."""

    trust: Literal["off", "warn", "require"]
    pending: list[PendingSkill]


class SkillLockReport(JsonModel):
    """Skills on disk against the lock file."""

    trust: Literal["off", "warn", "require"]
    digest: str = Field(description="of all skills together; send it back to approve these and no others")
    count: int
    changed: list[str]
    unknown: list[str] = Field(description="not in the lock file")
    missing: list[str] = Field(description="in the lock file, and not on disk")


class ApprovedSkill(JsonModel):
    """Entry of the lock file."""

    id: str
    digest: str
    source: str
    at: str
    by: str


class PendingToolInfo(JsonModel):
    """Tool of an MCP server that is withheld until a person approves it."""

    server: str
    tool: str = Field(description="its name on the server")
    name: str = Field(description="its name here")
    code: Literal["tool_changed", "tool_not_approved"]
    message: str
    digest: str = Field(description="the current version; send it back to approve this one and no other")
    current: str = Field(description="description, parameters and annotations as text")
    diff: list[str] = Field(description="lines of a unified diff from the approved version to the current one")
    approved: str | None = Field(description="the version approved before, as text")
    approved_by: str | None
    approved_at: str | None


class PendingToolList(JsonModel):
    """Tools of MCP servers that wait for approval."""

    pending: list[PendingToolInfo]
