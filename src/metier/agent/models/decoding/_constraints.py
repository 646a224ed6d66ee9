"""How an endpoint is asked to hold a reply to a JSON Schema.

| method | sent as | endpoints |
|---|---|---|
| `response_format` | `response_format: {type: json_schema, json_schema: {…}}` | OpenAI, vLLM, llama.cpp |
| `structured_outputs` | `structured_outputs: {json: schema}` | vLLM from 0.12 |
| `guided_json` | `guided_json: schema` | vLLM before 0.12 |
| `json_schema` | `json_schema: schema` | llama.cpp |
| `ollama_format` | `format: schema` | Ollama's own API |
| `output_config` | `output_config: {format: {type: json_schema, schema}}` | Anthropic |
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.models.decoding._decoder_schema import Dialect
from metier.json_values import JsonObject, to_plain_json

Engine = Literal["openai", "anthropic", "ollama", "vllm", "llamacpp", "unknown"]
SchemaMethod = Literal[
    "response_format", "structured_outputs", "guided_json", "json_schema", "ollama_format", "output_config"
]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)
SCHEMA_METHODS: Final[tuple[SchemaMethod, ...]] = get_args(SchemaMethod)

# What to try, in this order. An endpoint that nobody knows is asked as OpenAI is.
METHODS_OF: Final[Mapping[Engine, tuple[SchemaMethod, ...]]] = MappingProxyType(
    {
        "openai": ("response_format",),
        "anthropic": ("output_config",),
        "ollama": ("ollama_format", "response_format"),
        "vllm": ("response_format", "structured_outputs", "guided_json"),
        "llamacpp": ("response_format", "json_schema"),
        "unknown": ("response_format",),
    }
)
_DIALECTS: Final[Mapping[Engine, Dialect]] = MappingProxyType(
    {"openai": "strict", "unknown": "strict", "anthropic": "claude"}
)
_SCHEMA_NAME: Final = "reply"
_Build: TypeAlias = Callable[[JsonObject], dict[str, Any]]


def dialect_of(engine: Engine) -> Dialect:
    """Which JSON Schemas an engine takes."""
    return _DIALECTS.get(engine, "open")


def methods_for(engine: Engine, model: BaseChatModel) -> tuple[SchemaMethod, ...]:
    """Methods that this engine may know and the model's class can send."""
    fields = type(model).model_fields
    needed = {"ollama_format": "format", "output_config": "output_config"}
    return tuple(method for method in METHODS_OF[engine] if needed.get(method, "extra_body") in fields)


def constrain(model: BaseChatModel, method: SchemaMethod, schema: JsonObject) -> dict[str, Any]:
    """Arguments for a call of this model that hold its reply to the schema.

    For OpenAI's protocol they go into the body as they are: LangChain's own `response_format` raises when a reply ends
    early, instead of handing over what there is.
    """
    plain: Any = to_plain_json(schema)
    if method == "ollama_format":
        return {"format": plain}
    if method == "output_config":
        given = getattr(model, "output_config", None) or {}
        return {"output_config": {**given, "format": {"type": "json_schema", "schema": plain}}}
    wrapped = {"name": _SCHEMA_NAME, "strict": True, "schema": plain}
    if method == "response_format" and _speaks_responses(model):
        return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
    body = _BODIES[method](plain)
    return {"extra_body": {**(getattr(model, "extra_body", None) or {}), **body}}


_BODIES: Final[Mapping[SchemaMethod, _Build]] = MappingProxyType(
    {
        "response_format": lambda schema: {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": _SCHEMA_NAME, "strict": True, "schema": schema},
            }
        },
        "structured_outputs": lambda schema: {"structured_outputs": {"json": schema}},
        "guided_json": lambda schema: {"guided_json": schema},
        "json_schema": lambda schema: {"json_schema": schema},
    }
)


def _speaks_responses(model: BaseChatModel) -> bool:
    """Whether the model uses OpenAI's Responses API, which has another place for the schema."""
    decide = getattr(model, "_use_responses_api", None)
    return bool(decide({})) if callable(decide) else False
