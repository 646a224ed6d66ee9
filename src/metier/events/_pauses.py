"""Data of the events of a question to a person."""

from typing import Final, Literal

from pydantic import Field, JsonValue

from metier.events._model import CallInfo, Detail, EventData, JsonMap, JsonModel, Sender

PauseKindName = Literal["approval", "arguments", "parameters", "question", "exception"]
Purpose = Literal[
    "approve", "exception", "ask", "ask_user", "fill", "parameters", "profile", "facts", "choose", "outcome"
]
# Questions whose sentence is a message of the turn: who shows the turn has shown it before the question opens.
MESSAGE_PURPOSES: Final = ("ask", "fill", "choose", "parameters", "profile", "facts")


class Choice(JsonModel):
    """A button that answers a question."""

    text: str
    value: JsonValue
    description: str | None = None


class FieldOption(JsonModel):
    """One value of a form's field."""

    value: JsonValue
    label: str


class FormField(JsonModel):
    """A field of a form, worded for the reader."""

    name: str
    title: str
    description: str
    widget: str
    missing: bool
    options: list[FieldOption] | None = None
    labels: list[FieldOption] | None = Field(None, description="words for known values where any value may be given")
    placeholder: str | None = None
    unit: str | None = None
    section: str | None = None
    order: float | None = None
    min: JsonValue = None
    max: JsonValue = None
    default: JsonValue = None
    pattern: str | None = None
    min_items: int | None = None
    max_items: int | None = None
    examples: list[JsonValue] | None = None


class FormSpec(JsonModel):
    """A form for the arguments of a tool."""

    tool: str
    title: str
    description: str
    schema_: JsonMap = Field(alias="schema", description="JSON Schema of the arguments")
    fields: list[FormField]
    missing: list[str] = Field(description="names that need a value")
    given: JsonMap = Field(description="values that are known already")


class Words(JsonModel):
    """A text in both languages."""

    zh: str
    en: str


class PreviewColumn(JsonModel):
    """A column of a preview."""

    key: str
    title: Words
    unit: str = ""
    role: Literal["", "old", "new"] = Field("", description="values before and after the call")


class PreviewRow(JsonModel):
    """One change that a call would make."""

    id: str = Field(description="for `rows` of the answer")
    values: JsonMap = Field(description="by column; a text may be in both languages")
    edit: JsonMap = Field({}, description="JSON Schema of each value that may be edited, by column")


class PreviewTotal(JsonModel):
    """A figure about all rows."""

    title: Words
    value: JsonValue
    unit: str = ""


class CallPreview(JsonModel):
    """What a call would do, as its tool tells without doing it."""

    sentence: Words
    columns: list[PreviewColumn]
    rows: list[PreviewRow]
    totals: list[PreviewTotal]
    chosen_as: str = Field("", description="the argument that takes chosen rows; empty: all or none")
    digest: str = Field(description="SHA-256 of what is shown; the approval counts for this one only")


class WaitingCall(CallInfo):
    """A call that waits for a person."""

    title: str | None = Field(None, description="name of the tool for people")
    details: list[Detail] | None = Field(None, description="its arguments in words")
    preview: CallPreview | None = Field(None, description="what it would do")
    preview_problem: str | None = Field(None, description="why nobody can tell what it would do")


class Question(JsonModel):
    """A question to a person, as it is asked."""

    pause: str = Field(description="its id, for the answer")
    kind: PauseKindName
    purpose: Purpose
    schema_: JsonMap = Field(alias="schema", description="JSON Schema of the answer")
    expires_at: str | None = Field(description="until when it can be answered")
    text: str | None = Field(None, description="the question")
    step: str | None = Field(None, description="the step that asks")
    title: str | None = Field(None, description="its name for people")
    choices: list[Choice] | None = Field(None, description="either text or value may be answered")
    show: JsonValue = Field(None, description="data to show beside the question")
    calls: list[WaitingCall] | None = Field(None, description="the calls that wait")
    tool: str | None = Field(None, description="the tool it is about")
    reason: JsonValue = Field(None, description="why a person must agree")
    missing: list[str] | None = Field(None, description="names of what is missing")
    known: JsonMap | None = Field(None, description="what is filled in already")
    form: FormSpec | None = Field(None, description="the form that asks for it")
    chosen_rows: list[str] | None = Field(None, description="ids of the rows that a plain yes approves; none: all")
    in_doubt: bool | None = Field(
        None, description="words beside it were not understood: a yes in words is asked about once"
    )
    shown: str | None = Field(None, description="digest of what is asked about, for `shown` of the decision")


class PauseOpened(EventData, Question):
    """A question to a person; the turn waits and the conversation is free."""


class PauseChanged(EventData):
    """What a plain yes to an open approval means was changed in words, or put in doubt by words that no rule reads."""

    pause: str = Field(description="its id")
    chosen_rows: list[str] | None = Field(description="ids of the rows that a plain yes approves; null: all")
    in_doubt: bool = Field(description="whether a yes in words is asked about once before it counts")
    shown: str = Field(description="digest of what is asked about now")


class PauseAnswered(EventData):
    """The question was answered, or is no longer of interest."""

    pause: str = Field(description="its id")
    purpose: Purpose | None = Field(None, description="as it was asked")
    answer: JsonValue = Field(None, description="null says that a form was put away")
    cancelled: bool | None = Field(None, description="nobody needs the answer any more")
    by: Sender | None = Field(None, description="who answered")
