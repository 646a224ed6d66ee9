"""Configured models by name: what to load for each, with which key, price and fallbacks."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from metier.agent.adapters import Price
from metier.agent.models._load import BUILTIN, ModelConfig, has_provider
from metier.agent.models._presets import PRESETS, PROTOCOLS, Preset, find_preset, get_preset
from metier.errors import InvalidSettings
from metier.json_values import JsonObject
from metier.model_settings import ModelSettings, NamedModel
from metier.names import suggest

ReadVariable = Callable[[str], str]
_MAIN_KEY: Final = "METIER_API_KEY"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """Configured model. `key_source` names the setting or variable that its key comes from, never the key."""

    name: str
    config: ModelConfig
    preset: Preset | None = None
    key_source: str = ""
    missing_key: str = ""
    window: int = 0
    price: Price = field(default_factory=Price)
    fallbacks: tuple["ModelEntry", ...] = ()
    is_named: bool = False  # it has a table [models.<name>], so that settings of the default model are not its own

    @property
    def is_builtin(self) -> bool:
        """Whether this is the built-in model, which needs no service."""
        return self.config.name == BUILTIN

    @property
    def address(self) -> str:
        """Address of the service without credentials; empty if only the client knows it."""
        url = self.config.base_url or (self.preset.base_url if self.preset else "")
        return _without_credentials(url)

    @property
    def is_self_hosted(self) -> bool:
        """Whether the model is served on this machine or a private network; such models are mostly small ones."""
        return bool(self.address) and _is_private(urlsplit(self.address).hostname or "")

    @property
    def label(self) -> str:
        """Name by which replies of this model are told, such as `deepseek:v4`."""
        return self.config.label or self.config.name

    def find_price(self, answered: str, *, stood_in: bool) -> Price:
        """Price of the model that answered: its own, or that of the fallback with this label that stood in."""
        if not stood_in:
            return self.price
        return next((one.price for one in self.fallbacks if one.label == answered), self.price)

    def to_json(self) -> JsonObject:
        """Describe the model for the operator; contains no key."""
        return {
            "name": self.name,
            "model": self.label,
            "preset": self.preset.name if self.preset else None,
            "address": self.address,
            "key": self.key_source or None,
            "tools": self.config.tools,
            "window": self.window or None,
            "fallbacks": [one.label for one in self.fallbacks],
        }


def entries_from_settings(settings: ModelSettings, read_variable: ReadVariable) -> Mapping[str, ModelEntry]:
    """Configured models by name; the default one, if it is no name of `METIER_MODELS`, has its own text as name."""
    tables = {name: (table, f"models.{name}.api_key") for name, table in settings.models.items()}
    if settings.model not in tables:
        tables = {settings.model: (_main_table(settings), _MAIN_KEY), **tables}
    builder = _EntryBuilder(settings, read_variable)
    builder.single.update({name: builder.build(name, *table) for name, table in tables.items()})
    return {
        name: replace(entry, fallbacks=_fallbacks(_list_fallbacks(settings, name, table), entry, builder))
        for (name, entry), (table, _) in zip(builder.single.items(), tables.values(), strict=True)
    }


def _list_fallbacks(settings: ModelSettings, name: str, table: NamedModel) -> tuple[str, ...]:
    """A model's own fallbacks; METIER_MODEL_FALLBACK is for the default model, also if that has a name."""
    return table.fallback or (settings.model_fallback if name == settings.model else ())


def _main_table(settings: ModelSettings) -> NamedModel:
    return NamedModel(
        model=settings.model or BUILTIN,
        base_url=settings.base_url,
        api_key=settings.api_key,
        window=settings.model_window,
        max_output=settings.model_max_output,
        options=settings.model_options,
        fallback=settings.model_fallback,
    )


@dataclass(frozen=True, slots=True)
class _EntryBuilder:
    """Turns tables into entries, without their fallbacks."""

    settings: ModelSettings
    read_variable: ReadVariable
    single: dict[str, ModelEntry] = field(default_factory=dict)

    @property
    def default_price(self) -> Price:
        """Price of models that have none of their own."""
        return Price(self.settings.price_input, self.settings.price_output)

    def build(self, name: str, table: NamedModel, key_setting: str) -> ModelEntry:
        preset, model = _find_service(table)
        key, source, missing = _find_key(table, preset, key_setting, self.read_variable)
        config = ModelConfig(
            name=f"{preset.provider}:{model}" if preset else model,
            base_url=table.base_url or ("" if preset is None or preset.has_own_client else preset.base_url),
            api_key=key,
            tools=table.tools or self.settings.model_tools,
            timeout_s=table.timeout_s or self.settings.model_timeout_s,
            options=_client_options(table, preset),
            label=f"{preset.name}:{model}" if preset else model,
            key_source=source or (key_setting if name in self.settings.models else ""),
        )
        usual = self.default_price
        price = Price(
            usual.input_per_million if table.price_input is None else table.price_input,
            usual.output_per_million if table.price_output is None else table.price_output,
        )
        is_named = name in self.settings.models
        return ModelEntry(name, config, preset, source, missing, table.window, price, is_named=is_named)


