"""Settings from METIER_* variables, `.env` and `metier.toml`. Nothing else reads the environment."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    JsonValue,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from metier.errors import InvalidSettings
from metier.masking import is_secret, mask_secrets
from metier.model_settings import Names
from metier.setting_names import check_given_names, describe_unknown_names, may_set, warn_once
from metier.tool_settings import ToolSettings

__all__ = [
    "Settings",
    "find_unknown_settings",
    "is_any_set",
    "load_settings",
    "read_variable",
    "render_env_example",
    "set_if_unset",
]


def _split_paths(value: object) -> object:
    """Split `a:b` (the platform's path separator) or a list into paths; `~` is the home folder."""
    items = value.split(os.pathsep) if isinstance(value, str) else value
    if isinstance(items, list | tuple):
        return tuple(Path(str(item)).expanduser() for item in items if str(item).strip())
    return value


def _empty_to_none(value: object) -> object:
    """An empty variable means no file, not the current folder."""
    return None if isinstance(value, str) and not value.strip() else value


OptionalFile = Annotated[Path | None, BeforeValidator(_empty_to_none)]
Folders = Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_split_paths)]


class Settings(ToolSettings):
    """The operator's settings. Every field has a default that works on a fresh machine."""

    model_config = SettingsConfigDict(
        env_prefix="METIER_",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    skills_dir: Folders = Field(
        default=(Path("skills"),),
        validation_alias=AliasChoices("METIER_SKILLS_DIR", "SKILLS_DIR", "skills_dir"),
        description="Folders with skills, first one wins; several are joined with ':'. SKILLS_DIR works too.",
    )
    trusted_skills_dir: Folders = Field(
        default=(),
        description="Skill folders you vouch for: hard links and suspicious wording are warnings there, not refusals.",
    )
    skill_overrides: Names = Field(
        default=(),
        description="Ids, joined with ',', that a skill of your own may take from a pack or a trusted folder.",
    )
    skill_groups: Names = Field(
        default=(),
        description="Groups of skills that may be used, joined with ','; empty: all. A skill without one always may.",
    )
    skill_trust: Literal["off", "warn", "require"] = Field(
        default="off",
        description="off: an edited skill is used at once; warn: versions that nobody approved are told; require: they "
        "wait, and the approved version stays in use. Set require where others can write to the skills folder.",
    )
    skill_lock: Path = Field(Path("skills.lock"), description="Lock file of approved skills, see `metier skills pin`.")
    packs: Names = Field(
        default=(),
        description="Packs to work with, joined with ','; 'all' means every installed one. Empty: `metier serve`, "
        "`chat`, `mcp` and `approvals` take all, other commands take those named with --pack.",
    )
    allowed_tools_mode: Literal["preapprove", "restrict"] = Field(
        default="preapprove",
        description="How the open standard's 'allowed-tools' is read: tools that need no approval, or the only tools.",
    )
    policy_file: OptionalFile = Field(
        default=None,
        description="TOML with the operator's tool policy: allowed, forbidden, confirm, preapproved; globs are fine.",
    )
    task_types_file: OptionalFile = Field(
        default=None,
        description="TOML or JSON with task types, their keywords and tools; empty means those that come with Metier.",
    )
    storage_dir: Path = Field(
        default=Path("storage"),
        description="Where Metier keeps its own files.",
    )
    embedder: str = Field(
        default="use-multilingual",
        description="What turns texts into vectors for routing: a name registered under 'metier.embedders', "
        "'package.module:attribute' for a LangChain Embeddings, or 'none' to route by words alone.",
    )
    english_booster: Literal["auto", "off", "minilm"] = Field(
        default="auto",
        description="A second embedder for English messages and skills: better there, slower. auto: where installed.",
    )
    database_url: str = Field(
        default="",
        description="postgresql://… or sqlite:///file; empty means a SQLite file in the storage folder.",
    )
    durability: Literal["normal", "full"] = Field(
        default="normal",
        description="normal: a stored event survives a killed process; full: it survives a power cut too.",
    )
    busy_timeout_s: float = Field(
        default=4.0,
        gt=0,
        le=300,
        description="How long a call waits for a database that others hold; then the server answers 503.",
    )
    workspace_max_bytes: int = Field(
        default=268_435_456,
        ge=1_048_576,
        description="How much the files of one conversation may hold together, in bytes.",
    )
    workspace_max_files: int = Field(
        default=10_000,
        ge=100,
        description="How many files and folders one conversation may have.",
    )
    web_search: Literal["local", "searxng", "brave", "tavily", "bing"] = Field(
        default="local",
        description="What web_search asks: a service (searxng, brave, tavily, bing), or 'local': your own documents.",
    )
    web_search_url: str = Field(
        default="",
        description="Address of the search service; needed for searxng, the others have their own.",
    )
    web_search_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of the search service; shown masked.",
    )
    web_search_folder: Path = Field(
        default=Path("documents"),
        description="Folder of documents that web_search looks through when it is 'local'.",
    )
    fetch_allow_private: bool = Field(
        default=False,
        description="Let fetch_web_content reach private networks and this machine; cloud metadata stays closed.",
    )

    sandbox: Literal["required", "best_effort", "off"] = Field(
        default="required",
        description="Sandbox for scripts and commands. required: nothing runs without it; best_effort: scripts of "
        "trusted skills may; off: trusted scripts run without it. Untrusted scripts never run without the sandbox.",
    )
    scripts_memory_max_bytes: int = Field(
        default=0,
        ge=0,
        description="How much memory all running scripts may use together, in bytes; each gets at most 512 MiB of it, "
        "and those that do not fit wait. 0: half of the machine's memory.",
    )
    mcp_servers: dict[str, dict[str, JsonValue]] = Field(
        default_factory=dict,
        description="MCP servers whose tools are offered: a table per server in metier.toml with 'command', 'args', "
        "'env', 'cwd', or 'url', 'headers'; as a variable, JSON.",
    )
    mcp_trust: Literal["first_use", "approved"] = Field(
        default="first_use",
        description="Which tools of MCP servers need no approval. first_use: those seen for the first time; approved: "
        "none. A tool that its server changes waits for `metier tools approve` in both cases.",
    )
    language: Literal["auto", "zh", "en"] = Field(
        default="auto",
        description="In which language Metier speaks: that of the message (auto), Chinese or English.",
    )
    prompt_mode: Literal["rewrite", "append"] = Field(
        default="rewrite",
        description="rewrite: the skill stands in the system prompt; append: it follows as a message, and the "
        "provider's prompt cache stays valid.",
    )
    prompt_file: OptionalFile = Field(
        default=None,
        description="Your own base prompt: a Jinja2 template with 'skill_content'; empty means the one of Metier.",
    )
    skill_tool: str = Field(
        default="use_skill",
        pattern=r"^[a-z][a-z0-9_]{0,62}$",
        description="The name of the tool by which the model chooses a skill, for example select_skill.",
    )
    message_max_tokens: int = Field(
        default=100_000,
        ge=100,
        description="The longest message that is taken, in tokens.",
    )
    turn_max_steps: int = Field(
        default=50,
        ge=2,
        le=1000,
        description="How many times one turn may call the model or a tool before it is stopped.",
    )
    turn_max_tokens: int = Field(
        default=400_000,
        ge=1000,
        description="How many tokens one turn may use, prompts and answers together.",
    )
    knowledge_tools: Names = Field(
        default=("search_knowledge",),
        description="Tools whose results stay in the prompt when old ones are cleared, separated by commas.",
    )
    turn_max_cost: float = Field(
        default=0.0,
        ge=0,
        description="How much one turn may cost, in the currency of the prices; 0 for no limit.",
    )
    turn_max_s: float = Field(
        default=900.0,
        gt=0,
        description="How long one turn may work, in seconds; waiting for a person does not count.",
    )
    flow_max_steps: int = Field(
        default=24,
        ge=1,
        le=1000,
        description="How many operators one goal of a deep run may execute.",
    )
    flow_max_goals: int = Field(
        default=4,
        ge=1,
        le=16,
        description="How many goals a deep run may pursue at once.",
    )
    flow_max_rounds: int = Field(
        default=3,
        ge=1,
        le=20,
        description="How many times a deep run may plan, before it reports what it has.",
    )
    flow_max_s: float = Field(
        default=900.0,
        gt=0,
        description="How long a deep run may work, in seconds; waiting for a person does not count.",
    )
    pause_expires_s: float = Field(
        default=604_800.0,
        gt=0,
        description="How long a question to a person stays open, in seconds.",
    )
    lease_s: float = Field(
        default=4.0,
        ge=0.1,
        le=300,
        description="How long a turn counts as running after the last heartbeat of its process, in seconds.",
    )
    drain_s: float = Field(
        default=10.0,
        ge=0,
        le=600,
        description="How long `metier serve` waits for running turns when it is told to stop, in seconds.",
    )
    telemetry_mode: Literal["off", "local", "remote", "both"] = Field(
        default="local",
        validation_alias=AliasChoices(
            "METIER_TELEMETRY_MODE", "TELEMETRY_MODE", "AH32_TELEMETRY_MODE", "telemetry_mode"
        ),
        description="Where telemetry goes: nowhere (off), a file in the storage folder (local), telemetry_url "
        "(remote), or both. TELEMETRY_MODE and AH32_TELEMETRY_MODE work too.",
    )
    telemetry_url: str = Field(
        default="",
        description="Where batches of telemetry are posted as JSON, for the modes remote and both.",
    )
    telemetry_content: Literal["off", "on"] = Field(
        default="off",
        description="off: telemetry keeps the length, language and mark of a text, never its words; on: the words too.",
    )
    telemetry_retention_days: int = Field(
        default=7,
        ge=1,
        le=3650,
        description="How many days telemetry is kept in the file.",
    )
    telemetry_max_bytes: int = Field(
        default=268_435_456,
        ge=1_048_576,
        description="How large the telemetry file may grow, in bytes; then the oldest events go.",
    )
    otlp_endpoint: str = Field(
        default="",
        description="Where OpenTelemetry spans go, as http://host:4318; empty means nowhere. Needs metier[telemetry].",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        check_given_names(init_settings(), settings_cls)
        variables = (env_settings, dotenv_settings)
        named = (source for source in variables if may_set(getattr(source, "env_vars", ()), settings_cls))
        return init_settings, *named, *_open_file(settings_cls)

    @model_validator(mode="after")
    def _default_database(self) -> Self:
        if not self.database_url:
            object.__setattr__(self, "database_url", f"sqlite:///{self.storage_dir / 'metier.sqlite3'}")
        return self


def _open_file(settings: type[BaseSettings]) -> tuple[TomlConfigSettingsSource, ...]:
    """The source that reads `metier.toml`; without the file none: it would match the names of all settings for it."""
    return (TomlConfigSettingsSource(settings, file),) if (file := Path("metier.toml")).is_file() else ()


def load_settings(overrides: Mapping[str, object] | None = None) -> Settings:
    """Load the settings; raises `InvalidSettings` naming the field and the reason.

    `overrides` maps field names to values that win over every source, as a command-line option does.
    """
    try:
        loaded = Settings(**dict(overrides or {}))  # type: ignore[arg-type]  # pydantic checks each value
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(f"metier.toml cannot be read: {error}", hint="mend the file or remove it") from error
    except SettingsError as error:
        raise InvalidSettings(str(error), hint="a table is written as JSON in a variable, or in metier.toml") from error
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        raise InvalidSettings(
            f"setting {name!r} {_describe_value(name, first['input'])}: {first['msg']}",
            hint="`metier settings` lists every setting, its default and its meaning",
        ) from None  # the cause would print the value, which may be a key
    warn_once(find_unknown_settings())
    return loaded


def find_unknown_settings() -> tuple[str, ...]:
    """A sentence for each `METIER_*` variable and each key of `metier.toml` that is no setting."""
    from dotenv import dotenv_values

    keys = next((source() for source in _open_file(Settings)), {})
    return describe_unknown_names((*os.environ, *dotenv_values(".env")), keys, Settings.model_fields)


def _describe_value(name: str, value: object) -> str:
    """The refused value, unless it may be a key or contain one."""
    if isinstance(value, Mapping | list | SecretStr) or is_secret(name):
        return "is not valid"
    return f"cannot be {mask_secrets(value, name)!r}"


def read_variable(name: str) -> str:
    """Value of a variable of another program, such as a provider's key, from the environment or from `.env`."""
    from dotenv import dotenv_values

    return os.environ.get(name) or dotenv_values(".env").get(name) or ""


def is_any_set(variables: Iterable[str]) -> bool:
    """Whether one of these environment variables, which other packages read, has a value."""
    return any(os.environ.get(name) for name in variables)


def set_if_unset(variable: str, value: str) -> None:
    """Give a variable that another package reads a value, unless it has one."""
    os.environ.setdefault(variable, value)


def render_env_example() -> str:
    """Render `.env.example`: every setting, commented out, at its default."""
    lines = ["# Every setting of Metier, at its default. Copy to .env and change what you need.", ""]
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        plain = "" if default is None else str(default)
        shown = os.pathsep.join(map(str, default)) if isinstance(default, tuple) else plain
        lines += [f"# {field.description}", f"# METIER_{name.upper()}={shown}", ""]
    return "\n".join(lines)
