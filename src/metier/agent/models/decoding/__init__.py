"""How tools reach a model and how its reply is read: natively, or decoded under a schema of what is allowed now."""

from metier.agent.models.decoding._capabilities import (
    CAPABILITIES_FILE,
    Capabilities,
    CapabilityStore,
    Endpoint,
    ToolMode,
)
from metier.agent.models.decoding._constraints import Engine, SchemaMethod, constrain, dialect_of, methods_for
from metier.agent.models.decoding._decoder_schema import DecoderSchema, Dialect, to_decoder_schema
from metier.agent.models.decoding._measure import UtteredCalls, count_uttered_calls
from metier.agent.models.decoding._native_tools import NativeToolModel
from metier.agent.models.decoding._probe import is_refusal, probe_endpoint
from metier.agent.models.decoding._reading import MAX_REPAIRS, ReadingModel
from metier.agent.models.decoding._schema_tools import SchemaToolModel
from metier.agent.models.decoding._stage_schema import StageSchema, compile_stage
from metier.agent.models.decoding._stage_stream import StageStream

__all__ = [
    "CAPABILITIES_FILE",
    "MAX_REPAIRS",
    "Capabilities",
    "CapabilityStore",
    "DecoderSchema",
    "Dialect",
    "Endpoint",
    "Engine",
    "NativeToolModel",
    "ReadingModel",
    "SchemaMethod",
    "SchemaToolModel",
    "StageSchema",
    "StageStream",
    "ToolMode",
    "UtteredCalls",
    "compile_stage",
    "constrain",
    "count_uttered_calls",
    "dialect_of",
    "is_refusal",
    "methods_for",
    "probe_endpoint",
    "to_decoder_schema",
]
