"""Clients of the providers: made by LangChain with the operator's address, key and timeout."""

import warnings
from types import MappingProxyType
from typing import Any, Final

from langchain_core.language_models.chat_models import BaseChatModel
from pydantic import SecretStr

from metier.agent.models._wrapping import WrappingModel
from metier.agent.models.providers._reply_variants import skip_mark
from metier.errors import InvalidSettings, MissingExtra
from metier.names import suggest
from metier.settings import is_any_set

OPENAI: Final = "openai"
_ANTHROPIC: Final = "anthropic"
_GOOGLE: Final = "google_genai"
_OLLAMA: Final = "ollama"
_MIN_SECRET_CHARS: Final = 6  # shorter ones are words such as `none` and `EMPTY`
_NO_KEY: Final = "none"  # a self-hosted server often needs no key, but its client does
# Variables in which a client looks for its key; a provider that is not listed has its own way to log in.
_KEY_VARIABLES: Final = MappingProxyType(
    {
        _ANTHROPIC: ("ANTHROPIC_API_KEY",),
        "azure_openai": ("AZURE_OPENAI_API_KEY",),
        "cohere": ("COHERE_API_KEY",),
        "deepseek": ("DEEPSEEK_API_KEY",),
        "fireworks": ("FIREWORKS_API_KEY",),
        _GOOGLE: ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "groq": ("GROQ_API_KEY",),
        "mistralai": ("MISTRAL_API_KEY",),
        "nvidia": ("NVIDIA_API_KEY",),
        OPENAI: ("OPENAI_API_KEY",),
        "openrouter": ("OPENROUTER_API_KEY",),
        "perplexity": ("PPLX_API_KEY", "PERPLEXITY_API_KEY"),
        "together": ("TOGETHER_API_KEY",),
        "upstage": ("UPSTAGE_API_KEY",),
        "xai": ("XAI_API_KEY",),
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
# Where the classes of LangChain keep the client of the provider's own package.
_CLIENT_FIELDS: Final = ("root_client", "root_async_client", "_client", "_async_client")
_ADDRESS_FIELDS: Final = ("openai_api_base", "anthropic_api_url", "api_base", "base_url")
_SETTINGS: Final = MappingProxyType({"base_url": "METIER_BASE_URL", "api_key": "METIER_API_KEY"})


def client_options(provider: str, *, base_url: str, api_key: str, timeout_s: float) -> dict[str, Any]:
    """Arguments of the provider's client. Retries are made by `ResilientModel`, so the client makes none."""
    address = {"base_url": base_url} if base_url else {}
    if provider == _OLLAMA:
        headers = {"headers": {"Authorization": f"Bearer {api_key}"}} if api_key else {}
        return {**address, "client_kwargs": {"timeout": timeout_s, "follow_redirects": False, **headers}}
    options: dict[str, Any] = {**address, "timeout": timeout_s, "max_retries": 0}
    if api_key or (base_url and provider in _KEY_VARIABLES):
        options["api_key"] = api_key or _NO_KEY
    if provider == _GOOGLE:
        options["client_args"] = {"follow_redirects": False, "allow_redirects": False}  # of httpx and of aiohttp
    if provider == OPENAI:
        options["stream_usage"] = True
        if base_url:  # other servers with OpenAI's API have chat completions, seldom its newer API
            options["use_responses_api"] = False
    return options


def make_client(model: str, *, model_provider: str, **options: Any) -> BaseChatModel:
    """Make the chat model of a provider.

    Raises `MissingExtra` with the install line for a provider that is not installed, and `InvalidSettings` for a
    missing key, for a setting that the client does not take, and for anything that the client itself refuses.
    """
    name = f"{model_provider}:{model}"
    _require_key(name, model_provider, options)
    try:
        made = _make(model, model_provider, options)
    except ImportError as error:
        package = _package_name(error, model_provider)
        install = f"'metier[{_EXTRAS[package]}]'" if package in _EXTRAS else package
        raise MissingExtra(f"model {name!r} needs {package}", hint=f"pip install {install}") from error
    except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InvalidSettings(f"model {name!r} cannot be made: {said}", hint="check its name and its key") from error
    _refuse_unused(name, made, options)
    _prepare_http(made)
    return made


def find_client(model: BaseChatModel) -> BaseChatModel:
    """The provider's client inside the models that wrap it."""
    while isinstance(model, WrappingModel):
        model = model.wrapped
    return model


def find_provider(model: BaseChatModel) -> str:
    """Name of a model's provider, as LangChain knows it."""
    return str(find_client(model)._get_ls_params().get("ls_provider") or "")


def find_model_id(model: BaseChatModel) -> str:
    """`provider:name` of a model, by which it is told from another one in the same turn."""
    known = find_client(model)._get_ls_params()
    return f"{known.get('ls_provider') or ''}:{known.get('ls_model_name') or ''}"


def find_address(model: BaseChatModel) -> str:
    """Address at which a model is asked; empty if it is not known."""
    client = find_client(model)
    found = (getattr(client, name, None) for name in _ADDRESS_FIELDS)
    return next((str(address) for address in found if address), "")


def find_secrets(model: BaseChatModel) -> tuple[str, ...]:
    """Keys that the model's client sends, which no error may repeat."""
    values = vars(find_client(model))
    keys = [value.get_secret_value() for value in values.values() if isinstance(value, SecretStr)]
    headers = (values.get("client_kwargs") or {}).get("headers") or {}
    keys += [str(value).removeprefix("Bearer ") for value in headers.values()]
    return tuple(key for key in keys if len(key) >= _MIN_SECRET_CHARS)


def key_variables(provider: str) -> tuple[str, ...]:
    """Environment variables in which the client of a provider looks for its key."""
    return _KEY_VARIABLES.get(provider, ())


def _make(model: str, provider: str, options: dict[str, Any]) -> BaseChatModel:
    from langchain.chat_models import init_chat_model  # imports for half a second, so only when needed

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not default parameter")  # such an option is refused below
        if provider == OPENAI:
            from metier.agent.models.providers._openai_client import OpenAIClient

            return OpenAIClient(model=model, **OpenAIClient.with_chunk_timeout(options))
        if provider == _ANTHROPIC:
            from metier.agent.models.providers._anthropic_client import AnthropicClient

            return AnthropicClient(model=model, **options)
        if provider == _OLLAMA:
            from metier.agent.models.providers._ollama_client import OllamaClient

            return OllamaClient(model=model, **options)
        made: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
        return made


def _prepare_http(made: BaseChatModel) -> None:
    """Follow no redirects, which would carry prompt and key to an address no operator has chosen; read odd starts."""
    for name in _CLIENT_FIELDS:
        http = getattr(getattr(made, name, None), "_client", None)
        if http is not None and hasattr(http, "follow_redirects"):
            http.follow_redirects = False
        hooks = getattr(http, "event_hooks", None)
        if "async" in name and hooks is not None and http is not None and skip_mark not in hooks["response"]:
            http.event_hooks = {**hooks, "response": [*hooks["response"], skip_mark]}


def _require_key(name: str, provider: str, options: dict[str, Any]) -> None:
    variables = _KEY_VARIABLES.get(provider, ())
    if not variables or any(option.endswith("api_key") for option in options):
        return
    if not is_any_set(variables):
        raise InvalidSettings(f"model {name!r} needs a key", hint=f"set METIER_API_KEY or {' or '.join(variables)}")


def _refuse_unused(name: str, made: BaseChatModel, options: dict[str, Any]) -> None:
    """Clients ignore arguments that they do not know; an operator would believe that the setting is in effect."""
    fields = type(made).model_fields
    known = {*fields, *(field.alias for field in fields.values())}
    for option, setting in _SETTINGS.items():
        if option in options and option not in known:
            hint = f"unset {setting}; {type(made).__name__} reads the settings of its own provider"
            raise InvalidSettings(f"model {name!r} takes no {setting}", hint=hint)
    client = next(kind for kind in type(made).__mro__ if not kind.__module__.startswith("metier."))
    for option in sorted(options.keys() - known):
        near = suggest(option, sorted(filter(None, known)), f"see the class {client.__name__}")
        body = "; fields of the service's own go under 'extra_body'" if "extra_body" in known else ""
        raise InvalidSettings(f"model {name!r} has no option {option!r}", hint=f"{near}{body}")


def _package_name(error: ImportError, provider: str) -> str:
    module = (error.name or "").partition(".")[0]
    if not module and isinstance(error.__cause__, ImportError):
        module = (error.__cause__.name or "").partition(".")[0]
    return (module or f"langchain_{provider}").replace("_", "-")
