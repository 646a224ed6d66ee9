"""Schema of events: one Pydantic model per kind, from which documentation, JSON Schema and TypeScript are generated."""

from metier.events._artifacts import ChartSpec, Column
from metier.events._error_texts import ERROR_TEXTS, describe_error
from metier.events._facts import FactData
from metier.events._maps import MapSpec
from metier.events._model import CallInfo, ErrorInfo, EventData, JsonMap, JsonModel
from metier.events._pauses import MESSAGE_PURPOSES, PauseOpened, Question
from metier.events._skills import AnalyzedTask, RouteCandidate, RouteNote
from metier.events._stored import EVENT_DATA, event_schema, find_event_problems, stored_event_type

__all__ = [
    "ERROR_TEXTS",
    "EVENT_DATA",
    "MESSAGE_PURPOSES",
    "AnalyzedTask",
    "CallInfo",
    "ChartSpec",
    "Column",
    "ErrorInfo",
    "EventData",
    "FactData",
    "JsonMap",
    "JsonModel",
    "MapSpec",
    "PauseOpened",
    "Question",
    "RouteCandidate",
    "RouteNote",
    "describe_error",
    "event_schema",
    "find_event_problems",
    "stored_event_type",
]
