"""Settings of language models: the default one, further ones by name, and which stage of a turn uses which."""

import json
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, SecretStr, StringConstraints
from pydantic_settings import BaseSettings, NoDecode

__all__ = ["ModelSettings", "NamedModel", "Names", "SkillChooser", "StageName", "ToolsMode"]

ToolsMode = Literal["auto", "native", "schema", "text"]
StageName = Literal["choose", "fill", "act", "report", "converse"]
SkillChooser = Literal["router", "model", "both"]


def _split_names(value: object) -> object:
    """Split `a,b` or a list into names."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(str(item).strip() for item in items if str(item).strip()) if isinstance(items, list | tuple) else value


def _split_pairs(value: object) -> object:
    """Read `choose=small,act=strong` or a JSON object as a table."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("{"):
        return json.loads(value)  # a JSONDecodeError is a ValueError, which Pydantic reports
    pairs = (pair.partition("=") for pair in value.split(",") if pair.strip())
    return {key.strip(): name.strip() for key, _, name in pairs}


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_names)]
# A colon separates provider and name, so a name of the operator's own has none.
_OwnName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")]


class NamedModel(BaseModel):
    """One `[models.<name>]` table. Address and key are its own: the key of one service never goes to another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1, description="'provider:name'; with a preset or a base_url, the name alone.")
    preset: str = Field("", description="The service: openai, anthropic, google, ollama, vllm, deepseek …")
    base_url: str = Field("", repr=False, description="Address, if it is not the one of the preset.")
    api_key: SecretStr = Field(SecretStr(""), description="Key of the service.")
    api_key_env: str = Field("", description="Variable that holds the key.")
    tools: ToolsMode | None = Field(None, description="As METIER_MODEL_TOOLS.")
    window: int = Field(0, ge=0, description="As METIER_MODEL_WINDOW.")
    max_output: int = Field(0, ge=0, description="As METIER_MODEL_MAX_OUTPUT.")
    options: dict[str, JsonValue] = Field(default_factory=dict, repr=False, description="As METIER_MODEL_OPTIONS.")
    timeout_s: float | None = Field(None, gt=0, description="As METIER_MODEL_TIMEOUT_S.")
    price_input: float | None = Field(None, ge=0, description="As METIER_PRICE_INPUT.")
    price_output: float | None = Field(None, ge=0, description="As METIER_PRICE_OUTPUT.")
    fallback: Names = Field((), description="As METIER_MODEL_FALLBACK.")


class ModelSettings(BaseSettings):
    """Settings of the default model and of the named ones."""

    voice_mode: Literal["warm", "sarcastic", "wise", "off"] = Field(
        default="warm",
        description="Tone of answers, unless a request or its conversation names another; off: none is asked for.",
    )
    model: str = Field(
        default="builtin",
        description="The language model: 'provider:name' (openai:…, anthropic:…, ollama:…, deepseek:…) or a name from "
        "METIER_MODELS. 'builtin' needs none: skills run by their steps, and forms ask for what is missing.",
    )
    base_url: str = Field(
        default="",
        repr=False,  # it may hold a password
        description="Address of the model's service, if it is not the provider's own. METIER_MODEL without a provider "
        "is then the name of a model at an OpenAI-compatible server.",
    )
    api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of the model's service; empty leaves it to the provider's own variable. Shown masked.",
    )
    model_fallback: Names = Field(
        default=(),
        description="Models to try in turn when the first does not answer, joined with ',': names from METIER_MODELS, "
        "or 'provider:name' at the same address.",
    )
    model_tools: ToolsMode = Field(
        default="auto",
        description="How the model calls tools: by itself (native), in replies that its endpoint holds to a schema of "
        "what is allowed (schema), or as text (text); auto asks the endpoint once what it can do.",
    )
    model_timeout_s: float = Field(
        default=120.0,
        gt=0,
        description="How long one call of the model may take, in seconds.",
    )
    model_window: int = Field(
        default=0,
        ge=0,
        description="How many tokens prompt and reply may have together; 0 asks the model's service.",
    )
    model_max_output: int = Field(
        default=0,
        ge=0,
        description="How many tokens one reply may have; 0 leaves it to the model's service.",
    )
    model_options: dict[str, JsonValue] = Field(
        default_factory=dict,
        repr=False,
        description="Further options of the provider's class as JSON: temperature, top_p, reasoning_effort, extra_body "
        "… An option that the class does not have is refused.",
    )
    models: dict[_OwnName, NamedModel] = Field(
        default_factory=dict,
        description="Further models by name: a table [models.<name>] each in metier.toml with 'model', 'preset', "
        "'base_url', 'api_key' or 'api_key_env', 'tools', 'window', 'max_output', 'options', 'timeout_s', "
        "'price_input', 'price_output', 'fallback'; as a variable, JSON.",
    )
    stage_models: Annotated[dict[StageName, str], NoDecode, BeforeValidator(_split_pairs)] = Field(
        default_factory=dict,
        description="Which model a stage of a turn uses, for example 'choose=small,act=strong'. Stages: choose, fill, "
        "act, report, converse; the others use METIER_MODEL.",
    )
    skill_choice: SkillChooser = Field(
        default="both",
        description="Who chooses the skill of a message: router (the user is asked where it is not sure), model (from "
        "the whole catalogue while it fits, else from a shortlist and by search), or both: the model where the router "
        "is not sure. A request may say otherwise. Without a language model it is the router.",
    )
    route_auto: float = Field(
        default=0.8, gt=0, le=1, description="Probability from which the router takes a skill without asking."
    )
    route_suggest: float = Field(
        default=0.6, gt=0, le=1, description="Probability of the first three together from which they are offered."
    )
    model_chooses: Literal["auto", "unless_sure", "suggested"] = Field(
        default="auto",
        description="When the model chooses a skill: whenever the router is not sure of one (unless_sure), or only "
        "where the router suggests some (suggested), which is better for small models. auto: suggested for a model on "
        "this machine or a private network, unless_sure for a provider's.",
    )
    price_input: float = Field(default=0.0, ge=0, description="Price of a million input tokens.")
    price_output: float = Field(default=0.0, ge=0, description="Price of a million output tokens.")
