"""Base classes of the models that describe JSON: event data and API responses."""

from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

JsonMap: TypeAlias = dict[str, JsonValue]


def _drop_null_defaults(schema: dict[str, Any]) -> None:
    """Describe fields with the default None as keys that may be missing: when present they are not null."""
    for field in schema.get("properties", {}).values():
        if "default" in field and field["default"] is None:
            del field["default"]
            kinds = [one for one in field.pop("anyOf", []) if one.get("type") != "null"]
            field.update(kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {})
        field.pop("title", None)
    schema.pop("title", None)


class JsonModel(BaseModel):
    """JSON object with named fields.

    A field without a default is always present; `X | None` without a default may be null. A field with the default
    None may be missing and is never null. Unknown fields are ignored, so that newer and older data can be read; tests
    reject them.
    """

    model_config = ConfigDict(
        frozen=True,
        populate_by_name=True,
        serialize_by_alias=True,
        json_schema_extra=_drop_null_defaults,
        defer_build=True,
    )


class EventData(JsonModel):
    """Data of one event."""

    parent: str | None = Field(None, description="the call of `task` that started the sub-agent")
    depth: int | None = Field(None, description="how many agents stand above the sub-agent")


class Sender(JsonModel):
    """Who sent a message or an answer."""

    user: str
    key: str = Field(description="id of the key; empty if there was none")


class ErrorInfo(JsonModel):
    """What went wrong, and what can be done."""

    code: str = Field(description="the error's code, as in `docs/reference/errors.md`")
    message: str = Field(description="a sentence for the user")
    hint: str = Field("", description="what can be done")


class Detail(JsonModel):
    """An argument in words."""

    title: str
    value: str


class CallInfo(JsonModel):
    """A tool call of a model's message."""

    id: str
    name: str = Field(description="the tool")
    args: JsonMap
