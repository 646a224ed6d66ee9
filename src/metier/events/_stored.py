"""All kinds of events: the model of each kind's data, the stored event, its JSON Schema, and validation."""

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError, create_model

from metier.events._artifacts import Chart, FileWritten, ImageWritten, TablePage
from metier.events._attachments import AttachmentAdded, AttachmentRemoved
from metier.events._facts import FactRemoved, FactSaved
from metier.events._flow import DeepReport, FlowNode, FlowPlanned, Reflection
from metier.events._maps import MapData
from metier.events._model import EventData, JsonModel
from metier.events._pauses import PauseAnswered, PauseChanged, PauseOpened
from metier.events._plans import MilestoneFailed, MilestonePassed, PlanCreated, StepDone, StepStarted
from metier.events._skills import ContextBuilt, SkillActivated, SkillLeft, SkillRouted
from metier.events._tools import (
    ExceptionDecided,
    ExceptionRequested,
    ToolCalled,
    ToolProgress,
    ToolResult,
    ToolViolation,
)
from metier.events._turns import (
    ReasoningDelta,
    ReasoningDone,
    Suggestions,
    Tasks,
    TextDelta,
    TextDone,
    Todos,
    TokenUse,
    TurnDone,
    TurnError,
    TurnFailed,
    TurnStarted,
)
from metier.json_values import JsonObject

EVENT_DATA: Final[Mapping[str, type[EventData]]] = MappingProxyType(
    {
        "turn.started": TurnStarted,
        "turn.done": TurnDone,
        "turn.failed": TurnFailed,
        "skill.routed": SkillRouted,
        "skill.activated": SkillActivated,
        "skill.left": SkillLeft,
        "context.built": ContextBuilt,
        "plan.created": PlanCreated,
        "step.started": StepStarted,
        "step.done": StepDone,
        "milestone.passed": MilestonePassed,
        "milestone.failed": MilestoneFailed,
        "fact.saved": FactSaved,
        "fact.removed": FactRemoved,
        "attachment.added": AttachmentAdded,
        "attachment.removed": AttachmentRemoved,
        "tool.called": ToolCalled,
        "tool.progress": ToolProgress,
        "tool.result": ToolResult,
        "tool.violation": ToolViolation,
        "exception.requested": ExceptionRequested,
        "exception.decided": ExceptionDecided,
        "table": TablePage,
        "chart": Chart,
        "map": MapData,
        "image": ImageWritten,
        "file": FileWritten,
        "tasks": Tasks,
        "todos": Todos,
        "pause.opened": PauseOpened,
        "pause.changed": PauseChanged,
        "pause.answered": PauseAnswered,
        "reasoning.delta": ReasoningDelta,
        "reasoning.done": ReasoningDone,
        "text.delta": TextDelta,
        "text.done": TextDone,
        "suggestions": Suggestions,
        "usage": TokenUse,
        "flow.planned": FlowPlanned,
        "flow.node": FlowNode,
        "reflect": Reflection,
        "report": DeepReport,
        "error": TurnError,
    }
)


class EventEnvelope(JsonModel):
    """Fields of every stored event besides its kind and its data."""

    conversation: str
    turn: str | None
    seq: int = Field(description="number within the conversation, without gaps")
    at: str = Field(description="ISO 8601")
    first_seq: int | None = Field(None, description="joined pieces of text: the number of the first; `seq` is the last")


@lru_cache(maxsize=1)
def stored_event_type() -> Any:
    """Union of one model per event kind, discriminated by `kind`; the type of an event in the API."""
    models = tuple(
        create_model(
            f"{model.__name__}Event",
            __base__=EventEnvelope,
            __doc__=model.__doc__,
            kind=(Literal[kind], ...),  # type: ignore[arg-type]  # a type that is computed
            data=(model, ...),
        )
        for kind, model in EVENT_DATA.items()
    )
    union = models[0]
    for model in models[1:]:
        union = union | model  # type: ignore[assignment]  # a union that is computed
    return Annotated[union, Field(discriminator="kind")]


def event_schema() -> dict[str, Any]:
    """JSON Schema of a stored event as the API sends it."""
    made: dict[str, Any] = json.loads(_write_event_schema())
    return made


@lru_cache(maxsize=1)
def _write_event_schema() -> str:
    schema = TypeAdapter(stored_event_type()).json_schema(ref_template="#/$defs/{model}", mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "StoredEvent", **schema})


def find_event_problems(kind: str, data: JsonObject) -> tuple[str, ...]:
    """Differences between an event's data and the model of its kind, unknown keys included; empty if it conforms."""
    model = EVENT_DATA[kind]
    try:
        text = json.dumps(data, default=dict)
        found = model.model_validate_json(text, strict=True, extra=None if _is_open(model) else "forbid")
    except ValidationError as error:
        return tuple(f"{kind}: {'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    nulls = [name for name in found.model_fields_set if _is_wrong_null(model, name, getattr(found, name, None))]
    return tuple(f"{kind}: {name}: may be missing, but not null" for name in sorted(nulls))


def _is_open(model: type[EventData]) -> bool:
    return model.model_config.get("extra") == "allow"


def _is_wrong_null(model: type[EventData], name: str, value: object) -> bool:
    field = model.model_fields.get(name)
    free = field is not None and "JsonValue" in repr(field.annotation)
    return value is None and field is not None and not field.is_required() and not free
