"""Configuration of MCP servers: a command to start, or a URL."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidSettings
from metier.json_values import JsonObject, JsonValue

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_KEYS: Final = ("command", "args", "env", "cwd", "url", "headers", "timeout_s", "connect_timeout_s")
_EMPTY: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class McpServerConfig:
    """Configuration of one server.

    A server that Metier starts inherits no environment variables: it gets only `env`, and a PATH unless `env` sets one.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=lambda: _EMPTY, repr=False)
    cwd: Path | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: _EMPTY, repr=False)
    timeout_s: float = 30.0
    connect_timeout_s: float = 15.0


def read_mcp_config(table: JsonObject) -> tuple[McpServerConfig, ...]:
    """Parse `{name: {command, args, env, cwd} or {url, headers}}`; the first mistake raises `InvalidSettings`."""
    found = tuple(_parse_server(name, given) for name, given in table.items())
    names = sorted(one.name for one in found)
    for shorter in names:
        for longer in names:
            if shorter != longer and f"{longer}__".startswith(f"{shorter}__"):
                raise _config_error(longer, f"its tools could be taken for those of {shorter!r}; give it another name")
    return found


def _parse_server(name: str, given: JsonValue) -> McpServerConfig:
    if not _NAME.fullmatch(name):
        raise _config_error(name, "a name has 1 to 32 letters, digits, '_' and '-'")
    if not isinstance(given, Mapping):
        raise _config_error(name, "it must be a table")
    unknown = [key for key in given if key not in _KEYS]
    if unknown:
        raise _config_error(name, f"unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}")
    command, url = _parse_text(name, given, "command"), _parse_text(name, given, "url")
    if bool(command) == bool(url):
        raise _config_error(name, "it needs a 'command' or a 'url', and not both")
    if url and not url.startswith(("http://", "https://")):
        raise _config_error(name, f"{url!r} is no http or https address")
    if "=" in command:
        raise _config_error(name, f"a command cannot have '=' in its name: {command!r}")
    cwd = _parse_text(name, given, "cwd")
    return McpServerConfig(
        name=name,
        command=command,
        args=_parse_texts(name, given.get("args", ())),
        env=_parse_pairs(name, given, "env"),
        cwd=Path(cwd) if cwd else None,
        url=url,
        headers=_parse_pairs(name, given, "headers"),
        timeout_s=_parse_seconds(name, given, "timeout_s", 30.0),
        connect_timeout_s=_parse_seconds(name, given, "connect_timeout_s", 15.0),
    )


def _parse_text(name: str, given: JsonObject, key: str) -> str:
    value = given.get(key, "")
    if not isinstance(value, str) or "\0" in value:
        raise _config_error(name, f"{key!r} must be a text")
    return value.strip()


def _parse_texts(name: str, value: JsonValue) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and "\0" not in item for item in value):
        raise _config_error(name, "'args' must be a list of texts")
    return tuple(value)


def _parse_pairs(name: str, given: JsonObject, key: str) -> Mapping[str, str]:
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise _config_error(name, f"{key!r} must be a table")
    found: dict[str, str] = {}
    for one, text in value.items():
        if not one or not isinstance(text, str) or "\0" in one + text or "=" in one or "\n" in one + text:
            raise _config_error(name, f"{key!r} has {one[:40]!r}, which must be a name with a text on one line")
        found[one] = text
    return MappingProxyType(found)


def _parse_seconds(name: str, given: JsonObject, key: str, default: float) -> float:
    value = given.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 3600:
        raise _config_error(name, f"{key!r} must be a number of seconds up to 3600")
    return float(value)


def _config_error(name: str, why: str) -> InvalidSettings:
    return InvalidSettings(f"MCP server {name[:40]!r}: {why}", hint="see the MCP section of metier.toml")
