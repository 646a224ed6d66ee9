"""Server info, packs, benchmark runs, health and telemetry in the API."""

from typing import Literal

from pydantic import ConfigDict, Field, RootModel

from metier.events import ErrorInfo, JsonMap, JsonModel
from metier.server.schema._conversations import Timestamp


class SchemaDocument(RootModel[JsonMap]):
    """A JSON Schema."""


class ServerLimits(JsonModel):
    """Limits of a request."""

    message_max_tokens: int
    body_max_bytes: int
    rate_limit: int
    streams_max: int


class ServerInfo(JsonModel):
    """What this server is."""

    name: Literal["metier"]
    version: str
    model: str
    language: Literal["auto", "zh", "en"]
    user: str = Field(description="who is asking")
    roles: list[Literal["user", "approver", "operator"]] = Field(description="what the key may be used for")
    keys: bool = Field(description="whether API keys are needed")
    dev_routes: bool
    telemetry: str
    packs: list[str]
    skills: int
    digest: str = Field(description="of the catalog")
    skill_tool: str = Field(description="name of the tool that chooses a skill")
    started_at: Timestamp
    limits: ServerLimits


class TwoLanguages(JsonModel):
    """A text in both languages."""

    zh: str
    en: str


class PackSkill(JsonModel):
    """A skill of a pack."""

    id: str
    title: TwoLanguages
    description: TwoLanguages


class PackInfo(JsonModel):
    """An installed pack."""

    id: str
    title: TwoLanguages
    description: TwoLanguages
    version: str
    requires: list[str]
    skills: list[PackSkill]
    examples: list[TwoLanguages] = Field(description="prompts to try")


class PackProblemInfo(JsonModel):
    """Why a pack cannot be used."""

    pack: str
    code: str
    message: str
    hint: str


class PackList(JsonModel):
    """Installed packs, and those that could not be loaded."""

    packs: list[PackInfo]
    problems: list[PackProblemInfo]


class BenchFigure(JsonModel):
    """A measured value and its target; lower is better unless `more`."""

    model_config = ConfigDict(extra="allow")

    suite: str | None = None
    name: str | None = None
    value: float | None = None
    target: float | None = None
    unit: str | None = None
    ok: bool | None = None
    more: bool | None = None


class SavedRun(JsonModel):
    """Figures of one run and the machine they were measured on."""

    at: Timestamp
    machine: dict[str, str]
    figures: list[BenchFigure]


class BenchRunInfo(JsonModel):
    """A saved run, or why it cannot be read."""

    name: str
    at: Timestamp | None = None
    machine: dict[str, str] | None = None
    figures: list[BenchFigure] | None = None
    error: ErrorInfo | None = None


class BenchRunList(JsonModel):
    """Saved benchmark runs, newest first."""

    runs: list[BenchRunInfo]


class BenchRunDetail(JsonModel):
    """One benchmark run as it was saved."""

    name: str
    run: SavedRun


class Health(JsonModel):
    """The process runs."""

    ok: Literal[True]
    version: str


class ReadyChecks(JsonModel):
    """`ok`, or the reason why not."""

    store: str
    disk: str = Field(description="room below the storage folder")
    skills: str
    preparation: str = Field(description="routing index and tokenizer")


class Readiness(JsonModel):
    """Whether the server can answer; with status 503 if not."""

    ok: bool
    checks: ReadyChecks


class RejectedTelemetry(JsonModel):
    """A telemetry event that was not accepted."""

    index: int
    code: str
    message: str


class IngestInfo(JsonModel):
    """How many telemetry events were accepted."""

    accepted: int
    rejected: list[RejectedTelemetry]


class TelemetryEventInfo(JsonModel):
    """One telemetry event."""

    schema_version: str
    event_id: str
    event_name: str
    ts: Timestamp
    source: str
    mode: str
    run_id: str | None = None
    session_id: str | None = None
    turn_id: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    user: str | None = None
    context: JsonMap | None = None
    payload: JsonMap


class TelemetryPage(JsonModel):
    """Telemetry events, newest first."""

    events: list[TelemetryEventInfo]
    next: str | None = Field(description="the `cursor` of the next page")


class Durations(JsonModel):
    """Durations: how many, the median and the 95th percentile."""

    count: int
    p50_ms: float | None
    p95_ms: float | None


class TelemetrySummaryInfo(JsonModel):
    """Counts, durations, skills, tools and violations of telemetry events."""

    events: int
    sessions: int
    turns: int
    first: Timestamp | None
    last: Timestamp | None
    lost: int
    by_event: dict[str, int]
    by_hour: list[JsonMap]
    outcomes: dict[str, int]
    turn_ms: Durations
    first_token_ms: Durations
    routing_ms: Durations
    verdicts: dict[str, int]
    models: list[JsonMap]
    tools: list[JsonMap]
    skills: list[JsonMap]
    violations: list[JsonMap]
    errors: dict[str, int]


class ModelInfo(JsonModel):
    """A configured language model; its key is never part of it."""

    name: str = Field(description="by which it is chosen")
    model: str = Field(description="`provider:name`")
    preset: str | None = Field(description="the service, if it is a known one")
    address: str = Field(description="of the service; empty if only its client knows it")
    key: str | None = Field(description="setting or variable that the key comes from")
    tools: str = Field(description="how it calls tools")
    window: int | None = Field(description="tokens of prompt and reply, if set")
    fallbacks: list[str] = Field(description="models that are tried when it does not answer")
    default: bool
    stages: list[str] = Field(description="stages of a turn that use it")


class ModelList(JsonModel):
    """Configured models."""

    models: list[ModelInfo]


class ModelCheckInfo(JsonModel):
    """One thing that was tried."""

    name: Literal["load", "reply", "streaming", "usage", "english", "chinese", "tools", "schema", "window"]
    status: Literal["ok", "warning", "failed"]
    message: str = Field(description="what was seen")
    hint: str | None = Field(None, description="what to do")
    elapsed_ms: float | None = Field(None, description="time taken")
    code: str | None = Field(None, description="which sentence `message` is, or the code of an error")
    hint_code: str | None = Field(None, description="which sentence `hint` is")
    values: dict[str, str | int] | None = Field(None, description="what both sentences are filled with")


class ModelCheckList(JsonModel):
    """What a model can do; `ok` if it can be used."""

    model: str
    ok: bool
    checks: list[ModelCheckInfo]
