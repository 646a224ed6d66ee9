"""Chat models by name: the built-in one, any LangChain provider, any server with an OpenAI-compatible API."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.models._resilient import ResilientModel, RetryPolicy
from metier.agent.models._text_tools import TextToolModel
from metier.errors import InvalidSettings, MissingExtra, UsageError
from metier.json_values import JsonObject

BUILTIN: Final = "builtin"
_OPENAI: Final = "openai"
_PROVIDERS: Final = frozenset(
    {
        *("anthropic", "azure_ai", "azure_openai", "bedrock", "bedrock_converse", "cohere", "deepseek", "fireworks"),
        *("google_genai", "google_vertexai", "groq", "huggingface", "ibm", "litellm", "mistralai", "nvidia", "ollama"),
        *("openai", "openrouter", "perplexity", "together", "upstage", "xai"),
    }
)
_EXTRAS: Final = MappingProxyType(
    {
        "langchain-anthropic": "anthropic",
        "langchain-google-genai": "google",
        "langchain-ollama": "ollama",
        "langchain-openai": "openai",
    }
)

ModelFactory: TypeAlias = Callable[..., BaseChatModel]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Operator's settings for the chat model.

    `name` is `builtin`, `provider:name`, or the bare name of a model at `base_url`. `base_url` and `api_key` are for
    OpenAI's protocol (`openai:…` and bare names); other providers read their own environment. `tools` says whether the
    model calls tools natively (`native`) or through the text protocol (`text`). `options` go to the provider's class.
    """

    name: str = BUILTIN
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    tools: Literal["native", "text"] = "native"
    fallback: str = ""
    timeout_s: float = 120.0
    attempts: int = 3
    options: JsonObject = field(default_factory=dict)


def load_model(
    config: ModelConfig,
    *,
    builtin: Callable[[], BaseChatModel] | None = None,
    make: ModelFactory | None = None,
    retries: RetryPolicy | None = None,
) -> BaseChatModel:
    """Load the configured model with retries, fallback and tool calls.

    `builtin` makes the built-in model; `make` replaces LangChain's `init_chat_model`. Raises `InvalidSettings` for an
    unknown name and `MissingExtra` with the install command for a provider that is not installed.
    """
    if config.name == BUILTIN:
        if builtin is None:
            raise UsageError("no built-in model was given", hint="pass builtin=, or set METIER_MODEL to another model")
        return builtin()
    names = [config.name, *([config.fallback] if config.fallback else [])]
    if BUILTIN in names:
        raise InvalidSettings("the fallback cannot be 'builtin'", hint="name a second model, or none")
    models = tuple(_make_model(name, config, make or _init_chat_model) for name in names)
    patience = retries or RetryPolicy(attempts=config.attempts, timeout_s=config.timeout_s)
    steady = ResilientModel(models=models, names=tuple(names), retries=patience)
    return TextToolModel(model=steady) if config.tools == "text" else steady


def _make_model(name: str, config: ModelConfig, make: ModelFactory) -> BaseChatModel:
    provider, _, model = name.partition(":") if _has_provider(name, config) else ("", "", name)
    if not model.strip():
        raise InvalidSettings(f"model {name!r} has no name", hint="write METIER_MODEL=provider:name")
    if not provider and not config.base_url:
        hint = "write provider:name (openai:…, anthropic:…, ollama:…), or set METIER_BASE_URL for a server of your own"
        raise InvalidSettings(f"nobody knows who serves model {name!r}", hint=hint)
    options: dict[str, Any] = {**config.options, "timeout": config.timeout_s, "max_retries": 0}
    if provider in ("", _OPENAI):
        options |= _server_options(config)
    try:
        return make(model, model_provider=provider or _OPENAI, **options)
    except ImportError as error:
        package = _package_name(error, provider or _OPENAI)
        install = f"'metier[{_EXTRAS[package]}]'" if package in _EXTRAS else package
        raise MissingExtra(f"model {name!r} needs {package}", hint=f"pip install {install}") from error
    except (ValueError, TypeError) as error:  # pydantic's ValidationError is a ValueError
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InvalidSettings(f"model {name!r} cannot be made: {said}", hint="check its name and its key") from error


def _has_provider(name: str, config: ModelConfig) -> bool:
    """`openai:gpt-5` has one; at `base_url`, `qwen:7b` is a name with a tag."""
    head, colon, _ = name.partition(":")
    if not colon or not head.replace("_", "").replace("-", "").isalpha():
        return False
    return not config.base_url or head in _PROVIDERS


def _server_options(config: ModelConfig) -> dict[str, Any]:
    if not config.base_url:
        return {"api_key": config.api_key} if config.api_key else {}
    parts = urlsplit(config.base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InvalidSettings(f"{config.base_url!r} is no address", hint="write METIER_BASE_URL=https://host/v1")
    # A self-hosted server often needs no key, but the client does.
    return {"base_url": config.base_url, "api_key": config.api_key or "none"}


def _init_chat_model(model: str, **options: Any) -> BaseChatModel:
    from langchain.chat_models import init_chat_model  # imports for half a second, so only when needed

    made: BaseChatModel = init_chat_model(model, **options)
    return made


def _package_name(error: ImportError, provider: str) -> str:
    module = (error.name or "").partition(".")[0]
    if not module and isinstance(error.__cause__, ImportError):
        module = (error.__cause__.name or "").partition(".")[0]
    return (module or f"langchain_{provider}").replace("_", "-")
