"""Known model services: protocol, address, key variable and package of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidSettings
from metier.names import suggest


@dataclass(frozen=True, slots=True)
class Preset:
    """Model service.

    `provider` is LangChain's name of the client, which is also the protocol. `base_url` is sent only if the client is
    not the service's own (`has_own_client`): those know their address, and may take it from a variable.
    """

    name: str
    title: str
    provider: str
    base_url: str
    key_variables: tuple[str, ...] = ()
    needs_key: bool = True
    has_own_client: bool = False
    package: str = "langchain-openai"
    extra: str = "openai"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Protocol:
    """Options of a LangChain client that Metier's own settings are passed as; empty if it has none."""

    max_output: str = "max_tokens"
    window: str = ""


# Ollama cuts prompts beyond `num_ctx` without saying so; the other services have a fixed window.
PROTOCOLS: Final[Mapping[str, Protocol]] = MappingProxyType(
    {
        "openai": Protocol(),
        "anthropic": Protocol(),
        "google_genai": Protocol(max_output="max_output_tokens"),
        "ollama": Protocol(max_output="num_predict", window="num_ctx"),
    }
)

_LIST: Final = (
    Preset(
        "openai",
        "OpenAI",
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        has_own_client=True,
    ),
    Preset(
        "anthropic",
        "Anthropic",
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        has_own_client=True,
        package="langchain-anthropic",
        extra="anthropic",
    ),
    Preset(
        "google",
        "Google Gemini",
        "google_genai",
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        has_own_client=True,
        package="langchain-google-genai",
        extra="google",
    ),
    Preset(
        "ollama",
        "Ollama",
        "ollama",
        "http://127.0.0.1:11434",
        needs_key=False,
        has_own_client=True,
        package="langchain-ollama",
        extra="ollama",
        hint="`ollama serve` starts it, `ollama list` names its models",
    ),
    Preset(
        "vllm",
        "vLLM",
        "openai",
        "http://127.0.0.1:8000/v1",
        ("VLLM_API_KEY",),
        needs_key=False,
        hint="`vllm serve <model>` starts it; --enable-auto-tool-choice and --tool-call-parser give it tools",
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "openai",
        "http://127.0.0.1:8080/v1",
        ("LLAMA_API_KEY",),
        needs_key=False,
        hint="start it with `llama-server -m <file> --port 8080`: versions differ in their own default, 8080 or 9931",
    ),
    Preset("deepseek", "DeepSeek", "openai", "https://api.deepseek.com", ("DEEPSEEK_API_KEY",)),
    Preset(
        "dashscope",
        "DashScope (Qwen)",
        "openai",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ("DASHSCOPE_API_KEY",),
        hint="outside mainland China: METIER_BASE_URL=https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    ),
)
PRESETS: Final[Mapping[str, Preset]] = MappingProxyType({preset.name: preset for preset in _LIST})
_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "qwen": "dashscope",
        "gemini": "google",
        "google_genai": "google",
        "llama.cpp": "llamacpp",
        "llama_cpp": "llamacpp",
    }
)


def find_preset(name: str) -> Preset | None:
    """Preset of this name or alias; None if there is none."""
    return PRESETS.get(_ALIASES.get(name, name))


def get_preset(name: str) -> Preset:
    """Preset of this name; `InvalidSettings` names the nearest one."""
    found = find_preset(name)
    if found is None:
        hint = suggest(name, PRESETS, f"known: {', '.join(PRESETS)}")
        raise InvalidSettings(f"there is no preset {name!r}", hint=hint)
    return found
