"""Chat models by name: the built-in one, any LangChain provider, any server with an OpenAI-compatible API."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.models._builtin import BuiltinModel
from metier.agent.models._tool_modes import wrap_by_mode
from metier.agent.models._wrapping import WrappingModel
from metier.agent.models.decoding import CapabilityStore, Endpoint
from metier.agent.models.providers import OPENAI, ResilientModel, RetryPolicy, client_options, make_client
from metier.errors import InvalidSettings, UsageError
from metier.json_values import JsonObject
from metier.model_settings import ToolsMode

BUILTIN: Final = "builtin"
_PROVIDERS: Final = frozenset(
    {
        *("anthropic", "azure_ai", "azure_openai", "bedrock", "bedrock_converse", "cohere", "deepseek", "fireworks"),
        *("google_genai", "google_vertexai", "groq", "huggingface", "ibm", "litellm", "mistralai", "nvidia", "ollama"),
        *("openai", "openrouter", "perplexity", "together", "upstage", "xai"),
    }
)

ModelFactory: TypeAlias = Callable[..., BaseChatModel]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Operator's settings for the chat model.

    `name` is `builtin`, `provider:name`, or the bare name of a model at `base_url`, which then speaks OpenAI's
    protocol. `base_url` and `api_key` belong to the provider of `name`; a `fallback` of another provider uses the
    address and key of its own environment. `tools` says whether the model calls tools natively (`native`) or through
    the text protocol (`text`), under a schema (`schema`), or in the best way that its endpoint can do (`auto`).
    `options` go to the provider's class; `repr` leaves them out, as headers may hold a key. `label` is how messages
    name the model, if not by `name`; `key_source` is the setting or variable that the key comes from.
    """

    name: str = BUILTIN
    base_url: str = field(default="", repr=False)  # it may hold a password
    api_key: str = field(default="", repr=False)
    tools: ToolsMode = "native"
    fallback: str = ""
    timeout_s: float = 120.0
    attempts: int = 3
    options: JsonObject = field(default_factory=dict, repr=False)
    label: str = ""
    key_source: str = ""


def load_model(
    config: ModelConfig,
    *,
    fallbacks: Sequence[ModelConfig] = (),
    builtin: Callable[[], BaseChatModel] | None = None,
    make: ModelFactory | None = None,
    retries: RetryPolicy | None = None,
    capabilities: CapabilityStore | None = None,
) -> BaseChatModel:
    """Load the configured model with retries, fallbacks and tool calls.

    `fallbacks` are tried in turn when the model does not answer, each at its own address. `builtin` makes the built-in
    model; `make` replaces LangChain's `init_chat_model`; `capabilities` remembers what endpoints can do. Raises
    `InvalidSettings` for an unknown name and `MissingExtra` with the install command for a provider that is not
    installed.
    """
    if config.name == BUILTIN:
        if builtin is None:
            raise UsageError("no built-in model was given", hint="pass builtin=, or set METIER_MODEL to another model")
        return builtin()
    chain = [*_chain(config), *fallbacks]
    if any(one.name == BUILTIN for one in chain):
        raise InvalidSettings("the fallback cannot be 'builtin'", hint="name a second model, or none")
    known = capabilities or CapabilityStore()
    models = tuple(
        wrap_by_mode(_make_model(one.name, one, make or make_client), one.tools, make_endpoint(one), known)
        for one in chain
    )
    patience = retries or RetryPolicy(attempts=config.attempts, timeout_s=config.timeout_s)
    names = tuple(one.label or one.name for one in chain)
    sources = tuple(one.key_source for one in chain)
    return ResilientModel(models=models, names=names, key_sources=sources, retries=patience)


def make_endpoint(config: ModelConfig) -> Endpoint:
    """Address of a configured model, by which its abilities are remembered."""
    model = config.name.partition(":")[2] if has_provider(config.name, config) else config.name
    return Endpoint(_provider_of(config), model, config.base_url, config.api_key)


def supervise_model(model: BaseChatModel, timeout_s: float) -> BaseChatModel:
    """A caller's own model, read with the same care as a configured one; retries are left to the caller."""
    if not isinstance(model, BaseChatModel):
        raise UsageError(
            f"a chat model is an object, not {model!r:.80}",
            hint="name it in the settings, Settings(model='openai:…'), or make it: init_chat_model('openai:…')",
        )
    if isinstance(model, WrappingModel | BuiltinModel):
        return model
    return ResilientModel(models=(model,), retries=RetryPolicy(attempts=1, timeout_s=timeout_s))


def _make_model(name: str, config: ModelConfig, make: ModelFactory) -> BaseChatModel:
    provider, _, model = name.partition(":") if has_provider(name, config) else ("", "", name)
    if not model.strip():
        raise InvalidSettings(f"model {name!r} has no name", hint="write METIER_MODEL=provider:name")
    if not provider and not config.base_url:
        hint = "write provider:name (openai:…, anthropic:…, ollama:…), or set METIER_BASE_URL for a server of your own"
        raise InvalidSettings(f"nobody knows who serves model {name!r}", hint=hint)
    provider = provider or OPENAI
    _check_address(config.base_url)
    given = client_options(provider, base_url=config.base_url, api_key=config.api_key, timeout_s=config.timeout_s)
    return make(model, model_provider=provider, **_merge_options(given, config.options))


def _merge_options(given: dict[str, Any], options: JsonObject) -> dict[str, Any]:
    """Options of the operator win; a table such as `client_kwargs` is merged by its keys."""
    merged = {**given, **options}
    for key, value in options.items():
        if isinstance(value, dict) and isinstance(given.get(key), dict):
            merged[key] = {**given[key], **value}
    return merged


def _chain(config: ModelConfig) -> list[ModelConfig]:
    """The model and its fallback, each with the address and key that are its own."""
    if not config.fallback:
        return [config]
    second = replace(config, name=config.fallback, label="")
    if _provider_of(second) != _provider_of(config):
        second = replace(second, base_url="", api_key="")
    return [config, second]


def _provider_of(config: ModelConfig) -> str:
    return config.name.partition(":")[0] if has_provider(config.name, config) else OPENAI


def has_provider(name: str, config: ModelConfig) -> bool:
    """`openai:gpt-5` has one; at `base_url`, `qwen:7b` is a name with a tag."""
    head, colon, _ = name.partition(":")
    if not colon or not head.replace("_", "").replace("-", "").isalpha():
        return False
    return not config.base_url or head in _PROVIDERS


def _check_address(base_url: str) -> None:
    parts = urlsplit(base_url)
    if base_url and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise InvalidSettings(f"{base_url!r} is no address", hint="write METIER_BASE_URL=https://host/v1")