def _find_service(table: NamedModel) -> tuple[Preset | None, str]:
    """Preset and the model's name there. At an address of one's own, `qwen:7b` is a name with a tag."""
    head, colon, rest = table.model.partition(":")
    if table.preset:
        preset = get_preset(table.preset)
        return preset, rest if colon and find_preset(head) == preset else table.model
    found = PRESETS.get(head) if table.base_url else find_preset(head)
    return (found, rest) if colon and found is not None and rest.strip() else (None, table.model)


def _find_key(
    table: NamedModel, preset: Preset | None, key_setting: str, read_variable: ReadVariable
) -> tuple[str, str, str]:
    """Key, where it comes from, and what to do if one is needed and there is none."""
    if given := table.api_key.get_secret_value():
        return given, key_setting, ""
    if table.api_key_env:
        key = read_variable(table.api_key_env)
        return key, table.api_key_env if key else "", "" if key else f"set the variable {table.api_key_env}"
    if preset is None:
        return "", "", ""
    # A service's own variable holds a key for that service: it is not sent to another address.
    usable = not preset.needs_key or not table.base_url or _is_same_site(table.base_url, preset.base_url)
    for variable in preset.key_variables if usable else ():
        if key := read_variable(variable):
            return key, variable, ""
    if not preset.needs_key or (table.base_url and not usable):
        return "", "", ""
    return "", "", f"set {key_setting}, or the variable {preset.key_variables[0]}"


def _client_options(table: NamedModel, preset: Preset | None) -> JsonObject:
    """Options of LangChain's client: the operator's, with the limits under the client's own names."""
    options = dict(table.options)
    protocol = PROTOCOLS["openai" if preset is None else preset.provider]
    if table.max_output and (preset is None or not preset.has_own_client):
        # LangChain's OpenAI client sends `max_completion_tokens`, which other services ignore.
        body = options.get("extra_body")
        options["extra_body"] = {"max_tokens": table.max_output, **(body if isinstance(body, dict) else {})}
    elif table.max_output:
        options.setdefault(protocol.max_output, table.max_output)
    if table.window and protocol.window:
        options.setdefault(protocol.window, table.window)
    return options


def _fallbacks(names: tuple[str, ...], entry: ModelEntry, builder: "_EntryBuilder") -> tuple[ModelEntry, ...]:
    """Models to try after this one, in this order."""
    found: list[ModelEntry] = []
    for name in names:
        other = builder.single.get(name)
        if name == BUILTIN or (other is not None and other.is_builtin):
            raise InvalidSettings("the fallback cannot be 'builtin'", hint="name another model, or none")
        if other is not None and other.name == entry.name:
            raise InvalidSettings(f"model {name!r} is its own fallback", hint="name another model, or none")
        found.append(other if other is not None else _plain_fallback(name, entry, builder))
    return tuple(found)


def _plain_fallback(name: str, entry: ModelEntry, builder: "_EntryBuilder") -> ModelEntry:
    """Model that is no configured name: at the same address, or another service with that service's own key.

    It has no price of its own, so METIER_PRICE_INPUT and METIER_PRICE_OUTPUT are its price.
    """
    preset, model = _find_service(NamedModel(model=name, base_url=entry.config.base_url))
    if preset is not None and preset == entry.preset:
        config = replace(entry.config, name=f"{preset.provider}:{model}", label=name)
        return ModelEntry(name, config, preset, price=builder.default_price)
    if preset is not None or has_provider(name, entry.config):
        return builder.build(name, NamedModel(model=name), "models.<name>.api_key")
    if not entry.config.base_url:
        hint = suggest(name, builder.single, f"configured: {', '.join(builder.single)}; or write provider:name")
        raise InvalidSettings(f"the fallback {name!r} of model {entry.name!r} is not configured", hint=hint)
    return ModelEntry(name, replace(entry.config, name=name, label=""), price=builder.default_price)


def _is_same_site(one: str, other: str) -> bool:
    hosts = [urlsplit(url).hostname or "" for url in (one, other)]
    return hosts[0].split(".")[-2:] == hosts[1].split(".")[-2:] and not is_loopback_url(one)


def is_loopback_url(url: str) -> bool:
    """Whether the address is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_private(host: str) -> bool:
    if "." not in host and ":" not in host:  # localhost, or a name of the own network
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host.endswith((".local", ".internal", ".lan", ".localhost"))


def _without_credentials(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
