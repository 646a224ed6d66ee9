"""Data of the events of a conversation's facts."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events._model import EventData, JsonModel, Sender


class FactOptionInfo(JsonModel):
    """A value that a fact can be changed to."""

    value: JsonValue
    label: str
    also: list[str] = Field(default_factory=list, description="its names in other languages")


class FactData(JsonModel):
    """A value that was settled in a conversation, and where it came from."""

    name: str = Field(description="as in `$.facts.NAME`")
    value: JsonValue
    type: Literal["text", "number", "boolean", "list", "object"]
    title: str = Field(description="the name for people")
    label: str = Field(description="the value for people")
    source: Literal["step", "form", "words", "user", "assumption"] = Field(
        description="computed by a step, given in a form, said in a message, changed by the user, or assumed"
    )
    options: list[FactOptionInfo] = Field(description="values it can be changed to; empty if any of its type will do")
    skill: str = Field(description="the skill that settled it; may be empty")
    step: str = Field(description="the step that settled it; may be empty")


class FactSaved(EventData, FactData):
    """A fact of the conversation is settled or has another value: every skill reads it from here on."""

    by: Sender | None = Field(None, description="who changed it, if a person did")


class FactRemoved(EventData):
    """A fact does not hold any more."""

    name: str = Field(description="as in `$.facts.NAME`")
    title: str = Field(description="the name for people")
    by: Sender | None = Field(None, description="who removed it")
