"""Data of the events of a turn: its start and end, its text, its use of tokens, its errors."""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from metier.events._model import EventData, JsonModel, Sender

# The output limit, the content filter, a lost connection; a reply that repeats itself or never ends is cut here.
ReplyEnd: TypeAlias = Literal["length", "filter", "connection", "repetition", "too_long"]


class TurnStarted(EventData):
    """A message came in."""

    message: str = Field(description="what the user said")
    skill: str | None = Field(description="the skill in use until now")
    model: str | None = Field(None, description="the configured model that the request named")
    skills: list[str] | None = Field(None, description="skills to be used together with the one that was named")
    by: Sender | None = Field(None, description="who sent it")
    voice_mode: Literal["warm", "sarcastic", "wise", "off"] | None = Field(
        None, description="the tone that the request named"
    )
    guarded: str | None = Field(None, description="why a guard of a pack answered the message or changed its tone")


class PlanSummary(JsonModel):
    """How a turn followed its plan."""

    state: str = Field(description="`done`, `failed`, `running` …")
    share: float | None = Field(description="share of calls that were off the plan")
    tool_calls: int
    off_plan: int
    iterations: int
    model_calls: int
    asks: int
    replans: int
    strayed_to: dict[str, int] = Field(description="calls off the plan, by tool")


class TurnDone(EventData):
    """The turn is over; the conversation is free."""

    skill: str | None = Field(description="the skill in use at the end")
    plan: PlanSummary | None = Field(description="how the plan was followed")
    model_calls: int = Field(description="calls of the language model")
    tool_calls: int = Field(description="calls of tools that do work")
    refusals: int = Field(description="calls that the gate refused")
    skills_left: int = Field(0, description="how often the model left a skill")
    input_tokens: int = Field(description="tokens read by the model")
    output_tokens: int = Field(description="tokens written by it")
    cost: float | None = Field(None, description="what the tokens cost, when prices are set")


class TurnFailed(EventData):
    """The turn ended by an error; what was stored stays."""

    code: str = Field(description="the error's code, as in `docs/reference/errors.md`")
    message: str = Field(description="a sentence for the user")
    hint: str | None = Field(None, description="what can be done")
    detail: str | None = Field(None, description="the cause in English, where `message` is in another language")


class TurnError(EventData):
    """Something went wrong and the turn went on, or ended (`interrupted`, `stopped`, `limit_reached`)."""

    code: str = Field(description="the error's code, as in `docs/reference/errors.md` or as listed here")
    message: str = Field(description="a sentence for the user")
    hint: str | None = Field(None, description="what can be done")
    detail: str | None = Field(None, description="the cause in English, where `message` is in another language")
    skill: str | None = Field(None, description="the skill it is about")
    turn: str | None = Field(None, description="the turn it is about")
    limit: Literal["steps", "model_calls", "tokens", "wall_s", "cost"] | None = Field(
        None, description="the limit that was reached"
    )
    used: float | None = Field(None, description="how much was used")
    most: float | None = Field(None, description="how much may be used")
    repairs: int | None = Field(None, description="how often the model was asked again")
    numbers: list[str] | None = Field(None, description="figures of a report that are not in the results")


class TextDelta(EventData):
    """A piece of what the model is saying; `text.done` has the whole."""

    text: str = Field(description="the piece")


class TextDone(EventData):
    """A message of the assistant, whole."""

    text: str = Field(description="all of it; it replaces the pieces sent before")
    stopped: bool | None = Field(None, description="it was broken off by a stop")
    end: ReplyEnd | None = Field(None, description="why the model's reply is not complete")
    reminder: str | None = Field(None, description="end of the text about an open question; over once it is answered")


class ReasoningDelta(EventData):
    """A piece of what the model is thinking before it answers; `reasoning.done` has the whole."""

    text: str = Field(description="the piece")


class ReasoningDone(EventData):
    """What the model thought before it answered or called a tool. No part of its text, nor of any later prompt."""

    text: str = Field(description="all of it; it replaces the pieces sent before")
    elapsed_ms: float = Field(description="time from its first piece to its end")
    stopped: bool | None = Field(None, description="it was broken off by a stop")


class TokenUse(EventData):
    """What one call of the model took."""

    input_tokens: int = Field(description="read")
    output_tokens: int = Field(description="written")
    model: str | None = Field(None, description="the model, as `provider:name` where both are known")
    elapsed_ms: float | None = Field(None, description="time taken, with every attempt")
    name: str | None = Field(None, description="its name among the configured models")
    stage: Literal["choose", "fill", "act", "report", "converse"] | None = Field(
        None, description="what the model was called for"
    )
    chosen_by: Literal["request", "conversation", "skill", "stage", "default"] | None = Field(
        None, description="who chose this model"
    )
    fallback: bool | None = Field(None, description="`name` did not answer; its fallback `model` did")
    unknown: str | None = Field(None, description="a model that was asked for and is not configured")
    estimated: bool | None = Field(None, description="the model did not say; counted here")
    end: ReplyEnd | None = Field(None, description="why the reply is not complete; calls in it did not run")
    cost: float | None = Field(None, description="what that costs, when prices are set")


class Suggestion(JsonModel):
    """A sentence to say next."""

    text: str = Field(description="the words on the button")
    value: str = Field(description="what is sent")


class Suggestions(EventData):
    """What the user might say next, two to four of them."""

    suggestions: list[Suggestion]
    from_: Literal["model", "skill"] = Field(alias="from", description="who wrote them")


class Todo(JsonModel):
    """One thing to do."""

    content: str
    status: Literal["pending", "in_progress", "completed", "skipped", "failed"]


class TaskOutputInfo(JsonModel):
    """What a finished task leaves to those after it."""

    text: str = Field(description="its answer")
    data: dict[str, JsonValue] = Field(description="the outputs that its skill declares")


class TaskInfo(JsonModel):
    """One of several things that a message asks for."""

    id: str
    skill: str
    title: str = Field(description="of the skill")
    text: str = Field(description="the words that ask for it")
    state: Literal["pending", "running", "done", "failed", "skipped", "stopped", "unavailable"]
    first_message: int = Field(description="how many messages of the turn came before it")
    why: str | None = Field(None, description="why it is not done")
    output: TaskOutputInfo | None = Field(None, description="once it is done")


class Tasks(EventData):
    """Several things that a message asks for, done one after the other; the whole list every time."""

    tasks: list[TaskInfo]


class Todos(EventData):
    """What is to be done and how far it is; the whole list every time."""

    todos: list[Todo]
    from_: Literal["plan", "model"] = Field(alias="from", description="`plan`: derived from it without a model call")
