"""Asks an endpoint what it can do, with tiny requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage

from metier.agent.models.decoding._capabilities import Capabilities, Endpoint
from metier.agent.models.decoding._constraints import Engine, SchemaMethod, constrain, methods_for
from metier.agent.models.providers import classify, find_client
from metier.clock import utc_now
from metier.errors import MetierError
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools import ReadingRules, ReplyStream, begins_in_thought, read_certificates

_TIMEOUT_S: Final = 5.0
_REFUSALS: Final = frozenset({400, 405, 415, 422, 501})
_OWNERS: Final[Mapping[str, Engine]] = MappingProxyType(
    {"vllm": "vllm", "llamacpp": "llamacpp", "library": "ollama", "openai": "openai", "system": "openai"}
)
_QUESTION: Final = "Reply with the word hello and nothing else."
# No model says this of its own accord, least of all to this question: only a decoder that is held to it does.
_CODE: Final = "k7-0452"
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"code": {"type": "string", "enum": [_CODE]}},
    "required": ["code"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the endpoint says of itself."""

    engine: Engine = "unknown"
    window_tokens: int | None = None


def probe_endpoint(model: BaseChatModel, endpoint: Endpoint) -> Capabilities:
    """Ask what the endpoint can do: which engine it is, its window, whether it holds replies to a schema.

    `model` is the provider's client, or a model that wraps it and passes arguments on. Raises the model's own error if
    the endpoint does not answer at all.
    """
    facts = _ask_facts(endpoint)
    found = Capabilities(facts.engine, window_tokens=facts.window_tokens, asked_at=utc_now().isoformat())
    for method in methods_for(facts.engine, find_client(model)):
        reply = _ask(model, method)
        if reply is not None and _is_held(reply):
            found = replace(found, schema=method, usage=reply.usage_metadata is not None, thinking=_is_untagged(reply))
            break
    return _with_loaded_window(found, endpoint)


def is_refusal(error: BaseException) -> bool:
    """Whether an error says that the endpoint does not do what it was asked, and not that it is down or locked."""
    if isinstance(error, MetierError) and error.__cause__ is not None:  # of a model with retries
        error = error.__cause__
    status = classify(error).status
    if status is not None:
        return status in _REFUSALS
    return isinstance(error, TypeError | ValueError | NotImplementedError) and not isinstance(error, OSError)


def _ask(model: BaseChatModel, method: SchemaMethod) -> AIMessage | None:
    """Reply to the question under the schema; None if the endpoint refuses the request."""
    try:
        return model.invoke([HumanMessage(_QUESTION)], **constrain(find_client(model), method, _SCHEMA))
    except Exception as error:
        if is_refusal(error):
            return None
        raise


def _is_held(reply: AIMessage) -> bool:
    stream = ReplyStream(ReadingRules({}), thinking=_is_untagged(reply))
    stream.add(reply.text)
    try:
        return load_json(stream.finish().text) == {"code": _CODE}
    except JsonInvalid:
        return False


def _is_untagged(reply: AIMessage) -> bool:
    return begins_in_thought(reply.text)


def _ask_facts(endpoint: Endpoint) -> _Facts:
    if endpoint.provider == "ollama":
        return _Facts("ollama")
    if endpoint.provider == "anthropic":
        return _Facts("anthropic")
    if not endpoint.base_url:
        return _Facts("openai" if endpoint.provider == "openai" else "unknown")
    listed = _find_model(_get(endpoint, f"{endpoint.base_url.rstrip('/')}/models"), endpoint.model)
    engine = _OWNERS.get(str(listed.get("owned_by")), "unknown")
    window = _first_size(listed.get("max_model_len"), listed.get("context_length"), listed.get("context_window"))
    if engine in ("llamacpp", "unknown") and window is None:
        properties = _get(endpoint, f"{_root(endpoint)}/props")
        settings = properties.get("default_generation_settings")
        window = _first_size(settings.get("n_ctx") if isinstance(settings, Mapping) else None)
        engine = "llamacpp" if window is not None else engine
    return _Facts(engine, window)


def _with_loaded_window(found: Capabilities, endpoint: Endpoint) -> Capabilities:
    """The window of Ollama, which is known when the model is loaded: it was, by the questions before."""
    if found.engine != "ollama":
        return found
    loaded = _find_model(_get(endpoint, f"{_root(endpoint)}/api/ps"), endpoint.model)
    shown = _get(endpoint, f"{_root(endpoint)}/api/show", {"model": endpoint.model})
    window = _first_size(loaded.get("context_length"), _find_num_ctx(shown), _find_trained_length(shown))
    listed = shown.get("capabilities")
    known_tools = "tools" in listed if isinstance(listed, list) and found.tools is None else found.tools
    return replace(found, window_tokens=window, tools=known_tools)


def _get(endpoint: Endpoint, url: str, body: JsonObject | None = None) -> JsonObject:
    """JSON object from a page of the endpoint; empty if there is no such page."""
    import httpx

    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        answer = httpx.request(
            "POST" if body else "GET",
            url,
            json=body,
            headers=headers,
            timeout=_TIMEOUT_S,
            follow_redirects=False,
            verify=read_certificates(trust_env=True),
        )
        data = load_json(answer.text) if answer.status_code == 200 else None
    except (httpx.HTTPError, httpx.InvalidURL, JsonInvalid, UnicodeDecodeError):
        return {}
    return data if isinstance(data, Mapping) else {}


def _root(endpoint: Endpoint) -> str:
    """Address without the path: pages that are no part of OpenAI's protocol lie there."""
    base = endpoint.base_url or "http://localhost:11434"
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


def _find_model(data: JsonObject, name: str) -> JsonObject:
    listed = data.get("data", data.get("models"))
    models = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    same = [one for one in models if name in (one.get("id"), one.get("name"), one.get("model"))]
    return next(iter(same or models[:1]), {})


def _find_num_ctx(shown: JsonObject) -> JsonValue:
    """`num_ctx` of a model's own parameters, which Ollama gives as lines of text."""
    lines = str(shown.get("parameters") or "").splitlines()
    values = [line.split()[-1] for line in lines if line.split()[:1] == ["num_ctx"]]
    return int(values[0]) if values and values[0].isdecimal() else None


def _find_trained_length(shown: JsonObject) -> JsonValue:
    facts = shown.get("model_info")
    found: Iterable[JsonValue] = (
        (value for key, value in facts.items() if key.endswith(".context_length")) if isinstance(facts, Mapping) else ()
    )
    return next(iter(found), None)


def _first_size(*values: JsonValue) -> int | None:
    sizes = (value for value in values if isinstance(value, int) and not isinstance(value, bool) and value > 0)
    return next(sizes, None)
