"""Data of the events that choose a skill and build its context."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events._model import EventData, JsonMap, JsonModel

SkillChooser = Literal["user", "caller", "router", "model"]


class RouteReason(JsonModel):
    """One feature that speaks for or against a candidate."""

    feature: str
    value: float
    words: list[str] | None = Field(None, description="the words it rests on")
    place: int = Field(0, description="of the skill among `count`, from 1; 0 where the value has a scale of its own")
    count: int = Field(0, description="skills that were ranked")
    text: str | None = Field(None, description="as a sentence")


class RouteCandidate(JsonModel):
    """A skill that may be meant."""

    skill: str
    score: float = Field(description="probability that it is meant")
    lexical: float = Field(description="BM25 score")
    vector: float | None = Field(description="similarity of meaning; null without vectors")
    trigger_hits: list[str] = Field(description="triggers in the message")
    negated: list[str] | None = Field(None, description="triggers that the message rejects")
    why: list[RouteReason]


class RouteNote(JsonModel):
    """A sentence of the router as a code with its values, to be worded in any language."""

    code: str
    values: JsonMap


class TaskReason(RouteNote):
    """A reason of the task analysis, also as a sentence in the language of the turn."""

    text: str


class AnalyzedTask(JsonModel):
    """What kind of task a message is."""

    types: list[str] = Field(description="task types, the likeliest first; empty if no tool is needed")
    scores: dict[str, float] = Field(description="probability of each type; empty if keywords alone decided")
    complexity: Literal["simple", "single", "several"]
    command: str | None = Field(description="skill that the user named by a slash")
    reasons: list[TaskReason]


class SkillRouted(EventData):
    """The router has judged the message."""

    verdict: Literal["auto", "suggest", "none"]
    route: Literal["explicit", "list", "sticky", "search", "empty"] = Field(description="how it came about")
    skill: str | None = Field(description="the skill that was found")
    skills: list[str] = Field(description="all skills that were named, when there are several")
    candidates: list[RouteCandidate] = Field(description="the best five")
    notes: list[str] = Field(description="sentences that explain the verdict, in the language of the turn")
    why: list[RouteNote] | None = Field(None, description="the same as codes, one for each sentence")
    meant: float | None = Field(None, description="the probability that any skill is meant at all")
    vectors: bool = Field(description="whether meaning was compared, or words only")
    elapsed_ms: float = Field(description="time taken")
    task: AnalyzedTask | None = Field(None, description="what kind of task the message is")
    read_as: str | None = Field(None, description="the whole question that a short follow-up was read as")


class SkillActivated(EventData):
    """From here on the conversation works by this skill."""

    skill: str = Field(description="its id")
    title: str = Field(description="its name for people")
    why: str = Field(description="who decided, as a sentence")
    by: SkillChooser | None = Field(None, description="who decided; the model cannot leave what a person named")
    version: str = Field(description="its version, as it says itself; may be empty")
    digest: str = Field(description="sha256 of its files")
    scenario: str | None = Field(description="the rule of it that is followed")
    together: list[str] | None = Field(None, description="ids of skills in use beside it, in this turn only")


class SkillLeft(EventData):
    """The skill is no longer in use."""

    skill: str = Field(description="its id")
    title: str = Field(description="its name for people")
    why: str = Field(description="who decided, as a sentence")
    by: SkillChooser | None = Field(None, description="who decided")


class ContextSection(JsonModel):
    """One section of a prompt."""

    name: str
    tokens: int
    kept: list[str]
    dropped: list[str]
    limit_tokens: int | None
    required: bool


class ContextDrop(JsonModel):
    """A part that the model does not read."""

    section: str
    piece: str
    tokens: int
    code: str
    text: str = Field(description="the reason, as a sentence")


class ContextBuilt(EventData):
    """What the model is about to read, as an account; the texts are not in it."""

    stage: Literal["choose", "fill", "act", "report", "converse"] | None = Field(
        None, description="why the model is called"
    )
    phase: Literal["choose", "work"]
    mode: Literal["rewrite", "append"]
    skill: str | None = Field(description="the skill whose instructions are in it")
    tokens: int = Field(description="all of it as sent: system text, messages, tools")
    limit_tokens: int = Field(description="the most it may be")
    over_budget: bool = Field(description="whether required parts alone are more than that")
    offered: list[str] = Field(description="ids of the skills on the menu")
    sections: list[ContextSection]
    dropped: list[ContextDrop] = Field(description="what was left out")
    notes: list[JsonValue] = Field(description="sentences about what went wrong")
    missing: list[JsonValue] = Field(description="data that the skill needs and nobody has")
